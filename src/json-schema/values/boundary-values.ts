// The smallest and the largest of what a schema allows.
import { boundsOf, typeOf, type Leaf } from './build-value.js'
import type { MadeValue } from './made-value.js'
import { isAmount, isCode } from './sample.js'

/** Longer texts are for hostile arguments. */
const LONGEST = 2000

export function boundaryValues({ schema, name }: Leaf): MadeValue[] {
  if ('const' in schema) return []
  const { enum: listed, nullable } = schema
  if (Array.isArray(listed))
    return listed.slice(1).map((value: unknown) => ({ value, why: `is ${JSON.stringify(value)}` }))
  const type = typeOf(schema)
  const made =
    type === 'string' ? ofText(schema, name) : type === 'number' || type === 'integer' ? ofNumber(schema, name) : []
  if (type === 'boolean') made.push({ value: true, why: 'is true' }, { value: false, why: 'is false' })
  const allowsNull = nullable === true || (Array.isArray(schema['type']) && schema['type'].includes('null'))
  return allowsNull ? [...made, { value: null, why: 'is null' }] : made
}

function ofText({ minLength, maxLength, format, pattern }: Leaf['schema'], name: string): MadeValue[] {
  const made: MadeValue[] = []
  const isPlain = format === undefined && pattern === undefined
  if (typeof minLength === 'number' && minLength <= LONGEST)
    made.push({ value: 'a'.repeat(minLength), why: `has its least length, ${minLength}` })
  else if (isPlain) made.push({ value: '', why: 'is empty' })
  if (typeof maxLength === 'number' && maxLength <= LONGEST)
    made.push({ value: 'a'.repeat(maxLength), why: `has its greatest length, ${maxLength}` })
  if (isPlain && !isCode(name)) made.push({ value: 'Grüße, 世界 👋', why: 'is not ASCII' })
  return made
}

/** Where more only takes longer, the largest is not tried: it would be waited for. */
function ofNumber(schema: Leaf['schema'], name: string): MadeValue[] {
  const step =
    typeof schema['multipleOf'] === 'number' ? schema['multipleOf'] : typeOf(schema) === 'integer' ? 1 : 0.001
  const { least, most } = boundsOf(schema, step)
  const made: MadeValue[] = []
  if (Number.isFinite(least)) made.push({ value: least, why: `is its minimum, ${least}` })
  if (Number.isFinite(most) && !isAmount(name)) made.push({ value: most, why: `is its maximum, ${most}` })
  if (!isAmount(name)) {
    made.push({ value: 0, why: 'is 0' })
    if (!Number.isFinite(least)) made.push({ value: -1, why: 'is negative' })
    if (!Number.isFinite(most)) made.push({ value: Number.MAX_SAFE_INTEGER, why: 'is very large' })
  }
  return made
}
