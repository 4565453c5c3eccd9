// Whether a changed case fails because of its change: more often than the unchanged one, by more than chance.
import { caseChanges } from '../../pipeline/fold/decide/case-changes.js'
import type { Rate } from '../../pipeline/fold/statistics/stratified.js'

export interface Pair {
  /** Passes of the case as it is, and as it was changed. */
  before: Rate
  after: Rate
}

const LEVEL = 0.05
const LEAST_REPEATS = 5

/** So many that each of `count` changes can be told from chance, all of them together at the level. */
export function repeatsFor(count: number): number {
  let repeats = LEAST_REPEATS
  while (leastChance(repeats) * count >= LEVEL) repeats++
  return repeats
}

/** That all failures fall on one side of two of this size. */
function leastChance(repeats: number): number {
  let ways = 1
  for (let index = 1; index <= repeats; index++) ways = (ways * (repeats + index)) / index
  return 1 / ways
}

/** By place in the list, its p-value adjusted for all: only those that fail mostly, where the unchanged case passes mostly. */
export function confirmed(pairs: readonly Pair[]): Map<number, number> {
  const fallen = caseChanges(pairs, 'falls').at(LEVEL)
  const clear = fallen.filter(({ before, after }) => before > 0.5 && after < 0.5)
  return new Map(clear.map(({ index, p_value }) => [index, p_value]))
}
