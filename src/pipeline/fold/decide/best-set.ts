// Which of several variants may be the best one? Those that no other beats by more than chance.
import { percentOf } from '../../../base/round-off.js'
import type { Rate } from '../statistics/stratified.js'

interface Named {
  name: string
  /** By case: passes of runs with a verdict. */
  cases: readonly Rate[]
}

/** The p-value is adjusted for all pairs. */
export interface TestedPair {
  one: Named
  other: Named
  /** Other minus one. */
  difference: number
  p_value: number
}

export interface RankedVariant {
  name: string
  /** Percent: the mean of the rates of its cases; undefined if none has a verdict. */
  pass_rate: number | undefined
  /** Has a verdict, and cannot be distinguished from the best. */
  best: boolean
  /** What beats it most clearly, and the p-value, adjusted for all pairs of variants. */
  beaten_by?: { name: string; p_value: number }
}

/** With every pair tested no variant that is truly as good as the best is left out more often than the level says. */
export function bestSet(variants: readonly Named[], pairs: readonly TestedPair[], level: number): RankedVariant[] {
  const beaten = new Map<Named, { name: string; p_value: number }>()
  for (const { one, other, difference, p_value } of pairs) {
    if (p_value >= level) continue
    const [loser, winner] = difference < 0 ? [other, one] : [one, other]
    const before = beaten.get(loser)
    if (!before || p_value < before.p_value) beaten.set(loser, { name: winner.name, p_value })
  }
  // If verdicts are missing, three variants may beat each other in a circle, which proves nothing.
  if (beaten.size === variants.length) beaten.clear()
  return variants.map((variant) => {
    const by = beaten.get(variant)
    const pass_rate = passRate(variant)
    // One without a verdict has shown nothing: nothing beats it, but it is not a candidate either.
    const best = by === undefined && pass_rate !== undefined
    return { name: variant.name, pass_rate, best, ...(by && { beaten_by: by }) }
  })
}

function passRate({ cases }: Named): number | undefined {
  const rated = cases.filter(({ runs }) => runs > 0)
  if (rated.length === 0) return undefined
  const sum = rated.reduce((total, { hits, runs }) => total + hits / runs, 0)
  return percentOf(sum / rated.length)
}
