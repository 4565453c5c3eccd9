// Paths into JSON: `$.a.b[0]` and `a.b[0]` on code of our own, every other RFC 9535 query through json-p3.
import { createRequire } from 'node:module'
import { compilePattern, type Pattern } from '../regex.js'

export interface PathQuery {
  source: string
  /** At most one value can match. */
  singular: boolean
  select(document: unknown): unknown[]
}

export class PathError extends Error {
  /** 0-based offset in the path. */
  readonly position: number | undefined

  constructor(message: string, position?: number) {
    super(position === undefined ? message : `${message} at position ${position + 1}`)
    this.name = 'PathError'
    this.position = position
  }
}

/** Throws a PathError. */
export function compilePath(path: string): PathQuery {
  const known = compiled.get(path)
  if (known) return known
  const segments = pathSegments(path)
  const query = segments ? simpleQuery(path, segments) : fullQuery(path)
  if (compiled.size >= 500) compiled.clear()
  compiled.set(path, query)
  return query
}

/** The names and indexes of a simple path, or undefined if it is not simple. */
export function pathSegments(path: string): (string | number)[] | undefined {
  const segments: (string | number)[] = []
  let position = path[0] === '$' ? 1 : 0
  while (position < path.length) {
    STEP.lastIndex = position
    const match = STEP.exec(path)
    if (!match) return undefined
    const [text, index, dotted, first] = match
    if (first !== undefined && position > 0) return undefined
    segments.push(index === undefined ? (dotted ?? first ?? '') : Number(index))
    position += text.length
  }
  return path === '' ? undefined : segments
}

type Json = import('json-p3').JSONValue
type Environment = InstanceType<typeof import('json-p3').JSONPathEnvironment>

const compiled = new Map<string, PathQuery>()
const STEP = /\[(-?\d{1,15})\]|\.([^\s.[\]*?@()'",:]+)|([^\s.[\]*?@()'",:$][^\s.[\]*?@()'",:]*)/y
let environment: Environment | undefined

function simpleQuery(source: string, segments: (string | number)[]): PathQuery {
  return {
    source,
    singular: true,
    select(document) {
      let value = document
      for (const segment of segments) {
        if (typeof value !== 'object' || value === null) return []
        const step: unknown = Array.isArray(value) ? elementOf(value, segment) : memberOf(value, segment)
        if (step === undefined) return []
        value = step
      }
      return value === undefined ? [] : [value]
    },
  }
}

function elementOf(list: unknown[], segment: string | number): unknown {
  if (typeof segment === 'number') return list.at(segment)
  return /^\d{1,15}$/.test(segment) ? list[Number(segment)] : undefined
}

/** Own properties only: `constructor` and `__proto__` are names like any other. */
function memberOf(record: object, segment: string | number): unknown {
  if (typeof segment === 'number' || !Object.hasOwn(record, segment)) return undefined
  return (record as Record<string, unknown>)[segment]
}

function fullQuery(source: string): PathQuery {
  if (source.trim() === '') throw new PathError('the path is empty')
  const prefix = source.startsWith('$') ? '' : source.startsWith('[') || source.startsWith('.') ? '$' : '$.'
  try {
    const query = loadEnvironment().compile(prefix + source)
    return {
      source,
      singular: query.singularQuery(),
      select: (document) => query.query((document ?? null) as Json).values(),
    }
  } catch (error) {
    throw pathError(error, prefix.length)
  }
}

function pathError(error: unknown, shift: number): PathError {
  const { message, token } = error as { message?: string; token?: { index?: number } }
  const reason = (message ?? String(error)).replace(/ \('[\s\S]*':\d+\)$/, '')
  return new PathError(reason, token?.index === undefined ? undefined : Math.max(0, token.index - shift))
}

/** The library's own `match` and `search` backtrack: a pattern could hang the run. */
function loadEnvironment(): Environment {
  if (environment) return environment
  const { JSONPathEnvironment, FunctionExpressionType } = createRequire(import.meta.url)(
    'json-p3',
  ) as typeof import('json-p3')
  const { ValueType, LogicalType } = FunctionExpressionType
  const define = (wrap: (pattern: string) => string) => ({
    argTypes: [ValueType, ValueType],
    returnType: LogicalType,
    call: (text: unknown, pattern: unknown) => isMatch(text, pattern, wrap),
  })
  environment = new JSONPathEnvironment()
  environment.functionRegister.set(
    'search',
    define((pattern) => pattern),
  )
  environment.functionRegister.set(
    'match',
    define((pattern) => `\\A(?:${pattern})\\z`),
  )
  return environment
}

/** RFC 9535: an invalid pattern matches nothing. */
function isMatch(text: unknown, pattern: unknown, wrap: (pattern: string) => string): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false
  let expression: Pattern
  try {
    compilePattern(pattern)
    expression = compilePattern(wrap(dotAsInIRegexp(pattern)))
  } catch {
    return false
  }
  return expression.test(text)
}

/** I-Regexp's dot does not match a carriage return either. */
function dotAsInIRegexp(pattern: string): string {
  let inClass = false
  return pattern.replaceAll(/\\[\s\S]|[.[\]]/g, (token) => {
    if (token === '[') inClass = true
    if (token === ']') inClass = false
    return token === '.' && !inClass ? '[^\\n\\r]' : token
  })
}
