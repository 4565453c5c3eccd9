// Runs all assertions of a case: none stops the others, and a check that could not be carried out is never a pass.
import { ECHOED, type AssertionResult, type AssertionSpec } from '../../model/assertion.js'
import type { Evidence } from '../../model/evidence.js'
import { defined } from '../../base/defined.js'
import { abridged, show } from '../../base/text.js'
import { messageOf } from '../../base/message-of.js'
import type { AssertServices, CompiledAssertion, Verdict } from './define-assertion.js'
import { mapInOrder } from './map-in-order.js'
import { refusedVerdict } from './refused.js'
import { monotonicNow } from '../../time/clock.js'

/**
 * Synchronous if no assertion waits for anything. Judges and scripts are asked one after another, in order.
 * `caseStart`: when the case began, as `monotonicNow`.
 */
export function evaluate(
  assertions: readonly CompiledAssertion[],
  evidence: Evidence,
  services: AssertServices,
  caseStart?: number,
): AssertionResult[] | Promise<AssertionResult[]> {
  return mapInOrder(assertions, (assertion) => {
    const verdict = verdictOf(assertion, evidence, services)
    return verdict instanceof Promise
      ? resultLater(assertion, verdict, caseStart)
      : resultOf(assertion, verdict, services.verdictsOnly)
  })
}

/** Listed, so that what was left out is not taken for checked. */
export function notEvaluated(assertions: readonly CompiledAssertion[], reason: string): AssertionResult[] {
  return assertions.map(({ spec }) => {
    const result: AssertionResult = { type: spec.type, passed: false, not_evaluated: true }
    echo(spec, result as object as Record<string, unknown>)
    result.message = `not evaluated: ${reason}`
    return result
  })
}

/** A member of a group: what is reported about it, and what may be concluded from it. */
export interface Member {
  result: AssertionResult
  verdict: Verdict
}

export function evaluateMembers(
  assertions: readonly CompiledAssertion[],
  evidence: Evidence,
  services: AssertServices,
): Member[] | Promise<Member[]> {
  return mapInOrder(assertions, (assertion) => {
    const verdict = verdictOf(assertion, evidence, services)
    if (verdict instanceof Promise) return memberLater(assertion, verdict.then(inGroup))
    return { verdict: inGroup(verdict), result: resultOf(assertion, inGroup(verdict)) }
  })
}

/** Where nothing was checked, a group cannot conclude anything. */
function inGroup(verdict: Verdict): Verdict {
  return verdict.unchecked === undefined ? verdict : { ...verdict, error: verdict.unchecked }
}

async function memberLater(assertion: CompiledAssertion, verdict: Promise<Verdict>): Promise<Member> {
  const result = await resultLater(assertion, verdict)
  return { verdict: await verdict, result }
}

/** One line for `assertion_errors`: what went wrong with an assertion that did not pass. */
export function failureText(result: AssertionResult): string {
  const text = result.error ?? result.message ?? `${result.type} failed`
  return result.label === undefined ? text : `${result.label}: ${text}`
}

/** What was found, inverted if the spec says so. Never throws. */
function verdictOf(
  { spec, check, readsAnswer }: CompiledAssertion,
  evidence: Evidence,
  services: AssertServices,
): Verdict | Promise<Verdict> {
  if (readsAnswer && evidence.refused !== undefined) return asAsked(spec, refusedVerdict(evidence.refused))
  try {
    const found = check(evidence, services)
    if (!(found instanceof Promise)) return asAsked(spec, found)
    return found.then(
      (verdict) => asAsked(spec, verdict),
      (error: unknown) => couldNotCheck(spec, error),
    )
  } catch (error) {
    return couldNotCheck(spec, error)
  }
}

function couldNotCheck(spec: AssertionSpec, error: unknown): Verdict {
  const text = messageOf(error)
  return { passed: false, error: `${spec.type} could not be checked: ${text}`, error_kind: kindOf(spec.type) }
}

function kindOf(type: string): 'validator' | 'script' | 'input' {
  if (type === 'agent' || type === 'rubric') return 'validator'
  return type === 'script' ? 'script' : 'input'
}

