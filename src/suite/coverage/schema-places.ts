// The arguments of a tool and the values each may have, from its JSON Schema; and which of them a call used.
import { canonicalJson } from '../../base/json/canonical-json.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'

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

// Deeper than any hand reaches; a schema that refers to itself ends here.
const MAX_DEPTH = 5

/** Of every alternative of the schema, in its order. */
export function argumentsOf(schema: Schema): Argument[] {
  const found = new Map<string, Argument>()
  addProperties(schema, { root: schema, steps: [], depth: 0, found })
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

export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value)
}

interface Walk {
  root: Schema
  steps: string[]
  depth: number
  found: Map<string, Argument>
}

function addProperties(given: unknown, walk: Walk): void {
  for (const schema of alternativesOf(given, walk.root)) {
    const { properties, required } = schema
    const needed = new Set(Array.isArray(required) ? required : [])
    if (isRecord(properties))
      for (const [name, own] of Object.entries(properties))
        addArgument([...walk.steps, name], own, needed.has(name), walk)
  }
}

function addArgument(steps: string[], given: unknown, required: boolean, walk: Walk): void {
  const alternatives = alternativesOf(given, walk.root)
  const path = steps.join('.')
  const earlier = walk.found.get(path)
  const argument: Argument = earlier ?? { path, steps, required, values: [], schema: schemaOf(alternatives) }
  // Required in one alternative only is not required.
  argument.required &&= required
  walk.found.set(path, argument)
  for (const schema of alternatives) addValues(argument, schema)
  if (walk.depth >= MAX_DEPTH) return
  for (const schema of alternatives) {
    const deeper = { ...walk, depth: walk.depth + 1 }
    addProperties(schema, { ...deeper, steps })
    const { items } = schema
    for (const item of alternativesOf(items, walk.root)) addValues(argument, item)
    addProperties(items, { ...deeper, steps: [...steps.slice(0, -1), `${steps.at(-1) ?? ''}[]`] })
  }
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

/** The schema and what it is composed of, with references inside the document followed. */
function alternativesOf(given: unknown, root: Schema, depth = 0): Schema[] {
  if (!isRecord(given) || depth > MAX_DEPTH) return []
  const { $ref, anyOf, oneOf, allOf } = given
  const parts = [anyOf, oneOf, allOf].flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
  const referred = typeof $ref === 'string' ? [resolveRef($ref, root)] : []
  return [given, ...[...referred, ...parts].flatMap((part) => alternativesOf(part, root, depth + 1))]
}

/** `#/$defs/Address`; undefined if it leads nowhere, or into another document. */
export function resolveRef(ref: string, root: Schema): unknown {
  if (!ref.startsWith('#')) return undefined
  let value: unknown = root
  for (const step of ref.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    value = isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }
  return value
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
