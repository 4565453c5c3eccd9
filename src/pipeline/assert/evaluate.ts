// Runs all assertions of a case: none stops the others, and a check that could not be carried out is never a pass.
import { ECHOED, type AssertionResult, type AssertionSpec } from '../../model/assertion.js'
import type { Evidence } from '../../model/evidence.js'
import { show } from '../../base/text.js'
import { messageOf } from '../../base/message-of.js'
import type { AssertServices, CompiledAssertion, Verdict } from './define-assertion.js'

/** Synchronous where no assertion waits for anything. Judges and scripts are asked one after another, in order. */
export function evaluate(
  assertions: readonly CompiledAssertion[],
  evidence: Evidence,
  services: AssertServices,
): AssertionResult[] | Promise<AssertionResult[]> {
  const results: AssertionResult[] = []
  for (let index = 0; index < assertions.length; index++) {
    const assertion = assertions[index]
    if (!assertion) continue
    const result = evaluateOne(assertion, evidence, services)
    if (result instanceof Promise) return evaluateRest(results, result, assertions.slice(index + 1), evidence, services)
    results.push(result)
  }
  return results
}

export function evaluateOne(
  { spec, check }: CompiledAssertion,
  evidence: Evidence,
  services: AssertServices,
): AssertionResult | Promise<AssertionResult> {
  try {
    const verdict = check(evidence, services)
    return verdict instanceof Promise ? awaitVerdict(spec, verdict) : resultOf(spec, verdict)
  } catch (error) {
    return resultOf(spec, couldNotCheck(spec, error))
  }
}

/** Share of the weights that passed, 0–1. No weight at all is 0: nothing was shown. */
export function scoreOf(results: readonly AssertionResult[]): number {
  let passed = 0
  let total = 0
  for (const result of results) {
    const weight = result.weight ?? 1
    total += weight
    if (result.passed) passed += weight
  }
  return total > 0 ? passed / total : 0
}

/** One line for `assertion_errors`: what went wrong with an assertion that did not pass. */
export function failureText(result: AssertionResult): string {
  const text = result.error ?? result.message ?? `${result.type} failed`
  return result.label === undefined ? text : `${result.label}: ${text}`
}

async function evaluateRest(
  results: AssertionResult[],
  pending: Promise<AssertionResult>,
  rest: CompiledAssertion[],
  evidence: Evidence,
  services: AssertServices,
): Promise<AssertionResult[]> {
  results.push(await pending)
  for (const assertion of rest) results.push(await evaluateOne(assertion, evidence, services))
  return results
}

async function awaitVerdict(spec: AssertionSpec, pending: Promise<Verdict>): Promise<AssertionResult> {
  const started = performance.now()
  let verdict: Verdict
  try {
    verdict = await pending
  } catch (error) {
    verdict = couldNotCheck(spec, error)
  }
  const result = resultOf(spec, verdict)
  result.duration_ms = Math.round(performance.now() - started)
  return result
}

function couldNotCheck(spec: AssertionSpec, error: unknown): Verdict {
  const text = messageOf(error)
  return { passed: false, error: `${spec.type} could not be checked: ${text}`, error_kind: kindOf(spec.type) }
}

function kindOf(type: string): 'validator' | 'script' | 'input' {
  if (type === 'agent' || type === 'rubric') return 'validator'
  return type === 'script' ? 'script' : 'input'
}

function resultOf(spec: AssertionSpec, found: Verdict): AssertionResult {
  const verdict = spec.negate === true ? negated(spec, found) : found
  const result: AssertionResult = { type: spec.type, passed: verdict.passed && verdict.error === undefined }
  echo(spec, result as object as Record<string, unknown>)
  if (verdict.expected !== undefined) result.expected = verdict.expected
  if (verdict.actual !== undefined) result.actual = verdict.actual
  if (verdict.error !== undefined) {
    result.error = verdict.error
    result.error_kind = verdict.error_kind ?? kindOf(spec.type)
  } else {
    const message = !verdict.passed && spec.message !== undefined ? spec.message : verdict.message
    if (message !== undefined) result.message = message
  }
  if (verdict.diff !== undefined) result.diff = verdict.diff
  if (verdict.score !== undefined) result.score = verdict.score
  if (verdict.asked !== undefined) result.asked = verdict.asked
  if (verdict.parts !== undefined) result.parts = verdict.parts
  return result
}

function echo(spec: AssertionSpec, result: Record<string, unknown>): void {
  for (const key of ECHOED) if (spec[key] !== undefined) result[key] = spec[key]
}

function negated(spec: AssertionSpec, verdict: Verdict): Verdict {
  if (verdict.error !== undefined) return verdict
  if (!verdict.passed && verdict.incomplete !== undefined) {
    return { passed: false, error: `cannot say that it does not hold: ${verdict.incomplete}`, error_kind: 'input' }
  }
  if (verdict.passed) {
    return { ...verdict, passed: false, message: `expected the opposite: ${describe(spec)} holds` }
  }
  const { parts, score, asked } = verdict
  return { passed: true, ...(parts && { parts }), ...(score !== undefined && { score }), ...(asked && { asked }) }
}

/** `contains "error"`: an assertion in a few words. */
export function describe(spec: AssertionSpec): string {
  const subject = spec.value ?? spec.name ?? spec['tool'] ?? spec['criterion'] ?? spec['script'] ?? spec['use']
  const where = spec.path === undefined ? '' : ` at ${spec.path}`
  return `${spec.type}${where}${subject === undefined ? '' : ` ${show(subject, 80)}`}`
}
