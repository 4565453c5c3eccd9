// `--runs auto`: after each run, may we already say that the pass rate is above or below the threshold?
import { bisect } from './statistics/bisect.js'
import { lnBeta } from './statistics/gamma.js'
import type { Interval } from './statistics/intervals.js'

export interface AutoRuns {
  passes: number
  fails: number
  /** 0–1. */
  threshold: number
  /** 0–1. */
  confidence: number
}

export type AutoDecision = 'above' | 'below' | 'continue'

/**
 * An anytime-valid confidence sequence (beta-binomial mixture): looking after every run keeps the promised error
 * rate, whereas an ordinary 95% interval checked 50 times makes a wrong claim in more than a quarter of the cases.
 */
export function decide({ passes, fails, threshold, confidence }: AutoRuns): AutoDecision {
  const runs = passes + fails
  if (runs === 0) return 'continue'
  if (lnMixture(passes, fails, threshold) < -Math.log(1 - confidence)) return 'continue'
  return passes / runs > threshold ? 'above' : 'below'
}

/** How many runs a case that always passes needs; undefined if no number would do. */
export function runsToDecide(threshold: number, confidence: number): number | undefined {
  for (let runs = 1; runs <= MOST_RUNS; runs++)
    if (decide({ passes: runs, fails: 0, threshold, confidence }) === 'above') return runs
  return undefined
}

/** How many runs every case has at least: one that always passes, or always fails, is decided first. */
export function fewestRuns(threshold: number, confidence: number): number {
  for (let runs = 1; runs < MOST_RUNS; runs++)
    if (
      decide({ passes: runs, fails: 0, threshold, confidence }) !== 'continue' ||
      decide({ passes: 0, fails: runs, threshold, confidence }) !== 'continue'
    )
      return runs
  return MOST_RUNS
}

// As many as `--max-runs` allows.
const MOST_RUNS = 10_000

/** The rates that `decide` does not rule out: wider than an interval that is checked only once. */
export function confidenceSequence(passes: number, fails: number, confidence: number): Interval {
  const runs = passes + fails
  if (runs === 0) return { low: 0, high: 1 }
  const seen = passes / runs
  const isPossible = (rate: number): boolean => lnMixture(passes, fails, rate) < -Math.log(1 - confidence)
  return {
    low: passes === 0 ? 0 : bisect(0, seen, (rate) => !isPossible(rate)),
    high: fails === 0 ? 1 : bisect(seen, 1, isPossible),
  }
}

// How much better a mixture over all rates explains the runs than the threshold does. The prior is Beta(½, ½).
function lnMixture(passes: number, fails: number, rate: number): number {
  const explained = lnBeta(passes + 0.5, fails + 0.5) - lnBeta(0.5, 0.5)
  const byRate = (passes === 0 ? 0 : passes * Math.log(rate)) + (fails === 0 ? 0 : fails * Math.log1p(-rate))
  return explained - byRate
}
