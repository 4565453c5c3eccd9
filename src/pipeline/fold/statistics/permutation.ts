// Is the mean of paired differences zero? The sign-flip permutation test.
import { normalCdf } from './normal.js'
import { seededRandom } from './random.js'

export interface PermutationResult {
  p_value: number
  method: 'exact' | 'monte_carlo' | 'normal'
}

const EXACT_UP_TO = 14
const FLIPS = 9_999
// Above this many pairs 10,000 flips cost seconds, and the normal limit is right to three digits anyway.
const MONTE_CARLO_UP_TO = 2_000

/** Two-sided. Every 2^m sign pattern for few pairs, seeded random ones for more, the normal limit for very many. */
export function signFlipTest(differences: readonly number[], seed = 1): PermutationResult {
  // A zero difference has no sign to flip.
  const moved = differences.filter((difference) => difference !== 0)
  if (moved.length === 0) return { p_value: 1, method: 'exact' }
  if (moved.length <= EXACT_UP_TO) return { p_value: exact(moved), method: 'exact' }
  if (moved.length <= MONTE_CARLO_UP_TO) return { p_value: monteCarlo(moved, seed), method: 'monte_carlo' }
  return { p_value: normalLimit(moved), method: 'normal' }
}

function exact(moved: number[]): number {
  const seen = reachedBy(moved)
  const patterns = 2 ** moved.length
  let extreme = 0
  for (let pattern = 0; pattern < patterns; pattern++) {
    let sum = 0
    for (let index = 0; index < moved.length; index++) sum += ((pattern >> index) & 1 ? -1 : 1) * (moved[index] ?? 0)
    if (Math.abs(sum) >= seen) extreme++
  }
  return extreme / patterns
}

// The observed order counts as one of the permutations, so that p is never 0 and never too small.
function monteCarlo(moved: number[], seed: number): number {
  const seen = reachedBy(moved)
  const random = seededRandom(seed)
  const values = Float64Array.from(moved)
  let extreme = 0
  for (let flip = 0; flip < FLIPS; flip++) {
    let sum = 0
    let bits = 0
    for (let index = 0; index < values.length; index++) {
      if (index % 31 === 0) bits = Math.floor(random() * 2147483648)
      sum += ((bits & 1) * 2 - 1) * (values[index] ?? 0)
      bits >>= 1
    }
    if (Math.abs(sum) >= seen) extreme++
  }
  return (extreme + 1) / (FLIPS + 1)
}

function normalLimit(moved: number[]): number {
  let sum = 0
  let squares = 0
  for (const value of moved) {
    sum += value
    squares += value * value
  }
  return 2 * normalCdf(-Math.abs(sum) / Math.sqrt(squares))
}

// A hair less than the observed sum: equal sums added in another order differ in the last bit.
function reachedBy(moved: number[]): number {
  return Math.abs(moved.reduce((sum, value) => sum + value, 0)) * (1 - 1e-12) - 1e-12
}
