// `benchmark.json`: with and without a skill in the form that tools for skills read, with intervals beside it.
import { defined } from '../../../base/defined.js'
import { formatCount, plural } from '../../../base/format.js'
import type { ResultEvent, VariantSummary } from '../../../model/event.js'
import type { AssertionResult } from '../../../model/result-schema.js'
import { hasVerdict, isLeftOut } from '../../../model/status.js'
import {
  BenchmarkFold,
  counts,
  expectationsOf,
  expectationText,
  secondsOf,
  shareOf,
  type ConfigurationSums,
  type Delta,
  type Spread,
} from '../../fold/benchmark.js'
import type { ShareTest } from '../../fold/statistics/shares.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'

export async function* benchmark(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  const folded = await fold(recording, overview)
  yield `{\n  "metadata": ${setIn(metadata(overview, folded))},\n  "runs": [`
  let separator = '\n    '
  for await (const event of runsOf(recording, folded)) {
    yield `${separator}${setIn(run(event, folded), 4)}`
    separator = ',\n    '
  }
  const { run_summary, intervals, notes } = conclusions(overview, folded)
  yield separator === '\n    ' ? '],\n' : '\n  ],\n'
  yield `  "run_summary": ${setIn(run_summary)},\n  "intervals": ${setIn(intervals)},\n  "notes": ${setIn(notes)}\n}\n`
}

interface Folded {
  fold: BenchmarkFold
  /** The baseline first. */
  names: string[]
  /** Queries that only ask whether the skill is used. */
  triggers: number
  skipped: number
  /** By the name of the skill itself: the folder may be given as ".". */
  skill?: string
  most_runs: number
  judges: Map<string, { model?: string | undefined; licensed: boolean; verdicts: number }>
}

async function fold(recording: Recording, { start }: Overview): Promise<Folded> {
  const names = start.variants?.map(({ name }) => name) ?? [ONLY]
  const folded: Folded = {
    fold: new BenchmarkFold(names),
    names,
    triggers: 0,
    skipped: 0,
    most_runs: 0,
    judges: new Map(),
  }
  for await (const event of recording.events()) {
    if (event.type !== 'result') continue
    if (event.skills?.tested !== undefined) folded.skill ??= event.skills.tested
    if (isTrigger(event)) folded.triggers++
    else if (event.status === 'skipped') folded.skipped += isLeftOut(event) ? 0 : 1
    else {
      folded.fold.add(event)
      folded.most_runs = Math.max(folded.most_runs, event.run)
      for (const { judge } of expectationsOf(event)) {
        if (!judge) continue
        const known = folded.judges.get(judge.id) ?? { model: judge.model, licensed: true, verdicts: 0 }
        folded.judges.set(judge.id, {
          ...known,
          licensed: known.licensed && judge.licensed === true,
          verdicts: known.verdicts + 1,
        })
      }
    }
  }
  return folded
}

/** Of a run without variants: the agent as it is. */
const ONLY = 'with_skill'

/** One side after the other: viewers tell the sides of an eval by which comes first. */
async function* runsOf(recording: Recording, folded: Folded): AsyncGenerator<ResultEvent> {
  for (const name of inOrder(folded))
    for await (const event of recording.events())
      if (event.type === 'result' && event.status !== 'skipped' && !isTrigger(event) && sideOf(event, folded) === name)
        yield event
}

/** What is compared comes before what it is compared with. */
function inOrder({ names: [baseline = ONLY, ...others] }: Folded): string[] {
  return [...others, baseline]
}

function sideOf({ variant = '' }: ResultEvent, { names }: Folded): string {
  return names.includes(variant) ? variant : (names[0] ?? ONLY)
}

/** Only one side can be asked, so its runs are none of the comparison, whatever else they check. */
function isTrigger(event: ResultEvent): boolean {
  if (event.status === 'skipped') return false
  if (event.uncompared) return true
  return event.choice?.of === 'skill' && expectationsOf(event).every(({ type }) => type === 'skill_invoked')
}

