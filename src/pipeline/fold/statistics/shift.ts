// Slower or more expensive? On logarithms, so that a case of a minute does not drown those of a second, paired by case.
import { roundOff } from '../../../base/round-off.js'
import type { Interval } from './intervals.js'
import { signFlipTest } from './permutation.js'
import { practicalVerdict, type PracticalVerdict } from './practical.js'
import { sampleMean, type Sample } from './welch.js'

export interface ShiftTest {
  test: string
  pairs: number
  confidence: number
  p_value: number
  /** The typical case (geometric mean) in milliseconds or dollars, and after divided by before. */
  before: number
  after: number
  ratio: number
  /** Absent if there are too few cases to bound anything. */
  interval?: Interval
  /** `slight`: more than chance, but of no practical importance. */
  verdict: PracticalVerdict
}

/** Logarithms of the runs of one case. */
export interface SamplePair {
  before: Sample
  after: Sample
}

export interface ShiftRule {
  confidence: number
  /** Percent. */
  practical: number
  /** Milliseconds or dollars by which the typical case must differ as well. */
  noticeable?: number
}

/** Undefined if no case was measured on both sides. */
export function shiftTest(
  pairs: readonly SamplePair[],
  { confidence, practical, noticeable = 0 }: ShiftRule,
): ShiftTest | undefined {
  const measured = pairs.filter(isMeasured)
  if (measured.length === 0) return undefined
  const level = roundOff(1 - confidence)
  const flipped = signFlipTest(measured.map(({ before, after }) => sampleMean(after) - sampleMean(before)))
  const interval = flipped.interval(level)
  const ratio = Math.exp(flipped.mean)
  const mean = measured.reduce((sum, pair) => sum + sampleMean(pair.before), 0) / measured.length
  const [before, after] = [Math.exp(mean), Math.exp(mean + flipped.mean)]
  const verdict = practicalVerdict({ p_value: flipped.p_value, ratio }, level, practical)
  return {
    test: `sign-flip permutation on logarithms${METHODS[flipped.method]}`,
    pairs: measured.length,
    confidence,
    p_value: flipped.p_value,
    before,
    after,
    ratio,
    ...(interval && { interval: { low: Math.exp(interval.low), high: Math.exp(interval.high) } }),
    verdict: verdict !== 'unchanged' && Math.abs(after - before) < noticeable ? 'slight' : verdict,
  }
}

export function isMeasured({ before, after }: SamplePair): boolean {
  return before.count > 0 && after.count > 0
}

const METHODS = { exact: '', monte_carlo: ' (9,999 random flips)', normal: ' (normal limit)' } as const
