// Whether a text is in the language of the rules. In another one they would find nothing, and finding nothing proves nothing.
import { findJson } from '../../base/json/find-json.js'
import { isRecord } from '../../base/record.js'
import type { Language } from './languages/language.js'
import { once, plain, sentencesOf } from './text.js'
import { withoutFences } from './values.js'

/** `given`: what the person wrote. A short answer to a question in another language is in that language. */
export function isReadable(text: string, language: Language, given = ''): boolean {
  const counts = countsIn(proseOf(text), language)
  if (isForeign(counts)) return false
  const isShort = counts.own === 0 && counts.long > 0 && counts.words < 12
  return !(isShort && given !== '' && isForeign(countsIn(proseOf(given), language)))
}

interface Counts {
  words: number
  /** Of four letters and more. */
  long: number
  /** Frequent words of the language, and of others. */
  own: number
  foreign: number
  latin: number
  otherLetters: number
  /** The most words of small letters in sentences without any of its frequent words. */
  strange: number
}

function isForeign({ own, foreign, latin, otherLetters, strange, words }: Counts): boolean {
  if (otherLetters >= 6 && otherLetters > latin) return true
  if (own === 0 && foreign >= 2 && foreign * 4 >= words) return true
  return (foreign >= 3 && foreign > 2 * own) || (strange >= 15 && strange * 2 > words)
}

function countsIn(prose: string, language: Language): Counts {
  const { own: isOwn, foreign: isElsewhere } = wordsOf(language)
  const counts: Counts = { words: 0, long: 0, own: 0, foreign: 0, latin: 0, otherLetters: 0, strange: 0 }
  counts.latin = prose.match(/\p{Script=Latin}/gu)?.length ?? 0
  counts.otherLetters = (prose.match(/\p{L}/gu)?.length ?? 0) - counts.latin
  for (const { text } of sentencesOf(prose)) {
    const words = text.match(/[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu) ?? []
    let own = 0
    let small = 0
    for (const [index, written] of words.entries()) {
      const word = written.toLowerCase().replace('’', "'")
      if (isOwn.has(word)) own += 1
      // "Los Angeles": names are no words of a language.
      const isWord = written === word || index === 0
      if (isWord && isElsewhere.has(word)) counts.foreign += 1
      if (written === word) small += 1
      if (word.length >= 4) counts.long += 1
    }
    counts.words += words.length
    counts.own += own
    const isList = (text.match(/[,;|/]/g)?.length ?? 0) * 4 > words.length
    if (own === 0 && words.length >= 4 && !isList && /[.!]$/.test(text)) counts.strange += small
  }
  return counts
}

const wordsOf = once(({ frequent, frequentElsewhere }: Language) => {
  const own = new Set(frequent)
  return { own, foreign: new Set(frequentElsewhere.filter((word) => !own.has(word))) }
})

/** Without code, addresses and quotations; of JSON, its texts. */
function proseOf(text: string): string {
  const json = /^\s*[[{]/.test(text) ? findJson(text) : undefined
  const own = json && typeof json.value === 'object' ? textsIn(json.value).join('\n') : text
  return plain(withoutFences(own.replaceAll(/`[^`\n]{1,200}`/g, ' ')))
    .replaceAll(/\S*(?:[/\\@_]|\.\w)\S*/g, ' ')
    .replaceAll(/["“„«][^"“”„«»\n]{0,400}["”»]/g, ' ')
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 50) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1))
  return isRecord(value) ? Object.values(value).flatMap((item) => textsIn(item, depth + 1)) : []
}
