// The binomial distribution, summed exactly.
import { lnChoose } from './gamma.js'

export function binomialProbability(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return 0
  if (p <= 0) return k === 0 ? 1 : 0
  if (p >= 1) return k === n ? 1 : 0
  return Math.exp(lnChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p))
}

/** P(X ≤ k). */
export function binomialCdf(k: number, n: number, p: number): number {
  let sum = 0
  for (let i = 0; i <= Math.min(k, n); i++) sum += binomialProbability(i, n, p)
  return Math.min(1, sum)
}
