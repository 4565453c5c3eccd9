// A decision in a sentence, the same in every format.
import { formatCount, formatPercent, formatPoints, plural } from '../../../base/format.js'
import type { ChangeDecision, ChangeVerdict, DecisionRule, Needed } from './decide-change.js'

export function describeDecision(decision: ChangeDecision, rule: DecisionRule): string {
  const { verdict, before, after, difference, interval, runs, cases, needed } = decision
  const seen = `${formatPercent(before)} → ${formatPercent(after)}, ${formatPoints(difference)} points (${formatPoints(interval.low)} to ${formatPoints(interval.high)})`
  const from = `${plural(cases, 'case')} × ${plural(runs, 'run')}`
  const rest = needed ? `; ${describeNeeded(needed, decision, rule)}` : ''
  return `${VERDICTS[verdict](rule.margin)}: ${seen}, ${from}${rest}`
}

const VERDICTS: Record<ChangeVerdict, (margin: number) => string> = {
  worse: () => 'worse',
  slightly_worse: (margin) => `slightly worse, within the margin of ${plural(margin, 'point')}`,
  not_worse: (margin) => `not worse by more than ${plural(margin, 'point')}`,
  undecided: () => 'cannot tell yet',
}

function describeNeeded(needed: Needed, { runs, cases }: ChangeDecision, { looks, margin }: DecisionRule): string {
  switch (needed.what) {
    case 'runs':
      return `about ${plural(needed.count, 'more run')} of each case would tell`
    case 'cases':
      return `${plural(cases, 'case')} × ${plural(looks.at(-1) ?? runs, 'run')} cannot tell ${plural(margin, 'point')} from chance: about ${plural(needed.count, 'more case')} would`
    case 'verdicts':
      return `too many runs ended without a verdict: ${formatCount(needed.lost_before)} before, ${formatCount(needed.lost_after)} after`
    case 'rule':
      return 'a fall beyond the margin that is smaller than what matters: lower --practical-points or raise --margin'
  }
}
