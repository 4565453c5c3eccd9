// Which cases changed their own pass rate by more than chance: Fisher's exact test for each, Tarone–Holm over all of them.
import { taroneHolm, type Tested } from '../statistics/corrections.js'
import type { Member } from '../statistics/share-level.js'
import { stratifiedTest, type StratifiedTest, type Stratum } from '../statistics/stratified.js'

export interface CaseChanges {
  /** All of them together, as one of the claims that share a level. */
  member: Member
  at(level: number): CaseChange[]
}

export interface CaseChange {
  /** In the order given. */
  index: number
  /** 0–1. */
  before: number
  after: number
  /** Adjusted for the number of cases: below the level. */
  p_value: number
}

/** As much as the rate of the whole suite has: a case that breaks is as important as a small fall everywhere. */
const WEIGHT = 2

/** `falls`: one-sided, and only those. */
export function caseChanges(cases: readonly Stratum[], which: 'both' | 'falls' = 'both'): CaseChanges {
  const tests = cases.map((stratum) => stratifiedTest([stratum]))
  const tested = which === 'both' ? tests : tests.map(fallOf)
  const least = tested.reduce((lowest, test) => Math.min(lowest, test.least), 1)
  return {
    member: {
      weight: WEIGHT,
      least,
      speaks: (at) => taroneHolm(tested, at).every((p, index) => p < at || (tested[index]?.least ?? 1) >= at),
    },
    at: (level) => {
      const adjusted = taroneHolm(tested, level)
      return tests.flatMap(({ before, after }, index) => {
        const p_value = adjusted[index] ?? 1
        return p_value < level ? [{ index, before, after, p_value }] : []
      })
    },
  }
}

/** Half of twice the smaller tail. What the other tail could have shown at least is not known, and no more than this. */
function fallOf({ p_value, least, difference }: StratifiedTest): Tested {
  return { p_value: difference < 0 ? p_value / 2 : 1, least: least / 2 }
}
