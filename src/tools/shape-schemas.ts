// What values look like whose own readers check them: for the JSON Schemas of tools, from the tables of those readers.
import { isRecord } from '../base/record.js'
import { MOCK_FIELDS } from '../model/connector.js'
import { assertionFields } from '../pipeline/assert/assertions-json-schema.js'
import { assertionDefinitions } from '../pipeline/assert/registry.js'
import type { Shape } from './shaped.js'

type JsonSchema = Record<string, unknown>

export const SHAPE_SCHEMAS: Record<Shape, () => JsonSchema> = {
  assertion: assertionShape,
  mock_response: mockResponseShape,
  names: () => ({ type: 'array', items: { type: 'string' } }),
}

const TYPES: Record<(typeof MOCK_FIELDS)[keyof typeof MOCK_FIELDS], JsonSchema> = {
  any: {},
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  list: { type: 'array' },
  object: { type: 'object' },
}
const CALL: JsonSchema = {
  type: 'object',
  properties: { name: { type: 'string' }, args: { type: 'object' } },
  required: ['name'],
}

/** A scripted answer of an orchestrator's backend: nobody waits for input there. */
function mockResponseShape(): JsonSchema {
  const { awaiting_input: _awaiting, input_hint: _hint, finish_reason: _reason, ...fields } = MOCK_FIELDS
  const properties = Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, TYPES[kind]]))
  return { type: 'object', properties: { ...properties, tool_calls: { type: 'array', items: CALL } } }
}

/** What a run leaves to be checked in a workspace: no conversation, no judge. */
const CHECKED_HERE = new Set(['actions', 'run', 'workspace', 'session', 'group'])
const ELSEWHERE = new Set(['awaiting_input', 'refusal', 'injection', 'latency', 'cost', 'contract'])

/** `value` is another word for these. */
const ALIASED = ['name', 'tool', 'expected', 'pattern']

/** Types with the same fields share an entry. Left out: `value` where it is another word for a field. */
function assertionShape(): JsonSchema {
  const usable = new Set(
    assertionDefinitions.filter(({ type, on }) => CHECKED_HERE.has(on) && !ELSEWHERE.has(type)).map(({ type }) => type),
  )
  const entries = new Map<string, { types: string[]; own: JsonSchema; required: string[] }>()
  for (const { type, own, required } of assertionFields().filter((each) => usable.has(each.type))) {
    const { value: _value, ...others } = own
    const isAlias = ALIASED.some((name) => name in others)
    const shown = plainValues(isAlias ? others : own) as JsonSchema
    const key = JSON.stringify([shown, required])
    const known = entries.get(key)
    if (known) known.types.push(type)
    else entries.set(key, { types: [type], own: shown, required })
  }
  return {
    anyOf: [...entries.values()].map(({ types, own, required }) => ({
      type: 'object',
      properties: { type: types.length === 1 ? { const: types[0] } : { enum: types }, ...own },
      required: ['type', ...required],
    })),
  }
}

/** Without references: a matcher is any value. */
function plain(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(plain)
  if (!isRecord(node)) return node
  if ('$ref' in node) return {}
  const kept = Object.entries(node).filter(([key]) => key !== 'description')
  return Object.fromEntries(kept.map(([key, value]) => [key, key === 'properties' ? plainValues(value) : plain(value)]))
}

/** Here keys are names of fields; `args` is another word for `arguments`. */
function plainValues(properties: unknown): unknown {
  return isRecord(properties)
    ? Object.fromEntries(
        Object.entries(properties)
          .filter(([name]) => name !== 'args')
          .map(([name, schema]) => [name, plain(schema)]),
      )
    : properties
}
