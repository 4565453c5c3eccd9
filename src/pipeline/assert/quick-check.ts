// The fast path for ordinary specs: plain fields of the right type need no schema library.
import type * as v from 'valibot'

type ObjectSchema = v.ObjectSchema<v.ObjectEntries, undefined>

interface Entry {
  key: string
  /** Undefined: only the schema can decide. */
  type: 'string' | 'number' | 'boolean' | 'unknown' | undefined
  optional: boolean
}

const known = new WeakMap<ObjectSchema, Entry[]>()

/** True only for what the schema would accept. */
export function isPlainlyFine(schema: ObjectSchema, value: Record<string, unknown>): boolean {
  for (const { key, type, optional } of entriesOf(schema)) {
    const field = value[key]
    if (field === undefined) {
      if (optional && !Object.hasOwn(value, key)) continue
      return false
    }
    if (type === undefined || (type !== 'unknown' && typeof field !== type) || Number.isNaN(field)) return false
  }
  return true
}

function entriesOf(schema: ObjectSchema): Entry[] {
  const before = known.get(schema)
  if (before) return before
  const entries = Object.entries(schema.entries).map(([key, entry]) => describe(key, entry as Described))
  known.set(schema, entries)
  return entries
}

type Described = v.GenericSchema & { wrapped?: Described; pipe?: unknown }

function describe(key: string, schema: Described): Entry {
  const optional = schema.type === 'optional' || schema.type === 'exact_optional'
  const inner = optional && schema.wrapped ? schema.wrapped : schema
  return { key, type: plainType(inner), optional }
}

function plainType({ type, pipe }: Described): Entry['type'] {
  if (pipe !== undefined) return undefined
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'unknown' ? type : undefined
}
