// A value that an answer is compared with: deep equality, with operators if it has any, integers exactly.
import { isEqual, isSameAnswer } from '../../base/equal.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import { parseJson } from '../../base/json/parse-json.js'
import { SpecError, type CompileContext, type Verdict } from './define-assertion.js'
import { holdsNumberOf, inexactNumbers } from './exact-numbers.js'
import { hasOperators, JSON_KEYWORDS, type SubsetMatcher } from './subset.js'
import { describeMismatch, requireSubset } from './tool-match.js'
import { unequal } from './unequal.js'

export interface ValueMatcher {
  /** Operators are about a value: without one they do not hold, whatever they say about null. */
  needsValue: boolean
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
  const operators = hasOperators(expected) ? requireSubset(expected, field, { exact: true }) : undefined
  for (const name of operators ? [] : namesLikeOperators(expected)) {
    context.doubt(field, `"${name}" is not an operator and is compared as it is`)
  }
  return {
    needsValue: operators !== undefined,
    matches(actual, output) {
      // Data may look like an operator: if it is the same, it matches.
      if (isSame(expected, actual)) return !holdsNumberOf(expected, inexactNumbers(output))
      if (operators === undefined || (mayBeText && isRefused(expected, actual))) return false
      return readings(actual).some((value) => operators.mismatches(value).length === 0)
    },
    explain(actual, output, subject = 'output') {
      if (operators) return mismatch(operators, expected, readings(actual).at(-1), subject)
      const verdict = unequal(expected, actual, subject)
      if (!holdsNumberOf(expected, inexactNumbers(output))) return verdict
      const why = 'it contains an integer too large to be compared exactly: let the agent return it as a string'
      return { ...verdict, message: `${subject} is not shown to be equal: ${why}` }
    },
  }
}

/** Refuses what holds for every possible value. */
export function refuseAnything(expected: unknown, field: string): void {
  if (typeof expected !== 'object' || expected === null || !isEqual(expected, { $any: true })) return
  throw new SpecError(field, '{"$any": true} holds for every answer: it cannot fail')
}

/** The value that `$ne` rules out, as text or as what the text is JSON for: one reading may not excuse the other. */
function isRefused(expected: unknown, actual: unknown): boolean {
  return isRecord(expected) && Object.hasOwn(expected, '$ne') && isSameAnswer(expected['$ne'], actual)
}

function asItIs(actual: unknown): unknown[] {
  return [actual]
}

function asTextOrJson(actual: unknown): unknown[] {
  if (typeof actual !== 'string') return [actual]
  const json = parseJson(actual)
  return json ? [actual, json.value] : [actual]
}

function mismatch(operators: SubsetMatcher, expected: unknown, actual: unknown, subject: string): Verdict {
  const [first] = operators.mismatches(actual)
  const verdict = unequal(expected, actual, subject)
  const where = first ? ` at ${describeMismatch(first)}` : `: expected ${show(expected)}, got ${show(actual ?? null)}`
  const message = `${subject} does not match${where}`
  return first?.incomparable ? { ...verdict, message, absent: message } : { ...verdict, message }
}

/** `{"$eq": 5}`: keys with a dollar sign alone, none of them known. */
function namesLikeOperators(expected: unknown): string[] {
  if (typeof expected !== 'object' || expected === null) return []
  const keys = Object.keys(expected)
  const looksLikeOne = !Array.isArray(expected) && keys.length > 0 && keys.every((key) => /^\$[a-z]+$/.test(key))
  if (looksLikeOne && !keys.some((key) => JSON_KEYWORDS.has(key))) return keys
  return Object.values(expected).flatMap(namesLikeOperators)
}
