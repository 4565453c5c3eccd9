// The sentences of a comparison, the same in every format.
import { formatDuration } from '../../../base/duration.js'
import { formatCost, plural, formatP, formatPercent, formatPoints } from '../../../base/format.js'
import { describeMoved, type BehaviourChange } from '../../fold/behaviour/compare-behaviour.js'
import { correctedText, judgeLines } from '../../../model/corrected-text.js'
import { capitalised } from '../../../base/text.js'
import type {
  AssertionsChange,
  CaseChange,
  CaseShift,
  Comparison,
  Direction,
  IdList,
  RateChange,
  RunSide,
  Shift,
  SuiteTest,
  VariantComparison,
} from './types.js'
import { type Measure } from '../../../model/compared-case.js'

/** Pass rate, lost verdicts, duration, cost and behaviour of the cases in both runs, with the test that was used. */
export function measures(comparison: Comparison): Measure[] {
  const { pass_rate, lost, duration, cost, behaviour, practical, variants = [] } = comparison
  const rows: Measure[] = []
  if (pass_rate.pairs > 0) rows.push({ name: 'Pass rate', ...suite(pass_rate, RATE_WORDS) }, ...asJudged(pass_rate))
  if (lost.before > 0 || lost.after > 0) rows.push({ name: 'Runs without a verdict', ...suite(lost, LOST_WORDS) })
  if (duration.pairs > 0)
    rows.push({
      name: 'Duration of the typical case',
      ...shift(duration, formatDuration, timeWords(practical), practical),
    })
  if (cost) rows.push({ name: 'Cost of the typical case', ...shift(cost, formatCost, costWords(practical), practical) })
  if (behaviour) rows.push({ name: 'Behaviour', ...drift(behaviour, driftWords(practical)) })
  for (const variant of variants) rows.push(...ownMeasures(variant, practical))
  return rows
}

/** The pass rate of a variant, and whatever else about it has changed. */
function ownMeasures({ name, pass_rate, lost, ...rest }: VariantComparison, practical: number): Measure[] {
  const { duration, cost, behaviour } = rest
  const rows: Measure[] = []
  const add = (what: string, row: Row): void => void rows.push({ name: `${what} · ${name}`, ...row })
  if (pass_rate.pairs > 0) add('Pass rate', suite(pass_rate, RATE_WORDS))
  for (const { name: what, ...row } of asJudged(pass_rate)) add(what, row)
  if (lost.verdict === 'worse' || lost.verdict === 'better') add('Runs without a verdict', suite(lost, LOST_WORDS))
  if (duration && hasMoved(duration)) add('Duration', shift(duration, formatDuration, timeWords(practical), practical))
  if (cost && hasMoved(cost)) add('Cost', shift(cost, formatCost, costWords(practical), practical))
  if (behaviour?.verdict === 'drift') add('Behaviour', drift(behaviour, driftWords(practical)))
  return rows
}

/** What the judges said, beside the corrected rate: not what is claimed. */
function asJudged({ as_judged: judged, pairs }: SuiteTest): Measure[] {
  if (!judged) return []
  return [
    {
      name: 'Pass rate as judged',
      before: formatPercent(judged.before),
      after: formatPercent(judged.after),
      change: `${formatPoints(judged.difference)} points`,
      test: `${plural(pairs, 'case')}, with the errors of the judge`,
      verdict: 'not corrected',
    },
  ]
}

/** By what the pass rates are corrected, and how often the judges are wrong. */
export function correctedNotes({
  before,
  after,
  pass_rate,
}: Pick<Comparison, 'before' | 'after' | 'pass_rate'>): string[] {
  const lines = (name: string, { corrected }: RunSide): string[] =>
    corrected
      ? [
          `the ${name} run, corrected for the error of its judge: ${correctedText(corrected)}`,
          ...judgeLines(corrected).map((line) => `the ${name} run, ${line}`),
        ]
      : []
  const found = [...lines('first', before), ...lines('second', after)]
  return found.length > 0 && !pass_rate.as_judged
    ? [...found, 'the error of the judges is not known for both runs: the difference is as they judged']
    : found
}

