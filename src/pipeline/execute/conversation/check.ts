// Evaluates assertions, but no longer than the case may take.
import type { AssertionResult, CompiledAssertion } from '../../../model/assertion.js'
import type { Evidence } from '../../../model/evidence.js'
import { orAborted } from '../../../time/deadline.js'
import { evaluate } from '../../assert/evaluate.js'
import type { ConversationSetup } from './contract.js'

const NONE: never[] = []

/** Synchronous if no assertion waits for anything. Throws if time runs out while one waits. */
export function check(
  setup: ConversationSetup,
  compiled: CompiledAssertion[],
  evidence: Evidence,
): AssertionResult[] | Promise<AssertionResult[]> {
  if (compiled.length === 0) return NONE
  const checked = evaluate(compiled, evidence, setup.services, setup.started)
  return checked instanceof Promise ? orAborted(checked, setup.signal) : checked
}
