// A decision in a sentence, the same in every format.
import { formatCount, formatP, formatPercent, formatPoints, plural } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import {
  mostRuns,
  type CaseFall,
  type ChangeDecision,
  type ChangeVerdict,
  type DecisionRule,
  type Needed,
} from './decide-change.js'

export function describeDecision(decision: ChangeDecision, rule: DecisionRule): string {
  const { verdict, cases, needed, fell = [] } = decision
  if (cases === 0) return `cannot compare: no case has a verdict on both sides${lostOf(needed)}`
  const rest = needed ? `; ${describeNeeded(needed, decision, rule)}` : ''
  return `${headline(verdict, needed, rule)}: ${describeSeen(decision)}${rest}${alsoFell(fell)}`
}

/** The numbers. */
export function describeSeen({ before, after, difference, interval, runs, cases, as_judged }: ChangeDecision): string {
  const change = `${formatPoints(difference)} points (${formatPoints(interval.low)} to ${formatPoints(interval.high)})`
  const judged =
    as_judged === undefined
      ? ''
      : `, corrected for the error of the judge (${formatPoints(as_judged)} points as judged)`
  return `${formatPercent(before)} → ${formatPercent(after)}, ${change}, ${plural(cases, 'case')} × ${plural(runs, 'run')}${judged}`
}

/** As a predicate: "is worse than main". */
export function describeAgainst(
  { verdict, needed }: ChangeDecision,
  { margin }: DecisionRule,
  baseline: string,
): string {
  if (needed?.what === 'verdicts') return `cannot be compared with ${baseline}`
  switch (verdict) {
    case 'worse':
      return `is worse than ${baseline}`
    case 'slightly_worse':
      return `is slightly worse than ${baseline}, within the margin of ${plural(margin, 'point')}`
    case 'not_worse':
      return `is not worse than ${baseline} by more than ${plural(margin, 'point')}`
    case 'undecided':
      return `cannot be distinguished from ${baseline} yet`
  }
}

/** Without the numbers: the verdict, and what would settle it. */
export function describeVerdict(decision: ChangeDecision, rule: DecisionRule): string {
  const { verdict, cases, needed, fell = [] } = decision
  if (cases === 0) return describeDecision(decision, rule)
  const rest = needed ? `; ${describeNeeded(needed, decision, rule)}` : ''
  return `${headline(verdict, needed, rule)}${rest}${alsoFell(fell)}`
}

const LISTED = 5

function alsoFell(fell: readonly CaseFall[]): string {
  return fell.length === 0 ? '' : `; ${describeFell(fell)}`
}

/** The cases that passed less often by more than chance, whatever the others did. */
export function describeFell(fell: readonly CaseFall[]): string {
  return changeLines(fell, 'fell', 'Fisher, one-sided').join('; ')
}

/** A line for each of the first cases, and one for the rest. */
export function changeLines(changes: readonly CaseFall[], how: 'fell' | 'rose', test: string): string[] {
  const lines = changes.slice(0, LISTED).map(({ id, before, after, p_value }) => {
    const rates = `${formatPercent(before)} to ${formatPercent(after)}`
    return `${preview(id, 60)} ${how} from ${rates} (${test}, adjusted ${formatP(p_value)})`
  })
  const more = changes.length - lines.length
  return more > 0 ? [...lines, `${plural(more, 'more case')} ${how}`] : lines
}

/** Whatever the rates are: an agent must not be able to turn a failure into a skip. */
export function describeNotShown(ids: readonly string[]): string {
  const more = ids.length > LISTED ? ', …' : ''
  const listed = ids.slice(0, LISTED).map((id) => preview(id, 60))
  return `${plural(ids.length, 'case')} passed before and ${ids.length === 1 ? 'is' : 'are'} not shown now: ${listed.join(', ')}${more}`
}

function headline(verdict: ChangeVerdict, needed: Needed | undefined, { margin }: DecisionRule): string {
  return needed?.what === 'verdicts' ? 'cannot compare' : VERDICTS[verdict](margin)
}

function lostOf(needed: Needed | undefined): string {
  const { lost_before = 0, lost_after = 0 } = needed ?? {}
  if (lost_before + lost_after === 0) return ''
  return `; runs that ended without one: ${formatCount(lost_before)} before, ${formatCount(lost_after)} after`
}

const VERDICTS: Record<ChangeVerdict, (margin: number) => string> = {
  worse: () => 'worse',
  slightly_worse: (margin) => `slightly worse, within the margin of ${plural(margin, 'point')}`,
  not_worse: (margin) => `not worse by more than ${plural(margin, 'point')}`,
  undecided: () => 'cannot tell yet',
}

function describeNeeded(needed: Needed, { cases }: ChangeDecision, rule: DecisionRule): string {
  switch (needed.what) {
    case 'runs':
      return `about ${plural(needed.count ?? 0, 'more run')} of each case would tell`
    case 'cases':
      return `${plural(cases, 'case')} × ${plural(mostRuns(rule), 'run')} cannot tell ${plural(rule.margin, 'point')} from chance: only more cases help, about ${plural(needed.count ?? 0, 'more case')}`
    case 'verdicts':
      return `too many runs ended without a verdict: ${formatCount(needed.lost_before ?? 0)} before, ${formatCount(needed.lost_after ?? 0)} after`
    case 'rule':
      return 'a fall beyond the margin that is smaller than what matters: lower --practical-points or raise --margin'
  }
}
