// What an answer says was done: "I've cancelled your order", "has been refunded". Questions, offers, plans and conditions
// say nothing of the kind.
import type { Language } from './languages/language.js'
import { anyOf, blanked, once, plain, sentencesOf, type Sentence } from './text.js'
import type { Name, Place, PlacedValue } from './value.js'
import { verbsOf } from './verbs.js'

export interface Action extends Place {
  /** Absent: it only says "done". */
  verb?: string
  /** `self`: the agent did it. `done`: it has happened. `past`: it happened at some time. */
  voice: 'self' | 'done' | 'past'
  /** What was acted on, as words in lower case; the main ones first, before any preposition. */
  heads: string[]
  words: string[]
  /** Ids and files of what was acted on. */
  names: Name[]
  /** How many things, if it is said. */
  quantity?: number
  /** All of what was spoken of. */
  whole?: true
}

export function actionsIn(text: string, values: readonly PlacedValue[], language: Language): Action[] {
  const flat = plain(text)
  const sentences = sentencesOf(flat)
  return sentences.flatMap((sentence, index) => {
    if (/\?["”)\s]*$/.test(sentence.text)) return []
    return actionsOf(sentence, { sentences, index, values, language })
  })
}

interface Setting {
  sentences: readonly Sentence[]
  index: number
  values: readonly PlacedValue[]
  language: Language
}

function actionsOf(sentence: Sentence, setting: Setting): Action[] {
  const { language } = setting
  const { self, passive, success, bare } = patternsOf(language)
  const found: Action[] = []
  const isNew = (at: number) => !found.some(({ start, end }) => start <= at && at < end)
  for (const [pattern, voice] of [
    [self, 'self'],
    [passive, 'done'],
    [success, 'self'],
  ] as const) {
    for (const match of sentence.text.matchAll(pattern)) {
      const { verb = '', past } = match.groups ?? {}
      const clause = clauseAround(sentence, match, setting)
      if (!isNew(sentence.start + match.index) || isHedged(clause.lead, language)) continue
      const isTold = past !== undefined && !language.successAdverbs.some((word) => match[0].includes(word))
      // "was made", "was done" tell of the past, not of what the agent did.
      if (isTold && language.lightVerbs.includes(verbOf(verb, language))) continue
      const phrase = { ...clause, match, verb, voice: isTold ? ('past' as const) : voice }
      found.push(...[phrase, ...alsoDone(phrase, language)].map((each) => actionOf(sentence, each, setting)))
    }
  }
  const done = found.length === 0 ? bare.exec(sentence.text) : null
  if (done)
    found.push({
      voice: 'self',
      heads: [],
      words: [],
      names: [],
      start: sentence.start,
      end: sentence.start + (done[1] ?? '').length,
    })
  return found
}

const patternsOf = once((language: Language) => {
  const { firstPersons, perfect, adverbs, passive, successAdverbs, doneSentences } = language
  const verb = `(?<verb>${anyOf([...verbsOf(language).done.keys()])})(?![\\p{L}-])`
  const adverb = `(?:(?:${anyOf(adverbs)})[\\s,]+)*`
  const start = '(?<![\\p{L}])'
  return {
    self: new RegExp(`${start}(?:${anyOf(firstPersons)})(?:\\s*(?:${anyOf(perfect)}))?\\s+${adverb}${verb}`, 'giu'),
    passive: new RegExp(
      `(?:(?:${words(passive.perfect)})\\s+${adverb}${passive.been}|${start}(?:${anyOf(passive.now)})|${start}(?<past>${anyOf(passive.past)}))\\s+${adverb}${verb}`,
      'giu',
    ),
    success: new RegExp(`${start}(?:${anyOf(successAdverbs)})\\s+${verb}`, 'giu'),
    before: new RegExp(
      `[;:–—]|,\\s|(?<!\\p{L})(?:${anyOf(language.clauseBreaks.filter((word) => word !== 'and'))})(?!\\p{L})`,
      'giu',
    ),
    after: new RegExp(
      `[;:–—]|,\\s(?!${adverb}${verb.replace('?<verb>', '?:')}|and\\s)|(?<!\\p{L})(?:${anyOf(language.clauseBreaks.filter((word) => word !== 'and'))})(?!\\p{L})`,
      'iu',
    ),
    also: new RegExp(`(?:,\\s+|(?<!\\p{L})and\\s+)+${adverb}${verb}`, 'giu'),
    bare: new RegExp(`^(${doneSentences})(?=\\s*[.!,:;–—-]|$)`, 'iu'),
  }
})

/** Short forms follow their word: "it's been". */
function words(list: readonly string[]): string {
  return `(?<![\\p{L}])(?:${anyOf(list.filter((word) => /^\p{L}/u.test(word)))})|(?:${anyOf(list.filter((word) => !/^\p{L}/u.test(word)))})`
}

interface Clause {
  before: string
  after: string
  /** Before it, without values and brackets: "May 3" is no "may". */
  lead: string
}

interface Phrase extends Clause {
  match: RegExpExecArray
  verb: string
  voice: Action['voice']
}

/** Up to a comma, a colon or a word that begins another clause. Dates and brackets have commas of their own. */
function clauseAround(sentence: Sentence, match: RegExpExecArray, { language, values }: Setting): Clause {
  const { text, start } = sentence
  const inner = values.flatMap((value) =>
    value.start >= start && value.end <= sentence.end ? [{ start: value.start - start, end: value.end - start }] : [],
  )
  const bare = blanked(text, inner).replaceAll(/\([^()]*\)/g, (part) => ' '.repeat(part.length))
  let from = 0
  for (const found of bare.slice(0, match.index).matchAll(patternsOf(language).before))
    from = found.index + found[0].length
  const end = match.index + match[0].length
  const stop = patternsOf(language).after.exec(bare.slice(end))
  return {
    before: text.slice(from, match.index),
    after: stop ? text.slice(end, end + stop.index) : text.slice(end),
    lead: bare.slice(from, match.index),
  }
}

/** "… and then cancelled": the same was done, and more. */
function alsoDone(phrase: Phrase, language: Language): Phrase[] {
  return [...phrase.after.matchAll(patternsOf(language).also)].map((found) => ({
    ...phrase,
    verb: found.groups?.['verb'] ?? '',
  }))
}

function verbOf(form: string, language: Language): string {
  const known = form.toLowerCase().replaceAll(/\s+/g, ' ')
  return verbsOf(language).done.get(known) ?? known
}

function isHedged(before: string, { hedges }: Language): boolean {
  return new RegExp(`(?<![\\p{L}'’])(?:${anyOf(hedges)}|\\p{L}+n['’]t)(?![\\p{L}])`, 'iu').test(before)
}

function actionOf(sentence: Sentence, { before, after, match, verb, voice }: Phrase, setting: Setting): Action {
  const { language, values } = setting
  const isPassive = match.groups !== undefined && 'past' in match.groups
  const own = isPassive && before.trim() !== '' ? before : after
  const at = sentence.start + match.index
  const end = at + match[0].length
  const place = isPassive
    ? { start: at - (before.length - leading(before)), end }
    : { start: at, end: end + after.trimEnd().length }
  const scope =
    isPassive && before.trim() !== ''
      ? { start: at - before.length, end: at }
      : { start: end, end: end + untilSource(after).length }
  const listed = listBelow(setting)
  const heads = contentWords(headOf(own, language), language)
  const quantity = quantityOf(own, language)
  const isWhole = language.wholeWords.some((word) => new RegExp(`^\\W*${word}(?!\\p{L})`, 'iu').test(own.trim()))
  return {
    ...place,
    verb: verbOf(verb, language),
    voice,
    heads,
    words: contentWords(`${before} ${after}`, language),
    names: [
      ...values.filter((value) => inside(value, scope)),
      ...listed.flatMap((item) => values.find((value) => inside(value, item) && isName(value)) ?? []),
    ].filter(isName),
    ...(quantity !== undefined && { quantity }),
    ...(isWhole && { whole: true }),
  }
}

function leading(text: string): number {
  return text.length - text.trimStart().length
}

/** What was acted on, not where it came from. */
function untilSource(after: string): string {
  return after.split(/(?<!\p{L})(?:from|instead|using|via|with|by)(?!\p{L})/iu)[0] ?? after
}

/** The lines of a list that a sentence with a colon opens. */
function listBelow({ sentences, index }: Setting): Place[] {
  if (!/:\s*$/.test(sentences[index]?.text ?? '')) return []
  const found: Place[] = []
  for (const line of sentences.slice(index + 1)) {
    if (!/^(?:[-•–+]|\d{1,2}[.)])\s/.test(line.text)) {
      // The sentences of an item, or what comes after the list.
      if (found.length === 0) break
      continue
    }
    found.push(line)
  }
  return found
}

function inside({ start, end }: Place, scope: Place): boolean {
  return start >= scope.start && end <= scope.end
}

function isName(value: PlacedValue): value is Name & Place {
  return value.kind === 'id' || value.kind === 'file'
}

function headOf(phrase: string, { prepositions }: Language): string {
  const parts = phrase.split(new RegExp(`(?<!\\p{L})(?:${anyOf(prepositions)})(?!\\p{L})`, 'iu'))
  return parts.find((part) => part.trim() !== '') ?? ''
}

function contentWords(phrase: string, { stopWords }: Language): string[] {
  return (phrase.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !stopWords.includes(word))
}

function quantityOf(phrase: string, { quantityWords }: Language): number | undefined {
  for (const word of phrase.toLowerCase().match(/\p{L}+/gu) ?? [])
    if (Object.hasOwn(quantityWords, word)) return quantityWords[word]
  return undefined
}
