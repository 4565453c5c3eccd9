// A share of weighted assertions → groups that mean the same: `all`, `any`, or any of the sets that are just enough.
import type { Spec } from './assertions.js'

const MOST_MEMBERS = 10
const MOST_SETS = 60

export interface Weighed {
  spec: Spec
  weight: number
}

/** Throws an Error that says why it cannot be written. */
export function groupFor(members: readonly Weighed[], threshold: number | undefined): Spec {
  const specs = members.map(({ spec }) => spec)
  if (specs.length === 0) throw new Error('an empty set')
  if (threshold === undefined) return allOf(specs)
  if (threshold <= 0) throw new Error(`the threshold ${threshold} is always reached: it cannot fail`)
  const total = members.reduce((sum, { weight }) => sum + weight, 0)
  if (total <= 0) throw new Error('no member has any weight')
  if (threshold > 1) throw new Error(`the threshold ${threshold} can never be reached`)
  const sets = leastSets(members, (weight) => weight / total >= threshold)
  const groups = sets.map((set) => allOf(specs.filter((_, index) => set.includes(index))))
  const [only, ...more] = groups
  if (!only) throw new Error(`the threshold ${threshold} can never be reached`)
  return more.length === 0 ? only : { type: 'any', assertions: groups }
}

function allOf(specs: Spec[]): Spec {
  const [only] = specs
  return specs.length === 1 && only ? only : { type: 'all', assertions: specs }
}

/** Every set that is enough and no part of which is. */
function leastSets(members: readonly Weighed[], isEnough: (weight: number) => boolean): number[][] {
  if (members.length > MOST_MEMBERS) throw new Error(`a threshold over more than ${MOST_MEMBERS} assertions`)
  const sets: number[][] = []
  for (let bits = 1; bits < 2 ** members.length; bits += 1) {
    const set = members.flatMap((_, index) => ((bits >> index) & 1 ? [index] : []))
    const weightOf = (without = -1): number =>
      set.reduce((sum, index) => (index === without ? sum : sum + (members[index]?.weight ?? 0)), 0)
    if (isEnough(weightOf()) && set.every((index) => !isEnough(weightOf(index)))) sets.push(set)
    if (sets.length > MOST_SETS) throw new Error('a threshold that too many combinations reach')
  }
  return sets
}
