// Recursive matching with operators in the leaves: `{"$regex": …}`, `{"$gt": …}`, `{"$any": true}`.
import { isEqual, isSameAnswer, joinPath } from '../../base/equal.js'
import { jsonOrText } from '../../base/json/parse-json.js'
import { isRecord } from '../../base/record.js'
import { compilePattern, PatternError } from '../../base/regex.js'
import { suggest } from '../../base/suggest.js'

export interface Mismatch {
  path: string
  expected: unknown
  actual: unknown
  /** There is nothing at the path. */
  missing: boolean
  /** There is something, but nothing was expected. */
  extra?: boolean
  /** A text where a number or data was expected, which may mean the same: that it is another is not shown. */
  incomparable?: boolean
}

export interface SubsetMatcher {
  /** Every place where `actual` lacks what is expected; empty = it matches. */
  mismatches(actual: unknown): Mismatch[]
}

export interface SubsetOptions {
  /** A string that begins with `regex:` is a pattern. */
  regexStrings?: boolean
  /** Objects must have no other keys; an object whose keys begin with `$` but are not operators is data. */
  exact?: boolean
}

/** A matcher that cannot be built: an unknown operator, a bad pattern. */
export class SubsetError extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.name = 'SubsetError'
    this.path = path
  }
}

const SUBSET_OPERATORS = ['$regex', '$gt', '$gte', '$lt', '$lte', '$ne', '$in', '$any'] as const

/** Objects: the expected keys match, others are allowed. Lists: same length, element by element. Throws a SubsetError. */
export function compileSubset(expected: unknown, options: SubsetOptions = {}): SubsetMatcher {
  const match = compileAt(expected, '$', options)
  return {
    mismatches(actual) {
      const found: Mismatch[] = []
      match(actual, '$', found)
      return found
    },
  }
}

/** Is there an operator anywhere in the value? Otherwise it is compared as is. */
export function hasOperators(expected: unknown): boolean {
  if (Array.isArray(expected)) return expected.some(hasOperators)
  return isRecord(expected) && (isOperators(expected, true) || Object.values(expected).some(hasOperators))
}

/** `{"$gt": 5}`. Among data `{"$ref": "…"}` is not one, and `{"$gtt": 5}` was meant as one. */
function isOperators(expected: Record<string, unknown>, exact: boolean): boolean {
  const keys = Object.keys(expected)
  if (keys.length === 0 || !keys.every((key) => key.startsWith('$'))) return false
  return !exact || keys.some((key) => !JSON_KEYWORDS.has(key) && suggest(key, SUBSET_OPERATORS) !== undefined)
}

/** Names with a dollar sign that occur in JSON documents. */
export const JSON_KEYWORDS = new Set(['$id', '$ref', '$schema', '$defs', '$anchor', '$comment'])

type Match = (actual: unknown, path: string, found: Mismatch[]) => void

function compileAt(expected: unknown, path: string, options: SubsetOptions): Match {
  if (Array.isArray(expected)) return compileList(expected, path, options)
  if (isRecord(expected)) {
    return isOperators(expected, options.exact ?? false)
      ? compileOperators(expected, path)
      : compileRecord(expected, path, options)
  }
  if (options.regexStrings && typeof expected === 'string' && expected.startsWith('regex:')) {
    return leaf(expected, patternTest(expected.slice('regex:'.length).trim(), path))
  }
  return leaf(expected, (actual) => isEqual(expected, actual))
}

function compileRecord(expected: Record<string, unknown>, path: string, options: SubsetOptions): Match {
  const members = Object.entries(expected).map(
    ([key, value]) => [key, value, compileAt(value, joinPath(path, key), options)] as const,
  )
  const match: Match = (actual, here, found) => {
    if (!isRecord(actual)) {
      found.push({ path: here, expected, actual, missing: false, ...mayBeJson(match, actual) })
      return
    }
    for (const [key, value, member] of members) {
      const below = joinPath(here, key)
      if (Object.hasOwn(actual, key)) member(actual[key], below, found)
      else found.push({ path: below, expected: value, actual: undefined, missing: true })
    }
    for (const key of options.exact ? Object.keys(actual) : []) {
      if (Object.hasOwn(expected, key)) continue
      found.push({ path: joinPath(here, key), expected: undefined, actual: actual[key], missing: false, extra: true })
    }
  }
  return match
}

