// That something is not in an answer cannot be seen where the recording hides part of the answer.
import { asText } from '../../base/text.js'
import type { AssertionResult } from '../../model/assertion.js'
import type { ResultEvent } from '../../model/event.js'
import type { Normaliser } from '../../recordings/normalise.js'

/** Why the result of a replayed case is no verdict; undefined if it is one. */
export function hiddenAbsence(result: ResultEvent, normaliser: Normaliser): string | undefined {
  const { output, assertions = [], final_assertions = [], turns = [] } = result
  const parts = [
    ...turns.map((turn) => ({ said: turn.output, checks: turn.assertions ?? [] })),
    { said: [output, ...turns.map((turn) => turn.output)], checks: [...assertions, ...final_assertions] },
  ]
  for (const { said, checks } of parts) {
    const hidden = normaliser.hiddenNames(said)
    if (hidden.length === 0) continue
    const lost = checks.flatMap(withParts).find((check) => isAbsence(check) && mayBeHidden(check, hidden, normaliser))
    if (lost)
      return `${lost.type} ${JSON.stringify(lost.value)} passed, but the recording hides part of the answer ([${hidden.join('], [')}]): run this case live, or assert on what is not hidden`
  }
  return undefined
}

/** What `none` does not find is absent. */
function withParts(check: AssertionResult): AssertionResult[] {
  const parts = (check.parts ?? []).flatMap(withParts)
  const isNone = check.type === 'none' && check.passed && check.negate !== true
  return [check, ...parts.map((part) => (isNone && !part.passed ? { ...part, passed: true, negate: true } : part))]
}

/** It holds because something was not found in the answer. */
function isAbsence({ type, negate, passed }: AssertionResult): boolean {
  if (!passed) return false
  return type === 'not_contains' ? negate !== true : negate === true && ABOUT_TEXT.has(type)
}

const ABOUT_TEXT: ReadonlySet<string> = new Set(['contains', 'regex', 'equals', 'json_path', 'similar', 'schema'])

/** Secrets and ids are single tokens; what a path hides can be anything. */
function mayBeHidden({ type, value }: AssertionResult, hidden: readonly string[], normaliser: Normaliser): boolean {
  if (type === 'regex' || hidden.includes('REDACTED') || hidden.some((name) => normaliser.hidesPhrases(name)))
    return true
  const texts = Array.isArray(value) ? value : [value]
  return texts.some((text) => !/\s/.test(asText(text).trim()))
}