function metadata({ start, complete }: Overview, { fold: folded, most_runs, judges, skill: tested }: Folded): object {
  const [judge] = judges.values()
  const { name } = start.options
  const skill = typeof name === 'string' ? /^skill:(.+)$/.exec(name)?.[1] : undefined
  return {
    skill_name: tested ?? skill?.split(/[\\/]/).findLast((part) => !['', '.', '..'].includes(part)) ?? null,
    skill_path: skill ?? null,
    executor_model: start.connector ?? null,
    analyzer_model: judge?.model ?? null,
    timestamp: start.timestamp,
    evals_run: folded.ids.map(evalId),
    runs_per_configuration: most_runs,
    generated_by: `viva ${start.version}`,
    ...(!complete && { incomplete: true }),
  }
}

/** Numbers in the skill's own file are numbers again. */
function evalId(id: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id
}

function run(event: ResultEvent, folded: Folded): object {
  const all = expectationsOf(event)
  const counted = all.filter(counts)
  const passed = counted.filter((each) => each.passed).length
  const broken = all.filter(({ error }) => error !== undefined).length
  const isLost = !hasVerdict(event)
  return {
    eval_id: evalId(event.id),
    ...defined({ eval_name: event.name }),
    configuration: sideOf(event, folded),
    run_number: event.run,
    result: {
      pass_rate: rounded(shareOf(event, all)),
      passed,
      failed: counted.length - passed,
      total: all.filter(({ advice }) => advice === undefined).length,
      time_seconds: rounded(secondsOf(event)),
      tokens: event.usage?.total_tokens ?? null,
      tool_calls: toolCalls(event),
      errors: broken === 0 && isLost ? 1 : broken,
    },
    expectations: all.map(expectation),
    notes: runNotes(event, isLost),
  }
}

/** Unknown where the agent does not report them all, or never got to answer. */
function toolCalls(event: ResultEvent): number | null {
  if (event.tool_evidence !== undefined) return null
  return event.tool_calls?.length ?? (hasVerdict(event) ? 0 : null)
}

function expectation(each: AssertionResult): object {
  const text = expectationText(each)
  if (!counts(each) && each.advice === undefined) return { text, passed: null, evidence: each.error ?? 'not reached' }
  return { text, passed: each.passed, evidence: each.message ?? '', ...(each.advice && { advice: true }) }
}

function runNotes(event: ResultEvent, isLost: boolean): string[] {
  const notes = isLost && event.error !== undefined ? [`no verdict: ${event.error}`] : []
  if (event.status === 'passed' && event.flaky) notes.push('passed after a failed attempt')
  return notes
}

interface Conclusions {
  run_summary: Record<string, unknown>
  intervals: Record<string, unknown>
  notes: string[]
}

function conclusions({ summary }: Overview, folded: Folded): Conclusions {
  const { fold: sums, names } = folded
  const [baseline = ONLY, ...others] = names
  const run_summary: Record<string, unknown> = {}
  const intervals: Record<string, unknown> = {}
  const notes: string[] = []
  const ordered = inOrder(folded)
  for (const name of ordered) run_summary[name] = summaryOf(sums.sums(names.indexOf(name)))
  for (const [index, name] of others.entries()) {
    if (index === 0) {
      const delta = sums.delta(index + 1)
      run_summary['delta'] = deltaOf(delta)
      notes.push(...deltaNotes(delta))
    }
    const test = sums.difference(index + 1)
    intervals[name] = defined({
      against: baseline,
      expectations_met: test.cases === 0 ? null : differenceOf(test),
      evals_passed: evalsPassed(summary.variants?.[index + 1]),
    })
    if (test.cases > 0) notes.push(...comparedNotes(name, baseline, test))
    notes.push(...idleNotes(sums, index + 1))
  }
  notes.push(...ordered.flatMap((name) => sideNotes(name, sums.sums(names.indexOf(name)))), ...judgeNotes(folded))
  if (folded.triggers > 0)
    notes.push(
      `Left out: ${plural(folded.triggers, 'run')} of trigger queries. They say when the skill is used, not what it adds.`,
    )
  if (folded.skipped > 0) notes.push(`Left out: ${plural(folded.skipped, 'skipped run')}.`)
  return { run_summary, intervals, notes }
}

function summaryOf({ pass_rate, time_seconds, tokens }: ConfigurationSums): object {
  return { pass_rate: spreadOf(pass_rate), time_seconds: spreadOf(time_seconds), tokens: spreadOf(tokens) }
}

