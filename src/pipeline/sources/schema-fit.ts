// Whether a value fits a schema and has no key that the schema does not know, compiled into a few functions: for the
// cases that nothing is wrong with, which are most. False: ask the schema, which also says what is wrong.
import { safeParse, type GenericSchema } from 'valibot'
import { isFreeKey } from '../../model/free-key.js'
import { isRecord } from '../../base/record.js'
import { findUnknownKeys, type SchemaShape } from './unknown-keys.js'

type Fits = (value: unknown) => boolean

export function compileFit(schema: GenericSchema): Fits {
  const { type, pipe, item, wrapped, options, entries, unknownKeys } = schema as unknown as SchemaShape
  if (pipe) return piped(pipe) ?? parses(schema)
  if (type === 'unknown') return () => true
  if (type === 'string' || type === 'boolean') return (value) => typeof value === type
  if (type === 'exact_optional' && wrapped) return compileFit(wrapped)
  if (type === 'nullable' && wrapped) return orNull(compileFit(wrapped))
  if (type === 'union' && options) return anyOf(options.map(compileFit))
  if (type === 'array' && item) return listOf(compileFit(item))
  if (entries) return objectOf(entries, unknownKeys === 'elsewhere')
  return parses(schema)
}

/** Undefined: it holds rules of other kinds. */
function piped([first, ...rest]: NonNullable<SchemaShape['pipe']>): Fits | undefined {
  const fits = compileFit(first)
  const rules = rest.filter(({ kind }) => kind !== 'metadata')
  if (rules.length === 0) return fits
  if (!rules.every(({ type }) => type === 'check')) return undefined
  return (value) => fits(value) && rules.every(({ requirement }) => requirement?.(value))
}

function parses(schema: GenericSchema): Fits {
  return (value) => safeParse(schema, value).success && findUnknownKeys(schema, value).length === 0
}

function orNull(fits: Fits): Fits {
  return (value) => value === null || fits(value)
}

function anyOf(options: Fits[]): Fits {
  return (value) => options.some((fits) => fits(value))
}

function listOf(fits: Fits): Fits {
  return (value) => Array.isArray(value) && value.every((item) => fits(item))
}

function objectOf(entries: Record<string, GenericSchema>, takesAny: boolean): Fits {
  const fields = new Map(Object.entries(entries).map(([name, entry]) => [name, compileFit(entry)]))
  const required = Object.keys(entries).filter((name) => entries[name]?.type !== 'exact_optional')
  return (value) => {
    if (!isRecord(value)) return false
    for (const name of Object.keys(value)) {
      const fits = fields.get(name)
      if (fits ? !fits(value[name]) : !takesAny && !isFreeKey(name)) return false
    }
    return required.every((name) => name in value)
  }
}
