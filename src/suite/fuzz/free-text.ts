// What may be changed in something a user said without changing what it means: plain words, and the gaps between them.
import type { Random } from '../../pipeline/fold/statistics/random.js'
import type { Asserted } from './asserted.js'

export interface Span {
  start: number
  end: number
}

export interface FreeText {
  text: string
  /** Words that may be written in another way. */
  words: Span[]
  /** Single spaces between words, guarded or not. */
  gaps: Span[]
  sentences: Span[]
  /** Texts that must stay as they are. */
  kept: string[]
  /** Something may follow: it does not end in a quotation, code or the text that is to be worked on. */
  isOpen: boolean
}

/** Undefined if it is data, code, or nearly all of it must stay. `keep`: values that an answer may have from it. */
export function freeText(text: string, keep: readonly Asserted[]): FreeText | undefined {
  if (text.trim() === '' || text.length > MOST_CHARACTERS || isData(text)) return undefined
  const guarded = guards(text, keep)
  const isFree = ({ start, end }: Span): boolean => !guarded.some((span) => span.start < end && start < span.end)
  const words = spansOf(text, /\p{L}[\p{L}\p{M}]*(?:['’]\p{L}+)?/gu)
  const free = words.filter(isFree)
  if (lengthOf(free) < lengthOf(words) * LEAST_FREE) return undefined
  const tail = text.trimEnd().length
  return {
    text,
    words: free,
    kept: [...new Set(guarded.map(({ start, end }) => text.slice(start, end)))],
    gaps: spansOf(text, /(?<=\S) (?=\S)/g).filter(isFree),
    sentences: sentencesIn(text, isFree),
    isOpen: !payloads(text).some(({ start, end }) => start < tail && end >= tail),
  }
}

const LEAST_FREE = 0.3
/** Beyond that it is a document, and searching it for what must stay takes long. */
const MOST_CHARACTERS = 20_000

/** JSON, markup, tables and programs: every character may count. */
function isData(text: string): boolean {
  return (
    /^\s*[[{<]/.test(text) ||
    /^\s*(?:\||```)/m.test(text) ||
    /[;{}]\s*$/m.test(text) ||
    /=>|<\/\w|^\s*(?:def|import|SELECT)\b/m.test(text)
  )
}

function guards(text: string, keep: readonly Asserted[]): Span[] {
  const folded = text.toLowerCase()
  const kept = keep.flatMap(({ text: value, exact }) =>
    [value, ...(value.match(/[\p{L}\p{N}]{4,}/gu) ?? [])].flatMap((part) =>
      exact ? placesOf(part, text) : placesOf(part.toLowerCase(), folded),
    ),
  )
  const codes = spansOf(text, /\S+/g).filter(({ start, end }) => CODE.test(text.slice(start, end)))
  const found = [...codes, ...PATTERNS.flatMap((pattern) => spansOf(text, pattern))].map((span) =>
    withoutStop(text, span),
  )
  return [...payloads(text), ...found, ...kept]
}

/** The full stop after an id ends the sentence. */
function withoutStop(text: string, { start, end }: Span): Span {
  return { start, end: start + text.slice(start, end).replace(/[.,;:!?)]+$/, '').length }
}

/** Code, and what follows a colon or an empty line: text to be worked on, word for word. */
function payloads(text: string): Span[] {
  return [/`[^`]+`/g, /\{[^]*\}|\[[^]*\]/g, /:\s+\S[^]*$/g, /\n\s*\n[^]*$/g].flatMap((pattern) =>
    spansOf(text, pattern),
  )
}

/** Ids, numbers, amounts, addresses, names of files, abbreviations. */
const CODE = /[\d@/\\_#$€£%=+*<>|~^&]|\S\.\p{L}|\p{Lu}{2}|\p{Ll}\p{Lu}/u

const PATTERNS = [
  /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/g,
  /(?<![\p{L}\d])['‘][^'’\n]+['’](?!\p{L})/gu,
  // Names: capitals other than at the start of a sentence.
  /(?<=[^\s.!?\n]["”’)]*\s+)(?!I\b)\p{Lu}[\p{L}\p{M}'’-]*(?: +\p{Lu}[\p{L}\p{M}'’-]*)*/gu,
  // Numbers, dates and negations in words: a slip could make another of it.
  /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|half|first|second|third|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|yesterday|not|never|nothing|none|without|cannot|before|after|except|unless)\b/gi,
]

function placesOf(value: string, text: string): Span[] {
  const found: Span[] = []
  if (value.trim() === '') return found
  const isWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at))
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const end = at + value.length
    const isInside = (isWord(at - 1) && isWord(at)) || (isWord(end) && isWord(end - 1))
    if (!isInside) found.push({ start: at, end })
  }
  return found
}

function sentencesIn(text: string, isFree: (span: Span) => boolean): Span[] {
  const sentences: Span[] = []
  let start = 0
  for (const { index, 0: stop } of text.matchAll(/[.!?]+(?=\s+\p{Lu}|\s*$)|\n+/gu)) {
    const end = index + stop.trimEnd().length
    if (end < text.trimEnd().length && !isFree({ start: index, end: index + 1 })) continue
    sentences.push({ start, end: Math.max(end, index) })
    start = index + stop.length + (/^\s*/.exec(text.slice(index + stop.length))?.[0].length ?? 0)
  }
  if (text.slice(start).trim() !== '') sentences.push({ start, end: text.trimEnd().length })
  return sentences.filter((each) => each.end > each.start)
}

function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }))
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** At most `count`, in their order. */
export function sample<T>(items: readonly T[], count: number, random: Random): T[] {
  const drawn = items.map((item, index) => ({ item, index, key: random() })).toSorted((a, b) => a.key - b.key)
  return drawn
    .slice(0, count)
    .toSorted((a, b) => a.index - b.index)
    .map(({ item }) => item)
}

export function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)]
}
