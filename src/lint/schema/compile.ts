// Whether a JSON Schema of a tool is one, and whether a value satisfies it. Lenient about what a draft does not know:
// servers add keywords of their own.
import { createRequire } from 'node:module'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { compilePattern, PatternError, type Pattern } from '../../base/regex.js'

export type Check = (value: unknown) => string | undefined

/** A check of values, or why there is none. `unknown`: a draft that is not known says nothing either way. */
export type Compiled = { check: Check } | { error: string } | { unknown: string }

export function compileToolSchema(schema: unknown): Compiled {
  if (!isRecord(schema) && typeof schema !== 'boolean') return { error: 'a schema is an object' }
  const dialect = dialectOf(schema)
  if (dialect === undefined) return { unknown: 'it is written in a draft of JSON Schema that is not known here' }
  try {
    const validate = instanceOf(dialect).compile(isRecord(schema) ? withoutDialect(schema) : schema)
    return {
      check: (value) => {
        if (validate(value)) return undefined
        const [first] = validate.errors ?? []
        return `${first?.instancePath || 'it'} ${first?.message ?? 'does not match'}`
      },
    }
  } catch (error) {
    // Such patterns are valid and cannot be checked in linear time.
    if (error instanceof PatternError && error.needsJs)
      return { unknown: 'it has a pattern that cannot be checked here' }
    const message = messageOf(error)
    return /can't resolve reference https?:/.test(message) ? { unknown: message } : { error: message }
  }
}

type Dialect = '2020-12' | '2019-09' | 'draft-07'

function dialectOf(schema: unknown): Dialect | undefined {
  const named = isRecord(schema) ? schema['$schema'] : undefined
  // By the protocol.
  if (named === undefined) return '2020-12'
  if (typeof named !== 'string') return undefined
  if (/draft\/2020-12\//.test(named)) return '2020-12'
  if (/draft\/2019-09\//.test(named)) return '2019-09'
  return /draft-0[67]\//.test(named) ? 'draft-07' : undefined
}

const load = createRequire(import.meta.url)

function instanceOf(dialect: Dialect): import('ajv').default {
  const { Ajv } =
    dialect === 'draft-07'
      ? (load('ajv') as typeof import('ajv'))
      : dialect === '2019-09'
        ? { Ajv: (load('ajv/dist/2019.js') as typeof import('ajv/dist/2019.js')).Ajv2019 }
        : { Ajv: (load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')).Ajv2020 }
  const linear = (source: string): { test(text: string): boolean; toString(): string } => {
    const pattern = compileLinear(source)
    return { test: (text) => pattern.test(text), toString: () => source }
  }
  return new Ajv({
    strict: false,
    logger: false,
    validateFormats: false,
    addUsedSchema: false,
    code: { regExp: Object.assign(linear, { code: 'linear' }) },
  })
}

/** What only the engine of JavaScript takes is a pattern all the same. */
function compileLinear(source: string): Pattern {
  try {
    return compilePattern(source)
  } catch (error) {
    if (!isPattern(source)) throw error
    throw new PatternError(messageOf(error), undefined, true)
  }
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}

/** Known by now; and two schemas with one id must not collide. */
function withoutDialect(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== '$schema' && key !== '$id'))
}
