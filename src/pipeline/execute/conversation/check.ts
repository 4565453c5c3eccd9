// Evaluates assertions of a conversation, but no longer than the case may take.
import type { AssertionResult } from '../../../model/assertion.js'
import type { Evidence } from '../../../model/evidence.js'
import { orAborted } from '../../../time/deadline.js'
import type { CompiledAssertion } from '../../assert/define-assertion.js'
import { evaluate } from '../../assert/evaluate.js'
import type { ConversationSetup } from './contract.js'

export async function check(
  setup: ConversationSetup,
  compiled: CompiledAssertion[],
  evidence: Evidence,
): Promise<AssertionResult[]> {
  if (compiled.length === 0) return []
  const checked = evaluate(compiled, evidence, setup.services)
  const results = checked instanceof Promise ? await orAborted(checked, setup.signal) : checked
  if (setup.signal.aborted) throw setup.signal.reason
  return results
}
