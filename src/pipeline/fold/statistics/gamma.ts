// The logarithm of the gamma function, and what is built on it: binomial coefficients and the beta function.

const LANCZOS_G = 7
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
]

/** ln Γ(x) for x > 0, good to about 14 digits. */
export function lnGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lnGamma(1 - x)
  const shifted = x - 1
  const base = shifted + LANCZOS_G + 0.5
  let sum = 0
  for (const [index, coefficient] of LANCZOS.entries())
    sum += index === 0 ? coefficient : coefficient / (shifted + index)
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum)
}

export function lnBeta(a: number, b: number): number {
  return lnGamma(a) + lnGamma(b) - lnGamma(a + b)
}

export function lnChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY
  if (k === 0 || k === n) return 0
  return lnGamma(n + 1) - lnGamma(k + 1) - lnGamma(n - k + 1)
}
