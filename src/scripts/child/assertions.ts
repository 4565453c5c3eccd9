// The checks behind `t.assert`: each gives nothing when it holds, else what was expected, what was found, and a sentence.
import { isDeepEqual } from './equal.js'
import { shown } from './plain.js'
import { ask } from './sync-call.js'

export interface FailedCheck {
  message: string
  expected?: unknown
  actual?: unknown
  /** The check could not be carried out. */
  broken?: boolean
}

export type Check = (args: unknown[]) => FailedCheck | undefined

interface Definition {
  /** How many arguments come before the message. */
  arity: number
  /** What to say when there are fewer. */
  needs: string
  check: Check
}

export const CHECKS: Record<string, Definition> = {
  True: { arity: 1, needs: 'a value argument', check: ([value]) => truth(Boolean(value), true, value) },
  False: { arity: 1, needs: 'a value argument', check: ([value]) => truth(!value, false, value) },
  Equal: {
    arity: 2,
    needs: 'actual and expected arguments',
    check: ([actual, expected]) =>
      fails(!isDeepEqual(actual, expected), `expected ${shown(expected)}, got ${shown(actual)}`, expected, actual),
  },
  NotEqual: {
    arity: 2,
    needs: 'actual and expected arguments',
    check: ([actual, expected]) =>
      fails(
        isDeepEqual(actual, expected),
        `expected values to be different, both are ${shown(actual)}`,
        expected,
        actual,
      ),
  },
  Nil: {
    arity: 1,
    needs: 'a value argument',
    check: ([value]) => fails(value !== null && value !== undefined, `expected nil, got ${shown(value)}`, null, value),
  },
  NotNil: {
    arity: 1,
    needs: 'a value argument',
    check: ([value]) =>
      fails(value === null || value === undefined, 'expected non-nil value, got nil', 'a value', value ?? null),
  },
  Contains: {
    arity: 2,
    needs: 'a text and what it should contain',
    check: ([whole, part]) => containment(whole, part, true),
  },
  NotContains: {
    arity: 2,
    needs: 'a text and what it should not contain',
    check: ([whole, part]) => containment(whole, part, false),
  },
  Len: { arity: 2, needs: 'a value and a length', check: ([value, length]) => lengthCheck(value, length) },
  Greater: { arity: 2, needs: 'two values', check: (args) => order(args, '>', (a, b) => a > b) },
  GreaterOrEqual: { arity: 2, needs: 'two values', check: (args) => order(args, '>=', (a, b) => a >= b) },
  Less: { arity: 2, needs: 'two values', check: (args) => order(args, '<', (a, b) => a < b) },
  LessOrEqual: { arity: 2, needs: 'two values', check: (args) => order(args, '<=', (a, b) => a <= b) },
  Error: {
    arity: 1,
    needs: 'a value argument',
    check: ([value]) => fails(!isError(value), `expected an error, got ${shown(value)}`, 'an error', value),
  },
  NoError: {
    arity: 1,
    needs: 'a value argument',
    check: ([value]) => fails(isError(value), `expected no error, got ${describeError(value)}`, null, value),
  },
  Match: { arity: 2, needs: 'a value and a pattern', check: ([value, pattern]) => matching(value, pattern, true) },
  NotMatch: { arity: 2, needs: 'a value and a pattern', check: ([value, pattern]) => matching(value, pattern, false) },
  JSONPath: {
    arity: 3,
    needs: 'an object, a path and the expected value',
    check: ([value, path, expected]) => atPath(value, path, expected),
  },
  Type: { arity: 2, needs: 'a value and a type name', check: ([value, name]) => typeCheck(value, name) },
}

function fails(failed: boolean, message: string, expected: unknown, actual: unknown): FailedCheck | undefined {
  return failed ? { message, expected, actual } : undefined
}

function truth(holds: boolean, expected: boolean, actual: unknown): FailedCheck | undefined {
  return fails(!holds, `expected ${expected}, got ${!expected}`, expected, actual)
}

