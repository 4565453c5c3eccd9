// The bias-corrected and accelerated (BCa) bootstrap interval of a mean.
import type { Interval } from './intervals.js'
import { normalCdf, normalQuantile, zOf } from './normal.js'
import { quantileOfSorted } from './quantile.js'
import { seededRandom } from './random.js'

const RESAMPLES = 2_000
// Above this many values the mean is normal to any digit shown, and resampling costs seconds.
const RESAMPLE_UP_TO = 5_000

export function meanInterval(values: readonly number[], confidence = 0.95, seed = 1): Interval {
  const mean = meanOf(values)
  if (values.length < 2 || values.every((value) => value === values[0])) return { low: mean, high: mean }
  return values.length > RESAMPLE_UP_TO ? normalInterval(values, mean, confidence) : bca(values, mean, confidence, seed)
}

export function meanOf(values: readonly number[]): number {
  if (values.length === 0) return 0
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function normalInterval(values: readonly number[], mean: number, confidence: number): Interval {
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const half = zOf(confidence) * Math.sqrt(squares / (values.length - 1) / values.length)
  return { low: mean - half, high: mean + half }
}

function bca(values: readonly number[], mean: number, confidence: number, seed: number): Interval {
  const means = resampledMeans(values, seed)
  // Resampled means of few distinct values tie with the observed one; half of the ties count as below.
  const below = means.filter((value) => value < mean).length + means.filter((value) => value === mean).length / 2
  const bias = normalQuantile(Math.min(Math.max(below / means.length, 1 / RESAMPLES), 1 - 1 / RESAMPLES))
  const acceleration = accelerationOf(values, mean)
  const bound = (probability: number) => {
    const z = bias + normalQuantile(probability)
    return quantileOfSorted(means, normalCdf(bias + z / (1 - acceleration * z)))
  }
  const tail = (1 - confidence) / 2
  return { low: bound(tail), high: bound(1 - tail) }
}

function resampledMeans(values: readonly number[], seed: number): Float64Array {
  const random = seededRandom(seed)
  const all = Float64Array.from(values)
  const means = new Float64Array(RESAMPLES)
  for (let resample = 0; resample < RESAMPLES; resample++) {
    let sum = 0
    for (let draw = 0; draw < all.length; draw++) sum += all[Math.floor(random() * all.length)] ?? 0
    means[resample] = sum / all.length
  }
  return means.toSorted()
}

// From the jackknife; for a mean the left-out means differ from it in proportion to the deviations.
function accelerationOf(values: readonly number[], mean: number): number {
  let squares = 0
  let cubes = 0
  for (const value of values) {
    squares += (value - mean) ** 2
    cubes += (value - mean) ** 3
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5)
}
