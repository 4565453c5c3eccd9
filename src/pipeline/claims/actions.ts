// What an answer says was done: "I've cancelled your order", "has been refunded", "✅ Order cancelled". Questions, offers,
// plans and conditions say nothing of the kind.
import type { Language } from './languages/language.js'
import { clauseAround, isHedged, isName, namesIn, verbOf, type Phrase, type Setting, type Voice } from './phrase.js'
import { stateIn } from './states.js'
import { telegraphicIn } from './telegraphic.js'
import { anyOf, once, plain, sentencesOf, within, type Sentence } from './text.js'
import type { Name, Place, PlacedValue } from './value.js'
import { withoutFences } from './values.js'
import { verbsOf } from './verbs.js'

export interface Action extends Place {
  /** Absent: it only says "done". */
  verb?: string
  voice: Voice
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

export function actionsIn(
  text: string,
  values: readonly PlacedValue[],
  language: Language,
  isAsked: (verb: string) => boolean,
): Action[] {
  const sentences = sentencesOf(plain(withoutFences(text)))
  let isOffered = false
  return sentences.flatMap((sentence, index) => {
    const isQuestion = /\?["”)\s]{0,5}$/.test(sentence.text)
    if (!isItem(sentence)) isOffered = isQuestion || isOffer(sentence.text, language)
    if (isQuestion) return []
    const own = within(values, sentence)
    const below = listBelow(sentences, index)
    const setting = { sentence, values: own, below, isOffered, language, isAsked }
    return actionsOf(setting).map((phrase) => actionOf(phrase, setting, values))
  })
}

function actionsOf(setting: Setting): Array<Phrase | Place> {
  const { sentence, language } = setting
  const { self, passive, success, bare } = patternsOf(language)
  const found: Phrase[] = []
  const isNew = (at: number) => !found.some(({ start, end }) => start <= at && at < end)
  for (const [pattern, voice] of [
    [self, 'self'],
    [passive, 'done'],
    [success, 'self'],
  ] as const) {
    for (const match of sentence.text.matchAll(pattern)) {
      const { verb = '', past } = match.groups ?? {}
      const clause = clauseAround(match, setting)
      if (!isNew(match.index) || isHedged(clause.lead, language)) continue
      const isTold = past !== undefined && !language.successAdverbs.some((word) => match[0].includes(word))
      // "was made", "was done" tell of the past, not of what the agent did.
      if (isTold && language.lightVerbs.includes(verbOf(verb, language))) continue
      const phrase: Phrase = {
        before: clause.before,
        after: clause.after,
        start: match.index,
        end: match.index + match[0].length,
        verb,
        voice: isTold ? 'past' : voice,
        isPassive: pattern === passive,
      }
      found.push(...withMore(phrase, language))
    }
  }
  found.push(...stateIn(setting).filter(({ start }) => isNew(start)))
  if (found.length === 0) found.push(...telegraphicIn(setting))
  const done = found.length === 0 ? bare.exec(sentence.text) : null
  return done ? [{ start: sentence.start, end: sentence.start + (done[1] ?? '').length }] : found
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
    also: new RegExp(`(?:,\\s+|(?<!\\p{L})and\\s+)+${adverb}${verb}`, 'giu'),
    bare: new RegExp(`^(${doneSentences})(?=\\s*[.!,:;–—-]|$)`, 'iu'),
    offer: new RegExp(`(?<!\\p{L})(?:${anyOf(language.offerWords)})(?!\\p{L})`, 'iu'),
    preposition: new RegExp(`(?<!\\p{L})(?:${anyOf(language.prepositions)})(?!\\p{L})`, 'iu'),
    whole: new RegExp(`^\\W*(?:${anyOf(language.wholeWords)})(?!\\p{L})`, 'iu'),
  }
})

/** Short forms follow their word: "it's been". */
function words(list: readonly string[]): string {
  return `(?<![\\p{L}])(?:${anyOf(list.filter((word) => /^\p{L}/u.test(word)))})|(?:${anyOf(list.filter((word) => !/^\p{L}/u.test(word)))})`
}

