// Forms of verbs, and which verbs mean the same.
import type { Language } from './languages/language.js'
import { once } from './text.js'

export interface Verbs {
  /** Past or participle → the verb. */
  done: ReadonlyMap<string, string>
  /** All words that say the same as the verb, in every form, nouns included. */
  formsOf(verb: string): ReadonlySet<string>
  verbs: ReadonlySet<string>
  /** Verbs that say the same, and itself. */
  groupOf(verb: string): ReadonlySet<string>
  pastOf(verb: string): ReadonlySet<string>
}

export const verbsOf = once((language: Language): Verbs => {
  const all = new Set([
    ...language.verbGroups.flat(),
    ...language.lightVerbs,
    ...language.attributeVerbs,
    ...language.lookVerbs,
  ])
  const done = new Map<string, string>()
  for (const verb of all) for (const form of pastForms(verb, language)) if (!done.has(form)) done.set(form, verb)
  const groupOf = (verb: string) =>
    new Set([verb, ...language.verbGroups.filter((group) => group.includes(verb)).flat()])
  const forms = new Map<string, ReadonlySet<string>>()
  const formsOf = (verb: string): ReadonlySet<string> => {
    const known = forms.get(verb)
    if (known) return known
    const group = groupOf(verb)
    const nouns = Object.entries(language.actionNouns).flatMap(([noun, of]) => (group.has(of) ? [noun] : []))
    const found = new Set([...[...group].flatMap((each) => allForms(each, language)), ...nouns])
    forms.set(verb, found)
    return found
  }
  return {
    done,
    verbs: all,
    formsOf,
    groupOf,
    pastOf: (verb) => new Set(pastForms(verb, language)),
  }
})

function pastForms(verb: string, { irregular, doubled }: Language): string[] {
  const known = Object.hasOwn(irregular, verb) ? irregular[verb] : undefined
  if (known) return [...known]
  if (verb.endsWith('e')) return [`${verb}d`]
  if (/[^aeiou]y$/.test(verb)) return [`${verb.slice(0, -1)}ied`]
  return doubled.includes(verb) ? [`${verb}${verb.at(-1) ?? ''}ed`, `${verb}ed`] : [`${verb}ed`]
}

function allForms(verb: string, language: Language): string[] {
  const stem = verb.endsWith('e') ? verb.slice(0, -1) : verb
  const double = language.doubled.includes(verb) ? [`${verb}${verb.at(-1) ?? ''}ing`] : []
  return [verb, `${verb}s`, `${stem}ing`, ...double, ...pastForms(verb, language)]
}
