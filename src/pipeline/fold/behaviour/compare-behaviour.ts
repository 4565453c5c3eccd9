// Two sides' behaviour → did it change, and in what, in words.
import { formatPercent } from '../../../base/format.js'
import { driftTest, type CaseBehaviour, type MovedTrait } from './drift-test.js'
import type { Fingerprints } from './fingerprints.js'

export interface BehaviourChange {
  test: string
  /** Cases with an agent result on both sides. */
  pairs: number
  confidence: number
  p_value: number
  /** The energy distance: twice the sum over all traits of the squared difference of their rates. */
  distance: number
  /** `slight`: more than chance, but nothing that matters moved. */
  verdict: 'drift' | 'slight' | 'unchanged'
  /** What moved most, beyond chance and by enough to matter. */
  moved: MovedBehaviour[]
}

export interface MovedBehaviour {
  /** As in "calls `search` first". */
  trait: string
  /** Percent of conversations. */
  before: number
  after: number
  /** Adjusted for the number of traits. */
  p_value: number
}

// A separate claim at its own level: it fails no gate unless asked to, and should rarely cry wolf.
const LEVEL = 0.01
// What the permutations can resolve.
const LEAST_LEVEL = 0.002
const MOVED_LEVEL = 0.05
const LISTED = 6

/** `practical`: the points by which some trait must have moved. `claims`: how many such claims are made together. */
export function compareBehaviour(
  cases: readonly CaseBehaviour[],
  { traits, words }: Pick<Fingerprints, 'traits' | 'words'>,
  practical: number,
  claims = 1,
): BehaviourChange {
  const test = driftTest(cases, traits)
  const matters = ({ before, after }: MovedTrait): boolean => percent(Math.abs(after - before)) >= practical
  const level = Math.max(LEAST_LEVEL, LEVEL / claims)
  const isBeyondChance = test.p_value < level
  return {
    test: `energy distance (${test.permutations} permutations within cases)`,
    pairs: test.cases,
    confidence: 1 - level,
    p_value: test.p_value,
    distance: test.distance,
    verdict: isBeyondChance ? (test.moved.some(matters) ? 'drift' : 'slight') : 'unchanged',
    moved: isBeyondChance ? listed(test.moved.filter(matters), words) : [],
  }
}

/** "calls `search` first in 21% of conversations instead of 0%" */
export function describeMoved({ trait, before, after }: MovedBehaviour): string {
  return `${trait} in ${formatPercent(after)} of conversations instead of ${formatPercent(before)}`
}

function listed(moved: readonly MovedTrait[], words: Fingerprints['words']): MovedBehaviour[] {
  const said = new Set<string>()
  return moved
    .flatMap(({ trait, before, after, p_value }): MovedBehaviour[] => {
      const text = words(trait)
      if (text === undefined || p_value >= MOVED_LEVEL) return []
      return [{ trait: text, before: percent(before), after: percent(after), p_value }]
    })
    .toSorted((one, other) => sizeOf(other) - sizeOf(one) || one.trait.length - other.trait.length)
    .filter((each) => {
      const key = newsOf(each)
      return said.has(key) ? false : said.add(key)
    })
    .slice(0, LISTED)
}

/** Of "5 turns or more" and "6 turns or more" one is enough; likewise "calls `a`" covers what follows from it. */
function newsOf({ trait, before, after }: MovedBehaviour): string {
  if (trait.endsWith(' or more')) return trait.replace(/\d+/, '#')
  const [, tool] = /^(?:calls|gives) (`[^`]*`)/.exec(trait) ?? []
  return tool === undefined || trait.endsWith(' first') ? trait : `${tool} ${before} ${after}`
}

function sizeOf({ before, after }: MovedBehaviour): number {
  return Math.round(Math.abs(after - before) * 10)
}

function percent(share: number): number {
  return Number((share * 100).toFixed(6))
}
