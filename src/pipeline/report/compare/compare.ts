// Two runs → what changed, and whether it is more than chance.
import { defined } from '../../../base/defined.js'
import { plural, formatP, formatPercent } from '../../../base/format.js'
import type { ComparedCase } from '../../../model/compared-case.js'
import { compareBehaviour, type BehaviourChange } from '../../fold/behaviour/compare-behaviour.js'
import { createFingerprints, type Fingerprints } from '../../fold/behaviour/fingerprints.js'
import { PRACTICAL } from '../../fold/statistics/practical.js'
import type { Recording } from '../recording.js'
import { testClaims, type Claims } from './claims.js'
import { cannotCompare, notesOf } from './comparable.js'
import { describeDrift } from './describe.js'
import { diffOutputs } from './diffs.js'
import { pairUp, type Pair, type Pairing } from './pair-up.js'
import { readRun, verdictsOf, type CaseRecord, type RunRecord } from './records.js'
import { noShift, testShift } from './shifts.js'
import type { CaseChange, CaseList, CaseOverlap, Comparison, IdList, RunSide, VariantComparison } from './types.js'

export type { Comparison } from './types.js'

const CONFIDENCE = 0.95
const DIFFS = 20
const LISTED = 1_000
const NOTICEABLE_MS = 50

export interface CompareOptions {
  /** Percent by which times and costs must differ, points by which behaviour must. */
  practical?: number | undefined
}

export interface ComparedRuns {
  comparison: Comparison
  /** Every case of both runs; computed on demand. */
  readonly cases: ComparedCase[]
}

export async function compareRuns(
  before: Recording,
  after: Recording,
  { practical = PRACTICAL }: CompareOptions = {},
): Promise<ComparedRuns> {
  const fingerprints = createFingerprints()
  const old = await readRun(before, fingerprints)
  const fresh = await readRun(after, fingerprints)
  const pairing = pairUp(old.cases, fresh.cases)
  const { pairs } = pairing
  const failing = pairs.filter((pair) => pair.before.status === 'passed' && pair.after.status === 'failed')
  const passing = pairs.filter((pair) => pair.before.status === 'failed' && pair.after.status === 'passed')
  const changed = pairs.filter(({ before: was, after: is }) => isDisjoint(was.outputs, is.outputs))
  const differing = new Set(changed)
  // What broke is shown first.
  const shown = [...new Set([...failing.filter((pair) => differing.has(pair)), ...changed])].slice(0, DIFFS)
  const names = commonVariants(old, fresh)
  const { variants: ofVariants, ...claims } = testClaims(pairs, CONFIDENCE, names)
  const obstacles = cannotCompare(old, fresh, pairing)
  const reasons = obstacles.length > 0 ? [] : reasonsOf(claims, ofVariants)
  const rule = { confidence: CONFIDENCE, practical }
  const behaviour = behaviourOf(pairs, fingerprints, practical)
  const variants = ofVariants.map((claim): VariantComparison => {
    const own = pairs.filter(({ after: { variant } }) => variant === claim.name)
    return defined({
      ...claim,
      duration: testShift(own, (record) => record.durations, { ...rule, noticeable: NOTICEABLE_MS }),
      cost: testShift(own, (record) => record.costs, { ...rule, noticeable: 0 }),
      behaviour: behaviourOf(own, fingerprints, practical, names.length),
    })
  })
  const comparison = defined({
    format: 1 as const,
    before: sideOf(old),
    after: sideOf(fresh),
    cannot_compare: obstacles.length > 0 ? obstacles : undefined,
    cases: overlapOf(old, fresh, pairing),
    notes: notesOf(old, fresh, pairing),
    newly_failing: listOf(failing),
    newly_passing: listOf(passing),
    changed_output: { count: changed.length, diffs: await diffOutputs(shown, before, after) },
    ...claims,
    duration:
      testShift(pairs, (record) => record.durations, { ...rule, noticeable: NOTICEABLE_MS }) ?? noShift(CONFIDENCE),
    cost: testShift(pairs, (record) => record.costs, { ...rule, noticeable: 0 }),
    behaviour,
    practical,
    variants: variants.length > 0 ? variants : undefined,
    regression: reasons.length > 0,
    reasons,
  })
  return {
    comparison,
    get cases() {
      return casesOf(old, fresh, pairing, comparison, differing)
    },
  }
}

export type FailOn = 'regression' | 'newly-failing' | 'drift'

/** `--fail-on`: why the gate fails. A newly failing case may be chance, drift may be intended: they count when asked for. */
export function gateReasons(comparison: Comparison, what: FailOn, allowMissing = false): string[] {
  const { cannot_compare, newly_failing, cases } = comparison
  if (cannot_compare) return cannot_compare.map((reason) => `cannot compare: ${reason}`)
  const reasons = [...comparison.reasons]
  if (what === 'newly-failing' && newly_failing.count > 0)
    reasons.push(`${plural(newly_failing.count, 'case')} newly failing`)
  if (what === 'drift') reasons.push(...driftsIn(comparison))
  if (!allowMissing && cases.missing.count > 0)
    reasons.push(`${plural(cases.missing.count, 'case')} that passed before missing (--allow-missing if that is meant)`)
  return reasons
}

/** The variants that both runs have. */
function commonVariants(old: RunRecord, fresh: RunRecord): string[] {
  const before = new Set(old.start.variants?.map(({ name }) => name))
  return (fresh.start.variants ?? []).map(({ name }) => name).filter((name) => before.has(name))
}

