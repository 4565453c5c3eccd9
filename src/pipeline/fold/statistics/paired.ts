// How far apart are the pass rates of two sides, the cases taken as fixed and each counting alike? A score test for any
// difference, from runs of the one side held against runs of the other within each case.
import { once } from '../../../base/once.js'
import { bisect } from './bisect.js'
import type { Interval } from './intervals.js'
import { normalCdf, normalQuantile } from './normal.js'
import { stratifiedTest, type Stratum } from './stratified.js'

export interface PairedTest {
  /** Those with a verdict on both sides; the others say nothing here. */
  cases: number
  /** Means over the cases, 0–1. */
  before: number
  after: number
  difference: number
  /** How likely a difference this low is, one-sided, if the true one is `at`. */
  below(at: number): number
  /** How likely one this high is. */
  above(at: number): number
  /** Each bound one-sided at `level`: `high` is below `at` exactly where `below(at)` is smaller than `level`. */
  bounds(level: number): Interval
  /** The same cases with this many times the runs, if they continue as they began: what more runs would show. */
  scaled(factor: number): Pick<PairedTest, 'bounds'>
}

export function pairedTest(strata: readonly Stratum[]): PairedTest {
  const sums = sumUp(strata)
  const { cases, before, after } = sums
  const difference = after - before
  // With a handful of runs the normal limit may be a little too sure that there is a difference at all. The exact test
  // has the last word on that; it costs more, and is used only where there is something to confirm.
  const exact = once(() => stratifiedTest(strata))
  const oneSided = (sign: 1 | -1): number => {
    const { p_value, difference: tested } = exact()
    return Math.sign(tested) === sign ? p_value / 2 : 1
  }
  const score = scoreOf(sums, 1)
  const tail = (at: number, sign: 1 | -1): number => {
    if (cases === 0) return 1
    const p = normalCdf(-sign * score(at))
    return p < WORTH_CONFIRMING && at * sign >= 0 ? Math.max(p, oneSided(sign)) : p
  }
  return {
    cases,
    before,
    after,
    difference,
    below: (at) => tail(at, -1),
    above: (at) => tail(at, 1),
    bounds: (level) => {
      if (cases === 0) return { low: -1, high: 1 }
      const { low, high } = boundsOf(score, difference, level)
      return {
        low: low >= 0 && oneSided(1) >= level ? -Number.EPSILON : low,
        high: high <= 0 && oneSided(-1) >= level ? Number.EPSILON : high,
      }
    },
    scaled: (factor) => ({
      bounds: (level) => (cases === 0 ? { low: -1, high: 1 } : boundsOf(scoreOf(sums, factor), difference, level)),
    }),
  }
}

export interface PairedScore extends Pick<PairedTest, 'cases' | 'before' | 'after' | 'difference' | 'bounds'> {
  /** How many standard errors the observed difference is above `at`. */
  at(at: number): number
}

/** The score alone: where rates are shares of runs, there are no whole hits for the exact test. */
export function pairedScore(strata: readonly Stratum[]): PairedScore {
  const sums = sumUp(strata)
  const { cases, before, after } = sums
  const difference = after - before
  const score = scoreOf(sums, 1)
  return {
    cases,
    before,
    after,
    difference,
    at: score,
    bounds: (level) => (cases === 0 ? { low: -1, high: 1 } : boundsOf(score, difference, level)),
  }
}

// No claim is made at a higher level.
const WORTH_CONFIRMING = 0.1

interface Sums {
  cases: number
  before: number
  after: number
  /** This many pairs of runs, spread evenly over the cases, would be as precise. */
  pairs: number
  /** How often a run of one side and one of the other end differently. */
  discordance: number
}

function sumUp(strata: readonly Stratum[]): Sums {
  let [cases, before, after, inverse, discordance] = [0, 0, 0, 0, 0]
  for (const { before: old, after: fresh } of strata) {
    if (old.runs === 0 || fresh.runs === 0) continue
    const [was, is] = [old.hits / old.runs, fresh.hits / fresh.runs]
    const scale = (old.runs + fresh.runs) / (2 * old.runs * fresh.runs)
    cases++
    before += was
    after += is
    inverse += scale
    discordance += scale * (was * (1 - is) + is * (1 - was))
  }
  if (cases === 0) return { cases, before, after, pairs: 0, discordance: 0 }
  before /= cases
  after /= cases
  return {
    cases,
    before,
    after,
    pairs: (cases * cases) / inverse,
    discordance: Math.max(discordance / inverse, Math.abs(after - before)),
  }
}

/**
 * The score of a difference `at`: how many standard errors the observed one is above it. The error is that of the most
 * likely rates with this difference (Tango 1998), so that 20 of 20 on both sides is not ±0.
 */
function scoreOf({ before, after, pairs: counted, discordance }: Sums, factor: number): (at: number) => number {
  const pairs = counted * factor
  const difference = after - before
  const gained = (pairs * (discordance + difference)) / 2
  const lost = (pairs * (discordance - difference)) / 2
  return (at) => {
    const linear = (2 * pairs - gained + lost) * at - gained - lost
    const root = Math.sqrt(Math.max(0, linear * linear + 8 * pairs * lost * at * (1 - at)))
    const toLost = (root - linear) / (4 * pairs)
    const variance = (2 * toLost + at - at * at) / pairs
    // Half a run: the difference moves in whole steps.
    const away = Math.max(0, Math.abs(difference - at) - 0.5 / pairs)
    if (away === 0) return 0
    return (Math.sign(difference - at) * away) / Math.sqrt(Math.max(0, variance))
  }
}

function boundsOf(score: (at: number) => number, difference: number, level: number): Interval {
  const z = normalQuantile(1 - level)
  return {
    low: bisect(-1, difference, (at) => score(at) > z),
    high: bisect(difference, 1, (at) => score(at) > -z),
  }
}
