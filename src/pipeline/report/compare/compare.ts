// Two runs → what changed, and whether it is more than chance.
import { defined } from '../../../base/defined.js'
import { plural, formatP, formatPoints, formatPercent } from '../../../base/format.js'
import type { ComparedCase } from '../../../model/compared-case.js'
import { compareBehaviour, type BehaviourChange } from '../../fold/behaviour/compare-behaviour.js'
import { createFingerprints, type Fingerprints } from '../../fold/behaviour/fingerprints.js'
import { changeOfJudged } from '../../../model/fingerprint.js'
import { describeNotShown } from '../../fold/decide/describe-decision.js'
import { correctedSummary } from '../../fold/judged/corrected-side.js'
import { PRACTICAL } from '../../fold/statistics/practical.js'
import type { Recording } from '../recording.js'
import { testClaims, untestedClaims, type Claims } from './claims.js'
import { cannotCompare, notesOf } from './comparable.js'
import { changedChecks, createChecks, type ChangedChecks, type Checks } from './checks.js'
import { changedText, correctedNotes, describeDrift } from './describe.js'
import { diffOutputs } from './diffs.js'
import { correctionsBetween, type JudgedSources } from './judged-runs.js'
import { differentPlans } from './plans.js'
import { pairUp, type Pair, type Pairing } from './pair-up.js'
import { readRun, verdictsOf, type CaseRecord, type RunRecord } from './records.js'
import { noShift, testShift } from './shifts.js'
import type { CaseChange, CaseList, CaseOverlap, Comparison, IdList, RunSide, VariantComparison } from './types.js'

export type { Comparison } from './types.js'

const CONFIDENCE = 0.95
const DIFFS = 20
const LISTED = 1_000
const LISTED_CHECKS = 20
const NOTICEABLE_MS = 50

export interface CompareOptions {
  /** Percent by which times and costs must differ, points by which behaviour must. */
  practical?: number | undefined
  /** Runs with different plans are shown side by side, without a verdict. */
  allow_different_plans?: boolean | undefined
  /** What labels and licences beside the runs say about their judges. */
  judged?: JudgedSources | undefined
}

export interface ComparedRuns {
  comparison: Comparison
  /** Every case of both runs; computed on demand. */
  readonly cases: ComparedCase[]
}

