// How far apart are two sides whose runs are each scored by a share, such as that of the expectations which a run meets?
// The cases are fixed and each counts alike; what a run meets hangs together, so the run is what is counted, never the
// single expectation.
import { normalCdf, studentQuantile, zOf } from './normal.js'
import { pairedScore } from './paired.js'
import { seededRandom } from './random.js'
import type { Interval } from './intervals.js'

/** Of one case: the shares, 0–1, of the runs of each side. */
export interface ShareStratum {
  before: readonly number[]
  after: readonly number[]
}

export interface ShareTest {
  /** Those with runs on both sides. */
  cases: number
  /** Means over the cases. */
  before: number
  after: number
  difference: number
  /** Two-sided. */
  p_value: number
  /** Excludes 0 exactly where `p_value` is below 1 - `confidence`. */
  interval: Interval
}

/** `parts`: the fewest expectations that a run has. */
export function shareTest(strata: readonly ShareStratum[], parts: number, confidence = 0.95): ShareTest {
  const usable = strata.filter(({ before, after }) => before.length > 0 && after.length > 0)
  const level = 1 - confidence
  const effect = designEffect(usable, parts, confidence)
  const score = pairedScore(
    usable.map(({ before, after }) => ({ before: asRate(before, effect), after: asRate(after, effect) })),
  )
  const { cases, before, after, difference } = score
  if (cases === 0) return { cases, before, after, difference: 0, p_value: 1, interval: { low: -1, high: 1 } }
  const limit = Math.min(1, 2 * normalCdf(-Math.abs(score.at(0))))
  const shuffled = limit < level ? shuffleTest(usable) : 1
  const p_value = Math.max(limit, shuffled)
  const { low, high } = score.bounds(level / 2)
  return { cases, before, after, difference, p_value, interval: p_value < level ? { low, high } : around0(low, high) }
}

/** With a larger p-value, from another look at the same runs. */
export function lessSure(test: ShareTest, p_value: number, confidence = 0.95): ShareTest {
  if (p_value <= test.p_value) return test
  const { low, high } = test.interval
  return { ...test, p_value, interval: p_value < 1 - confidence ? test.interval : around0(low, high) }
}

/**
 * How much of the variance of a whole run, pass or fail, the share of a run has (Rao and Scott 1992): at most all of it, at
 * least that of expectations which have nothing to do with each other. Estimated from few runs it is not trusted: the
 * widening of Student's t is part of it. With one run of each case nothing is known, and all of it is assumed.
 */
function designEffect(strata: readonly ShareStratum[], parts: number, confidence: number): number {
  let [seen, most, degrees] = [0, 0, 0]
  for (const { before, after } of strata)
    for (const shares of [before, after]) {
      if (shares.length < 2) continue
      const mean = meanOf(shares)
      const variance = shares.reduce((sum, share) => sum + (share - mean) ** 2, 0) / (shares.length - 1)
      degrees += shares.length - 1
      seen += variance
      most += mean * (1 - mean) + variance / shares.length
    }
  if (degrees === 0 || most <= 0) return 1
  const widened = (seen / most) * (studentQuantile(confidence, degrees) / zOf(confidence)) ** 2
  return Math.min(1, Math.max(widened, 1 / Math.max(1, parts)))
}

function asRate(shares: readonly number[], effect: number): { hits: number; runs: number } {
  const runs = shares.length / effect
  return { hits: meanOf(shares) * runs, runs }
}

const SHUFFLES = 9_999

/** The runs of each case dealt to the two sides anew: the last word on whether there is a difference at all. */
function shuffleTest(strata: readonly ShareStratum[], seed = 1): number {
  const random = seededRandom(seed)
  const pools = strata.map(({ before, after }) => ({ all: [...before, ...after], of: before.length }))
  const differenceOf = (all: readonly number[], of: number): number => meanOf(all.slice(of)) - meanOf(all.slice(0, of))
  const total = (): number => pools.reduce((sum, { all, of }) => sum + differenceOf(all, of), 0)
  const seen = total()
  let [atMost, atLeast] = [1, 1]
  for (let count = 0; count < SHUFFLES; count++) {
    for (const { all } of pools) shuffle(all, random)
    const found = total()
    if (found <= seen + TIE) atMost++
    if (found >= seen - TIE) atLeast++
  }
  return Math.min(1, (2 * Math.min(atMost, atLeast)) / (SHUFFLES + 1))
}

/** Sums in another order differ in their last digits. */
const TIE = 1e-9

function shuffle(values: number[], random: () => number): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const kept = values[last] ?? 0
    values[last] = values[other] ?? 0
    values[other] = kept
  }
}

/** No claim: 0 is possible. */
function around0(low: number, high: number): Interval {
  return { low: Math.min(low, -Number.EPSILON), high: Math.max(high, Number.EPSILON) }
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
