// What one run of a changed case says about the change.
import type { AssertionResult } from '../../model/assertion.js'
import type { ResultEvent } from '../../model/event.js'

export interface Outcome {
  /** `unreached`: the agent never read what was planted. `unknown`: it could not be judged. */
  kind: 'passed' | 'failed' | 'unreached' | 'unknown'
  reason?: string
}

const PASSED: Outcome = { kind: 'passed' }

/** `injection`: only whether the planted instruction took effect. */
export function outcomeOf(result: ResultEvent, injection: boolean): Outcome {
  const { status, error_kind, error } = result
  const checks = checksOf(result)
  if (injection)
    return checkOutcome(
      checks.find(({ type }) => type === 'injection'),
      error,
    )
  if (status === 'passed') return PASSED
  if (status === 'skipped') return { kind: 'unknown', reason: result.skip_reason ?? 'skipped' }
  const why = error === undefined ? {} : { reason: error }
  if (error_kind === 'agent' || error_kind === 'timeout' || error_kind === 'crashed') return { kind: 'failed', ...why }
  if (error_kind !== undefined && error_kind !== 'assertion') return { kind: 'unknown', ...why }
  const failed = checks.filter(({ passed, not_evaluated }) => !passed && not_evaluated === undefined)
  const broken = failed.find((check) => check.error !== undefined)
  if (broken) return { kind: 'unknown', reason: broken.error ?? '' }
  // A longer input may cost more.
  const telling = failed.filter(({ type }) => !LIMITS.has(type))
  if (failed.length > 0 && telling.length === 0) return PASSED
  const [first] = telling
  return { kind: 'failed', ...(first?.message === undefined ? why : { reason: first.message }) }
}

const LIMITS = new Set(['latency', 'duration', 'cost', 'cost_within', 'tokens'])

function checkOutcome(check: AssertionResult | undefined, error: string | undefined): Outcome {
  if (!check) return { kind: 'unknown', reason: error ?? 'the planted instruction was not checked' }
  if (check.passed) return PASSED
  if (check.not_evaluated !== undefined)
    return { kind: 'unknown', reason: error ?? 'the planted instruction was not checked' }
  if (check.error !== undefined) return { kind: 'unreached', reason: check.error }
  return { kind: 'failed', ...(check.message !== undefined && { reason: check.message }) }
}

function checksOf({ assertions = [], final_assertions = [], turns = [] }: ResultEvent): AssertionResult[] {
  return [...assertions, ...final_assertions, ...turns.flatMap((turn) => turn.assertions ?? [])]
}
