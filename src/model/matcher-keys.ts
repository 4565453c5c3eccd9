// Which objects are operators of matchers, and which are data with dollar signs in it.
import { isRecord } from '../base/record.js'
import { editDistance } from '../base/edit-distance.js'

export const OPERATOR_NAMES = [
  '$eq',
  '$ne',
  '$in',
  '$not',
  '$all',
  '$any',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$near',
  '$regex',
  '$text',
  '$type',
  '$size',
  '$each',
  '$contains',
  '$exact',
  '$subset',
  '$optional',
  '$absent',
] as const

export type OperatorName = (typeof OPERATOR_NAMES)[number]

/** Names with a dollar sign that occur in JSON documents. */
export const JSON_KEYWORDS = new Set(['$id', '$ref', '$schema', '$defs', '$anchor', '$comment'])

/**
 * `{"$gt": 5}`, and `{"$gtt": 5}`, which was meant as one. `{"$ref": "…"}` and `{"$$gt": 5}` are data. An object with
 * nothing but other names of this kind is data where data is expected, else a mistake.
 */
export function isOperators(expected: Record<string, unknown>, amongData: boolean): boolean {
  const keys = Object.keys(expected)
  const names = keys.filter(mayBeOperator)
  if (names.some(isNearOperator)) return true
  return !amongData && names.length > 0 && names.length === keys.length
}

/** `$$gt` is the key `$gt`. */
export function literalKey(key: string): string {
  return key.startsWith('$$') && isNearOperator(key.replace(/^\$+/, '$')) ? key.slice(1) : key
}

/** The matcher that a value matches by being equal: keys that look like operators are written `$$gt`. */
export function asLiteral(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asLiteral)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [escapedKey(key), asLiteral(member)]))
}

function escapedKey(key: string): string {
  const name = key.replace(/^\$+/, '$')
  return mayBeOperator(name) && isNearOperator(name) ? `$${key}` : key
}

/** One slip away, two in a long name: `$set` is not `$text`. */
function isNearOperator(key: string): boolean {
  return OPERATOR_NAMES.some(
    (name) => name === key || editDistance(key.toLowerCase(), name) <= (name.length > 6 ? 2 : 1),
  )
}

export function isOperator(key: string): key is OperatorName {
  return (OPERATOR_NAMES as readonly string[]).includes(key)
}

function mayBeOperator(key: string): boolean {
  return key.startsWith('$') && !JSON_KEYWORDS.has(key) && literalKey(key) === key
}
