// A value that an answer is compared with: deep equality, with operators if it has any, integers exactly.
import { isEqual, isSameAnswer } from '../../base/equal.js'
import { show } from '../../base/text.js'
import { parseJson } from '../../base/json/parse-json.js'
import { type CompileContext, type Verdict } from './define-assertion.js'
import { holdsNumberOf, inexactNumbers } from './exact-numbers.js'
import { hasMatchers, requireMatcher } from './matchers/compile.js'
import { JSON_KEYWORDS } from '../../model/matcher-keys.js'
import { toOutcome, type Matcher } from './matchers/matcher.js'
import { describeMismatch } from './matchers/words.js'
import { unequal } from './unequal.js'

export interface ValueMatcher {
  /** Operators are about a value: without one they do not hold, whatever they say about null. */
  needsValue: boolean
  /** It cannot fail where there is a value. */
  holdsAlways: boolean
  /** `output` is the text that the value was parsed from. */
  matches(actual: unknown, output: unknown): boolean
  /** Why it does not match. */
  explain(actual: unknown, output: unknown, subject?: string): Verdict
}

/** `mayBeText`: the value may appear in the answer as its JSON text. */
export function compileValue(
  expected: unknown,
  field: string,
  context: CompileContext,
  mayBeText = false,
): ValueMatcher {
  const isSame = mayBeText ? isSameAnswer : isEqual
  const readings = mayBeText ? asTextOrJson : asItIs
  const matcher = hasMatchers(expected)
    ? requireMatcher(expected, field, { objects: 'exact', amongData: true })
    : undefined
  for (const name of matcher ? [] : namesLikeOperators(expected)) {
    context.doubt(field, `"${name}" is not an operator and is compared as it is`)
  }
  return {
    needsValue: matcher !== undefined,
    holdsAlways: matcher?.holdsAlways ?? false,
    matches(actual, output) {
      if (matcher) return readings(actual).some((value) => matcher.mismatches(value).length === 0)
      return isSame(expected, actual) && !holdsNumberOf(expected, inexactNumbers(output))
    },
    explain(actual, output, subject = 'output') {
      if (matcher) return mismatch(matcher, expected, readings(actual).at(-1), subject)
      const verdict = unequal(expected, actual, subject)
      if (!holdsNumberOf(expected, inexactNumbers(output))) return verdict
      const why = 'it contains an integer too large to be compared exactly: let the agent return it as a string'
      return { ...verdict, message: `${subject} is not shown to be equal: ${why}` }
    },
  }
}

function asItIs(actual: unknown): unknown[] {
  return [actual]
}

function asTextOrJson(actual: unknown): unknown[] {
  if (typeof actual !== 'string') return [actual]
  const json = parseJson(actual)
  return json ? [actual, json.value] : [actual]
}

function mismatch(matcher: Matcher, expected: unknown, actual: unknown, subject: string): Verdict {
  const found = matcher.mismatches(actual)
  const [first] = found
  const verdict = unequal(expected, actual, subject)
  const where = first ? ` at ${describeMismatch(first)}` : `: expected ${show(expected)}, got ${show(actual ?? null)}`
  const message = `${subject} does not match${where}`
  return toOutcome(found) === 'unknown' ? { ...verdict, message, absent: message } : { ...verdict, message }
}

/** `{"$eq": 5}`: keys with a dollar sign alone, none of them known. */
function namesLikeOperators(expected: unknown): string[] {
  if (typeof expected !== 'object' || expected === null) return []
  const keys = Object.keys(expected)
  const looksLikeOne = !Array.isArray(expected) && keys.length > 0 && keys.every((key) => /^\$[a-z]+$/.test(key))
  if (looksLikeOne && !keys.some((key) => JSON_KEYWORDS.has(key))) return keys
  return Object.values(expected).flatMap(namesLikeOperators)
}
