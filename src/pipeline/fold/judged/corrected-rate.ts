// A judge's pass rate, corrected by the labels of people: by those of this very run, or by a licence from another one.
import {
  countOf,
  effectiveWilson,
  labelledRate,
  type CorrectedRate,
  type JudgedCount,
  type LabelCounts,
} from '../statistics/judged-rate.js'
import { carriedRate } from '../statistics/rogan-gladen.js'

/** How the labelled answers were drawn from the run. */
export type LabelMethod = 'labels' | 'labels_by_verdict'

export interface JudgedByLabels extends CorrectedRate {
  method: LabelMethod | 'licence'
  /** How many. */
  labels: number
}

export function rateByLabels(judged: JudgedCount, labels: LabelCounts, method: LabelMethod): JudgedByLabels {
  const labelledPasses = labels.both_pass + labels.judge_pass_only
  const rest = { passed: judged.passed - labelledPasses, count: judged.count - countOf(labels) }
  const found =
    method === 'labels'
      ? labelledRate(labels, rest)
      : (byVerdict(labels, judged) ?? labelledRate(labels, { passed: 0, count: 0 }))
  return { ...found, method, labels: countOf(labels) }
}

export function rateByLicence(judged: JudgedCount, licence: LabelCounts): JudgedByLabels | { refused: string } {
  const carried = carriedRate(licence, judged)
  return 'refused' in carried ? carried : { ...carried, method: 'licence', labels: countOf(licence) }
}

/**
 * Answers that the judge passed and those that it failed were drawn at different rates: each group speaks for itself, weighted by its
 * share. Undefined if a group has answers and no labels.
 */
function byVerdict(labels: LabelCounts, { passed, count }: JudgedCount): CorrectedRate | undefined {
  const groups = [
    { share: passed / count, pass: labels.both_pass, fail: labels.judge_pass_only },
    { share: 1 - passed / count, pass: labels.people_pass_only, fail: labels.both_fail },
  ].filter(({ share }) => share > 0)
  if (groups.some(({ pass, fail }) => pass + fail === 0)) return undefined
  const rates = groups.map(({ share, pass, fail }) => {
    const size = pass + fail
    // One more of each, so that a group without a single disagreement still has a spread.
    const smooth = (pass + 1) / (size + 2)
    return { share, rate: pass / size, spread: (smooth * (1 - smooth)) / size }
  })
  const rate = rates.reduce((sum, group) => sum + group.share * group.rate, 0)
  const within = rates.reduce((sum, group) => sum + group.share ** 2 * group.spread, 0)
  const between = rates.reduce((sum, group) => sum + group.share * (group.rate - rate) ** 2, 0) / count
  return { rate, interval: effectiveWilson({ rate, variance: within + between, count: countOf(labels), all: count }) }
}
