// `retry`: another attempt if the first failed for a reason that another attempt may fix.
import * as v from 'valibot'
import { defined } from '../base/defined.js'
import { messageOf } from '../base/message-of.js'
import { integerBetween, object } from '../model/case-schema-base.js'
import { about, optional } from '../model/schema-parts.js'
import { onAbort, offAbort } from '../time/abort.js'
import type { ToolContext } from './context.js'
import { shaped } from './shaped.js'

/** Why an attempt failed. */
const FAILURES = ['timeout', 'rate_limit', 'backend_failure', 'error', 'assertion_failure'] as const

export type Failure = (typeof FAILURES)[number]

const failures = () =>
  v.array(
    v.picklist(FAILURES, `{field} must be one of ${FAILURES.join(', ')}, found {found}`),
    '{field} must be a list',
  )

export const retryParameter = () =>
  about(
    object({
      max_attempts: about(integerBetween(1, 10), 'Attempts in all.'),
      backoff_ms: optional(
        about(integerBetween(0, 600_000), 'Wait before the second attempt, then doubled each time; default: 1000.'),
      ),
      retry_on: optional(about(failures(), 'Failures to retry; default: timeout, rate_limit.')),
      no_retry_on: optional(about(shaped(failures(), 'names'), 'Failures never to retry; overrides retry_on.')),
    }),
    'Retry transient failures; each attempt starts from the state after test_setup.',
  )

export type Retry = v.InferOutput<ReturnType<typeof retryParameter>>

export const retriedEntries = {
  attempts: optional(v.number()),
  flaky: optional(about(v.literal(true), 'It succeeded, but not at the first attempt.')),
  failure_history: optional(v.array(v.object({ attempt: v.number(), error: v.string() }))),
}

export interface Retried {
  attempts?: number
  flaky?: true
  failure_history?: Array<{ attempt: number; error: string }>
}

export function retryFacts({ attempts, flaky, failure_history }: Retried): Retried {
  return defined({ attempts, flaky, failure_history })
}

/** How an attempt with an answer failed; undefined: it did not. */
export type Judge<T> = (result: T) => { failure: Failure; error: string } | undefined

/** The last attempt's answer, or its error. `failed` says which answers are failures. */
export async function withRetry<T extends object>(
  retry: Retry | undefined,
  { clock, signal }: Pick<ToolContext, 'clock' | 'signal'>,
  attempt: (number: number) => Promise<T>,
  failed: Judge<T>,
  failureOf: (error: unknown) => Failure = () => 'error',
): Promise<T & Retried> {
  const { max_attempts = 1, backoff_ms = 1000, retry_on = ['timeout', 'rate_limit'], no_retry_on = [] } = retry ?? {}
  const isRetried = (failure: Failure): boolean => retry_on.includes(failure) && !no_retry_on.includes(failure)
  const history: Array<{ attempt: number; error: string }> = []
  for (let number = 1; ; number += 1) {
    const isLast = number >= max_attempts || signal.aborted
    const wait = backoff_ms * 2 ** (number - 1)
    let problem: { failure: Failure; error: string } | undefined
    try {
      const result = await attempt(number)
      problem = failed(result)
      if (!problem || isLast || !isRetried(problem.failure)) {
        if (problem && number > 1) history.push({ attempt: number, error: problem.error })
        return { ...result, ...historyOf(retry, number, history, problem === undefined) }
      }
    } catch (error) {
      problem = { failure: failureOf(error), error: messageOf(error) }
      if (isLast || !isRetried(problem.failure)) throw error
    }
    history.push({ attempt: number, error: problem.error })
    await pause(wait, clock, signal)
  }
}

function historyOf(
  retry: Retry | undefined,
  attempts: number,
  failure_history: NonNullable<Retried['failure_history']>,
  passed: boolean,
): Retried {
  if (!retry) return {}
  if (attempts === 1) return { attempts }
  return { attempts, ...(passed && { flaky: true as const }), failure_history }
}

function pause(ms: number, clock: ToolContext['clock'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    const cancel = clock.after(ms, () => {
      offAbort(signal, stop)
      resolve()
    })
    if (signal.aborted) stop()
    else onAbort(signal, stop)
  })
}
