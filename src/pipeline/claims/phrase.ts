// A part of an answer that says that something was done, and what stands around it.
import { numberedNames } from './ids.js'
import type { Language } from './languages/language.js'
import { anyOf, blanked, once, within, type Sentence } from './text.js'
import type { Name, Place, PlacedValue } from './value.js'
import { verbsOf } from './verbs.js'

/** `self`: the agent did it. `done`: it has happened. `past`: it happened at some time. */
export type Voice = 'self' | 'done' | 'past'

/** What somebody has said was done, with what stands around it in its sentence. */
export interface Phrase {
  before: string
  after: string
  /** The place of the verb and of what belongs to it, in the sentence. */
  start: number
  end: number
  /** As written. */
  verb: string
  voice: Voice
  /** What was acted on stands before the verb, if anything does. */
  isPassive: boolean
}

/** One sentence or line of the answer. */
export interface Setting {
  sentence: Sentence
  /** Its values, placed as in the text. */
  values: readonly PlacedValue[]
  /** The lines of the list that it opens. */
  below: readonly Place[]
  /** It is a point of a list that offers or explains something. */
  isOffered: boolean
  language: Language
  /** Whether somebody has asked for this to be done. */
  isAsked(verb: string): boolean
}

const patternsOf = once((language: Language) => {
  const verb = `(?:${anyOf([...verbsOf(language).done.keys()])})(?![\\p{L}-])`
  const adverb = `(?:(?:${anyOf(language.adverbs)})[\\s,]+)*`
  const breaks = anyOf(language.clauseBreaks.filter((word) => word !== 'and'))
  return {
    before: new RegExp(`[;:–—]|,\\s|(?<!\\p{L})(?:${breaks})(?!\\p{L})`, 'giu'),
    after: new RegExp(`[;:–—]|,\\s(?!${adverb}${verb}|and\\s)|(?<!\\p{L})(?:${breaks})(?!\\p{L})`, 'iu'),
    hedge: new RegExp(`(?<![\\p{L}'’])(?:${anyOf(language.hedges)}|\\p{L}+n['’]t)(?![\\p{L}])`, 'iu'),
  }
})

interface Clause {
  before: string
  after: string
  /** Before it, without values and brackets: "May 3" is no "may". */
  lead: string
}

/** Up to a comma, a colon or a word that begins another clause. Dates and brackets have commas of their own. */
export function clauseAround(
  { 0: match, index }: { 0: string; index: number },
  { language, values, sentence: { text, start } }: Setting,
): Clause {
  const inner = values.map((value) => ({ start: value.start - start, end: value.end - start }))
  const bare = blanked(text, inner).replaceAll(/\([^()]*\)/g, (part) => ' '.repeat(part.length))
  let from = 0
  for (const found of bare.slice(0, index).matchAll(patternsOf(language).before)) from = found.index + found[0].length
  const end = index + match.length
  const stop = patternsOf(language).after.exec(bare.slice(end))
  return {
    before: text.slice(from, index),
    after: stop ? text.slice(end, end + stop.index) : text.slice(end),
    lead: bare.slice(from, index),
  }
}

export function verbOf(form: string, language: Language): string {
  const known = form.toLowerCase().replaceAll(/\s+/g, ' ')
  return verbsOf(language).done.get(known) ?? known
}

export function isHedged(before: string, language: Language): boolean {
  return patternsOf(language).hedge.test(before)
}

/** Ids and files in a part of the sentence, and numbers after a word such as "order". */
export function namesIn(scope: Place, { sentence, values, language }: Setting): Name[] {
  const { start } = sentence
  const own = within(values, { start: start + scope.start, end: start + scope.end })
  const numbered = numberedNames(sentence.text.slice(scope.start, scope.end), language)
  // In the row of a table, what is meant is in the column.
  const isRow = sentence.text.startsWith('|')
  const cells = own.filter((value) => isRow && value.kind === 'number' && !value.unit && value.amount >= 100)
  return [
    ...own.filter(isName),
    ...cells.map((cell): Name => ({ kind: 'id', name: sentence.text.slice(cell.start - start, cell.end - start) })),
    ...numbered.filter((name) =>
      own.some((value) => value.kind === 'number' && !value.unit && value.start === start + scope.start + name.start),
    ),
  ]
}

export function isName(value: PlacedValue): value is Name & Place {
  return value.kind === 'id' || value.kind === 'file'
}
