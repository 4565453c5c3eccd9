// The arguments of a tool and the values each may have, from its JSON Schema; and which of them a call used.
import { canonicalJson } from '../../base/json/canonical-json.js'
import { parseJson } from '../../base/json/parse-json.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { resolveRef } from '../../json-schema/resolve-ref.js'

export interface Argument {
  /** `amount`, `address.city`, `items[].id`. */
  path: string
  /** The same, step by step: a name may have a dot in it. */
  steps: string[]
  required: boolean
  /** Of an enum, a constant or a boolean. */
  values: unknown[]
  /** Its own schema, for whoever writes cases. */
  schema: Schema
}

export type Schema = Record<string, unknown>

// Deeper than any hand reaches.
const MAX_DEPTH = 5
/** Alternatives within alternatives. */
const MAX_NESTED = 20
/** Of one tool. */
export const MOST_ARGUMENTS = 500

/** Of every alternative of the schema, in its order; at most `MOST_ARGUMENTS`. */
export function argumentsOf(schema: Schema): Argument[] {
  const found = new Map<string, Argument>()
  const schemas = alternativesOf([schema], schema)
  addProperties(schemas, { root: schema, steps: [], depth: 0, open: new Set(schemas), found })
  return [...found.values()]
}

export interface UsedArgument {
  path: string
  /** False: it was left out, and has a default. */
  isGiven: boolean
  /** Of those that it may have. */
  values: string[]
}

/** What a call used; null is as good as nothing, as models write it where they must name every argument. */
export function usedArguments(all: readonly Argument[], args: Record<string, unknown>): UsedArgument[] {
  return all.flatMap(({ path, steps, values, schema: own }) => {
    const given = valuesAt(args, steps).filter((value) => value !== null)
    const isGiven = given.length > 0
    const used = isGiven ? given : steps.length === 1 && own['default'] !== undefined ? [own['default']] : []
    const written = new Set(used.map((value) => canonicalJson(value)))
    if (written.size === 0) return []
    return [{ path, isGiven, values: values.filter((value) => written.has(canonicalJson(value))).map(valueText) }]
  })
}

/** For whoever writes cases. */
export function briefly({ path, required, values, schema }: Argument): Record<string, unknown> {
  const { type, description, examples, format, minimum, maximum } = schema
  return {
    name: path,
    required,
    ...defined({ type, description, examples, format, minimum, maximum }),
    ...(values.length > 0 && { values }),
  }
}

/** Text as it is, unless that would read like another value: `"1"` is not `1`. */
export function valueText(value: unknown): string {
  return typeof value === 'string' && parseJson(value) === undefined ? value : canonicalJson(value)
}

interface Walk {
  root: Schema
  steps: string[]
  depth: number
  /** What this is inside of: a schema that refers to itself is not repeated in itself. */
  open: ReadonlySet<Schema>
  found: Map<string, Argument>
}

/** Of all of these schemas together: each property once. */
function addProperties(schemas: readonly Schema[], walk: Walk): void {
  const found = new Map<string, { given: unknown[]; required: boolean }>()
  for (const { properties, required } of schemas) {
    if (!isRecord(properties)) continue
    const needed = new Set(Array.isArray(required) ? required : [])
    for (const [name, own] of Object.entries(properties)) {
      const property = found.get(name) ?? { given: [], required: true }
      property.given.push(own)
      // Required in one alternative only is not required.
      property.required &&= needed.has(name)
      found.set(name, property)
    }
  }
  for (const [name, { given, required }] of found) addArgument([...walk.steps, name], given, required, walk)
}

function addArgument(steps: string[], given: unknown[], required: boolean, walk: Walk): void {
  const { root, open, found, depth } = walk
  const path = steps.join('.')
  if (found.has(path) || found.size >= MOST_ARGUMENTS) return
  const alternatives = alternativesOf(given, root)
  const argument: Argument = { path, steps, required, values: [], schema: schemaOf(alternatives) }
  found.set(path, argument)
  for (const schema of alternatives) addValues(argument, schema)
  const own = alternatives.filter((schema) => !open.has(schema))
  const items = alternativesOf(
    own.map((schema) => schema['items']),
    root,
  )
  for (const item of items) addValues(argument, item)
  if (depth >= MAX_DEPTH) return
  const below = { root, found, depth: depth + 1, open: new Set([...open, ...own]) }
  addProperties(own, { ...below, steps })
  const ofItems = items.filter((item) => !below.open.has(item))
  const inList = [...steps.slice(0, -1), `${steps.at(-1) ?? ''}[]`]
  addProperties(ofItems, { ...below, open: new Set([...below.open, ...ofItems]), steps: inList })
}

/** What is behind a reference; else as it is written. */
function schemaOf([own = {}, next]: Schema[]): Schema {
  return own['$ref'] !== undefined && next ? next : own
}

function addValues(argument: Argument, { enum: listed, const: only, type }: Schema): void {
  const values: unknown[] = Array.isArray(listed)
    ? listed
    : only !== undefined
      ? [only]
      : type === 'boolean' || (Array.isArray(type) && type.includes('boolean'))
        ? [true, false]
        : []
  const known = new Set(argument.values.map((value) => canonicalJson(value)))
  for (const value of values) if (value !== null && !known.has(canonicalJson(value))) argument.values.push(value)
}

/** The schemas and what they are composed of, with references inside the document followed. */
function alternativesOf(given: readonly unknown[], root: Schema, seen = new Set<unknown>(), depth = 0): Schema[] {
  if (depth > MAX_NESTED) return []
  return given.flatMap((schema) => {
    if (!isRecord(schema) || seen.has(schema)) return []
    seen.add(schema)
    const { $ref, anyOf, oneOf, allOf } = schema
    const parts = [anyOf, oneOf, allOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    const referred = typeof $ref === 'string' ? [resolveRef($ref, root)] : []
    return [schema, ...alternativesOf([...referred, ...parts], root, seen, depth + 1)]
  })
}

/** What stands there; lists are looked into, also where the path ends at one. */
function valuesAt(value: unknown, [step, ...rest]: string[]): unknown[] {
  if (step === undefined) return Array.isArray(value) ? [value, ...value] : [value]
  const key = step.replace(/\[\]$/, '')
  if (!isRecord(value) || !Object.hasOwn(value, key) || value[key] === undefined) return []
  const found = value[key]
  if (!step.endsWith('[]')) return valuesAt(found, rest)
  return Array.isArray(found) ? found.flatMap((item: unknown) => valuesAt(item, rest)) : []
}
