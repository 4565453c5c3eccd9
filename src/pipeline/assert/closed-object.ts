// An object inside an assertion that takes these fields, notes of the author, and nothing else.
import * as v from 'valibot'
import { isFreeKey } from '../../model/free-key.js'
import { suggest } from '../../base/suggest.js'
import type { CompileContext } from './define-assertion.js'

export function closedObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries)
  return v.pipe(
    v.looseObject(entries),
    v.check(
      (value) => unknownKeys(value, known).length === 0,
      ({ input }) => {
        const [name = ''] = unknownKeys(input, known)
        const near = suggest(name, known)
        const hint = near === undefined ? `it takes ${known.join(', ')}` : `did you mean "${near}"?`
        return `has an unknown field "${name}"; ${hint}`
      },
    ),
  )
}

/** `options` have other readers, too: unknown fields in them are a warning. */
export function doubtOptions(options: object | undefined, known: string[], context: CompileContext): void {
  for (const name of options === undefined ? [] : unknownKeys(options, known)) {
    const place = `${context.field}.options.${name}`
    context.doubt(place, `unknown field "${name}" in options is ignored; known: ${known.join(', ')}`)
  }
}

function unknownKeys(value: object, known: readonly string[]): string[] {
  return Object.keys(value).filter((key) => !known.includes(key) && !isFreeKey(key))
}
