// `viva test`: the main job.
import { completeIo, type RunIo } from '../../run/io.js'
import { prepare } from '../../run/prepare.js'
import { readSettings, type Settings } from '../../run/settings.js'
import { runSettings } from '../../library/run-tests.js'
import type { RunOutcome } from '../../run.js'
import { pathSeenFrom } from '../../files/inside.js'
import { isFoundFrom } from '../../pipeline/record/find-events.js'
import { asTyped, type Screen } from '../../pipeline/report/recording.js'
import { shellWord } from '../../base/shell-word.js'
import type { CommandCall } from '../command.js'
import { openDisplay } from '../display.js'
import { bestEffort } from '../ending.js'
import { plainIo } from '../plain-io.js'
import { note } from '../say.js'
import { listenForSignals, type Signals } from '../signals.js'
import { stderr, stdout, type Door } from '../terminal.js'

export async function test({ flags: { watch, ...flags }, color }: CommandCall): Promise<number> {
  if (watch === true) return watchFor(flags, color)
  const signals = listenForSignals()
  try {
    const settings = await readSettings(flags, process.cwd())
    if (settings.options.dry_run) return await dryRun(settings, flags['output'] as string[] | undefined, signals)
    const { io, door, screen } = await createIo(settings, color, signals)
    const outcome = await runSettings(settings, io, signals.stop)
    nameResults(outcome, settings, door, screen)
    if (!isAnswerPrinted(settings, outcome)) bestEffort()
    return outcome.exit_code
  } finally {
    signals.release()
  }
}

/** Where the results are: on the console, the last line is the command that shows them. */
function nameResults(
  { events_file, reports, summary }: RunOutcome,
  { options }: Settings,
  door: Door | undefined,
  screen: Screen,
): void {
  const isPlain = options.classic || !door
  if (isPlain && events_file !== undefined) note(`Events: ${events_file}`)
  for (const report of reports) note(`Report: ${report}`)
  if (isPlain || events_file === undefined) return
  const path = pathSeenFrom(process.cwd(), events_file)
  const line = (label: string, command: string, more = ''): void =>
    door.write(`${label}: ${asTyped(command, screen)}${more}\n`)
  if (summary.interrupted) line('Resume', `viva test --resume ${shellWord(path)}`)
  if (isFoundFrom(process.cwd(), events_file)) line('Report', 'viva view latest', ` (${path})`)
  else line('Report', `viva view ${shellWord(path)}`)
}

/** Otherwise standard output is only for people to watch: the exit code and the files say the same. */
function isAnswerPrinted({ options: { json, reporter }, input }: Settings, { reports }: RunOutcome): boolean {
  return json || input.kind === 'message' || (reporter !== undefined && reports.length === 0)
}

async function watchFor(flags: Record<string, unknown>, color: boolean | undefined): Promise<number> {
  const { watchTests } = await import('../watch/watch.js')
  return watchTests({
    flags,
    cwd: process.cwd(),
    run: async ({ settings, sink, signal, isAgain }) => {
      const signals = listenForSignals()
      try {
        // Key presses control the watch and answer no agent.
        const { io } = await createIo(settings, color, signals, { noHeader: isAgain, isAlone: true })
        const stop = AbortSignal.any([signals.stop, signal])
        return await runSettings(settings, { ...io, sinks: [...(io.sinks ?? []), sink] }, stop)
      } finally {
        signals.release()
      }
    },
  })
}

async function createIo(
  settings: Settings,
  color: boolean | undefined,
  signals: Signals,
  { noHeader = false, isAlone = false } = {},
): Promise<{ io: Partial<RunIo>; door: Door | undefined; screen: Screen }> {
  const { options, input, interrupted } = settings
  const { screen, sinks, live, door } = openDisplay(options, input.kind === 'message' && !interrupted, color, noHeader)
  const isAttended =
    !options.skip_interactive && !isAlone && process.stderr.isTTY === true && process.stdin.isTTY === true
  const io = {
    ...plainIo(signals),
    screen,
    sinks,
    print: stdout.write,
    ...(process.env['GITHUB_ACTIONS'] !== undefined && { annotate: stderr.write }),
    began: signals.began,
    ...(isAttended && { human: await openHuman(live) }),
  }
  return { io, door, screen }
}

async function openHuman(live: { pause(): void; resume(): void } | undefined): Promise<NonNullable<RunIo['human']>> {
  const { createHuman } = await import('../human.js')
  return createHuman({
    input: process.stdin,
    output: process.stderr,
    onAsk: () => live?.pause(),
    onAnswered: () => live?.resume(),
  })
}

/** Cases go where the command line says: an output in the configuration is meant for the events of a run. */
async function dryRun(settings: Settings, output: string[] = [], signals: Signals): Promise<number> {
  const { printDryRun, requireCaseFile } = await import('../dry-run.js')
  // Before a generator is called: what it writes must have a place to go.
  const target = await requireCaseFile(settings, output)
  const prepared = await prepare(settings, completeIo(plainIo(signals), settings.options), signals.stop)
  try {
    await printDryRun(prepared, stdout, target)
    return 0
  } finally {
    await prepared.close()
  }
}
