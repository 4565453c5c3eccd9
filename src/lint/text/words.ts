// The words of a text as they are compared: split at word boundaries in any script, folded, English endings removed.
import { once } from '../../base/once.js'

/** `readFile`, `read_file` and "read file" are the same two words. */
export function wordsOf(text: string): string[] {
  return Array.from(writtenWords(text), ({ word }) => word)
}

/** By their stems, without the words that every sentence has; "Here" inside a sentence is a name. */
export function contentStems(text: string): string[] {
  return Array.from(writtenWords(text))
    .filter(({ word, isName }) => isName || !STOP_WORDS.has(word))
    .map(({ word }) => stem(word))
}

function* writtenWords(text: string): Iterable<{ word: string; isName: boolean }> {
  const apart = text
    .slice(0, LONGEST)
    .normalize('NFKC')
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[_/-]+|\.(?=\S)/g, ' ')
  let startsSentence = true
  for (const { segment, isWordLike } of segmenter().segment(apart)) {
    if (isWordLike) yield { word: segment.toLowerCase(), isName: !startsSentence && /^\p{Lu}\p{Ll}/u.test(segment) }
    if (isWordLike) startsSentence = false
    else if (/[.!?:;\n"(–—]/.test(segment)) startsSentence = true
  }
}

/** Light on purpose: `files`, `filing` and `filed` meet, different words rarely do. */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word
  const base = word
    .replace(/'s$/, '')
    .replace(/ies$/, 'y')
    .replace(/(ss|sh|ch|x|z)es$/, '$1')
    .replace(/(?<![su])s$/, '')
  const short = base.replace(/(?<=[a-z]{3})(?:ing|ed)$/, '')
  const single = short === base || short.length < 4 ? short : short.replace(/([b-df-hj-km-np-rtv-z])\1$/, '$1')
  return single.length > 3 ? single.replace(/e$/, '') : single
}

const LONGEST = 100_000

const STOP_WORDS = new Set(
  (
    'a an the this that these those it its they them their there here and or but nor so as at by for from in into of off on onto ' +
    'out over to up with within without about across after before during per via than then be is are was were been being am ' +
    'do does did done doing has have had having can could may might must shall should will would not no yes if when where while ' +
    'which who whom whose what how why all any both each every few more most other some such only own same too very just also ' +
    'you your yours we our ours i me my he she his her one use used using uses given specified particular certain following e g i.e etc'
  ).split(' '),
)

const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'word' }))
