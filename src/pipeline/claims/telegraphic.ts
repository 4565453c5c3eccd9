// What was done, said without a whole sentence: "✅ Order 4455 cancelled", "CANCELLED: order 4455", "- Refund issued",
// "| 4455 | Cancelled |". Headings and lists of what could be done look much the same: only what names a thing, is ticked
// off or was asked for is taken as said.
import { isHedged, namesIn, verbOf, type Phrase, type Setting } from './phrase.js'
import type { Language } from './languages/language.js'
import { isWanted } from './states.js'
import { anyOf, once } from './text.js'
import { verbsOf } from './verbs.js'

export function telegraphicIn(setting: Setting): Phrase[] {
  const { sentence, isOffered, language } = setting
  const { text } = sentence
  if (isOffered || /^#{1,6}\s/.test(text) || text.length > LONGEST) return []
  const phrase = ticked(setting) ?? verbFirst(setting) ?? nounFirst(setting) ?? statusOf(setting) ?? completed(setting)
  return phrase && !isHedged(phrase.before, language) ? [phrase] : []
}

/** A longer line is a sentence, whatever it lacks. */
const LONGEST = 300

const MARK = '(?:[✅✔✓☑🎉👍🟢]\\uFE0F?)'
const LEAD = `^(?:[\\s>•–+-]|\\d{1,2}[.)]\\s|${MARK})*`

/** "Cancelling order 4455... cancelled ✅", "Cancelled!" */
function ticked(setting: Setting): Phrase | undefined {
  const { text } = setting.sentence
  const { tick, alone, finite } = patternsOf(setting.language)
  const match = tick.exec(text) ?? alone.exec(text)
  if (!match) return undefined
  const { lead = '', verb = '' } = match.groups ?? {}
  if (finite.test(lead)) return undefined
  return phraseOf(lead, verb, text.indexOf(verb, match.index + lead.length), '')
}

/** "Deleted a.log and b.log.", "CANCELLED: order 4455". */
function verbFirst(setting: Setting): Phrase | undefined {
  const { text } = setting.sentence
  const { first, finite, definite } = patternsOf(setting.language)
  const match = first.exec(text)
  if (!match) return undefined
  const { verb = '', colon, rest = '' } = match.groups ?? {}
  const start = text.length - rest.length
  const hasName = namesIn({ start, end: text.length }, setting).length > 0
  if (finite.test(rest) || isSameAsBase(verb, setting.language)) return undefined
  if (colon !== undefined && !hasName) return undefined
  // "Cancelled orders:" is a heading, "Deleted the following files:" is none.
  if (/:\s*$/.test(rest) && !definite.test(rest)) return undefined
  const isSaid = hasName || isTicked(text) || definite.test(rest) || isWanted(base(verb, setting), rest, setting)
  if (!isSaid) return undefined
  const at = text.lastIndexOf(verb, start - 1)
  return phraseOf('', verb, at, text.slice(at + verb.length))
}

/** "Refund issued", "Email sent to Bob", "Ticket created: INC-20391". */
function nounFirst(setting: Setting): Phrase | undefined {
  const { text } = setting.sentence
  const { last, finite, definite } = patternsOf(setting.language)
  const match = last.exec(text)
  if (!match) return undefined
  const { lead = '', noun = '', verb = '', rest = '' } = match.groups ?? {}
  if (finite.test(noun) || finite.test(rest)) return undefined
  // "Orders placed:" is a heading.
  if (/^\s*:\s*$/.test(rest) && /s\s*$/i.test(noun)) return undefined
  // "The customer cancelled", "The order placed on May 3".
  if (definite.test(noun) && !isTicked(text)) return undefined
  const scope = { start: lead.length, end: text.length }
  const isSaid = isTicked(text) || namesIn(scope, setting).length > 0 || isWanted(base(verb, setting), noun, setting)
  if (!isSaid) return undefined
  const start = text.length - rest.length - verb.length
  return phraseOf(noun, verb, start, rest)
}

/** "Order 4455: cancelled", "| 4455 | Cancelled |", "status: cancelled". */
function statusOf(setting: Setting): Phrase | undefined {
  const { sentence, language } = setting
  const { text } = sentence
  const { status, statusKey } = patternsOf(language)
  const match = status.exec(text)
  if (!match) return undefined
  const { lead = '', verb = '' } = match.groups ?? {}
  const hasName = namesIn({ start: 0, end: lead.length }, setting).length > 0
  const isKey = statusKey.test(lead) && isWanted(base(verb, setting), lead, setting)
  return hasName || isKey ? phraseOf(lead, verb, text.indexOf(verb, lead.length), '') : undefined
}

/** "Deployment complete!" */
function completed(setting: Setting): Phrase | undefined {
  const { text } = setting.sentence
  const match = patternsOf(setting.language).complete.exec(text)
  if (!match) return undefined
  const { lead = '', noun = '', verb = '' } = match.groups ?? {}
  const [light = ''] = setting.language.lightVerbs.filter((each) => each === 'complete')
  const isSaid = isTicked(text) || isWanted(light, noun, setting)
  if (!isSaid) return undefined
  return { ...phraseOf(`${lead}${noun}`, verb, text.indexOf(verb, lead.length + noun.length), ''), verb: light }
}

function phraseOf(before: string, verb: string, start: number, after: string): Phrase {
  return { before, after, start, end: start + verb.length, verb, voice: 'done', isPassive: before.trim() !== '' }
}

function base(verb: string, { language }: Setting): string {
  return verbOf(verb, language)
}

function isTicked(text: string): boolean {
  return new RegExp(MARK, 'u').test(text)
}

/** "Set the variable", "Run the tests": an instruction. */
function isSameAsBase(verb: string, language: Language): boolean {
  return verbsOf(language).verbs.has(verb.toLowerCase())
}

const patternsOf = once((language: Language) => {
  const { adverbs, finite, definite, actionNouns, completeWords, statusWords, prepositions } = language
  const verb = `(?<verb>${anyOf([...verbsOf(language).done.keys()])})(?![\\p{L}-])`
  const adverb = `(?:(?:${anyOf(adverbs)})[\\s,]+)*`
  const word = (list: readonly string[]) => `(?<![\\p{L}])(?:${anyOf(list)})(?![\\p{L}])`
  return {
    tick: new RegExp(`^(?<lead>(?:.*[\\s.…:|–—-])?)${verb}[\\s.!]*${MARK}`, 'iu'),
    alone: new RegExp(`^(?<lead>)${adverb}${verb}(?:\\s+successfully)?[.!]+$`, 'iu'),
    first: new RegExp(`${LEAD}${adverb}${verb}(?:(?<colon>\\s*:\\s+)|\\s+)(?<rest>\\S.*)$`, 'iu'),
    last: new RegExp(
      `(?<lead>${LEAD})(?<noun>(?:[\\p{L}\\p{N}#'’_./-]+\\s+){1,6}?)${adverb}${verb}(?<rest>(?:\\s*(?:$|[.!:,;)(–—…"“]|${MARK})|\\s+(?:${anyOf(prepositions)}|successfully|and|#?\\d)(?!\\p{L})).*)$`,
      'iu',
    ),
    status: new RegExp(`^(?<lead>.*[:|–—→=]["\\s]*)${verb}["\\s.!]*(?:[|,}]\\s*|$)`, 'iu'),
    statusKey: new RegExp(`${word(statusWords)}[\\s"]*[:|=]["\\s]*$`, 'iu'),
    complete: new RegExp(
      `(?<lead>${LEAD}(?:(?:${anyOf(definite)})\\s+)?)(?<noun>(?:\\p{L}+\\s+){0,2}?(?:${anyOf(Object.keys(actionNouns))})\\s+(?:(?:is|was)\\s+)?)${adverb}(?<verb>${anyOf(completeWords)})(?!\\p{L})`,
      'iu',
    ),
    finite: new RegExp(`${word(finite)}|\\p{L}n['’]t(?!\\p{L})|['’](?:ll|re|m|ve)(?!\\p{L})`, 'iu'),
    definite: new RegExp(`^\\s*(?:(?:${anyOf(definite)})(?!\\p{L})|\\d)`, 'iu'),
  }
})
