// `viva test`: the main job.
import type { RunEvent } from '../../model/event.js'
import type { RunOptions, VivaConfig } from '../../model/options.js'
import type { StopSignal } from '../../pipeline/fold/exit-code.js'
import type { EventSink } from '../../pipeline/record/event-log.js'
import { detectInput } from '../../pipeline/sources/detect.js'
import { prepare, type RunIo } from '../../run/prepare.js'
import { runTests } from '../../run.js'
import { leaveOut } from '../../time/clock.js'
import { signalAll } from '../../process/registry.js'
import type { CommandCall } from '../command.js'
import { createLiveConsole } from '../live.js'
import { mergeOptions } from '../options.js'
import { endNow, onStray, useRedactor } from '../ending.js'
import { screenOf, type Terminal } from '../screen.js'
import { createConsoleText } from '../../pipeline/report/console/console.js'

// npm and shells send the signal twice; a person who means it presses again later.
const IMPATIENT_AFTER_MS = 1000

export async function test({ flags, color }: CommandCall): Promise<number> {
  const options = mergeOptions(flags)
  const message = isMessage(options)
  const out = message || takesStdout(options) ? process.stderr : process.stdout
  const screen = screenOf(out, process.env, { verbose: options.verbose, ...(color !== undefined && { color }) })
  const stop = listenForSignals()
  const io = await createIo(options, screen, message, flags, stop)
  try {
    if (options.dry_run) return await dryRun(options, io)
    const outcome = await runTests(options, io, stop.signal)
    if (outcome.events_file !== undefined) io.note(`Events: ${outcome.events_file}`)
    for (const report of outcome.reports) io.note(`Report: ${report}`)
    return outcome.exit_code
  } finally {
    stop.release()
  }
}

/** Events or a report on standard output can be piped on: then nothing else goes there. */
function takesStdout({ json, reporter, output }: RunOptions): boolean {
  return json || (reporter !== undefined && output.every((path) => path.toLowerCase().endsWith('.jsonl')))
}

interface CliIo extends RunIo {
  note(text: string): void
}

async function createIo(
  options: RunOptions,
  screen: Terminal,
  message: boolean,
  flags: Record<string, unknown>,
  stop: Stop,
): Promise<CliIo> {
  const out = message || takesStdout(options) ? process.stderr : process.stdout
  const sinks: EventSink[] = []
  const live = screen.live && !options.json && !message ? createLiveConsole(out, screen) : undefined
  if (live) sinks.push(live)
  else if (!options.json && (!message || options.verbose)) sinks.push(plainConsole(out, screen))
  if (options.json) sinks.push(jsonSink())
  if (message && !takesStdout(options)) sinks.push(answerSink(screen, options.verbose))
  const interactive = process.stdin.isTTY === true && process.stderr.isTTY === true && !options.skip_interactive
  const human = interactive ? await openHuman(live) : undefined
  return {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    screen,
    sinks,
    now: () => new Date(),
    warn: (text) =>
      void process.stderr.write(`warning: ${text}
`),
    note: (text) =>
      void process.stderr.write(`${text}
`),
    interruptedBy: stop.signalName,
    began: stop.began,
    useRedactor,
    onStray,
    withConfig: (config: VivaConfig) => mergeOptions(flags, config.defaults),
    ...(human && { human }),
  }
}

async function openHuman(live: { pause(): void; resume(): void } | undefined): Promise<RunIo['human']> {
  const { createHuman } = await import('../human.js')
  return createHuman({
    input: process.stdin,
    output: process.stderr,
    onAsk: () => live?.pause(),
    onAnswered: () => live?.resume(),
  })
}

/** What looks like a file, a reference or `-` is no message; an input that cannot be read is reported when it is opened. */
function isMessage(options: RunOptions): boolean {
  if (options.input === undefined || options.resume !== undefined) return false
  try {
    return detectInput(options.input).kind === 'message'
  } catch {
    return false
  }
}

function plainConsole(out: NodeJS.WriteStream, screen: Terminal): EventSink {
  const textOf = createConsoleText(screen)
  return gathered('console', out, (event) => textOf(event) ?? '')
}

function jsonSink(): EventSink {
  return gathered('--json', process.stdout, (event) => `${JSON.stringify(event)}\n`)
}

/** One write for a batch of events: under load, writing each by itself costs more than making it. */
function gathered(name: string, out: NodeJS.WriteStream, textOf: (event: RunEvent) => string): EventSink {
  let text = ''
  return {
    name,
    write: (event) => {
      text += textOf(event)
    },
    flush: () => {
      if (text !== '') out.write(text)
      text = ''
    },
  }
}

/** The answer alone on standard output, so that it can be piped; trouble on standard error. */
function answerSink(screen: Terminal, verbose: boolean): EventSink {
  const textOf = createConsoleText({ ...screen, verbose: false })
  return {
    name: 'answer',
    write: (event) => {
      if (event.type !== 'result') return
      if (event.output !== undefined)
        process.stdout.write(
          `${typeof event.output === 'string' ? event.output : JSON.stringify(event.output, null, 2)}\n`,
        )
      if (event.status !== 'passed' && !verbose) process.stderr.write(textOf(event) ?? '')
    },
  }
}

async function dryRun(options: RunOptions, io: CliIo): Promise<number> {
  const { printDryRun, requireCaseFile } = await import('../dry-run.js')
  // Before a generator is asked: what it writes must have a place to go.
  const target = await requireCaseFile(options)
  const prepared = await prepare(options, io)
  try {
    await printDryRun(prepared, process.stdout, target)
    return 0
  } finally {
    await prepared.close()
  }
}

interface Stop {
  signal: AbortSignal
  signalName(): StopSignal
  /** From now on there is something to save: a signal stops the run in order. */
  began(): void
  release(): void
}

const EXIT_CODES: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

function listenForSignals(): Stop {
  const controller = new AbortController()
  let name: StopSignal = 'SIGINT'
  let first = 0
  let running = false
  const on = (signal: StopSignal): void => {
    const now = performance.now()
    if (!running) return void endNow(EXIT_CODES[signal])
    if (!controller.signal.aborted) {
      name = signal
      first = now
      process.stderr.write('\nstopping: running cases are ended, results are kept (again to stop at once)\n')
      controller.abort()
    } else if (now - first > IMPATIENT_AFTER_MS) {
      void endNow(EXIT_CODES[signal])
    }
  }
  const signals: StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, on)
  if (process.platform !== 'win32') process.on('SIGTSTP', pauseWithAgents)
  return {
    signal: controller.signal,
    signalName: () => name,
    began: () => {
      running = true
    },
    release: () => {
      for (const signal of signals) process.off(signal, on)
      process.off('SIGTSTP', pauseWithAgents)
    },
  }
}

/** Ctrl-Z: the agents are in groups of their own, which the terminal does not stop, and their time stands still with ours. */
function pauseWithAgents(): void {
  signalAll('SIGSTOP')
  const stopped = performance.now()
  process.kill(process.pid, 'SIGSTOP')
  leaveOut(performance.now() - stopped)
  signalAll('SIGCONT')
}
