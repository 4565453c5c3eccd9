// The normal and Student distributions: tail probabilities and the quantiles behind "95%".
import { bisect } from './bisect.js'
import { incompleteBeta } from './incomplete-beta.js'

/** P(Z ≤ z) for a standard normal Z. */
export function normalCdf(z: number): number {
  const tail = 0.5 * upperTail(Math.abs(z))
  return z > 0 ? 1 - tail : tail
}

const quantiles = new Map<number, number>()

/** The z with P(Z ≤ z) = p. */
export function normalQuantile(p: number): number {
  const known = quantiles.get(p)
  if (known !== undefined) return known
  const z = bisect(-40, 40, (at) => normalCdf(at) < p, 80)
  if (quantiles.size < 1000) quantiles.set(p, z)
  return z
}

/** The z of a two-sided interval: 1.96 for 0.95. */
export function zOf(confidence: number): number {
  return normalQuantile(1 - (1 - confidence) / 2)
}

/** Two-sided p-value of a Student t statistic. */
export function studentTwoSided(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return 0
  return incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5)
}

/** The t of a two-sided interval: 2.09 for 0.95 and 19 degrees. */
export function studentQuantile(confidence: number, degrees: number): number {
  return bisect(0, 1_000, (t) => studentTwoSided(t, degrees) > 1 - confidence, 60)
}

// P(|Z| > z): a series near the middle, a continued fraction in the tail.
function upperTail(z: number): number {
  if (z < 3) return 1 - seriesErf(z / Math.SQRT2)
  let fraction = 0
  for (let k = 60; k >= 1; k--) fraction = k / (z + fraction)
  return (Math.exp((-z * z) / 2) / (z + fraction)) * Math.sqrt(2 / Math.PI)
}

function seriesErf(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n
    const next = term / (2 * n + 1)
    sum += next
    if (Math.abs(next) < 1e-17) break
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}
