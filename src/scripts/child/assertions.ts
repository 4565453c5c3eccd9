// The checks behind `t.assert`: each returns nothing if it holds, else what was expected, what was found, and a sentence.
import { compare, HOLDS_PROMISE, type Comparison } from './equal.js'
import { shown } from './plain.js'
import {
  byteCount,
  bytesOf,
  charactersOf,
  execute,
  flagsOf,
  fromJson,
  isArray,
  isError as isErrorObject,
  isThenable,
  isView,
  keys,
  mapSize,
  OriginalRegExp,
  setSize,
  sourceOf,
  text,
  textIncludes,
  timeOf,
  toJson,
  types,
} from './primordials.js'
import { ask } from './sync-call.js'

export interface FailedCheck {
  message: string
  expected?: unknown
  actual?: unknown
  /** The check could not be carried out. */
  broken?: boolean
}

type Check = (args: unknown[]) => FailedCheck | undefined

export interface Definition {
  name: string
  /** How many arguments come before the message. */
  arity: number
  /** What to say if there are fewer. */
  needs: string
  check: Check
}

/** What is wrong with the arguments, before anything is compared. */
export function refuseArguments({ name, arity, needs }: Definition, args: unknown[]): FailedCheck | undefined {
  if (args.length < arity) return { message: `${name} requires ${needs}` }
  for (let at = 0; at < arity; at++) {
    if (isUnawaited(args[at])) return { message: FORGOT_AWAIT }
  }
  return undefined
}

export const FORGOT_AWAIT = 'got a promise, not its value: forgot await?'

/** A mock made with Proxy, which has every property, is not taken for a promise just because it has a `then`. */
export function isUnawaited(value: unknown): boolean {
  return types.isPromise(value) || (typeof value === 'object' && !types.isProxy(value) && isThenable(value))
}

const VALUE = 'a value argument'
const PAIR = 'actual and expected arguments'

export const CHECKS: Definition[] = [
  row('True', 1, VALUE, (args) => uncalled(args[0]) ?? truth(!!args[0], true, args[0])),
  row('False', 1, VALUE, (args) => uncalled(args[0]) ?? truth(!args[0], false, args[0])),
  row('Equal', 2, PAIR, (args) => equality(args[0], args[1])),
  row('NotEqual', 2, PAIR, (args) => inequality(args[0], args[1])),
  row('Nil', 1, VALUE, (args) =>
    isNil(args[0]) ? undefined : failed(() => `expected nil, got ${shown(args[0])}`, null, args[0]),
  ),
  row('NotNil', 1, VALUE, (args) =>
    isNil(args[0]) ? failed(() => 'expected non-nil value, got nil', 'a value', args[0] ?? null) : undefined,
  ),
  row('Contains', 2, 'a string and what it should contain', (args) => containment(args[0], args[1], true)),
  row('NotContains', 2, 'a string and what it should not contain', (args) => containment(args[0], args[1], false)),
  row('Len', 2, 'a value and a length', (args) => lengthCheck(args[0], args[1])),
  row('Greater', 2, 'two values', (args) => order(args, '>', (a, b) => a > b)),
  row('GreaterOrEqual', 2, 'two values', (args) => order(args, '>=', (a, b) => a >= b)),
  row('Less', 2, 'two values', (args) => order(args, '<', (a, b) => a < b)),
  row('LessOrEqual', 2, 'two values', (args) => order(args, '<=', (a, b) => a <= b)),
  row('Error', 1, VALUE, (args) =>
    isError(args[0]) ? undefined : failed(() => `expected an error, got ${shown(args[0])}`, 'an error', args[0]),
  ),
  row('NoError', 1, VALUE, (args) =>
    isError(args[0]) ? failed(() => `expected no error, got ${describeError(args[0])}`, null, args[0]) : undefined,
  ),
  row('Match', 2, 'a value and a pattern', (args) => matching(args[0], args[1], true)),
  row('NotMatch', 2, 'a value and a pattern', (args) => matching(args[0], args[1], false)),
  row('JSONPath', 3, 'an object, a path and the expected value', (args) => atPath(args[0], args[1], args[2])),
  row('Type', 2, 'a value and a type name', (args) => typeCheck(args[0], args[1])),
]

