// Which of several variants may be the best one? Those that no other beats by more than chance.
import { percentOf } from '../../../base/round-off.js'
import { taroneHolm } from '../statistics/corrections.js'
import { pairedTest, type PairedTest } from '../statistics/paired.js'
import type { Rate } from '../statistics/stratified.js'

export interface RatedVariant {
  name: string
  /** By case, in the same order for every variant: passes of runs with a verdict. */
  cases: readonly Rate[]
  /** Of all runs, if some ended without a verdict. */
  all?: readonly Rate[] | undefined
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

/**
 * Every pair is tested, paired over cases, and Holm's procedure keeps all of it to one level: with 95% confidence no
 * variant that is truly as good as the best is left out, however many there are.
 */
export function bestSet(variants: readonly RatedVariant[], level = 0.05): RankedVariant[] {
  const beaten = new Map<RatedVariant, { name: string; p_value: number }>()
  const pairs = pairsOf(variants)
  const tests = pairs.map(([one, other]) => testOf(one, other))
  const adjusted = taroneHolm(tests, level)
  for (const [index, [one, other]] of pairs.entries()) {
    const p_value = adjusted[index] ?? 1
    if (p_value >= level) continue
    const [loser, winner] = (tests[index]?.difference ?? 0) < 0 ? [other, one] : [one, other]
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

function pairsOf(variants: readonly RatedVariant[]): Array<[RatedVariant, RatedVariant]> {
  return variants.flatMap((one, index) =>
    variants.slice(index + 1).map((other): [RatedVariant, RatedVariant] => [one, other]),
  )
}

function testOf(one: RatedVariant, other: RatedVariant): { p_value: number; least: number; difference: number } {
  const { p_value, difference } = differenceBetween(one, other)
  return { p_value, least: 0, difference }
}

/**
 * Over the cases with a verdict in both, two-sided. A variant that breaks down on what it cannot do must not look better for
 * it: the difference must also be there with every run without a verdict counted as failed.
 */
export function differenceBetween(one: RatedVariant, other: RatedVariant): PairedTest & { p_value: number } {
  const judged = pairedOf(one.cases, other.cases)
  const all = one.all || other.all ? pairedOf(one.all ?? one.cases, other.all ?? other.cases) : judged
  const tail = (test: PairedTest): number => (judged.difference < 0 ? test.below(0) : test.above(0))
  return { ...judged, p_value: Math.min(1, 2 * Math.max(tail(judged), tail(all))) }
}

function pairedOf(before: readonly Rate[], after: readonly Rate[]): PairedTest {
  return pairedTest(before.map((rate, index) => ({ before: rate, after: after[index] ?? NOTHING })))
}

const NOTHING: Rate = { hits: 0, runs: 0 }

function passRate({ cases }: RatedVariant): number | undefined {
  const rated = cases.filter(({ runs }) => runs > 0)
  if (rated.length === 0) return undefined
  const sum = rated.reduce((total, { hits, runs }) => total + hits / runs, 0)
  return percentOf(sum / rated.length)
}
