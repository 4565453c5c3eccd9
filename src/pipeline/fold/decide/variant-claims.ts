// What the variants of one run may claim: which pass rates differ, which single cases changed against the baseline, and
// which variant may be the best. One promise for all of it together: at most 5% false alarms.
import { percentOf } from '../../../base/round-off.js'
import { defined } from '../../../base/defined.js'
import { correctedPaired, correctionOf } from '../judged/correct-difference.js'
import type { JudgedSide } from '../judged/judged-fold.js'
import type { Interval } from '../statistics/intervals.js'
import { pairedTest, type PairedTest } from '../statistics/paired.js'
import { shareLevel, type Member } from '../statistics/share-level.js'
import type { Rate, Stratum } from '../statistics/stratified.js'
import { bestSet, type RankedVariant, type TestedPair } from './best-set.js'
import { caseChanges } from './case-changes.js'

export interface RatedVariant {
  name: string
  /** By case, in the same order for every variant: passes of runs with a verdict. */
  cases: readonly Rate[]
  /** Of all runs, if some ended without a verdict. */
  all?: readonly Rate[] | undefined
  /** What the test of each single case counts; of a number of runs that no outcome decides. */
  single: readonly Rate[]
  /** What of it rests on judges: their error is part of every difference, as far as it is known. */
  judged?: JudgedSide | undefined
}

export interface VariantClaims {
  /** All but the first, against the first. */
  against: Distance[]
  ranked: RankedVariant[]
}

export interface Distance {
  /** Cases with a verdict in both. */
  cases: number
  /** Points. */
  difference: number
  /** Excludes 0 exactly where the rates of the verdicts differ by more than chance. */
  interval: Interval
  /** Two-sided, as if it had the whole level to itself: below 0.05 exactly where the claim holds. */
  p_value: number
  /** In points, before it was corrected for the judge's error; undefined: it was not. */
  as_judged?: number
  changed: ChangedRate[]
}

export interface ChangedRate {
  /** Of the case. */
  index: number
  /** Percent. */
  before: number
  after: number
  /** Two-sided, adjusted: below 0.05. */
  p_value: number
}

export const LEVEL = 0.05

export function variantClaims(variants: readonly RatedVariant[]): VariantClaims {
  const [baseline, ...others] = variants
  const pairs = pairsOf(variants)
  const changes = caseChanges(others.flatMap((other) => (baseline ? strataOf(baseline.single, other.single) : [])))
  const shares = shareLevel<string>(LEVEL, {
    cases: changes.member,
    // All of them together have as much as the cases.
    ...Object.fromEntries(pairs.map(({ test }, at) => [at, memberOf(test, changes.member.weight / pairs.length)])),
  })
  const scaled = (p: number, name: string): number => Math.min(1, (p * LEVEL) / (shares[name] ?? LEVEL))
  const count = baseline?.single.length ?? 0
  const changed = changes.at(shares['cases'] ?? 0).map(({ index, before, after, p_value }) => ({
    variant: Math.floor(index / count) + 1,
    index: index % count,
    before: percentOf(before),
    after: percentOf(after),
    p_value: scaled(p_value, 'cases'),
  }))
  const tested = pairs.map((pair, at): TestedPair => ({
    ...pair,
    difference: pair.test.difference,
    p_value: scaled(pair.test.p_value, `${at}`),
  }))
  return {
    against: others.map((_, index): Distance => {
      // Those of the baseline come first.
      const [pair, share] = [tested[index], shares[index] ?? LEVEL]
      if (!pair) throw new Error(`variant ${index + 1} was not tested`)
      const { cases, difference, bounds, as_judged } = pairs[index]?.test ?? { ...pairedTest([]), as_judged: undefined }
      const { low, high } = bounds(share / 2)
      return {
        ...defined({ as_judged: as_judged === undefined ? undefined : percentOf(as_judged) }),
        cases,
        difference: percentOf(difference),
        interval: { low: percentOf(low), high: percentOf(high) },
        p_value: pair.p_value,
        changed: changed.flatMap(({ variant, ...change }) => (variant === index + 1 ? [change] : [])),
      }
    }),
    ranked: bestSet(variants, tested, LEVEL),
  }
}

interface DifferenceTest extends PairedTest {
  p_value: number
  as_judged: number | undefined
}

function pairsOf(
  variants: readonly RatedVariant[],
): Array<{ one: RatedVariant; other: RatedVariant; test: DifferenceTest }> {
  return variants.flatMap((one, index) =>
    variants.slice(index + 1).map((other) => ({ one, other, test: differenceBetween(one, other) })),
  )
}

function memberOf({ cases, p_value }: DifferenceTest, weight: number): Member {
  return { weight, least: cases === 0 ? 1 : 0, speaks: (level) => p_value < level }
}

/**
 * Over the cases with a verdict in both, two-sided. A variant that breaks down on what it cannot do must not look better for
 * it: the difference must also be there with every run without a verdict counted as failed.
 */
function differenceBetween(one: RatedVariant, other: RatedVariant): DifferenceTest {
  const correction = correctionOf(one.judged, other.judged)
  const tested = (before: readonly Rate[], after: readonly Rate[]): PairedTest => pairedTest(strataOf(before, after))
  const seen = tested(one.cases, other.cases)
  const judged = correctedPaired(seen, correction)
  const all =
    one.all || other.all ? correctedPaired(tested(one.all ?? one.cases, other.all ?? other.cases), correction) : judged
  const tail = (test: PairedTest): number => (judged.difference < 0 ? test.below(0) : test.above(0))
  const p_value = Math.min(1, 2 * Math.max(tail(judged), tail(all)))
  return { ...judged, p_value, as_judged: correction && seen.difference }
}

function strataOf(before: readonly Rate[], after: readonly Rate[]): Stratum[] {
  return before.map((rate, index) => ({ before: rate, after: after[index] ?? NOTHING }))
}

const NOTHING: Rate = { hits: 0, runs: 0 }