function hasMoved({ verdict }: Shift): boolean {
  return verdict === 'worse' || verdict === 'better'
}

/** The same for a variant and the baseline, in one run: a slow machine was slow for both. */
export function variantMeasures({
  duration,
  cost,
  behaviour,
  practical,
}: Partial<Pick<Comparison, 'duration' | 'cost' | 'behaviour'>> & Pick<Comparison, 'practical'>): Measure[] {
  const words = costWords(practical)
  const isLarge = duration !== undefined && Math.abs(Math.log(duration.ratio)) >= Math.log1p(practical / 100)
  const times = { ...timeWords(practical), slight: isLarge ? 'no noticeable change' : words.slight }
  const rows: Measure[] = []
  if (duration) rows.push({ name: 'Time', ...shift(duration, formatDuration, times, practical) })
  if (cost) rows.push({ name: 'Cost', ...shift(cost, formatCost, words, practical) })
  if (behaviour) rows.push({ name: 'Behaviour', ...drift(behaviour, { ...driftWords(practical), drift: 'different' }) })
  return rows
}

/** The cases whose time or cost moved, by how certain that is: a single run each proves nothing. */
export function shiftLists({ duration, cost }: Comparison): Array<[title: string, lines: Array<[string, string]>]> {
  const lists: Array<[string, CaseShift[] | undefined, (value: number) => string]> = [
    ['Slower', duration.up, formatDuration],
    ['Faster', duration.down, formatDuration],
    ['Dearer', cost?.up, formatCost],
    ['Cheaper', cost?.down, formatCost],
  ]
  const lines = (items: CaseShift[], format: (value: number) => string) =>
    items.map((item): [string, string] => [item.id, describeShift(item, format)])
  return lists.flatMap(([title, items = [], format]): Array<[string, Array<[string, string]>]> => [
    [
      title,
      lines(
        items.filter((item) => item.p_value !== undefined),
        format,
      ),
    ],
    [
      `${title} in one run each, which may be chance`,
      lines(
        items.filter((item) => item.p_value === undefined),
        format,
      ),
    ],
  ])
}

/** What the agent does differently, largest change first. */
export function behaviourLines({ behaviour, variants = [] }: Pick<Comparison, 'behaviour' | 'variants'>): string[] {
  const own = variants.flatMap((variant) => linesOf(variant.behaviour).map((line) => `${variant.name}: ${line}`))
  return own.length > 0 ? own : linesOf(behaviour)
}

function linesOf(behaviour: BehaviourChange | undefined): string[] {
  if (behaviour?.verdict !== 'drift') return []
  return behaviour.moved.length > 0
    ? behaviour.moved.map(describeMoved)
    : ['many small differences, none of which stands out alone']
}

/** Why `--fail-on drift` fails the gate. */
export function describeDrift({ moved, p_value }: BehaviourChange): string {
  const [most] = moved
  return `the behaviour changed${most ? `: ${describeMoved(most)}` : ''} (${formatP(p_value)})`
}

/** One line: is it a regression? What is not the same test any more comes first. */
export function conclusion(comparison: Comparison): string {
  const { cannot_compare, no_verdict, changed_assertions } = comparison
  if (cannot_compare) return `Cannot compare: ${cannot_compare.join('; ')}`
  const text = no_verdict
    ? `No verdict: ${no_verdict.join('; ')}`
    : `${verdictOnVerdicts(comparison)}${driftText(comparison)}`
  return changed_assertions.count === 0 ? text : `${capitalised(changedText(changed_assertions))}. ${text}`
}

const CHANGED = 5

/** Why the second run is another test. */
export function changedText({ count, cases }: Comparison['changed_assertions']): string {
  const shown = cases.slice(0, CHANGED).map((each) => `${each.id} (${describeAssertions(each)})`)
  return `the assertions of ${plural(count, 'case')} changed: ${shown.join(', ')}${count > CHANGED ? ', …' : ''}`
}

