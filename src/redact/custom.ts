// The redactions of the configuration: patterns (RE2, so that no pattern can hang) and JSONPaths.
import { createRequire } from 'node:module'
import { UserError } from '../errors.js'
import type { TextReplacement } from './normalisers.js'

type Re2Module = typeof import('re2js', { with: { 'resolution-mode': 'import' } })
type JsonPathModule = typeof import('json-p3', { with: { 'resolution-mode': 'import' } })

const MAX_PATTERN = 1000
// Synchronous and on demand: most runs have no redactions of their own, and a sink cannot wait.
const load = (name: string): unknown => createRequire(import.meta.url)(name)

export function createPattern(name: string, pattern: string): TextReplacement {
  if (pattern.length === 0 || pattern.length > MAX_PATTERN)
    throw badRedaction(`patterns.${name}`, `is ${pattern.length} characters long`, `a pattern of 1 to ${MAX_PATTERN}`)
  const { RE2JS } = load('re2js') as Re2Module
  let compiled: InstanceType<typeof RE2JS>
  try {
    compiled = RE2JS.compile(pattern)
  } catch (error) {
    throw badRedaction(`patterns.${name}`, `is not a valid pattern: ${(error as Error).message}`, 'RE2 syntax')
  }
  return { placeholder: placeholderFor(name), numbered: true, replace: (text, replacer) => replaceAll(text, replacer) }

  function replaceAll(text: string, replacer: (match: string) => string): string {
    const matcher = compiled.matcher(text)
    let result = ''
    let from = 0
    while (matcher.find()) {
      if (matcher.end() === matcher.start()) continue
      result += text.slice(from, matcher.start()) + replacer(text.slice(matcher.start(), matcher.end()))
      from = matcher.end()
    }
    return from === 0 ? text : result + text.slice(from)
  }
}

export const REDACTED = '[REDACTED]'

export type Location = readonly (string | number)[]

/** Puts `[REDACTED]` where the paths point; `value` is changed in place and returned. */
export function createPathRedaction(paths: readonly string[]): (value: unknown) => unknown {
  const queries = compilePaths(paths)
  return (value) => {
    let root: unknown = value
    for (const query of queries)
      for (const location of query(root))
        if (location.length === 0) root = REDACTED
        else setAt(root, location, REDACTED)
    return root
  }
}

/** Where a path points, in a given value. */
export function compilePaths(paths: readonly string[]): Array<(value: unknown) => Location[]> {
  const { jsonpath } = load('json-p3') as JsonPathModule
  return paths.map((path, index) => {
    if (/\b(?:match|search)\s*\(/.test(path))
      throw badRedaction(`paths[${index}]`, 'uses match() or search()', 'a path without regular expressions')
    try {
      const query = jsonpath.compile(path)
      return (value) => Array.from(query.query(value as Parameters<typeof query.query>[0]), ({ location }) => location)
    } catch (error) {
      throw badRedaction(
        `paths[${index}]`,
        `is not a JSONPath: ${(error as Error).message}`,
        'e.g. "$.data.created_at"',
      )
    }
  })
}

/** Undefined if nothing is there. */
export function getAt(root: unknown, location: Location): unknown {
  let value = root
  for (const step of location) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Object.getOwnPropertyDescriptor(value, step)?.value
  }
  return value
}

export function setAt(root: unknown, location: Location, replacement: string): void {
  const parent = getAt(root, location.slice(0, -1))
  const last = location.at(-1)
  if (typeof parent !== 'object' || parent === null || last === undefined) return
  Object.defineProperty(parent, last, { value: replacement, enumerable: true, writable: true, configurable: true })
}

/** `session id` becomes `[SESSION_ID]`. */
export function placeholderFor(name: string): string {
  return (
    name
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'REDACTED'
  )
}

function badRedaction(field: string, found: string, expected: string): UserError {
  return new UserError({
    code: 'BAD_REDACTION',
    message: `redactions.${field} ${found}`,
    hint: `expected ${expected}`,
    problems: [{ field: `redactions.${field}`, message: found }],
  })
}
