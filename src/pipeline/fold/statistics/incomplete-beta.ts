// The regularised incomplete beta function: the distribution behind Student's.
import { lnBeta } from './gamma.js'

/** I_x(a, b): the probability that a Beta(a, b) variable is at most x. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - lnBeta(a, b))
  // The continued fraction converges fast only on this side of the mean; the other side is its mirror image.
  if (x < (a + 1) / (a + b + 2)) return (front * continuedFraction(x, a, b)) / a
  return 1 - (front * continuedFraction(1 - x, b, a)) / b
}

// The modified Lentz evaluation; TINY keeps a vanishing denominator from dividing by zero.
const TINY = 1e-300

function continuedFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1))
  let result = d
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / guard(1 + even * d)
    c = guard(1 + even / c)
    result *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / guard(1 + odd * d)
    c = guard(1 + odd / c)
    const delta = d * c
    result *= delta
    if (Math.abs(delta - 1) < 1e-15) break
  }
  return result
}

function guard(value: number): number {
  return Math.abs(value) < TINY ? TINY : value
}