export function describeAssertions({ removed, added }: AssertionsChange): string {
  // Limits, and parameters that results do not repeat.
  if (removed.length === 0) return added.length === 0 ? 'edited' : `edited, with ${added.join(', ')}`
  return added.length === 0 ? `without ${removed.join(', ')}` : `${removed.join(', ')} → ${added.join(', ')}`
}

function driftText({ behaviour, variants = [] }: Comparison): string {
  const names = variants.filter((variant) => variant.behaviour?.verdict === 'drift').map(({ name }) => name)
  if (names.length > 0) return `; the behaviour changed (${names.join(', ')})`
  return behaviour?.verdict === 'drift' ? '; the behaviour changed' : ''
}

function verdictOnVerdicts(comparison: Comparison): string {
  const { newly_failing, cases, changed_assertions } = comparison
  const missing = cases.missing.count === 0 ? [] : [missingText(cases.missing)]
  if (comparison.regression) return [`Regression: ${comparison.reasons.join('; ')}`, ...missing].join('; ')
  if (newly_failing.count > 0) return [`No regression shown: ${mayBeChance(comparison)}`, ...missing].join('; ')
  if (missing.length > 0) return `No regression shown, but ${missing.join('; ')}`
  if (changed_assertions.count > 0) return 'No regression shown'
  return comparison.pass_rate.verdict === 'better' ? 'Better than before' : 'No regression'
}

function missingText({ count, ids }: IdList): string {
  const shown = ids.slice(0, 5).join(', ')
  return `${plural(count, 'case')} that passed before ${count === 1 ? 'is' : 'are'} missing: ${shown}${count > 5 ? ', …' : ''}`
}

function mayBeChance({ newly_failing: { count }, pass_rate, before, after }: Comparison): string {
  const verb = count === 1 ? 'fails that passed before' : 'fail that passed before'
  const rest = `which may be chance (${pass_rate.test}, ${formatP(pass_rate.p_value)})`
  return `${plural(count, 'case')} ${verb}, ${rest}; ${moreRuns(before, after)}`
}

/** One case that broke among many unsteady ones is found with ten runs each, and with five only half of the time. */
function moreRuns({ runs_per_case: old }: RunSide, { runs_per_case: fresh }: RunSide): string {
  if (old === 'auto' || fresh === 'auto') return 'run both with --runs 10 to know'
  const least = Math.min(old, fresh)
  return `run both with --runs ${least < 5 ? 5 : least < 10 ? 10 : least * 2} to know`
}

/** What was tested: the agent, or the names of its variants. */
export function describeTested({ agent_id, connector, variants }: RunSide): string {
  if (variants) return `${variants.length} variants: ${variants.join(', ')}`
  return connector === undefined ? agent_id : `${agent_id} (${connector})`
}

/** The cases of a run, in counts that add up to its total. */
export function describeSide({ total, passed, failed, skipped, undetermined, not_run }: RunSide): string {
  const open = undetermined > 0 ? `, ${undetermined} undetermined` : ''
  const rest = not_run > 0 ? `, ${not_run} not run` : ''
  return `${plural(total, 'case')}: ${passed} passed, ${failed} failed, ${skipped} skipped${open}${rest}`
}

/** The cases that are not in both runs unchanged, by title. */
export function overlap({ cases }: Comparison): Array<[title: string, list: IdList]> {
  const renamed = cases.renamed.cases.map(({ before, after }) => `${before} → ${after}`)
  return [
    ['Missing now, passed before', cases.missing],
    ['Asks something else now, not compared', cases.changed],
    ['Same question under another id', { count: cases.renamed.count, ids: renamed }],
    ['Only before', cases.only_before],
    ['Only after', cases.only_after],
  ]
}