/** "… and then cancelled": the same was done, and more. Each part is said of what follows it. */
function withMore(phrase: Phrase, language: Language): Phrase[] {
  const more = [...phrase.after.matchAll(patternsOf(language).also)]
  if (more.length === 0) return [phrase]
  const parts = more.map(({ 0: match, index, groups }, at): Phrase => {
    const verb = groups?.['verb'] ?? ''
    const end = index + match.length
    const after = phrase.after.slice(end, more[at + 1]?.index)
    const isShared = phrase.isPassive || after.trim() === ''
    return {
      ...phrase,
      after: isShared ? phrase.after : after,
      start: isShared ? phrase.start : phrase.end + end - verb.length,
      end: isShared ? phrase.end : phrase.end + end,
      verb,
    }
  })
  const own = phrase.after.slice(0, more[0]?.index)
  return [phrase.isPassive || own.trim() === '' ? phrase : { ...phrase, after: own }, ...parts]
}

/** It opens a list of what could be done, is to be done or is explained. */
function isOffer(text: string, language: Language): boolean {
  return /:\s*$/.test(text) && (isHedged(text, language) || patternsOf(language).offer.test(text))
}

function actionOf(phrase: Phrase | Place, setting: Setting, all: readonly PlacedValue[]): Action {
  if (!('verb' in phrase)) return { ...phrase, voice: 'self', heads: [], words: [], names: [] }
  const { before, after, start, end, isPassive, verb, voice } = phrase
  const { language, sentence } = setting
  const isBefore = isPassive && before.trim() !== ''
  const own = isBefore ? before : after
  const scope = isBefore
    ? { start: start - before.length, end: start }
    : { start: end, end: end + untilSource(after).length }
  const from = isPassive ? start - before.trimStart().length : start
  const to = isBefore ? end : end + after.trimEnd().length
  const quantity = quantityOf(own, language)
  return {
    start: sentence.start + from,
    end: sentence.start + to,
    verb: verbOf(verb, language),
    voice,
    heads: contentWords(headOf(own, language), language),
    words: contentWords(`${before} ${after}`, language),
    names: [...namesIn(scope, setting), ...listedNames(setting, all)],
    ...(quantity !== undefined && { quantity }),
    ...(patternsOf(language).whole.test(own.trim()) && { whole: true }),
  }
}

function listedNames({ below }: Setting, all: readonly PlacedValue[]): Name[] {
  return below.flatMap((item) => within(all, item).find(isName) ?? [])
}

/** What was acted on, not where it came from. */
function untilSource(after: string): string {
  return after.split(/(?<!\p{L})(?:from|instead|using|via|with|by)(?!\p{L})/iu)[0] ?? after
}

/** The lines of a list that a sentence with a colon opens. */
function listBelow(sentences: readonly Sentence[], index: number): Place[] {
  if (!/:\s*$/.test(sentences[index]?.text ?? '')) return []
  const found: Place[] = []
  let others = 0
  for (let at = index + 1; at < sentences.length && found.length < MOST_ITEMS; at += 1) {
    const line = sentences[at]
    if (!line) break
    if (isItem(line)) {
      found.push(line)
      others = 0
    } else {
      // The sentences of an item, or what comes after the list.
      others += 1
      if (found.length === 0 || others > 3 || line.text.endsWith(':')) break
    }
  }
  return found
}

const MOST_ITEMS = 100

function isItem({ text }: Sentence): boolean {
  return /^(?:[-•–+]|\d{1,2}[.)])\s/.test(text)
}

function headOf(phrase: string, language: Language): string {
  return phrase.split(patternsOf(language).preposition).find((part) => part.trim() !== '') ?? ''
}

function contentWords(phrase: string, { stopWords }: Language): string[] {
  return (phrase.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !stopWords.includes(word))
}

function quantityOf(phrase: string, { quantityWords }: Language): number | undefined {
  for (const word of phrase.toLowerCase().match(/\p{L}+/gu) ?? [])
    if (Object.hasOwn(quantityWords, word)) return quantityWords[word]
  return undefined
}