function containment(whole: unknown, part: unknown, wanted: boolean): FailedCheck | undefined {
  if (typeof whole !== 'string' && !Array.isArray(whole)) {
    return { message: `expected a text or a list, got ${shown(whole)}`, expected: part, actual: whole }
  }
  const found = Array.isArray(whole)
    ? whole.some((item) => isDeepEqual(item, part))
    : whole.includes(typeof part === 'string' ? part : String(part))
  return fails(
    found !== wanted,
    `expected ${shown(whole)} ${wanted ? 'to contain' : 'not to contain'} ${shown(part)}`,
    part,
    whole,
  )
}

function lengthCheck(value: unknown, length: unknown): FailedCheck | undefined {
  const actual = sizeOf(value)
  if (actual === undefined) {
    return { message: `Len needs a text, a list or an object, got ${shown(value)}`, expected: length, actual: value }
  }
  return fails(actual !== length, `expected length ${shown(length)}, got ${actual}`, length, actual)
}

/** Characters as people count them, elements, or keys; nothing has none. */
function sizeOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return 0
  if (typeof value === 'string') return Array.from(value).length
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return (value as { length: number }).length
  if (value instanceof Map || value instanceof Set) return value.size
  return typeof value === 'object' ? Object.keys(value).length : undefined
}

function order(
  [left, right]: unknown[],
  sign: string,
  holds: (left: number, right: number) => boolean,
): FailedCheck | undefined {
  const comparable = (typeof left === typeof right && isOrdered(left)) || (isNumeric(left) && isNumeric(right))
  if (!comparable) {
    return { message: `cannot compare ${shown(left)} with ${shown(right)}`, expected: right, actual: left }
  }
  const failed = !holds(left as number, right as number)
  return fails(failed, `expected ${shown(left)} ${sign} ${shown(right)}`, `${sign} ${shown(right)}`, left)
}

function isOrdered(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint' || value instanceof Date
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Date
}

function isError(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== false
}

function describeError(value: unknown): string {
  return value instanceof Error ? `${value.name}: ${value.message}` : shown(value)
}

function typeCheck(value: unknown, name: unknown): FailedCheck | undefined {
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return fails(actual !== name, `expected type '${String(name)}', got '${actual}'`, name, actual)
}

/** Only in Go's dialect: flags inside the pattern, its anchors, its named groups, quoted stretches. */
const GO_ONLY = /\(\?[imsU]*-?[imsU]+[:)]|\(\?P<|\\[AzQ]|\[\[:/

function matching(value: unknown, pattern: unknown, wanted: boolean): FailedCheck | undefined {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  let matched: boolean
  try {
    matched = isMatch(text, pattern)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { message: `invalid pattern ${shown(pattern)}: ${reason}`, expected: String(pattern), actual: value }
  }
  return fails(
    matched !== wanted,
    `expected ${shown(value)} ${wanted ? 'to match' : 'not to match'} ${String(pattern)}`,
    String(pattern),
    value,
  )
}

function isMatch(text: string, pattern: unknown): boolean {
  if (pattern instanceof RegExp) return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '')).test(text)
  const source = String(pattern)
  if (!GO_ONLY.test(source)) {
    try {
      return new RegExp(source).test(text)
    } catch {
      // Perhaps it is a pattern in the other dialect.
    }
  }
  return Boolean(ask('match', [source, text]))
}

function atPath(value: unknown, path: unknown, expected: unknown): FailedCheck | undefined {
  const document = typeof value === 'string' ? parseJson(value) : value
  let found: unknown[]
  try {
    found = ask('path', [document, String(path)]) as unknown[]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { message: `invalid path ${shown(path)}: ${reason}`, expected, actual: value }
  }
  if (found.length === 0) {
    return fails(expected !== undefined, `nothing at ${String(path)}, expected ${shown(expected)}`, expected, undefined)
  }
  const actual = found.length === 1 ? found[0] : found
  return fails(
    !isDeepEqual(actual, expected),
    `at ${String(path)} expected ${shown(expected)}, got ${shown(actual)}`,
    expected,
    actual,
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
