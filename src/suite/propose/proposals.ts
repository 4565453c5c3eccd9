// From candidates to proposals: what holds on every good run, the fewest that kill the most, each with what it kills.
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { compileProposed } from '../checks.js'
import type { Conduct } from '../conduct.js'
import type { Stages } from '../stage.js'

export interface Proposal {
  /** The list in the case that it belongs to: `assert`, `final_assertions`, `turns[0].assert`. */
  place: string
  assertion: AssertionSpec
  /** Indexes of the mutants that it kills. */
  kills: number[]
  /** Good runs on which it held: all there were. */
  support: number
}

export interface ProposeInit {
  stages: Stages
  testCase: TestCase
  goods: readonly Conduct[]
  /** Mutants that nothing kills so far. */
  survivors: readonly Conduct[]
  candidates: readonly AssertionSpec[]
  /** Absent: the end of the case. */
  turn?: number | undefined
}

/** Verified as if they had been pasted into the case: through the evaluator, beside its own assertions. */
export async function propose(init: ProposeInit): Promise<Proposal[]> {
  const { candidates, goods, survivors, stages, testCase, turn } = init
  const usable = candidates.filter((spec) => compileProposed(spec) !== undefined)
  if (usable.length === 0 || goods.length === 0) return []
  const { place } = pasted(testCase, turn)
  let held = usable
  for (const good of goods) {
    const failed = await failingIn(stages, testCase, held, turn)(good)
    held = held.filter((_, index) => !failed.has(index))
  }
  if (held.length === 0) return []
  const kills: number[][] = held.map(() => [])
  const failing = failingIn(stages, testCase, held, turn)
  for (const [index, survivor] of survivors.entries())
    for (const killer of await failing(survivor)) kills[killer]?.push(index)
  return greedy(kills).map((index) => ({
    place,
    assertion: held[index] as AssertionSpec,
    kills: kills[index] ?? [],
    support: goods.length,
  }))
}

/** Which of the assertions fail on a conduct, if they are in the case. They are compiled once, for all conducts. */
export function failingIn(
  stages: Stages,
  testCase: TestCase,
  specs: readonly AssertionSpec[],
  turn?: number,
): (conduct: Conduct) => Promise<Set<number>> {
  const { place, withThem } = pasted(testCase, turn)
  const { testCase: changed, offset } = withThem([...specs])
  const stage = stages.of(changed)
  return async (conduct) => failedIndexes((await stage.play(conduct)).failed, place, offset)
}

interface Pasted {
  place: string
  withThem(specs: AssertionSpec[]): { testCase: TestCase; offset: number }
}

/** Where an assertion about the end of the case, or about one of its turns, is written. */
function pasted(testCase: TestCase, turn?: number): Pasted {
  const { turns, final_assertions: final = [], assertions } = testCase
  if (turn !== undefined && turns?.[turn]) {
    const own = turns[turn].assertions
    return {
      place: `turns[${turn}].assert`,
      withThem: (specs) => ({
        testCase: {
          ...testCase,
          turns: turns.map((each, index) => (index === turn ? { ...each, assertions: [...own, ...specs] } : each)),
        },
        offset: own.length,
      }),
    }
  }
  const isConversation =
    turns !== undefined || testCase.simulator !== undefined || final.length > 0 || testCase.checkpoints !== undefined
  if (isConversation)
    return {
      place: 'final_assertions',
      withThem: (specs) => ({
        testCase: { ...testCase, final_assertions: [...final, ...specs] },
        offset: final.length,
      }),
    }
  // With assertions of its own, a case no longer compares with `expected`: it would lose that check.
  const own =
    assertions.length === 0 && testCase.expected !== undefined
      ? [{ type: 'equals', value: testCase.expected }]
      : assertions
  return {
    place: 'assert',
    withThem: (specs) => ({ testCase: { ...testCase, assertions: [...own, ...specs] }, offset: own.length }),
  }
}

function failedIndexes(failed: readonly string[], place: string, offset: number): Set<number> {
  const found = new Set<number>()
  for (const each of failed) {
    if (!each.startsWith(`${place}[`)) continue
    const index = Number(each.slice(place.length + 1, -1)) - offset
    if (index >= 0) found.add(index)
  }
  return found
}

/** The fewest sets that cover the most, the first of equals; those that add nothing are left out. */
function greedy(sets: ReadonlyArray<readonly number[]>): number[] {
  const left = new Set(sets.flat())
  const chosen: number[] = []
  while (left.size > 0) {
    let [best, most] = [-1, 0]
    for (const [index, set] of sets.entries()) {
      const count = set.filter((item) => left.has(item)).length
      if (count > most) [best, most] = [index, count]
    }
    if (best < 0) break
    chosen.push(best)
    for (const item of sets[best] ?? []) left.delete(item)
  }
  return chosen
}
