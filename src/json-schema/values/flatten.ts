// A schema without references and compositions, as far as a value can be made from it: one alternative of each is taken.
import { isRecord } from '../../base/record.js'
import { resolveRef } from '../resolve-ref.js'

export type Schema = Record<string, unknown>

export interface Flat {
  schema: Schema
  /** Between how many ways there was a choice. */
  ways: number
}

/** References to references, compositions of compositions. */
const MOST_NESTED = 20

/** `way`: which of the alternatives; `simple` puts those first that end a recursion. */
export function flatten(given: unknown, root: Schema, way: number, simple: boolean, depth = 0): Flat {
  if (!isRecord(given)) return { schema: given === false ? { not: {} } : {}, ways: 1 }
  if (depth > MOST_NESTED) return { schema: given, ways: 1 }
  const { $ref, allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...own } = given
  let result: Flat = { schema: own, ways: 1 }
  const add = (part: unknown, chosen: number) => {
    const flat = flatten(part, root, chosen, simple, depth + 1)
    result = { schema: merge(result.schema, flat.schema), ways: Math.max(result.ways, flat.ways) }
  }
  if (typeof $ref === 'string') add(resolveRef($ref, root) ?? {}, way)
  if (Array.isArray(allOf)) for (const part of allOf as unknown[]) add(part, way)
  for (const list of [anyOf, oneOf]) {
    if (!Array.isArray(list) || list.length === 0) continue
    const ordered = simple ? simplestFirst(list, root) : list
    add(ordered[way % list.length], Math.floor(way / list.length))
    result.ways = Math.max(result.ways, list.length * Math.max(1, result.ways))
  }
  if (condition !== undefined) {
    const branches = [otherwise, { allOf: [condition, then ?? {}] }]
    add(branches[way % 2] ?? {}, 0)
    result.ways = Math.max(result.ways, 2)
  }
  return result
}

/** What holds no other value cannot lead back to where it is. */
function simplestFirst(list: readonly unknown[], root: Schema): unknown[] {
  const rank = (part: unknown): number => {
    const { schema } = flatten(part, root, 0, false, MOST_NESTED - 2)
    const { type } = schema
    if (type === 'null' || 'const' in schema || 'enum' in schema) return 0
    return ['string', 'number', 'integer', 'boolean'].includes(String(type)) ? 1 : 2
  }
  return list.toSorted((one, other) => rank(one) - rank(other))
}

function merge(one: Schema, other: Schema): Schema {
  const result: Schema = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const known = result[key]
    result[key] = known === undefined ? value : both(key, known, value)
  }
  return result
}

/** What satisfies the two of them; where that cannot be said, the second: the result is checked anyway. */
function both(key: string, one: unknown, other: unknown): unknown {
  if (typeof one === 'number' && typeof other === 'number') {
    if (/^(?:minimum|exclusiveMinimum|min\w+)$/.test(key)) return Math.max(one, other)
    if (/^(?:maximum|exclusiveMaximum|max\w+)$/.test(key)) return Math.min(one, other)
  }
  if (key === 'required') return [...new Set([...listOf(one), ...listOf(other)])]
  if (key === 'enum') return listOf(one).filter((value) => listOf(other).includes(value))
  if (key === 'type') return narrower(one, other)
  if ((key === 'properties' || key === 'patternProperties') && isRecord(one) && isRecord(other))
    return mergeProperties(one, other)
  return other
}

function mergeProperties(one: Schema, other: Schema): Schema {
  const result: Schema = { ...one }
  for (const [name, schema] of Object.entries(other))
    result[name] = Object.hasOwn(one, name) ? { allOf: [one[name], schema] } : schema
  return result
}

function narrower(one: unknown, other: unknown): unknown {
  const names = listOf(one).filter((type) => listOf(other).includes(type))
  if (names.length > 0) return names.length === 1 ? names[0] : names
  return [one, other].includes('integer') ? 'integer' : other
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}