function spreadOf(spread: Spread | null): object | null {
  if (!spread) return null
  const { mean, stddev, min, max } = spread
  // Viewers compute with it, and show nothing at all for null; a note says that it is not known.
  return { mean: rounded(mean), stddev: rounded(stddev ?? 0), min: rounded(min), max: rounded(max) }
}

function deltaOf({ pass_rate, time_seconds, tokens }: Delta): object {
  const shown = (value: number | null, digits: number): string | null => (value === null ? null : signed(value, digits))
  return { pass_rate: shown(pass_rate, 2), time_seconds: shown(time_seconds, 1), tokens: shown(tokens, 0) }
}

function deltaNotes({ isPartial, evals }: Delta): string[] {
  return isPartial
    ? [
        `delta is over the ${plural(evals, 'eval')} with a verdict on both sides, not the difference of the means: those are over all evals that the side has a verdict on.`,
      ]
    : []
}

function differenceOf({ difference, interval, p_value, cases }: ShareTest): object {
  return {
    difference: rounded(difference),
    low: rounded(interval.low),
    high: rounded(interval.high),
    confidence: 0.95,
    p_value: rounded(p_value),
    evals: cases,
  }
}

/** As the run itself reports it, in shares instead of percent. */
function evalsPassed(row: VariantSummary | undefined): object | undefined {
  const { difference } = row ?? {}
  if (!difference) return undefined
  const { points, low, high, confidence, p_value, cases, as_judged } = difference
  return defined({
    difference: rounded(points / 100),
    low: rounded(low / 100),
    high: rounded(high / 100),
    confidence,
    p_value: rounded(p_value),
    evals: cases,
    as_judged: as_judged === undefined ? undefined : rounded(as_judged / 100),
  })
}

function comparedNotes(name: string, baseline: string, { difference, interval, cases }: ShareTest): string[] {
  const bounds = `${signed(interval.low, 2)} to ${signed(interval.high, 2)}`
  return [
    `Share of expectations met, ${name} against ${baseline}, over ${plural(cases, 'eval')}: ${signed(difference, 2)}, 95% interval ${bounds}. The evals are taken as they are; expectations of one run are not counted as independent.`,
  ]
}

const SHOWN = 10

function idleNotes(sums: BenchmarkFold, at: number): string[] {
  const idle = sums.idle(at)
  const more = idle.length - SHOWN
  return [
    ...idle
      .slice(0, SHOWN)
      .map(
        ({ id, text, outcome }) =>
          `Eval ${id}: "${text}" was ${outcome === 'met' ? 'met in every run' : 'not met in any run'} on both sides: it does not tell them apart.`,
      ),
    ...(more > 0 ? [`${plural(more, 'more expectation')} did not tell the sides apart.`] : []),
  ]
}

function sideNotes(name: string, sums: ConfigurationSums): string[] {
  const { runs, lost, unchecked, tokens_unknown, pass_rate } = sums
  return [
    ...(pass_rate?.stddev === null
      ? [`${name}: a single run was measured. How far runs differ is not known; stddev is 0 only in its form.`]
      : []),
    ...(lost > 0
      ? [
          `${name}: ${formatCount(lost)} of ${plural(runs, 'run')} ended without a verdict (an error, not a failure). They are listed, and are in no rate, time or token count.`,
        ]
      : []),
    ...(unchecked > 0 ? [`${name}: ${plural(unchecked, 'run')} without anything to check, in no figure.`] : []),
    ...(tokens_unknown > 0
      ? [`${name}: the agent reported no tokens in ${plural(tokens_unknown, 'run')}; they are in no token count.`]
      : []),
  ]
}

function judgeNotes({ judges }: Folded): string[] {
  return [...judges].map(([id, { model, licensed, verdicts }]) => {
    const who = `${id}${model === undefined ? '' : ` (${model})`}`
    const error = licensed
      ? 'People have labelled answers of it, and it has a licence.'
      : 'It has no licence: how often it is wrong is not known, and no interval here includes that.'
    return `${plural(verdicts, 'verdict')} rest on the judge ${who}. ${error}`
  })
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value.toFixed(4))
}

function signed(value: number, digits: number): string {
  const text = value.toFixed(digits)
  return Number(text) >= 0 ? `+${text.replace('-', '')}` : text
}

// JSON has no raw newline inside a string, so every newline may be indented.
function setIn(value: unknown, by = 2): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(by)}`)
}
