// Arguments that a schema refuses, each for one reason.
import { isRecord } from '../../base/record.js'
import { boundsOf, typeOf, type Built, type Leaf } from './build-value.js'
import type { Schema } from './flatten.js'
import { named, replaced, type MadeValue } from './made-value.js'

/** The caller keeps those that the schema does refuse. */
export function wrongValues(schema: Schema, base: Built): MadeValue[] {
  return [
    ...missing(schema, base.value),
    ...base.leaves.flatMap((leaf) => wrongLeaf(leaf, base.value)),
    ...extra(base.value),
  ]
}

function missing({ required }: Schema, value: unknown): MadeValue[] {
  if (!Array.isArray(required) || !isRecord(value)) return []
  return (required as string[]).map((name) => ({
    value: Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
    why: `"${name}" is missing`,
  }))
}

function extra(value: unknown): MadeValue[] {
  return isRecord(value)
    ? [{ value: { ...value, viva_unknown_argument: true }, why: '"viva_unknown_argument" is not a known argument' }]
    : []
}

function wrongLeaf({ steps, schema }: Leaf, whole: unknown): MadeValue[] {
  const as = (value: unknown, why: string): MadeValue => ({
    value: replaced(whole, steps, value),
    why: `${named(steps)} ${why}`,
  })
  const type = typeOf(schema)
  const other = type === 'string' ? { viva: 'not a string' } : 'not-a-' + type
  const made = [as(other, `is ${type === 'string' ? 'an object' : 'a text'} instead of ${article(type)}`)]
  if ('enum' in schema || 'const' in schema) made.push(as('viva-not-listed', 'is not one of the values listed'))
  if (type === 'string') made.push(...wrongTexts(schema).map(({ value, why }) => as(value, why)))
  if (type === 'number' || type === 'integer')
    made.push(...wrongNumbers(schema).map(({ value, why }) => as(value, why)))
  return made
}

function wrongTexts({ minLength, maxLength, pattern, format }: Schema): MadeValue[] {
  const made: MadeValue[] = []
  if (typeof minLength === 'number' && minLength > 0)
    made.push({ value: 'a'.repeat(minLength - 1), why: 'is too short' })
  if (typeof maxLength === 'number' && maxLength < 100_000)
    made.push({ value: 'a'.repeat(maxLength + 1), why: 'is too long' })
  if (typeof pattern === 'string') made.push({ value: '\u0001 viva', why: 'does not match its pattern' })
  if (typeof format === 'string')
    made.push({ value: 'not a value of this format \u0001', why: `is not a valid ${format}` })
  return made
}

function wrongNumbers(schema: Schema): MadeValue[] {
  const { least, most } = boundsOf(schema, 0)
  const made: MadeValue[] = []
  if (Number.isFinite(least)) made.push({ value: least - 1, why: 'is below its minimum' })
  if (Number.isFinite(most)) made.push({ value: most + 1, why: 'is above its maximum' })
  if (schema['type'] === 'integer') made.push({ value: 1.5, why: 'is not a whole number' })
  return made
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
