// Another value of the same kind.
import { factsIn, otherDate, otherId, otherNumber, putInstead } from './text-facts.js'

/** By its type: a number, a date, an identifier, one of a few words, yes or no. */
export function otherValue(leaf: unknown): unknown {
  if (typeof leaf === 'number') return leaf + 1
  if (typeof leaf === 'boolean') return !leaf
  if (typeof leaf !== 'string') return undefined
  const [fact] = factsIn(leaf)
  switch (fact?.kind) {
    case 'date':
      return putInstead(leaf, fact, otherDate(fact.text))
    case 'id':
      return putInstead(leaf, fact, otherId(fact.text))
    case 'number':
      return putInstead(leaf, fact, otherNumber(fact.text))
    default:
      return OPPOSITES[leaf] ?? (leaf === '' ? 'x' : `other ${leaf}`)
  }
}

const OPPOSITES: Readonly<Record<string, string>> = {
  yes: 'no',
  no: 'yes',
  true: 'false',
  false: 'true',
  on: 'off',
  off: 'on',
  asc: 'desc',
  desc: 'asc',
}
