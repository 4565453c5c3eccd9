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
  }: { normalisers?: readonly NormaliserName[]; workspaces?: readonly string[] } = {},
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
  return [...custom, ...[...names].map((name) => createNormaliser(name, workspaces))]
}

export function replaceAll(text: string, replacements: readonly TextReplacement[], placeholders: Placeholders): string {
  let result = text
  for (const replacement of replacements)
    result = replacement.replace(result, (match) => placeholders.of(replacement, match))
  return result
}

/** `[UUID]`, `[UUID-2]`: the same value keeps its placeholder for the lifetime of this object. */
export class Placeholders {
  readonly #known = new Map<string, Map<string, string>>()

  of({ placeholder: name, numbered }: TextReplacement, match: string): string {
    if (!numbered) return `[${name}]`
    let known = this.#known.get(name)
    if (!known) this.#known.set(name, (known = new Map<string, string>()))
    let result = known.get(match)
    if (!result) known.set(match, (result = known.size === 0 ? `[${name}]` : `[${name}-${known.size + 1}]`))
    return result
  }
}