function row(name: string, arity: number, needs: string, check: Check): Definition {
  return { name, arity, needs, check }
}

function failed(message: () => string, expected: unknown, actual: unknown): FailedCheck {
  return { message: inWords(message), expected, actual }
}

/** Messages are built last, and only for a failure: building them may run the script's code. */
export function inWords(words: () => string): string {
  try {
    return text(words())
  } catch {
    return 'the check failed, and its values cannot be shown'
  }
}

/** Every function is truthy. */
function uncalled(value: unknown): FailedCheck | undefined {
  return typeof value === 'function'
    ? { message: 'got a function, not what it returns: forgot to call it?' }
    : undefined
}

function truth(holds: boolean, expected: boolean, actual: unknown): FailedCheck | undefined {
  return holds ? undefined : failed(() => `expected ${expected}, got ${!expected}`, expected, actual)
}

function equality(actual: unknown, expected: unknown): FailedCheck | undefined {
  const same = compare(actual, expected)
  if (same === true) return undefined
  if (same !== false) return incomparable(same, actual, expected)
  return failed(() => `expected ${shown(expected)}, got ${shown(actual)}`, expected, actual)
}

function inequality(actual: unknown, expected: unknown): FailedCheck | undefined {
  const same = compare(actual, expected)
  if (same === false) return undefined
  if (same !== true) return incomparable(same, actual, expected)
  return failed(() => `expected values to be different, both are ${shown(actual)}`, expected, actual)
}

function incomparable(why: string, actual: unknown, expected: unknown): FailedCheck {
  // Node writes its own bookkeeping into promises, which would only clutter the message.
  if (why === HOLDS_PROMISE) return { message: `cannot compare: ${why}` }
  return failed(() => `cannot compare ${shown(actual)} with ${shown(expected)}: ${why}`, expected, actual)
}

function isNil(value: unknown): boolean {
  return value === null || value === undefined
}

function containment(whole: unknown, part: unknown, wanted: boolean): FailedCheck | undefined {
  if (typeof whole !== 'string' && !isArray(whole)) {
    return failed(() => `expected a string or a list, got ${shown(whole)}`, part, whole)
  }
  const found = isArray(whole) ? listIncludes(whole, part) : textIncludes(whole, text(part))
  if (typeof found === 'string') return incomparable(found, whole, part)
  if (found === wanted) return undefined
  const verb = wanted ? 'to contain' : 'not to contain'
  return failed(() => `expected ${shown(whole)} ${verb} ${shown(part)}`, part, whole)
}

function listIncludes(list: unknown[], part: unknown): Comparison {
  let result: Comparison = false
  for (let at = 0; at < list.length; at++) {
    const same = compare(list[at], part)
    if (same === true) return true
    if (same !== false) result = same
  }
  return result
}

function lengthCheck(value: unknown, length: unknown): FailedCheck | undefined {
  const actual = sizeOf(value)
  if (actual === undefined) {
    return failed(() => `Len needs a string, a list or an object, got ${shown(value)}`, length, value)
  }
  return actual === length ? undefined : failed(() => `expected length ${shown(length)}, got ${actual}`, length, actual)
}

/** Characters as people count them, elements, or keys; nothing has none. */
function sizeOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return 0
  if (typeof value === 'string') return charactersOf(value)
  if (isArray(value)) return value.length
  if (typeof value !== 'object') return undefined
  if (types.isTypedArray(value)) return byteCount(value as Uint8Array)
  if (isView(value)) return byteCount(bytesOf(value))
  if (types.isMap(value)) return mapSize(value)
  if (types.isSet(value)) return setSize(value)
  return keys(value).length
}

