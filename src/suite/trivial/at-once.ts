// Most cases stop an agent that does nothing with their first assertion: then its conversation need not be played.
import type { AssertServices, CompiledAssertion } from '../../model/assertion.js'
import type { Evidence } from '../../model/evidence.js'
import { assertionsByType } from '../../pipeline/assert/registry.js'
import { evaluate } from '../../pipeline/assert/evaluate.js'
import type { Stage } from '../stage.js'

/** Whether an answer without any call fails the case for certain. False says nothing. */
export type FailsAtOnce = (output: string) => boolean

const NEVER: FailsAtOnce = () => false

export function failsAtOnce({ testCase, checks }: Stage): FailsAtOnce {
  const { turns, simulator, checkpoints, final_assertions, min_score, type } = testCase
  const isPlain = !turns && !simulator && !checkpoints && !final_assertions && type !== 'multi_turn'
  if (!isPlain || min_score !== undefined || testCase.workspace !== undefined) return NEVER
  const deciding = checks.atBest.assertions.filter(isAboutAnswerAlone)
  if (deciding.length === 0) return NEVER
  return (output) => {
    const evidence: Evidence = {
      output,
      input: null,
      messages: [],
      tool_calls: [],
      duration_ms: 0,
      case_id: testCase.id,
    }
    return deciding.some((assertion) => fails(assertion, evidence))
  }
}

function fails(assertion: CompiledAssertion, evidence: Evidence): boolean {
  const results = evaluate([assertion], evidence, NOBODY)
  return !(results instanceof Promise) && results.some(({ passed }) => !passed)
}

/** It reads what was said, or which tools were called, and nothing else about the answer. */
function isAboutAnswerAlone({ spec: { type } }: CompiledAssertion): boolean {
  const on = assertionsByType.get(type)?.on
  return (on === 'answer' || on === 'actions') && !OTHERS.has(type)
}

const OTHERS = new Set(['awaiting_input', 'refusal', 'snapshot'])

const nobody = (): never => {
  throw new Error('nobody is asked here')
}

const NOBODY: AssertServices = {
  judge: nobody,
  script: nobody,
  search: () => new Promise(() => {}),
  signal: new AbortController().signal,
  verdictsOnly: true,
}
