// Whether a line of an event file has the shape its schema asks for. Looser than the schema: a reader accepts words it
// does not know, as a newer version may write them, but nothing that it would trip over.
import { isRecord } from '../base/record.js'
import { show } from '../base/text.js'
import { eventSchema } from './event-schema.js'
import type { RunEvent } from './event.js'

/** What is wrong with the event, or undefined. */
export function eventProblem(event: Record<string, unknown> & { type: RunEvent['type'] }): string | undefined {
  const problem = checkOf(event.type)(event)
  return problem && `${event.type}: ${problem.path.join('.')} ${problem.message}`
}

export function isKnownType(type: string): type is RunEvent['type'] {
  return SCHEMAS.has(type)
}

/** The names that events are made of: readers look for them, whatever a run has to redact. */
export function eventKeys(): Set<string> {
  const keys = new Set<string>()
  for (const schema of SCHEMAS.values()) collectKeys(schema, keys)
  return keys
}

interface Problem {
  path: Array<string | number>
  message: string
}

type Check = (value: unknown) => Problem | undefined

/** As valibot builds them; only what event schemas use. */
interface Schema {
  type: string
  key?: string
  entries?: Record<string, Schema>
  options?: Schema[]
  item?: Schema
  value?: Schema
  wrapped?: Schema
  literal?: unknown
  getter?: (input: unknown) => Schema
}

const SCHEMAS = new Map<string, Schema>()
for (const schema of (eventSchema as unknown as Schema).options ?? [])
  SCHEMAS.set(String(literalOf(schema, 'type')), schema)
const checks = new Map<string, Check>()

function checkOf(type: string): Check {
  const known = checks.get(type)
  if (known) return known
  const check = compile(SCHEMAS.get(type) ?? { type: 'unknown' })
  checks.set(type, check)
  return check
}

function collectKeys({ entries = {}, options = [], item, value, wrapped }: Schema, keys: Set<string>): void {
  for (const key of Object.keys(entries)) keys.add(key)
  const inner = [...Object.values(entries), ...options, item, value, wrapped]
  // The options of a picklist are words.
  for (const schema of inner) if (typeof schema === 'object') collectKeys(schema, keys)
}

function literalOf(schema: Schema, key: string): unknown {
  return (schema.entries ?? schema.options?.[0]?.entries)?.[key]?.literal
}

function compile(schema: Schema): Check {
  switch (schema.type) {
    case 'string':
    case 'picklist':
      return ofType('string', 'text')
    case 'number':
      return ofType('number', 'a number')
    case 'boolean':
      return ofType('boolean', 'true or false')
    case 'literal':
      return ofType(typeof schema.literal, typeof schema.literal)
    case 'array':
      return list(compile(schema.item ?? ANY))
    case 'record':
      return map(compile(schema.value ?? ANY))
    case 'object':
      return fields(schema.entries ?? {})
    case 'nullable':
      return nullable(compile(schema.wrapped ?? ANY))
    case 'union':
      return anyOf((schema.options ?? []).map(compile))
    case 'variant':
      return byKey(schema.key ?? '', schema.options ?? [])
    case 'lazy':
      return lazy(() => compile(schema.getter?.(undefined) ?? ANY))
    default:
      return () => undefined
  }
}

const ANY: Schema = { type: 'unknown' }

function ofType(type: string, expected: string): Check {
  return (value) => (typeof value === type ? undefined : wrong(expected, value))
}

function list(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return wrong('a list', value)
    return firstProblem(value.entries(), check)
  }
}

function map(check: Check): Check {
  return (value) => (isRecord(value) ? firstProblem(Object.entries(value), check) : wrong('an object', value))
}

function fields(entries: Record<string, Schema>): Check {
  const checks = new Map<string, Check>()
  const required: string[] = []
  for (const [key, schema] of Object.entries(entries)) {
    if (isAny(schema)) continue
    const optional = schema.type === 'exact_optional' || schema.type === 'optional'
    if (!optional) required.push(key)
    checks.set(key, compile(optional ? (schema.wrapped ?? ANY) : schema))
  }
  return (value) => {
    if (!isRecord(value)) return wrong('an object', value)
    for (const key in value) {
      const field = value[key]
      const problem = field === undefined ? undefined : checks.get(key)?.(field)
      if (problem) return { ...problem, path: [key, ...problem.path] }
    }
    for (const key of required) if (value[key] === undefined) return missing(key, checks.get(key))
    return undefined
  }
}

function missing(key: string, check: Check | undefined): Problem {
  return { message: 'is missing', ...check?.(undefined), path: [key] }
}

/** A key that must be absent is not checked: an older version may have written it. */
function isAny({ type, wrapped }: Schema): boolean {
  return type === 'unknown' || type === 'never' || (wrapped !== undefined && isAny(wrapped))
}

function nullable(check: Check): Check {
  return (value) => (value === null ? undefined : check(value))
}

function anyOf(options: Check[]): Check {
  return (value) => {
    const problems = options.map((check) => check(value))
    return problems.includes(undefined) ? undefined : problems[0]
  }
}

/** Here the word itself matters: a result with an unknown status cannot be interpreted. */
function byKey(key: string, options: Schema[]): Check {
  const byLiteral = new Map(options.map((option) => [literalOf(option, key), compile(option)]))
  const words = [...byLiteral.keys()].join(', ')
  return (value) => {
    if (!isRecord(value)) return wrong('an object', value)
    const check = byLiteral.get(value[key])
    return check ? check(value) : { ...wrong(`one of ${words}`, value[key]), path: [key] }
  }
}

function lazy(make: () => Check): Check {
  let check: Check | undefined
  return (value) => (check ??= make())(value)
}

function firstProblem(entries: Iterable<[string | number, unknown]>, check: Check): Problem | undefined {
  for (const [key, item] of entries) {
    const problem = check(item)
    if (problem) return { ...problem, path: [key, ...problem.path] }
  }
  return undefined
}

function wrong(expected: string, value: unknown): Problem {
  if (value === undefined) return { path: [], message: `is missing, expected ${expected}` }
  return { path: [], message: `must be ${expected}, found ${Array.isArray(value) ? 'a list' : show(value, 40)}` }
}
