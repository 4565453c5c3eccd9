// The near miss: which known word was probably meant.
import { editDistance } from './edit-distance.js'

const NEAR = 2

/** The nearest of `known`, at most two slips away and less than half of the word; undefined if none is near. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const typed = fold(word)
  let best: string | undefined
  let bestDistance = NEAR + 1
  for (const candidate of known) {
    const target = fold(candidate)
    if (Math.abs(typed.length - target.length) > NEAR) continue
    const distance = editDistance(typed, target)
    if (distance * 2 < Math.max(typed.length, target.length) && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The keys that are almost a known one, unless that one is there as well. */
export function nearMisses(given: object, known: readonly string[]): { key: string; suggestion: string }[] {
  return Object.keys(given).flatMap((key) => {
    const suggestion = known.includes(key) ? undefined : suggest(key, known)
    return suggestion === undefined || suggestion in given ? [] : { key, suggestion }
  })
}

/** Case, and how words are joined, do not make two names different. */
function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, '')
}
