// Intervals of a rate seen as `passes` out of `runs`: Wilson by default, Clopper–Pearson as a guarantee, Jeffreys.
import { inverseIncompleteBeta } from './incomplete-beta.js'
import { zOf } from './normal.js'

export interface Interval {
  low: number
  high: number
}

/** Good coverage at small numbers; the plain normal interval covers 40% instead of 95% at 5 runs. */
export function wilson(passes: number, runs: number, confidence = 0.95): Interval {
  if (runs === 0) return { low: 0, high: 1 }
  const z = zOf(confidence)
  const rate = passes / runs
  const scale = 1 + (z * z) / runs
  const centre = (rate + (z * z) / (2 * runs)) / scale
  const half = (z / scale) * Math.sqrt((rate * (1 - rate)) / runs + (z * z) / (4 * runs * runs))
  // At the ends the formula gives exactly 0 or 1, but for rounding.
  return { low: passes === 0 ? 0 : centre - half, high: passes === runs ? 1 : centre + half }
}

/** Covers at least `confidence`, whatever the true rate: wider than Wilson. */
export function clopperPearson(passes: number, runs: number, confidence = 0.95): Interval {
  const tail = (1 - confidence) / 2
  return {
    low: passes === 0 ? 0 : inverseIncompleteBeta(tail, passes, runs - passes + 1),
    high: passes === runs ? 1 : inverseIncompleteBeta(1 - tail, passes + 1, runs - passes),
  }
}

/** The Bayesian interval under the Jeffreys prior Beta(½, ½); a prior from history replaces the halves. */
export function jeffreys(passes: number, runs: number, confidence = 0.95, prior = { a: 0.5, b: 0.5 }): Interval {
  const tail = (1 - confidence) / 2
  const a = passes + prior.a
  const b = runs - passes + prior.b
  return {
    low: passes === 0 ? 0 : inverseIncompleteBeta(tail, a, b),
    high: passes === runs ? 1 : inverseIncompleteBeta(1 - tail, a, b),
  }
}

/** Runs that must all pass before a rate of at least `rate` may be claimed, one-sided. */
export function runsToClaim(rate: number, confidence = 0.95): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log(rate) - 1e-12)
}
