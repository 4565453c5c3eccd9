// The pass rate behind a judge's verdicts, corrected by how well the judge did on labels from elsewhere.
import type { Interval } from './intervals.js'
import type { CorrectedRate, JudgedCount, LabelCounts } from './judged-rate.js'
import { zOf } from './normal.js'

export type CarriedRate = CorrectedRate | { refused: string }

/** The sum of sensitivity and specificity below which a carried rate comes with a warning. */
export const WEAK_JUDGE = 1.5

/**
 * Rogan and Gladen's estimate with the uncertainty of all three rates (the adjusted interval of Lang and Reiczigel 2014, which keeps
 * its coverage with few labels and near 0 and 1). Refused unless the judge tells passes from failures beyond doubt.
 */
export function carriedRate(labels: LabelCounts, judged: JudgedCount, confidence = 0.95): CarriedRate {
  const passes = labels.both_pass + labels.people_pass_only
  const failures = labels.judge_pass_only + labels.both_fail
  if (passes === 0 || failures === 0)
    return { refused: `all labels ${passes === 0 ? 'fail' : 'pass'}: how the judge does on the others is unknown` }
  if (judged.count === 0) return { refused: 'the judge gave no verdict' }
  const z = zOf(confidence)
  const youden = youdenInterval(labels, z)
  if (youden.low <= 0) return { refused: 'on the labels the judge is not reliably better than chance' }

  const sensitivity = labels.both_pass / passes
  const specificity = labels.both_fail / failures
  const observed = judged.passed / judged.count
  const rate = (observed + specificity - 1) / (sensitivity + specificity - 1)
  return { rate: clip(rate), interval: adjustedInterval(labels, judged, z) }
}

/** Sensitivity plus specificity minus one, with a Wilson-like guard against 0 and 1. */
function youdenInterval(labels: LabelCounts, z: number): Interval {
  const { sensitivity, specificity, passes, failures } = adjusted(labels)
  const youden = sensitivity + specificity - 1
  const half = z * Math.sqrt(spread(sensitivity, passes) + spread(specificity, failures))
  return { low: youden - half, high: youden + half }
}

function adjustedInterval(labels: LabelCounts, judged: JudgedCount, z: number): Interval {
  const { sensitivity, specificity, passes, failures } = adjusted(labels)
  const count = judged.count + z ** 2
  const observed = (judged.passed + z ** 2 / 2) / count
  const youden = sensitivity + specificity - 1
  const rate = (observed + specificity - 1) / youden
  const ofPasses = spread(sensitivity, passes)
  const ofFailures = spread(specificity, failures)
  const variance = (spread(observed, count) + rate ** 2 * ofPasses + (1 - rate) ** 2 * ofFailures) / youden ** 2
  const shift = 2 * z ** 2 * (rate * ofPasses - (1 - rate) * ofFailures)
  const half = z * Math.sqrt(variance)
  return { low: clip(rate + shift - half), high: clip(rate + shift + half) }
}

/** One success and one failure more, as Lang and Reiczigel do. */
function adjusted(labels: LabelCounts) {
  const passes = labels.both_pass + labels.people_pass_only + 2
  const failures = labels.judge_pass_only + labels.both_fail + 2
  return {
    passes,
    failures,
    sensitivity: (labels.both_pass + 1) / passes,
    specificity: (labels.both_fail + 1) / failures,
  }
}

function spread(rate: number, count: number): number {
  return (rate * (1 - rate)) / count
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value))
}
