// Replaces what changes from run to run in the texts of one document, the same value always by the same placeholder.
import { createPattern } from './custom.js'
import {
  createNormaliser,
  isNormaliserName,
  type NormaliserName,
  type TextReplacement,
  unknownNormaliser,
} from './normalisers.js'

/** `patterns`: a name with a pattern, or a built-in one switched on or off. Secrets are not its business. */
export function createNormalisation(patterns: Record<string, string | boolean>): (text: string) => string {
  const replacements = listReplacements(patterns)
  const placeholders = new Placeholders()
  return (text) => replaceAll(text, replacements, placeholders)
}

export function listReplacements(
  patterns: Record<string, string | boolean>,
  {
    normalisers = [],
    workspaces = [],
    older = false,
  }: { normalisers?: readonly NormaliserName[]; workspaces?: readonly string[]; older?: boolean } = {},
): TextReplacement[] {
  const names = new Set<NormaliserName>(normalisers)
  const custom: TextReplacement[] = []
  for (const [name, pattern] of Object.entries(patterns)) {
    if (!name.startsWith('$')) {
      if (typeof pattern === 'string') custom.push(createPattern(name, pattern))
      continue
    }
    if (name === '$API_KEY') continue
    if (!isNormaliserName(name)) throw unknownNormaliser(name)
    if (pattern === false) names.delete(name)
    else names.add(name)
  }
  const known = [...BUILT_IN, ...custom.map(({ placeholder }) => placeholder)]
  return [
    ...custom.map((each) => between(known, each, (placeholder) => placeholder)),
    ...[...names].map((name) => createNormaliser(name, workspaces, { older })),
  ]
}

/** What other rules put in place of a value: no pattern replaces a part of it. */
const BUILT_IN =
  'SECRET API_KEY JWT PRIVATE_KEY REDACTED UUID TIMESTAMP DURATION WORKSPACE RUN_ID TAG CASE_FOLDER'.split(' ')

/** Replaces between the placeholders with these names, and `inside` decides about them. */
function between(
  names: readonly string[],
  replacement: TextReplacement,
  inside: (placeholder: string, replacer: (match: string) => string) => string,
): TextReplacement {
  const placeholders = new RegExp(String.raw`\[(?:${names.join('|')})(?:-[0-9]{1,9})?\]`, 'g')
  return {
    ...replacement,
    replace: (text, replacer) => {
      let result = ''
      let from = 0
      for (const { 0: placeholder, index } of text.matchAll(placeholders)) {
        result += replacement.replace(text.slice(from, index), replacer) + inside(placeholder, replacer)
        from = index + placeholder.length
      }
      return result + replacement.replace(from === 0 ? text : text.slice(from), replacer)
    },
  }
}

export function replaceAll(text: string, replacements: readonly TextReplacement[], placeholders: Placeholders): string {
  let result = text
  for (const replacement of replacements)
    result = replacement.replace(result, (match) => placeholders.of(replacement, match))
  return result
}

/** For text in which values may have been replaced before: their placeholders are values too, and numbered again. */
export function renumbering(replacements: readonly TextReplacement[]): TextReplacement[] {
  const seen = new Set<string>()
  return replacements.map((replacement) => {
    const { placeholder, numbered } = replacement
    // Two patterns may share a name; what the first has replaced is numbered already.
    if (!numbered || seen.has(placeholder)) return replacement
    seen.add(placeholder)
    return between([placeholder], replacement, (earlier, replacer) => replacer(earlier))
  })
}

/** `[UUID]`, `[UUID-2]`: the same value keeps its placeholder for the lifetime of this object. */
export class Placeholders {
  readonly #known = new Map<string, Map<string, string>>()
  /** By name: the highest number that is already used elsewhere. */
  readonly #taken = new Map<string, number>()

  /** What follows in the same document must not be mistaken for what these texts name. */
  startAfter(texts: readonly string[]): void {
    for (const text of texts)
      for (const [, name = '', number = '1'] of text.matchAll(/\[([A-Z0-9_]+)(?:-([0-9]{1,9}))?\]/g))
        this.#taken.set(name, Math.max(this.#taken.get(name) ?? 0, Number(number)))
  }

  of({ placeholder: name, numbered }: TextReplacement, match: string): string {
    if (!numbered) return `[${name}]`
    let known = this.#known.get(name)
    if (!known) this.#known.set(name, (known = new Map<string, string>()))
    let result = known.get(match)
    if (!result) {
      const number = (this.#taken.get(name) ?? 0) + known.size + 1
      known.set(match, (result = number === 1 ? `[${name}]` : `[${name}-${number}]`))
    }
    return result
  }
}