export function describeChange(change: CaseChange): string {
  const runs =
    change.before_runs === undefined && change.after_runs === undefined
      ? ''
      : ` (${change.before_runs ?? '1 run'} → ${change.after_runs ?? '1 run'})`
  return `${change.name ?? ''}${runs}${change.error === undefined ? '' : `: ${change.error}`}`.trim().replace(/^: /, '')
}

function describeShift(item: CaseShift, format: (value: number) => string): string {
  const tested = item.p_value === undefined ? 'one run each, not tested' : `Welch, adjusted ${formatP(item.p_value)}`
  return `${format(item.before)} → ${format(item.after)} (×${item.ratio.toFixed(2)}, ${tested})`
}

export function describeRateChange({ before, after, p_value }: RateChange): string {
  return `${formatPercent(before)} → ${formatPercent(after)} (Fisher, adjusted ${formatP(p_value)})`
}

type Words<Verdict extends string> = Record<Verdict, string>

const UNCHANGED = { unchanged: 'no significant change', not_tested: 'not tested' }
const RATE_WORDS: Words<Direction> = { worse: 'worse', better: 'better', ...UNCHANGED }
const LOST_WORDS: Words<Direction> = { worse: 'more', better: 'fewer', ...UNCHANGED }
const timeWords = (practical: number): Words<Shift['verdict']> => ({
  worse: 'slower',
  better: 'faster',
  unchanged: 'no significant change',
  slight: `drift of the machine (all cases alike, under ${practical}%)`,
})
const costWords = (practical: number): Words<Shift['verdict']> => ({
  worse: 'dearer',
  better: 'cheaper',
  unchanged: 'no significant change',
  slight: `no practical change (under ${practical}%)`,
})
const driftWords = (practical: number): Words<BehaviourChange['verdict']> => ({
  drift: 'changed',
  unchanged: 'no significant change',
  slight: `no practical change (under ${plural(practical, 'point')})`,
})

type Row = Omit<Measure, 'name'>

function suite(test: SuiteTest, words: Words<Direction>): Row {
  const { low, high } = test.interval
  const isTested = test.verdict !== 'not_tested'
  const interval = isTested ? ` (${formatPoints(low)} to ${formatPoints(high)})` : ''
  return {
    before: formatPercent(test.before),
    after: formatPercent(test.after),
    change: `${formatPoints(test.difference)} points${interval}`,
    test: isTested ? described(test) : `${plural(test.pairs, 'case')}, different run plans`,
    verdict: words[test.verdict],
  }
}

function shift(test: Shift, format: (value: number) => string, words: Words<Shift['verdict']>, practical: number): Row {
  const { interval, up, down } = test
  const bounds = interval
    ? `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`
    : 'too few cases for an interval'
  const alike = up.length + down.length === 0
  // Those of one run each are listed as what may be chance.
  const isShown = [...up, ...down].some(({ p_value }) => p_value !== undefined)
  return {
    before: format(test.before),
    after: format(test.after),
    change: `×${factor(test.ratio)} (${bounds})`,
    test: described(test),
    verdict:
      test.verdict === 'slight' && !alike
        ? `under ${practical}% on the whole`
        : test.verdict === 'unchanged' && isShown
          ? 'cannot tell for the suite as a whole; for single cases, see below'
          : words[test.verdict],
  }
}

function drift(test: BehaviourChange, words: Words<BehaviourChange['verdict']>): Row {
  return {
    before: '',
    after: '',
    change: `distance ${test.distance.toFixed(3)}`,
    test: described(test),
    verdict: words[test.verdict],
  }
}

/** Near 1 the third digit counts: an interval that excludes 1 must not look as if it touched it. */
function factor(ratio: number): string {
  return Math.abs(ratio - 1) < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2)
}

function described({
  test,
  p_value,
  confidence,
  pairs,
}: Pick<SuiteTest, 'test' | 'p_value' | 'confidence' | 'pairs'>): string {
  return `${test}, ${formatP(p_value)}, ${plural(pairs, 'case')}, ${formatPercent(confidence * 100)} confidence`
}
