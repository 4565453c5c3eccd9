// Fingerprints of results, small whatever was said and done: numbers of traits, with equal ones kept once.
import type { ResultEvent } from '../../../model/event.js'
import { hasVerdict } from '../../../model/status.js'
import { traitsOf } from './traits.js'

export interface Fingerprints {
  /** The number of this result's fingerprint; undefined if it says nothing about the agent. */
  add(event: ResultEvent): number | undefined
  /** The traits of a fingerprint, by number. */
  traits(fingerprint: number): readonly number[]
  /** A trait in words; undefined for one of those that share a number. */
  words(trait: number): string | undefined
}

// An agent that makes up tool names must not fill the memory: beyond this many, traits share numbers.
const NAMED = 50_000
const SHARED = 1_024

export function createFingerprints(): Fingerprints {
  const words: string[] = []
  const numbers = new Map<string, number>()
  const prints: Array<readonly number[]> = []
  const known = new Map<string, number>()
  const numberOf = (trait: string): number => {
    const number = numbers.get(trait)
    if (number !== undefined) return number
    if (words.length >= NAMED) return NAMED + (hash(trait) % SHARED)
    numbers.set(trait, words.length)
    return words.push(trait) - 1
  }
  return {
    add: (event) => {
      // A run that broke down before the agent was done shows how it broke down, not how it behaves.
      if (!hasVerdict(event)) return undefined
      const sorted = traitsOf(event).map(numberOf).toSorted(ascending)
      const traits = sorted.filter((trait, index) => trait !== sorted[index - 1])
      const key = traits.join(' ')
      const same = known.get(key)
      if (same !== undefined) return same
      known.set(key, prints.length)
      return prints.push(traits) - 1
    },
    traits: (fingerprint) => prints[fingerprint] ?? [],
    words: (trait) => words[trait],
  }
}

function ascending(one: number, other: number): number {
  return one - other
}

/** FNV-1a. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  return sum >>> 0
}
