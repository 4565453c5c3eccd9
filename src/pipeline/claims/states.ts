// States that are said as the outcome of what was asked for: "Order 4455 is cancelled", "Your booking is confirmed".
// Descriptions of how things are ("refunds are issued within a week", "the service is written in Go") say nothing was done.
import { clauseAround, isHedged, namesIn, verbOf, type Phrase, type Setting } from './phrase.js'
import type { Language } from './languages/language.js'
import { anyOf, once } from './text.js'
import { verbsOf } from './verbs.js'

export function stateIn(setting: Setting): Phrase[] {
  const { language, sentence } = setting
  const { state, whose, habit, condition } = patternsOf(language)
  if (condition.test(sentence.text)) return []
  return [...sentence.text.matchAll(state)].flatMap((match): Phrase[] => {
    const { before, after, lead } = clauseAround(match, setting)
    if (before.trim() === '' || isHedged(lead, language) || habit.test(before) || habit.test(after)) return []
    const form = match.groups?.['verb'] ?? ''
    const verb = verbOf(form, language)
    const isOwn =
      language.stateVerbs.includes(verb) &&
      (whose.test(before) || namesIn({ start: match.index - before.length, end: match.index }, setting).length > 0)
    if (!isOwn && !isWanted(verb, before, setting)) return []
    const end = match.index + match[0].length
    return [{ before, after, start: match.index, end, verb: form, voice: 'done', isPassive: true }]
  })
}

/** It was asked for; "the cancellation is confirmed" is about cancelling. */
export function isWanted(verb: string, phrase: string, { language, isAsked }: Setting): boolean {
  if (!language.lightVerbs.includes(verb)) return isAsked(verb)
  return (phrase.toLowerCase().match(/\p{L}+/gu) ?? []).some((word) => {
    const meant = Object.hasOwn(language.actionNouns, word) ? language.actionNouns[word] : undefined
    return meant !== undefined && isAsked(meant)
  })
}

const patternsOf = once((language: Language) => {
  const { passive, adverbs, possessives, habits } = language
  const verb = `(?<verb>${anyOf([...verbsOf(language).done.keys()])})(?![\\p{L}-])`
  return {
    state: new RegExp(`(?<!\\p{L})(?:${anyOf(passive.state)})\\s+(?:(?:${anyOf(adverbs)})[\\s,]+)*${verb}`, 'giu'),
    // "Once the light is green, …"
    condition: new RegExp(`^\\W*(?:${anyOf(language.hedges)})(?!\\p{L})`, 'iu'),
    whose: new RegExp(`(?<!\\p{L})(?:${anyOf(possessives)})(?!\\p{L})`, 'iu'),
    habit: new RegExp(`(?<!\\p{L})(?:${anyOf(habits)})(?!\\p{L})`, 'iu'),
  }
})