function order(
  args: unknown[],
  sign: string,
  holds: (left: number, right: number) => boolean,
): FailedCheck | undefined {
  const left = args[0]
  const right = args[1]
  const comparable = (typeof left === typeof right && isOrdered(left)) || (isNumeric(left) && isNumeric(right))
  if (!comparable) return failed(() => `cannot compare ${shown(left)} with ${shown(right)}`, right, left)
  if (holds(numeric(left) as number, numeric(right) as number)) return undefined
  const expected = inWords(() => `${sign} ${shown(right)}`)
  return failed(() => `expected ${shown(left)} ${expected}`, expected, left)
}

function isOrdered(value: unknown): boolean {
  return typeof value === 'string' || isNumeric(value)
}

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || types.isDate(value)
}

function numeric(value: unknown): unknown {
  return types.isDate(value) ? timeOf(value) : value
}

function isError(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== false
}

function describeError(value: unknown): string {
  return isErrorObject(value) ? `${value.name}: ${value.message}` : shown(value)
}

function typeCheck(value: unknown, name: unknown): FailedCheck | undefined {
  const actual = value === null ? 'null' : isArray(value) ? 'array' : typeof value
  return actual === name ? undefined : failed(() => `expected type '${text(name)}', got '${actual}'`, name, actual)
}

/** Only in Go's dialect: flags inside the pattern, its anchors, its named groups, quoted stretches. */
const GO_ONLY = /\(\?[imsU]*-?[imsU]+[:)]|\(\?P<|\\[AzQ]|\[\[:/

function matching(value: unknown, pattern: unknown, wanted: boolean): FailedCheck | undefined {
  const whole = typeof value === 'string' ? value : (toJson(value) ?? text(value))
  const expected = inWords(() => text(pattern))
  let matched: boolean
  try {
    matched = isMatch(whole, pattern)
  } catch (error) {
    return failed(() => `invalid pattern ${shown(pattern)}: ${reasonOf(error)}`, expected, value)
  }
  if (matched === wanted) return undefined
  const verb = wanted ? 'to match' : 'not to match'
  return failed(() => `expected ${shown(value)} ${verb} ${expected}`, expected, value)
}

function isMatch(whole: string, pattern: unknown): boolean {
  if (types.isRegExp(pattern)) {
    return execute(new OriginalRegExp(sourceOf(pattern), flagsOf(pattern, 'gy')), whole) !== null
  }
  const source = text(pattern)
  if (execute(GO_ONLY, source) === null) {
    try {
      return execute(new OriginalRegExp(source), whole) !== null
    } catch {
      // Perhaps it is a pattern in the other dialect.
    }
  }
  return ask('match', [source, whole]) === true
}

function reasonOf(error: unknown): string {
  return isErrorObject(error) ? error.message : text(error)
}

function atPath(value: unknown, path: unknown, expected: unknown): FailedCheck | undefined {
  const document = typeof value === 'string' ? parseJson(value) : value
  let found: unknown[]
  try {
    found = ask('path', [document, text(path)]) as unknown[]
  } catch (error) {
    return failed(() => `invalid path ${shown(path)}: ${reasonOf(error)}`, expected, value)
  }
  if (found.length === 0) {
    if (expected === undefined) return undefined
    return failed(() => `nothing at ${text(path)}, expected ${shown(expected)}`, expected, undefined)
  }
  const actual = found.length === 1 ? found[0] : found
  const same = compare(actual, expected)
  if (same === true) return undefined
  if (same !== false) return incomparable(same, actual, expected)
  return failed(() => `at ${text(path)} expected ${shown(expected)}, got ${shown(actual)}`, expected, actual)
}

function parseJson(source: string): unknown {
  try {
    return fromJson(source) as unknown
  } catch {
    return source
  }
}
