// Ids in a text: what mixes letters and digits, long numbers, and words in capitals after a word such as "order".
import type { Language } from './languages/language.js'
import { anyOf, once } from './text.js'
import type { Name, Place } from './value.js'
import { verbsOf } from './verbs.js'

export function idsIn(text: string, language: Language): Array<Name & Place> {
  const { isMeasure, afterIdWord, ending } = patternsOf(language)
  const found: Array<Name & Place> = []
  for (const match of text.matchAll(TOKEN)) {
    const name = match[0]
    if (!isMixed(name) || isMeasure(name)) continue
    found.push({ kind: 'id', name: name.replace(/^#/, ''), start: match.index, end: match.index + name.length })
  }
  const isTaken = (at: number) => found.some(({ start, end }) => start <= at && at < end)
  for (const match of text.matchAll(afterIdWord)) {
    const name = match[1] ?? ''
    const start = match.index + match[0].length - name.length
    if (!isTaken(start)) found.push({ kind: 'id', name, start, end: start + name.length })
  }
  for (const match of text.matchAll(ending)) {
    const name = match[1] ?? ''
    const start = match.index + match[0].length - name.length
    if (!isTaken(start)) found.push({ kind: 'id', tail: true, name, start, end: start + name.length })
  }
  return found.toSorted((a, b) => a.start - b.start)
}

/** Numbers after a word such as "order", which tell one thing from another: "order 4455", "orders 1001 and 1002". */
export function numberedNames(text: string, language: Language): Array<Name & Place> {
  const { numbered, goesOn } = patternsOf(language)
  return [...text.matchAll(numbered)].flatMap(({ 0: match, index }) =>
    [...match.matchAll(/\d+/g)].flatMap(({ 0: name, index: at }): Array<Name & Place> => {
      const start = index + at
      const end = start + name.length
      // "order 2 chairs".
      return goesOn.test(text.slice(end, end + 40)) ? [] : [{ kind: 'id', name, start, end }]
    }),
  )
}

const TOKEN = /(?<![\p{L}\p{N}_.,$€£¥₹-])#?[\p{L}\p{N}]+(?:[-_][\p{L}\p{N}]+)*(?![\p{L}\p{N}_]|[.,]\d)/gu

function isMixed(token: string): boolean {
  const name = token.replace(/^#/, '')
  const digits = name.replaceAll(/\D/g, '').length
  if (digits === 0) return false
  if (/^\d+$/.test(name)) return digits >= 7 || (token.startsWith('#') && digits >= 3)
  // Groups of figures: a telephone number, not a range.
  if (/^[\d-]+$/.test(name)) return digits >= 7
  // "3-day", "24h", "2nd", "4x4", "10-12pm".
  if (/^\d+(?:-\d+)?(?:st|nd|rd|th|x|px|am|pm|D)$/.test(name) || /^\d+x\d+$/.test(name)) return false
  if (/^\d+(?:-\p{Ll}+)+$/u.test(name)) return false
  // "v2", "Q3", "B2B": too short to tell one thing from another.
  if (name.length < 4) return false
  // "Covid-19", "GPT-4", "item-2": words, not ids, unless the figure is long.
  if (/^\p{L}+-\d{1,2}$/u.test(name)) return false
  return true
}

const patternsOf = once((language: Language) => {
  const units = anyOf([...Object.keys(language.units), ...Object.keys(language.magnitudes)])
  const measure = new RegExp(`^\\d+(?:${units})(?:\\d+(?:${units}))*$`, 'i')
  return {
    isMeasure: (name: string) => measure.test(name),
    afterIdWord: new RegExp(
      `(?<![\\p{L}])(?:[Ii][Dd]s?|(?:${anyOf(language.idWords)}|${anyOf(language.idWords.map(capital))}))(?:\\s+(?:is|was|[Ii][Dd]|[Nn]umber|[Cc]ode))?\\s*[:#(*“"\`]*\\s*(\\p{Lu}{5,12})(?![\\p{L}\\p{N}])`,
      'gu',
    ),
    numbered: new RegExp(
      `(?<!\\p{L})(?:${anyOf([...language.idWords, ...language.numberedThings])})s?(?:\\s+(?:is|id|number|no\\.?))?[\\s:#(|"]*\\d{1,12}(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s*&\\s*)#?\\d{1,12})*(?![\\p{L}\\p{N}]|[.,:/]\\d|\\s?%)`,
      'giu',
    ),
    goesOn: new RegExp(
      `^\\s+(?!(?:${anyOf([...language.finite, ...language.prepositions, ...language.clauseBreaks, ...language.adverbs, ...verbsOf(language).done.keys()])})(?!\\p{L}))\\p{Ll}{3,}`,
      'u',
    ),
    ending: new RegExp(`(?:${language.endingIn})[\\s:*#]*(\\d{2,6})(?!\\d)`, 'gi'),
  }
})

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
