// What may be changed in a case, or why nothing may.
import type { TestCase } from '../../model/case.js'
import type { AttachmentContext } from '../../pipeline/sources/attachment-source.js'
import { assertedTexts, specsOf, type Asserted } from './asserted.js'
import { freeText } from './free-text.js'
import type { Said, Subject } from './operator.js'
import { slotsOf, type Slot } from './slots.js'

/** `why`: reasons for texts that stay as they are. */
export interface Examined {
  subject: Subject
  why: string[]
}

export async function examine(testCase: TestCase, files: AttachmentContext): Promise<Examined> {
  const slots = await slotsOf(testCase, files)
  const spoken = slots.filter(({ kind }) => kind === 'said')
  const reason = whyLeftAlone(testCase, spoken)
  const keep = assertedTexts(testCase)
  const said = reason === undefined ? spoken.flatMap((slot) => saidOf(slot, keep)) : []
  const why = reason !== undefined ? [reason] : said.length < spoken.length ? ['data, code or values to keep'] : []
  const given = testCase.min_score === undefined ? slots.filter(({ kind }) => kind === 'given') : []
  const vocabulary = JSON.stringify([testCase, given.map(({ text }) => text)]).toLowerCase()
  return { subject: { testCase, said, given, vocabulary }, why }
}

function saidOf(slot: Slot, keep: readonly Asserted[]): Said[] {
  const free = freeText(slot.text, keep)
  return free ? [{ slot, free, isEnglish: isEnglish(slot.text) }] : []
}

function whyLeftAlone(testCase: TestCase, spoken: readonly Slot[]): string | undefined {
  if (testCase.simulator) return 'its user is simulated'
  if (spoken.length === 0) return 'it has no input in words'
  if (specsOf(testCase).some(({ type }) => type === 'snapshot' || type === 'snapshot_matches'))
    return 'its answer is compared with a snapshot'
  if (specsOf(testCase).length === 0 && testCase.expected === undefined) return 'it asserts nothing'
  if (isEchoed(testCase, spoken)) return 'its assertions repeat the input'
  if (spoken.some(({ text }) => WORDING.test(text))) return 'it is about wording'
  return undefined
}

const LONG_ECHO = 4

/** An answer that must hold a whole phrase of the input changes with it. */
function isEchoed(testCase: TestCase, spoken: readonly Slot[]): boolean {
  const inputs = spoken.map(({ text }) => wordsOf(text)).filter((input) => input !== '')
  return assertedTexts(testCase).some(({ text }) => {
    const words = wordsOf(text)
    const isPhrase = words.split(' ').length >= LONG_ECHO
    return inputs.some((input) => isPart(input, words) || (isPhrase && isPart(words, input)))
  })
}

function isPart(words: string, all: string): boolean {
  return ` ${all} `.includes(` ${words} `)
}

/** How it is written may be what it is about. */
const WORDING =
  /\b(?:words?|letters?|characters?|spell(?:ing|ed|s)?|capitals?|(?:upper|lower) ?case|typos?|grammar|translat\w*|rhymes?|proofread|rewrite|rephrase|paraphrase|anagram|palindrome|verbatim|repeat after|sentences?|syllables?|punctuation)\b/i

function wordsOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')
}

/** Common words that other languages do not have. */
function isEnglish(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)?/gu) ?? []
  const known = words.filter((word) => ENGLISH.has(word)).length
  return known >= 2 || known >= words.length / 4
}

const ENGLISH = new Set(
  "the and is are of to for with my your you we our how what where when why which who can could would should please have has this that it's i'm i can't don't book cancel show tell find give need want from at".split(
    ' ',
  ),
)
