// What the runs of a case show, in words: one of `STABILITY_LABELS`, by the interval of its pass rate.
import type { StabilityLabel } from '../../model/stability-label.js'
import type { Interval } from './statistics/intervals.js'

/** A pass rate that is shown to be below this is called failing. */
export const BROKEN_BELOW = 0.2
export const TOO_FEW: StabilityLabel = 'too few runs to tell'

/** *Always* says what was seen in all runs; the interval beside it says how far that reaches. */
export function labelOf(passes: number, fails: number, interval: Interval, threshold: number): StabilityLabel {
  if (passes + fails === 0) return TOO_FEW
  if (interval.low >= threshold) return fails === 0 ? 'passes always' : 'passes mostly'
  if (interval.high <= BROKEN_BELOW) return passes === 0 ? 'fails always' : 'fails mostly'
  return passes > 0 && fails > 0 ? 'passes sometimes' : TOO_FEW
}