/** Undefined if no case has a verdict in both. */
function behaviourOf(
  pairs: readonly Pair[],
  fingerprints: Fingerprints,
  practical: number,
  claims = 1,
): BehaviourChange | undefined {
  const cases = pairs.map(({ before, after }) => ({ before: before.fingerprints, after: after.fingerprints }))
  const found = compareBehaviour(cases, fingerprints, practical, claims)
  return found.pairs > 0 ? found : undefined
}

function driftsIn({ behaviour, variants = [] }: Comparison): string[] {
  const whole = behaviour?.verdict === 'drift' ? [describeDrift(behaviour)] : []
  const own = variants.flatMap((variant) =>
    variant.behaviour?.verdict === 'drift' ? [`${variant.name}: ${describeDrift(variant.behaviour)}`] : [],
  )
  return [...whole, ...own]
}

function reasonsOf(claims: Pick<Claims, 'pass_rate' | 'lost' | 'regressed'>, variants: Claims['variants']): string[] {
  const reasons = suiteReasons(claims)
  for (const variant of variants) reasons.push(...suiteReasons(variant).map((text) => `${variant.name}: ${text}`))
  const { regressed } = claims
  for (const { id, before, after, p_value } of regressed.slice(0, 20)) {
    const rates = `${formatPercent(before)} to ${formatPercent(after)}`
    reasons.push(`${id} fell from ${rates} (Fisher, adjusted ${formatP(p_value)})`)
  }
  if (regressed.length > 20) reasons.push(`${regressed.length - 20} more cases fell`)
  return reasons
}

function suiteReasons({ pass_rate, lost }: Pick<Claims, 'pass_rate' | 'lost'>): string[] {
  const reasons: string[] = []
  const by = (points: number) => `${Math.abs(points).toFixed(1)} points`
  if (pass_rate.verdict === 'worse')
    reasons.push(`the pass rate fell by ${by(pass_rate.difference)} (${pass_rate.test}, ${formatP(pass_rate.p_value)})`)
  if (lost.verdict === 'worse')
    reasons.push(`${by(lost.difference)} more runs ended without a verdict (${lost.test}, ${formatP(lost.p_value)})`)
  return reasons
}

function overlapOf(old: RunRecord, fresh: RunRecord, { pairs, changed, onlyBefore, onlyAfter }: Pairing): CaseOverlap {
  const renamed = pairs.flatMap(({ id, was }) => (was === undefined ? [] : [{ before: was, after: id }]))
  const passed = (id: string): boolean => old.cases.get(id)?.status === 'passed'
  const missing = [
    ...onlyBefore.filter(passed),
    ...changed.filter((id) => passed(id) && fresh.cases.get(id)?.status !== 'passed'),
    ...pairs.flatMap(({ id, before, after }) => (before.status === 'passed' && after.status === 'skipped' ? [id] : [])),
  ]
  return {
    both: pairs.length,
    only_before: idList(onlyBefore),
    only_after: idList(onlyAfter),
    renamed: { count: renamed.length, cases: renamed.slice(0, LISTED) },
    changed: idList(changed),
    missing: idList(missing),
  }
}

function casesOf(
  old: RunRecord,
  fresh: RunRecord,
  { pairs, changed, onlyBefore, onlyAfter }: Pairing,
  { regressed, improved }: Comparison,
  differing: ReadonlySet<Pair>,
): ComparedCase[] {
  const [worse, better] = [regressed, improved].map((list) => new Set(list.map(({ id }) => id)))
  const changeOfPair = (pair: Pair): ComparedCase['change'] => {
    const [was, is] = [pair.before.status, pair.after.status]
    if (was === 'passed' && is === 'failed') return 'newly_failing'
    if (was === 'failed' && is === 'passed') return 'newly_passing'
    if (worse?.has(pair.id)) return 'regressed'
    if (better?.has(pair.id)) return 'improved'
    return was !== is ? 'status' : differing.has(pair) ? 'output' : 'same'
  }
  return [
    ...pairs.map((pair) =>
      defined({
        id: pair.id,
        was: pair.was,
        change: changeOfPair(pair),
        before: pair.before.status,
        after: pair.after.status,
      }),
    ),
    ...changed.map((id) =>
      defined({
        id,
        change: 'input' as const,
        before: old.cases.get(id)?.status,
        after: fresh.cases.get(id)?.status,
      }),
    ),
    ...onlyBefore.map((id) => defined({ id, change: 'only_before' as const, before: old.cases.get(id)?.status })),
    ...onlyAfter.map((id) => defined({ id, change: 'only_after' as const, after: fresh.cases.get(id)?.status })),
  ]
}

function idList(ids: string[]): IdList {
  return { count: ids.length, ids: ids.slice(0, LISTED) }
}

function sideOf({ start, summary, repeated }: RunRecord): RunSide {
  const { total, passed, failed, skipped, undetermined = 0, not_run, duration_ms, cost_dollars } = summary
  return defined({
    run_id: start.run_id,
    timestamp: start.timestamp,
    agent_id: start.agent_id,
    connector: start.connector,
    variants: start.variants?.map(({ name }) => name),
    runs_per_case: start.runs_per_case,
    ...defined({ total, passed, failed, skipped, undetermined, not_run, duration_ms, cost_dollars }),
    pass_rate: repeated ? (summary.overall_pass_rate ?? 0) : summary.pass_rate,
  })
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
  const verdicts = verdictsOf(record)
  return verdicts > 1 ? `${record.passes}/${verdicts}` : undefined
}

function isDisjoint(one: readonly string[], other: readonly string[]): boolean {
  return one.length > 0 && other.length > 0 && !one.some((key) => other.includes(key))
}
