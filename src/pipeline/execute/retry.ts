// Whether and when a failed attempt is repeated. The transport is retried, never the verdict, unless the case says so.
import { AgentError } from '../../errors.js'
import type { RetryPolicy, TestCase } from '../../model/case.js'
import type { ErrorKind } from '../../model/status.js'
import { DeadlineError } from '../../time/deadline.js'

const DEFAULT_BACKOFF_MS = 1000
const LONGEST_BACKOFF_MS = 60_000

/** Words of `retry_on` / `no_retry_on` for what went wrong, most specific first. */
export function failureClasses(errorKind: ErrorKind | undefined, cause: unknown): string[] {
  if (cause instanceof DeadlineError || errorKind === 'timeout') return ['timeout', 'transient']
  if (cause instanceof AgentError) {
    const also = {
      rate_limit: ['rate_limited', '429'],
      server: ['server_error', '5xx'],
      connection: ['network', 'connection_reset'],
    }
    const extra: string[] = (also as Record<string, string[]>)[cause.code] ?? []
    const status = cause.status === undefined ? [] : [String(cause.status)]
    return [cause.code, ...extra, ...status, ...(cause.transient ? ['transient'] : []), 'agent_error']
  }
  if (errorKind === 'assertion') return ['assertion_failure', 'assertion']
  return errorKind === undefined ? [] : [`${errorKind}_error`, errorKind]
}

export function retryPolicy(testCase: TestCase, retries: number): RetryPolicy {
  return testCase.retry ?? { max_attempts: retries + 1, backoff_ms: DEFAULT_BACKOFF_MS }
}

/** What is not set up, or not in a recording, will be missing the next time too. */
export function mayRetry(policy: RetryPolicy, classes: string[]): boolean {
  if (classes.includes('config')) return false
  if (policy.no_retry_on?.some((word) => classes.includes(word))) return false
  if (policy.retry_on) return policy.retry_on.some((word) => classes.includes(word))
  return classes.includes('transient')
}

/** Exponential with full jitter; a wait named by the server comes first. */
export function retryWait(
  policy: RetryPolicy,
  attempt: number,
  cause: unknown,
  random: () => number = Math.random,
): number {
  const asked = cause instanceof AgentError ? cause.retryAfterMs : undefined
  if (asked !== undefined) return asked * (1 + 0.2 * random())
  const ceiling = Math.min(LONGEST_BACKOFF_MS, policy.backoff_ms * 2 ** (attempt - 1))
  return ceiling * random()
}
