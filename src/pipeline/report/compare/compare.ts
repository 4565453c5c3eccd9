// Two runs → what changed, and whether it is more than chance.
import { defined } from '../../../base/defined.js'
import { diffOutputs } from './diffs.js'
import { readRun, type CaseRecord, type RunRecord } from './records.js'
import { testLost, testPassRate, testRates, testShift, type Pair } from './tests.js'
import type { CaseChange, CaseList, Comparison, IdList, RunSide, Shift } from './types.js'
import type { Recording } from '../recording.js'
import { asFraction } from '../../fold/stability.js'
import { formatPercent } from '../text.js'

export type { Comparison } from './types.js'

export interface CompareOptions {
  /** 0–1, or a percentage above 1; 95% if not given. */
  confidence?: number
  /** How many output diffs to show. */
  diffs?: number
}

const LISTED = 1_000
const NOTICEABLE_MS = 50

export async function compareRuns(
  before: Recording,
  after: Recording,
  options: CompareOptions = {},
): Promise<Comparison> {
  const confidence = asFraction(options.confidence ?? 0.95)
  const old = await readRun(before)
  const fresh = await readRun(after)
  const pairs = pairUp(old, fresh)
  const failing = pairs.filter((pair) => pair.before.status === 'passed' && pair.after.status === 'failed')
  const passing = pairs.filter((pair) => pair.before.status === 'failed' && pair.after.status === 'passed')
  const changed = pairs.filter(({ before: was, after: is }) => isDisjoint(was.outputs, is.outputs))
  const differing = new Set(changed)
  // What broke is shown first.
  const shown = [...new Set([...failing.filter((pair) => differing.has(pair)), ...changed])].slice(
    0,
    options.diffs ?? 20,
  )
  const facts = {
    pass_rate: testPassRate(pairs, confidence),
    lost: testLost(pairs, confidence),
    ...testRates(pairs, confidence),
  }
  const reasons = reasonsOf(facts)
  return defined({
    format: 1 as const,
    before: sideOf(old),
    after: sideOf(fresh),
    cases: { both: pairs.length, only_before: onlyIn(old, fresh), only_after: onlyIn(fresh, old) },
    notes: notesOf(old, fresh, pairs.length),
    newly_failing: listOf(failing),
    newly_passing: listOf(passing),
    changed_output: {
      count: changed.length,
      diffs: await diffOutputs(
        shown.map((pair) => pair.id),
        before,
        after,
      ),
    },
    ...facts,
    duration: testShift(pairs, (record) => record.durations, NOTICEABLE_MS, confidence) ?? noShift(confidence),
    cost: testShift(pairs, (record) => record.costs, 0, confidence),
    regression: reasons.length > 0,
    reasons,
  })
}

export type FailOn = 'regression' | 'newly-failing'

/** `--fail-on`: a regression is more than chance; a newly failing case may be chance, and counts only when asked for. */
export function failsOn(comparison: Comparison, what: FailOn): boolean {
  return comparison.regression || (what === 'newly-failing' && comparison.newly_failing.count > 0)
}

function pairUp(old: RunRecord, fresh: RunRecord): Pair[] {
  const pairs: Pair[] = []
  for (const [id, after] of fresh.cases) {
    const before = old.cases.get(id)
    if (before) pairs.push({ id, before, after })
  }
  return pairs
}

function reasonsOf({ pass_rate, lost, regressed }: Pick<Comparison, 'pass_rate' | 'lost' | 'regressed'>): string[] {
  const reasons: string[] = []
  const by = (points: number) => `${Math.abs(points).toFixed(1)} points`
  if (pass_rate.verdict === 'worse')
    reasons.push(
      `the pass rate fell by ${by(pass_rate.difference)} (${pass_rate.test}, p = ${pass_rate.p_value.toFixed(4)})`,
    )
  if (lost.verdict === 'worse')
    reasons.push(
      `${by(lost.difference)} more cases ended without a verdict (${lost.test}, p = ${lost.p_value.toFixed(4)})`,
    )
  for (const { id, before, after, p_value } of regressed.slice(0, 20)) {
    reasons.push(
      `${id} fell from ${formatPercent(before)} to ${formatPercent(after)} (Fisher, Holm-corrected, p = ${p_value.toFixed(4)})`,
    )
  }
  if (regressed.length > 20) reasons.push(`${regressed.length - 20} more cases fell`)
  return reasons
}

function notesOf(old: RunRecord, fresh: RunRecord, both: number): string[] {
  const notes: string[] = []
  const [was, is] = [old.start, fresh.start]
  if (was.agent_id !== is.agent_id) notes.push(`different agents: ${was.agent_id} and ${is.agent_id}`)
  if (was.connector !== is.connector)
    notes.push(`different connectors: ${was.connector ?? 'none'} and ${is.connector ?? 'none'}`)
  if (was.input_hash !== undefined && is.input_hash !== undefined && was.input_hash !== is.input_hash)
    notes.push('the case file changed between the runs')
  if (was.runs_per_case !== is.runs_per_case)
    notes.push(`different runs per case: ${was.runs_per_case} and ${is.runs_per_case}`)
  for (const [name, run] of [
    ['first', old],
    ['second', fresh],
  ] as const) {
    if (!run.complete || run.summary.interrupted)
      notes.push(`the ${name} run was cut short: ${run.cases.size} cases have results`)
  }
  if (both === 0) notes.push('the runs have no case in common')
  return notes
}

function sideOf({ start, summary, repeated }: RunRecord): RunSide {
  const { total, passed, failed, skipped, duration_ms, cost_dollars } = summary
  return defined({
    run_id: start.run_id,
    timestamp: start.timestamp,
    agent_id: start.agent_id,
    connector: start.connector,
    runs_per_case: start.runs_per_case,
    ...defined({ total, passed, failed, skipped, duration_ms, cost_dollars }),
    pass_rate: repeated ? (summary.overall_pass_rate ?? 0) : summary.pass_rate,
  })
}

function onlyIn(one: RunRecord, other: RunRecord): IdList {
  const ids = [...one.cases.keys()].filter((id) => !other.cases.has(id))
  return { count: ids.length, ids: ids.slice(0, LISTED) }
}

function listOf(pairs: Pair[]): CaseList {
  return { count: pairs.length, cases: pairs.slice(0, LISTED).map(changeOf) }
}

function changeOf({ id, before, after }: Pair): CaseChange {
  const failed = after.status === 'failed' ? after : before
  return defined({
    id,
    name: after.name,
    before: before.status,
    after: after.status,
    error: failed.error,
    error_kind: failed.error_kind,
    before_runs: runsOf(before),
    after_runs: runsOf(after),
  })
}

function runsOf(record: CaseRecord): string | undefined {
  const verdicts = record.passes + record.fails
  return verdicts > 1 ? `${record.passes}/${verdicts}` : undefined
}

function isDisjoint(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && other.length > 0 && !one.some((key) => other.includes(key))
}

function noShift(confidence: number): Shift {
  return {
    test: 'none',
    pairs: 0,
    confidence,
    p_value: 1,
    ratio: 1,
    interval: { low: 1, high: 1 },
    verdict: 'unchanged',
    up: [],
    down: [],
  }
}
