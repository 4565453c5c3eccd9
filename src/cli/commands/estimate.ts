// `viva estimate`: runs a few cases to estimate what a full run will cost and how long it will take.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatDuration } from '../../base/duration.js'
import { formatCost, formatCount, plural } from '../../base/format.js'
import { UserError } from '../../errors.js'
import type { ResultEvent, RunEvent } from '../../model/event.js'
import { helpersTotal } from '../../model/helper-cost.js'
import { completeIo, type RunIo } from '../../run/io.js'
import { prepare } from '../../run/prepare.js'
import { testedWith } from '../../run/unit/tested.js'
import { readSettings, type Settings } from '../../run/settings.js'
import { runSettings } from '../../library/run-tests.js'
import type { CommandCall } from '../command.js'
import { plainIo } from '../plain-io.js'
import { listenForSignals, type Signals } from '../signals.js'
import { stdout } from '../terminal.js'
import { countUnits } from '../units.js'

const DEFAULT_CASES = 5

export async function estimate({ flags }: CommandCall): Promise<number> {
  const { cases = DEFAULT_CASES, ...given } = flags
  const count = Number(cases)
  const signals = listenForSignals()
  const folder = mkdtempSync(join(tmpdir(), 'viva-estimate-'))
  try {
    const settings = await readSettings({ ...given, history: false }, process.cwd())
    requireFile(settings)
    const begun = await listCases(settings, signals)
    const sample = spread(begun.ids, count)
    const results: ResultEvent[] = []
    const collect = (event: RunEvent): void => void (isRun(event) && results.push(event))
    const outcome = await runSettings(
      onlyThose(settings, sample, folder),
      { ...quietIo(signals), sinks: [{ name: 'estimate', write: collect }] },
      signals.stop,
    )
    if (outcome.exit_code > 3) return outcome.exit_code
    if (results.length === 0) throw nothingRan(outcome.summary.reasons)
    stdout.write(describe(results, sample.length, begun, settings))
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
    signals.release()
  }
}

/** Where its files go does not matter: they are thrown away. */
function quietIo(signals: Signals): Partial<RunIo> {
  const { note: _note, ...io } = plainIo(signals)
  return io
}

/** Not said of a variant that the case is not for. */
function isRun(event: RunEvent): event is ResultEvent {
  return event.type === 'result' && event.skipped_by !== 'variant'
}

interface Begun {
  ids: string[]
  /** In one run of each, with every variant it is for. */
  units: number
}

/** The cases that a run would begin. */
async function listCases(settings: Settings, signals: Signals): Promise<Begun> {
  const prepared = await prepare(settings, completeIo(quietIo(signals), settings.options), signals.stop)
  const { work } = prepared
  const tested = work.mode === 'agent' ? work.tested : []
  const begun: Begun = { ids: [], units: 0 }
  try {
    for await (const batch of work.planned())
      for (const { unit } of batch) {
        if (unit.kind !== 'case' || unit.testCase.skip) continue
        begun.ids.push(unit.testCase.id)
        begun.units += testedWith(unit.testCase, tested).length
      }
    return begun
  } finally {
    await prepared.close()
  }
}

/** From all over the file: neighbouring cases are alike. */
function spread(ids: readonly string[], count: number): string[] {
  const step = Math.max(1, ids.length / count)
  return ids.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step)).slice(0, count)
}

/** One run of each, with every variant; nothing is left behind. */
function onlyThose(settings: Settings, sample: readonly string[], folder: string): Settings {
  const wanted = new Set(sample)
  const selection = { ...settings.selection, match: (text: string) => wanted.has(text) }
  const options = { ...settings.options, runs: 1 as const, output: [join(folder, 'events.jsonl')] }
  return { ...settings, options, selection }
}

function describe(
  results: ResultEvent[],
  tried: number,
  { ids: { length: total }, units }: Begun,
  { options, variants }: Settings,
): string {
  const { runs, parallel } = options
  const least = runs === 'auto' ? 1 : runs
  const cost = meanOf(results.map(costOf))
  const time = meanOf(results.map(({ duration_ms }) => duration_ms))
  const scale = units * least
  const spent = cost ? formatCost(cost.sum) : 'an unknown amount'
  const word = runs === 'auto' ? 'at least' : 'about'
  return [
    `${formatCount(tried)} of ${plural(total, 'case')} tried: ${spent}, ${formatDuration(time?.sum ?? 0)}`,
    `The whole run: ${countUnits({ cases: total, variants: variants.length, each: units }, options)}`,
    cost
      ? `  ${word} ${formatCost(cost.mean * scale)} (${formatCost(cost.low * scale)} to ${formatCost(cost.high * scale)}), judges and simulators included`
      : '  what it will cost is not known: the agent reports neither cost nor tokens with a price',
    `  ${word} ${formatDuration(((time?.mean ?? 0) * scale) / parallel)} with --parallel ${parallel}`,
    '',
  ].join('\n')
}

/** Undefined if the agent does not report it: what helpers cost is then not the whole. */
function costOf({ cost_dollars, helpers }: ResultEvent): number | undefined {
  return cost_dollars === undefined ? undefined : cost_dollars + (helpersTotal(helpers ?? []) ?? 0)
}

interface Mean {
  sum: number
  mean: number
  /** Two standard errors below and above. */
  low: number
  high: number
}

function meanOf(values: Array<number | undefined>): Mean | undefined {
  const known = values.filter((value) => value !== undefined)
  if (known.length === 0 || known.length < values.length) return undefined
  const sum = known.reduce((total, value) => total + value, 0)
  const mean = sum / known.length
  const squares = known.reduce((total, value) => total + (value - mean) ** 2, 0)
  const error = known.length < 2 ? mean : Math.sqrt(squares / (known.length - 1) / known.length)
  return { sum, mean, low: Math.max(0, mean - 2 * error), high: mean + 2 * error }
}

function requireFile({ input }: Settings): void {
  if (input.kind === 'file') return
  throw new UserError({
    code: 'NO_CASE_FILE',
    message: 'an estimate is made from a case file',
    hint: 'give one: viva estimate -i tests/inputs.jsonl; generated cases can be written to a file with --dry-run -o',
  })
}

function nothingRan(reasons: readonly string[] = []): UserError {
  return new UserError({
    code: 'NOTHING_RAN',
    message: `no case was run${reasons.length > 0 ? `: ${reasons.join('; ')}` : ', since all are skipped'}`,
    hint: 'viva test with the same flags and --dry-run lists the cases',
  })
}
