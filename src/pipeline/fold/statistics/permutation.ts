// Is the mean of paired differences zero? The sign-flip test, and the interval that goes with it.
import type { Interval } from './intervals.js'
import { normalCdf, zOf } from './normal.js'
import { positive } from './p-value.js'
import { seededRandom } from './random.js'

export interface SignFlipTest {
  mean: number
  /** Two-sided: twice the smaller tail. */
  p_value: number
  method: 'exact' | 'monte_carlo' | 'normal'
  /** Excludes 0 exactly when `p_value` is below `level`; undefined if there are too few pairs to bound anything. */
  interval(level: number): Interval | undefined
}

const EXACT_UP_TO = 14
const FLIPS = 9_999
// Above this many pairs 10,000 flips cost seconds, and the normal limit is right to three digits anyway.
const MONTE_CARLO_UP_TO = 2_000

/** Every pattern of signs for few pairs, seeded random ones for more, the normal limit for very many. */
export function signFlipTest(differences: readonly number[], seed = 1): SignFlipTest {
  const pairs = differences.length
  if (pairs > MONTE_CARLO_UP_TO) return normalLimit(differences)
  const values = Float64Array.from(differences)
  return pairs <= EXACT_UP_TO
    ? fromSubsets(values, everySubset(values), 'exact')
    : fromSubsets(values, randomSubsets(values, seed), 'monte_carlo')
}

export function meanOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let index = 0; index < values.length; index++) sum += values[index] ?? 0
  return values.length === 0 ? 0 : sum / values.length
}

/**
 * Flipping the signs of a subset moves the sum beyond the observed one exactly if the subset's mean is on the other
 * side of the value tested, so the means of subsets yield both the test and its interval.
 */
function fromSubsets(values: Float64Array, means: Float64Array, method: SignFlipTest['method']): SignFlipTest {
  const sorted = means.toSorted()
  // The pattern without a flip is one of them: p is never 0 and never too small.
  const patterns = sorted.length + 1
  const atMost = sorted.reduce((count, mean) => count + (mean <= 0 ? 1 : 0), 1)
  const atLeast = sorted.reduce((count, mean) => count + (mean >= 0 ? 1 : 0), 1)
  return {
    mean: meanOf(values),
    p_value: Math.min(1, (2 * Math.min(atMost, atLeast)) / patterns),
    method,
    interval: (level) => {
      const rank = Math.ceil((patterns * level) / 2 - 1)
      const [low, high] = [sorted[rank - 1], sorted[sorted.length - rank]]
      return low === undefined || high === undefined ? undefined : { low, high }
    },
  }
}

function everySubset(values: Float64Array): Float64Array {
  const means = new Float64Array(2 ** values.length - 1)
  for (let pattern = 1; pattern <= means.length; pattern++) {
    let sum = 0
    let size = 0
    for (let index = 0; index < values.length; index++) {
      if (((pattern >> index) & 1) === 0) continue
      sum += values[index] ?? 0
      size++
    }
    means[pattern - 1] = exactly(sum) / size
  }
  return means
}

function randomSubsets(values: Float64Array, seed: number): Float64Array {
  const random = seededRandom(seed)
  const means = new Float64Array(FLIPS)
  for (let flip = 0; flip < FLIPS; flip++) {
    let sum = 0
    let size = 0
    let bits = 0
    for (let index = 0; index < values.length; index++) {
      if (index % 31 === 0) bits = Math.floor(random() * 2147483648)
      sum += (bits & 1) * (values[index] ?? 0)
      size += bits & 1
      bits >>= 1
    }
    // An empty subset is the pattern without a flip, which counts on both sides.
    means[flip] = size === 0 ? 0 : exactly(sum) / size
  }
  return means
}

// Differences that cancel leave a rounding error.
function exactly(sum: number): number {
  return Math.abs(sum) < 1e-12 ? 0 : sum
}

function normalLimit(values: readonly number[]): SignFlipTest {
  const mean = meanOf(values)
  const pairs = values.length
  let aboutZero = 0
  let aboutMean = 0
  for (const value of values) {
    aboutZero += value * value
    aboutMean += (value - mean) ** 2
  }
  return {
    mean,
    p_value:
      aboutZero === 0 ? 1 : Math.min(1, positive(2 * normalCdf((-Math.abs(mean) * pairs) / Math.sqrt(aboutZero)))),
    method: 'normal',
    interval: (level) => {
      const z = zOf(1 - level)
      const half = z * Math.sqrt(aboutMean / pairs / (pairs - z * z))
      return { low: mean - half, high: mean + half }
    },
  }
}