function compileList(expected: unknown[], path: string, options: SubsetOptions): Match {
  const elements = expected.map((value, index) => compileAt(value, `${path}[${index}]`, options))
  const match: Match = (actual, here, found) => {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      found.push({ path: here, expected, actual, missing: false, ...mayBeJson(match, actual) })
      return
    }
    elements.forEach((element, index) => element(actual[index], `${here}[${index}]`, found))
  }
  return match
}

/** Models write nested data as its JSON text, too. */
function mayBeJson(match: Match, actual: unknown): Pick<Mismatch, 'incomparable'> {
  const value = typeof actual === 'string' ? jsonOrText(actual) : actual
  if (typeof actual !== 'string' || typeof value === 'string') return {}
  const found: Mismatch[] = []
  match(value, '$', found)
  return found.every(({ incomparable }) => incomparable) ? { incomparable: true } : {}
}

function compileOperators(expected: Record<string, unknown>, path: string): Match {
  const tests = Object.entries(expected).map(([operator, operand]) => compileOperator(operator, operand, path))
  const operands = Object.entries(expected).flatMap(([operator, operand]) => (ORDERING.has(operator) ? [operand] : []))
  return (actual, here, found) => {
    if (tests.every((test) => test(actual))) return
    const incomparable = operands.some((operand) => typeof operand !== typeof actual) || isOneAsText(expected, actual)
    found.push({ path: here, expected, actual, missing: false, ...(incomparable && { incomparable }) })
  }
}

/** One of `$in`, written as text or as what it is text of. */
function isOneAsText({ $in: values }: Record<string, unknown>, actual: unknown): boolean {
  return (
    Array.isArray(values) &&
    !values.some((value) => isEqual(value, actual)) &&
    values.some((value) => isSameAnswer(value, actual))
  )
}

const ORDERING = new Set(['$gt', '$gte', '$lt', '$lte'])

function compileOperator(operator: string, operand: unknown, path: string): (actual: unknown) => boolean {
  switch (operator) {
    case '$regex':
      if (typeof operand !== 'string') throw new SubsetError(path, '$regex needs a string')
      return patternTest(operand, path)
    case '$gt':
      return comparison(operator, operand, path, (order) => order > 0)
    case '$gte':
      return comparison(operator, operand, path, (order) => order >= 0)
    case '$lt':
      return comparison(operator, operand, path, (order) => order < 0)
    case '$lte':
      return comparison(operator, operand, path, (order) => order <= 0)
    case '$ne':
      return (actual) => !isEqual(operand, actual)
    case '$in':
      if (!Array.isArray(operand)) throw new SubsetError(path, '$in needs a list')
      return (actual) => operand.some((value) => isEqual(value, actual))
    case '$any':
      if (operand !== true) throw new SubsetError(path, '$any needs true')
      return () => true
    default:
      throw new SubsetError(path, `unknown operator ${operator}; known: ${SUBSET_OPERATORS.join(', ')}`)
  }
}

/** Numbers against numbers, text against text; anything else does not match. */
function comparison(operator: string, operand: unknown, path: string, holds: (order: number) => boolean) {
  if (typeof operand !== 'number' && typeof operand !== 'string') {
    throw new SubsetError(path, `${operator} needs a number or a string`)
  }
  return (actual: unknown): boolean => {
    if (typeof actual === 'number' && typeof operand === 'number') return holds(actual - operand)
    if (typeof actual === 'string' && typeof operand === 'string') {
      return holds(actual === operand ? 0 : actual < operand ? -1 : 1)
    }
    return false
  }
}

function patternTest(source: string, path: string): (actual: unknown) => boolean {
  try {
    const pattern = compilePattern(source)
    return (actual) => (typeof actual === 'string' || typeof actual === 'number') && pattern.test(String(actual))
  } catch (error) {
    if (error instanceof PatternError) throw new SubsetError(path, `invalid regex pattern: ${error.message}`)
    throw error
  }
}

function leaf(expected: unknown, test: (actual: unknown) => boolean): Match {
  return (actual, path, found) => {
    if (test(actual)) return
    found.push({
      path,
      expected,
      actual,
      missing: false,
      ...(isSameAnswer(expected, actual) && { incomparable: true }),
    })
  }
}
