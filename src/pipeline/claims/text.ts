// Small helpers for texts whose places must not move.
import type { Place } from './value.js'

/** The same text with spaces in these places. */
export function blanked(text: string, places: readonly Place[]): string {
  if (places.length === 0) return text
  const parts: string[] = []
  let at = 0
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    parts.push(text.slice(at, start), ' '.repeat(end - start))
    at = end
  }
  return parts.join('') + text.slice(at)
}

/** Alternatives of a pattern, the longest first. */
export function anyOf(words: readonly string[]): string {
  return words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[\\^$.|?+()[\]{}*]/g, '\\$&').replaceAll(' ', '\\s+'))
    .join('|')
}

/** Made once for each: patterns of a language, words of a call. */
export function once<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(key)
    made.set(key, fresh)
    return fresh
  }
}

/** Of things in the order of the text, those that lie between two places. */
export function within<Item extends Place>(items: readonly Item[], { start, end }: Place): Item[] {
  const found: Item[] = []
  for (let at = firstFrom(items, start, (item) => item.start); at < items.length; at += 1) {
    const item = items[at]
    if (!item || item.start >= end) break
    if (item.end <= end) found.push(item)
  }
  return found
}

/** The index of the first that is not below a bound, in what is sorted. */
export function firstFrom<Item>(items: readonly Item[], bound: number, keyOf: (item: Item) => number): number {
  let from = 0
  let to = items.length
  while (from < to) {
    const middle = (from + to) >> 1
    const item = items[middle]
    if (item !== undefined && keyOf(item) < bound) from = middle + 1
    else to = middle
  }
  return from
}

export interface Sentence extends Place {
  text: string
}

/** Sentences and the lines of lists, without the white space around them. */
export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = []
  // Not after the number of a list, or "no. 5".
  const end =
    /\n+|(?<=[.!?]["”)*]{0,4})(?<!^[^\p{L}\n]{0,8}\d{1,2}\.)(?<!(?<!\p{L})(?:[Nn]o|[Nn]r|[Rr]ef|[Vv]s|[Dd]r|[Mm]rs?)\.)\s+(?=["“(*]{0,4}[\p{Lu}\d])/gmu
  let at = 0
  const add = (to: number): void => {
    const raw = text.slice(at, to)
    const lead = raw.length - raw.trimStart().length
    const trimmed = raw.trim()
    for (let from = 0; from < trimmed.length; from += LONGEST) {
      const text = trimmed.slice(from, from + LONGEST)
      found.push({ text, start: at + lead + from, end: at + lead + from + text.length })
    }
  }
  for (const match of text.matchAll(end)) {
    add(match.index)
    at = match.index + match[0].length
  }
  add(text.length)
  return found
}

/** What goes on without an end is cut: it is no sentence, and must not take long. */
const LONGEST = 2000

/** Marks of emphasis as spaces. */
export function plain(text: string): string {
  return text.replaceAll(/[*`]|__/g, (marks) => ' '.repeat(marks.length))
}

/** Words of a name: `updateUserEmail`, `update_user_email`, `mcp__shop__update`. In lower case. */
export function nameWords(name: string): string[] {
  return name
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