function asAsked(spec: AssertionSpec, verdict: Verdict): Verdict {
  return spec.negate === true ? negated(spec, verdict) : verdict
}

function negated(spec: AssertionSpec, verdict: Verdict): Verdict {
  if (verdict.error !== undefined || verdict.unchecked !== undefined) return verdict
  if (verdict.passed) {
    return { ...verdict, passed: false, message: `expected the opposite: ${describe(spec)} holds` }
  }
  if (verdict.incomplete !== undefined) return cannotSay(verdict.incomplete)
  if (verdict.absent !== undefined) return { ...verdict, message: `nothing was shown: ${verdict.absent}` }
  const { parts, score, asked, judge, advice, claimed, chosen } = verdict
  return { passed: true, ...defined({ parts, score, asked, judge, advice, claimed, chosen }) }
}

/** Not found in a part is not "not there". */
export function cannotSay(incomplete: string): Verdict {
  return { passed: false, error: `cannot say that it does not hold: ${incomplete}`, error_kind: 'input' }
}

async function resultLater(
  assertion: CompiledAssertion,
  pending: Promise<Verdict>,
  caseStart?: number,
): Promise<AssertionResult> {
  const started = monotonicNow()
  const result = resultOf(assertion, await pending)
  if (caseStart !== undefined) result.start_ms = Math.round(started - caseStart)
  result.duration_ms = Math.round(monotonicNow() - started)
  return result
}

function resultOf({ spec, choice }: CompiledAssertion, verdict: Verdict, verdictOnly?: true): AssertionResult {
  const result: AssertionResult = { type: spec.type, passed: verdict.passed && verdict.error === undefined }
  if (verdictOnly && verdict.error === undefined) {
    if (spec.weight !== undefined) result.weight = spec.weight
    return result
  }
  echo(spec, result as object as Record<string, unknown>)
  if (verdict.expected !== undefined) result.expected = verdict.expected
  if (verdict.actual !== undefined) result.actual = verdict.actual
  if (verdict.error !== undefined) {
    result.error = verdict.error
    result.error_kind = verdict.error_kind ?? kindOf(spec.type)
  } else if (verdict.unchecked !== undefined) {
    result.not_evaluated = true
    result.message = verdict.unchecked
  } else {
    const message = !verdict.passed && spec.message !== undefined ? spec.message : verdict.message
    if (message !== undefined) result.message = message
  }
  if (verdict.diff !== undefined) result.diff = verdict.diff
  if (verdict.score !== undefined) result.score = verdict.score
  if (verdict.asked !== undefined) result.asked = verdict.asked
  if (verdict.judge !== undefined) result.judge = verdict.judge
  if (verdict.advice !== undefined) result.advice = true
  if (verdict.parts !== undefined) result.parts = verdict.parts
  if (verdict.claimed) result.claimed = true
  if (choice) result.choice = { ...choice, ...verdict.chosen }
  return result
}

const IS_ECHOED: ReadonlySet<string> = new Set(ECHOED)

function echo(spec: AssertionSpec, result: Record<string, unknown>): void {
  let params: Record<string, unknown> | undefined
  for (const key in spec) {
    if (spec[key] === undefined) continue
    if (IS_ECHOED.has(key)) result[key] = spec[key]
    else if (!SAID_ELSEWHERE.has(key)) (params ??= {})[key] = abridged(spec[key], 1000)
  }
  if (params) result['params'] = params
}

/** In the type, the message and the parts of the result. */
const SAID_ELSEWHERE = new Set(['type', 'message', 'assertions'])

/** `contains "error"`: an assertion in a few words. */
function describe(spec: AssertionSpec): string {
  const subject = spec.value ?? spec.name ?? spec['tool'] ?? spec['criterion'] ?? spec['script'] ?? spec['use']
  const where = spec.path === undefined ? '' : ` at ${spec.path}`
  return `${spec.type}${where}${subject === undefined ? '' : ` ${show(subject, 80)}`}`
}
