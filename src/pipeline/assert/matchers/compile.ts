// Matching values: plain values, objects and lists of them, and operators such as `{"$gt": 5}` anywhere inside.
import { isEqual, isSameAnswer, joinPath } from '../../../base/equal.js'
import { jsonOrText } from '../../../base/json/parse-json.js'
import { isRecord } from '../../../base/record.js'
import { SpecError } from '../define-assertion.js'
import { isOperators, literalKey } from '../../../model/matcher-keys.js'
import {
  leaf,
  MatcherError,
  toOutcome,
  type Match,
  type Matcher,
  type Mismatch,
  type Node,
  type Scope,
} from './matcher.js'
import { compileOperators } from './operators.js'
import { requireOperators } from './require-operators.js'
import { patternTest } from './text.js'

export interface MatcherOptions {
  /** Whether objects may have keys that are not expected; default: they may. */
  objects?: Scope['objects']
  /** A string that begins with `regex:` is a pattern. */
  regexStrings?: boolean
  /** `$name` that is no operator, nor nearly one, is a key like any other; default: an error. */
  amongData?: boolean
}

/** Lists are compared element by element. Throws a MatcherError. */
export function compileMatcher(expected: unknown, options: MatcherOptions = {}): Matcher {
  const { objects = 'subset', regexStrings = false, amongData = false } = options
  const { match, holdsAlways = false } = compileNode(expected, {
    path: '$',
    objects,
    regexStrings,
    amongData,
    isMember: false,
  })
  return {
    holdsAlways,
    mismatches(actual) {
      const found: Mismatch[] = []
      match(actual, '$', found)
      return found
    },
  }
}

/** The same for a field of an assertion: what cannot be built is a mistake in the case. */
export function requireMatcher(expected: unknown, field: string, options: MatcherOptions = {}): Matcher {
  try {
    return compileMatcher(expected, options)
  } catch (error) {
    if (error instanceof MatcherError) throw new SpecError(field + error.path.slice(1), error.message)
    throw error
  }
}

/** Whether anything in it is not compared as it is: an operator, or a literal `$$gt`. */
export function hasMatchers(expected: unknown): boolean {
  if (Array.isArray(expected)) return expected.some(hasMatchers)
  if (!isRecord(expected)) return false
  return (
    isOperators(expected, true) ||
    Object.keys(expected).some((key) => literalKey(key) !== key) ||
    Object.values(expected).some(hasMatchers)
  )
}

function compileNode(expected: unknown, scope: Scope): Node {
  if (Array.isArray(expected)) return { match: compileList(expected, scope) }
  if (isRecord(expected)) {
    if (!isOperators(expected, scope.amongData)) return { match: compileRecord(expected, scope) }
    requireOperators(expected, scope)
    return compileOperators(expected, scope, compileNode)
  }
  if (scope.regexStrings && typeof expected === 'string' && expected.startsWith('regex:')) {
    return { match: leaf(expected, patternTest(expected.slice('regex:'.length).trim(), scope.path)) }
  }
  return {
    match: leaf(expected, (actual) =>
      isEqual(expected, actual) ? 'yes' : isSameAnswer(expected, actual) ? 'unknown' : 'no',
    ),
  }
}

function compileRecord(expected: Record<string, unknown>, scope: Scope): Match {
  const members = Object.entries(expected).map(([written, value]) => {
    const key = literalKey(written)
    return { key, value, node: compileNode(value, { ...scope, path: joinPath(scope.path, written), isMember: true }) }
  })
  const keys = new Set(members.map(({ key }) => key))
  const match: Match = (actual, here, found) => {
    if (!isRecord(actual)) {
      found.push({ path: here, expected, actual, missing: false, ...mayBeJson(match, actual) })
      return
    }
    for (const { key, value, node } of members) {
      const below = joinPath(here, key)
      if (Object.hasOwn(actual, key)) node.match(actual[key], below, found)
      else if (node.member === undefined) found.push({ path: below, expected: value, actual: undefined, missing: true })
    }
    for (const key of scope.objects === 'exact' ? Object.keys(actual) : []) {
      if (keys.has(key)) continue
      found.push({ path: joinPath(here, key), expected: undefined, actual: actual[key], missing: false, extra: true })
    }
  }
  return match
}

function compileList(expected: unknown[], scope: Scope): Match {
  const elements = expected.map((value, index) =>
    compileNode(value, { ...scope, path: `${scope.path}[${index}]`, isMember: false }),
  )
  const match: Match = (actual, here, found) => {
    if (!Array.isArray(actual) || actual.length !== expected.length) {
      found.push({ path: here, expected, actual, missing: false, ...mayBeJson(match, actual) })
      return
    }
    elements.forEach((element, index) => element.match(actual[index], `${here}[${index}]`, found))
  }
  return match
}

/** Models write nested data as its JSON text, too. */
function mayBeJson(match: Match, actual: unknown): Pick<Mismatch, 'incomparable'> {
  const value = typeof actual === 'string' ? jsonOrText(actual) : actual
  if (typeof actual !== 'string' || typeof value === 'string') return {}
  const found: Mismatch[] = []
  match(value, '$', found)
  return toOutcome(found) === 'no' ? {} : { incomparable: true }
}