export async function compareRuns(
  before: Recording,
  after: Recording,
  { practical = PRACTICAL, allow_different_plans = false, judged = {} }: CompareOptions = {},
): Promise<ComparedRuns> {
  const tables = { fingerprints: createFingerprints(), checks: createChecks() }
  const { fingerprints, checks } = tables
  const old = await readRun(before, tables, judged.before)
  const fresh = await readRun(after, tables, judged.after)
  const plans = differentPlans(old.start, fresh.start)
  const pairing = pairUp(old.cases, fresh.cases)
  const { pairs } = pairing
  const hidden = pairs.filter((pair) => pair.before.status === 'passed' && pair.after.isNotShown)
  const failing = [
    ...pairs.filter((pair) => pair.before.status === 'passed' && pair.after.status === 'failed'),
    ...hidden,
  ]
  const passing = pairs.filter((pair) => pair.before.status === 'failed' && pair.after.status === 'passed')
  const changed = pairs.filter(({ before: was, after: is }) => isDisjoint(was.outputs, is.outputs))
  const differing = new Set(changed)
  // What broke is shown first.
  const shown = [...new Set([...failing.filter((pair) => differing.has(pair)), ...changed])].slice(0, DIFFS)
  const names = commonVariants(old, fresh)
  const corrections = await correctionsBetween(
    { recording: before, record: old, source: judged.before },
    { recording: after, record: fresh, source: judged.after },
    pairing,
    names,
  )
  const tested = testClaims(pairs, CONFIDENCE, names, corrections)
  const { variants: ofVariants, ...claims } = plans === undefined ? tested : untestedClaims(tested)
  const obstacles = cannotCompare(old, fresh, pairing)
  if (plans !== undefined && !allow_different_plans) obstacles.push(`${plans}; ${SAME_PLAN}`)
  const isOpen = plans !== undefined && obstacles.length === 0
  const reasons = obstacles.length > 0 ? [] : reasonsOf(claims, ofVariants)
  // Not a matter of chance: the case has no verdict any more.
  if (obstacles.length === 0 && hidden.length > 0) reasons.unshift(describeNotShown(hidden.map(({ id }) => id)))
  const rule = { confidence: CONFIDENCE, practical }
  // Which answers a run has depends on when it stopped.
  const behaviourIn = (own: readonly Pair[], count?: number): BehaviourChange | undefined =>
    plans === undefined ? behaviourOf(own, fingerprints, practical, count) : undefined
  const variants = ofVariants.map((claim): VariantComparison => {
    const own = pairs.filter(({ after: { variant } }) => variant === claim.name)
    return defined({
      ...claim,
      duration: testShift(own, (record) => record.durations, { ...rule, noticeable: NOTICEABLE_MS }),
      cost: testShift(own, (record) => record.costs, { ...rule, noticeable: 0 }),
      behaviour: behaviourIn(own, names.length),
    })
  })
  const sides = { before: sideOf(old), after: sideOf(fresh) }
  const comparison = defined({
    format: 1 as const,
    ...sides,
    cannot_compare: obstacles.length > 0 ? obstacles : undefined,
    cases: overlapOf(old, fresh, pairing),
    no_verdict: isOpen ? [plans] : undefined,
    changed_assertions: changedAssertions(pairs, checks),
    notes: [
      ...notesOf(old, fresh, pairing),
      ...addedAssertions(pairs),
      ...correctedNotes({ ...sides, pass_rate: claims.pass_rate }),
    ],
    newly_failing: listOf(failing),
    newly_passing: listOf(passing),
    changed_output: { count: changed.length, diffs: await diffOutputs(shown, before, after) },
    ...claims,
    duration:
      testShift(pairs, (record) => record.durations, { ...rule, noticeable: NOTICEABLE_MS }) ?? noShift(CONFIDENCE),
    cost: testShift(pairs, (record) => record.costs, { ...rule, noticeable: 0 }),
    behaviour: behaviourIn(pairs),
    practical,
    variants: variants.length > 0 ? variants : undefined,
    regression: isOpen ? undefined : reasons.length > 0,
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

export interface Allowed {
  /** Cases that passed before and are not shown to pass now. */
  missing?: boolean
  /** Cases whose assertions are not those of before. */
  changed?: boolean
}

/** `--fail-on`: why the gate fails. A newly failing case may be chance, drift may be intended: they count when asked for. */
export function gateReasons(comparison: Comparison, what: FailOn, allowed: Allowed = {}): string[] {
  const { cannot_compare, no_verdict, changed_assertions, newly_failing, cases } = comparison
  if (cannot_compare) return cannot_compare.map((reason) => `cannot compare: ${reason}`)
  const reasons = (no_verdict ?? []).map((reason) => `no verdict: ${reason}`)
  if (!allowed.changed && changed_assertions.count > 0)
    reasons.push(`${changedText(changed_assertions)} (--allow-changed-cases if that is meant)`)
  reasons.push(...comparison.reasons)
  if (what === 'newly-failing' && newly_failing.count > 0)
    reasons.push(`${plural(newly_failing.count, 'case')} newly failing`)
  if (what === 'drift') reasons.push(...driftsIn(comparison))
  if (!allowed.missing && cases.missing.count > 0)
    reasons.push(`${plural(cases.missing.count, 'case')} that passed before missing (--allow-missing if that is meant)`)
  return reasons
}

const SAME_PLAN = 'run both with the same plan, or see the numbers without a verdict with --allow-different-plans'

function changedAssertions(pairs: readonly Pair[], checks: Checks): Comparison['changed_assertions'] {
  const words = (numbers: readonly number[]): string[] => numbers.slice(0, LISTED_CHECKS).map(checks.words)
  const cases = pairs.flatMap((pair) => {
    const { change, removed, added } = judgedChange(pair)
    return change === 'changed' ? [{ id: pair.id, removed: words(removed), added: words(added) }] : []
  })
  return { count: cases.length, cases: cases.slice(0, LISTED) }
}

interface JudgedChange extends ChangedChecks {
  change: ReturnType<typeof changeOfJudged>
}

/** By fingerprint, and in words as far as results show them; without fingerprints by those alone. */
function judgedChange({ before, after }: Pair): JudgedChange {
  const shown = changedChecks(before, after)
  const { removed = [], added = [] } = shown ?? {}
  if (before.judged !== undefined && after.judged !== undefined)
    return { change: changeOfJudged(before.judged, after.judged), removed, added }
  return { change: removed.length > 0 ? 'changed' : shown ? 'added' : 'same', removed, added }
}

/** More than before can hide nothing, but may be why a case fails now. */
function addedAssertions(pairs: readonly Pair[]): string[] {
  const ids = pairs.filter((pair) => judgedChange(pair).change === 'added').map(({ id }) => id)
  const shown = ids.slice(0, 5).join(', ')
  return ids.length === 0
    ? []
    : [`${plural(ids.length, 'case')} with more assertions than before: ${shown}${ids.length > 5 ? ', …' : ''}`]
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
  const by = (points: number) => `${formatPoints(Math.abs(points)).replace('+', '')} points`
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
    ...pairs.flatMap(({ id, before, after }) => (before.status === 'passed' && isSkipped(after) ? [id] : [])),
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
    if (was === 'passed' && (is === 'failed' || pair.after.isNotShown)) return 'newly_failing'
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

/** By somebody's choice. */
function isSkipped({ status, isNotShown }: CaseRecord): boolean {
  return status === 'skipped' && !isNotShown
}

function idList(ids: string[]): IdList {
  return { count: ids.length, ids: ids.slice(0, LISTED) }
}

function sideOf({ start, summary, repeated, judgements }: RunRecord): RunSide {
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
    corrected: judgements.all.count > 0 ? correctedSummary(judgements) : undefined,
  })
}

function listOf(pairs: Pair[]): CaseList {
  return { count: pairs.length, cases: pairs.slice(0, LISTED).map(changeOf) }
}

function changeOf({ id, before, after }: Pair): CaseChange {
  const failed = after.status === 'failed' || after.isNotShown ? after : before
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
