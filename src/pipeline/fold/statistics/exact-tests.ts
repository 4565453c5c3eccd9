// Exact tests on counts: McNemar for pairs of single runs, Fisher for two rates.
import { binomialCdf } from './binomial.js'
import { lnChoose } from './gamma.js'

/** Two-sided p-value from the discordant pairs alone: those that were fixed and those that broke. */
export function mcnemar(fixed: number, broken: number): number {
  const discordant = fixed + broken
  if (discordant === 0) return 1
  return Math.min(1, 2 * binomialCdf(Math.min(fixed, broken), discordant, 0.5))
}

export interface Rate {
  passes: number
  runs: number
}

/** Two-sided Fisher exact test: the tables at most as likely as the one seen, all with the same margins. */
export function fisher(first: Rate, second: Rate): number {
  const runs = first.runs + second.runs
  const passes = first.passes + second.passes
  if (first.runs === 0 || second.runs === 0 || passes === 0 || passes === runs) return 1
  const total = lnChoose(runs, passes)
  const lnProbability = (k: number) => lnChoose(first.runs, k) + lnChoose(second.runs, passes - k) - total
  const seen = lnProbability(first.passes)
  let sum = 0
  for (let k = Math.max(0, passes - second.runs); k <= Math.min(passes, first.runs); k++) {
    const ln = lnProbability(k)
    if (ln <= seen + 1e-9) sum += Math.exp(ln)
  }
  return Math.min(1, sum)
}
