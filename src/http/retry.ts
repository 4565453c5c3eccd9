// The one layer that tries a call again: transient failures only, never longer than the case may last, never an avalanche.
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError } from '../errors.js'
import type { ApiRetry, Waiter } from '../model/agent.js'
import { defined } from '../base/defined.js'
import { isNeverReached } from './connection-error.js'
import { Throttle, type Limits, type SharedPace } from './throttle/throttle.js'

export interface RetryOptions extends Waiter {
  budget: RetryBudget
  maxRetries?: number
  baseMs?: number
  random?: () => number
}

export interface Retried<T> {
  value: T
  retries: ApiRetry[]
}

const MAX_RETRIES = 4
/** "Too many" is not a failure of the endpoint: with its pace respected, the deadline is what ends the tries. */
const MAX_LIMITED = 10
const BASE_MS = 1000
const CAP_MS = 60_000
/** An answer that is cut off or makes no sense may do so forever. */
const MAX_BAD_ANSWERS = 2
/** If nothing has answered yet there is no outage to wait out: the server is not running, or the host is wrong. */
const MAX_NEVER_REACHED = 1

export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<Retried<T>> {
  const retries: ApiRetry[] = []
  const { budget, signal } = options
  budget.called()
  let badAnswers = 0
  for (;;) {
    const held = turn(options, retries)
    if (held) await held
    try {
      const value = await attempt()
      budget.answered()
      return { value, retries }
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      const isLimited = error.code === 'rate_limit'
      const wait = waitBefore(error, retries.length, options)
      if (isLimited) budget.throttle.refused(wait, error.retryAfterMs)
      else budget.throttle.failed()
      if (signal.aborted || !isRetryable(error)) throw withHistory(error, retries)
      if (isBadAnswer(error) && ++badAnswers > MAX_BAD_ANSWERS) throw withHistory(error, retries)
      if (isNeverReached(error) && !budget.everAnswered && retries.length >= MAX_NEVER_REACHED)
        throw withHistory(error, retries)
      if (retries.length >= (options.maxRetries ?? (isLimited ? MAX_LIMITED : MAX_RETRIES)))
        throw withHistory(error, retries)
      const left = timeLeft(options)
      if (wait > left) throw withHistory(tooLongToWait(error, wait, left), retries)
      if (!(isLimited ? budget.takeLimited(retries.length === 0) : budget.take()))
        throw withHistory(budgetSpent(error), retries)
      retries.push({ reason: error.message, wait_ms: Math.round(wait), ...defined({ status: error.status }) })
      await sleep(wait, undefined, { signal }).catch(() => {
        throw signal.reason
      })
      if (isLimited) options.onWait?.(wait)
    }
  }
}

/** Per connector or agent and run: at most 10 retries and a fifth of the calls, so that an outage is not multiplied. */
export class RetryBudget {
  readonly throttle: Throttle
  #calls = 0
  #answers = 0
  #retries = 0
  #limited = 0

  constructor(limits?: Limits, shared?: SharedPace) {
    this.throttle = new Throttle(limits, undefined, shared)
  }

  get everAnswered(): boolean {
    return this.#answers > 0
  }

  called(): void {
    this.#calls++
  }

  answered(): void {
    this.#answers++
    this.throttle.answered()
  }

  take(): boolean {
    if (this.#retries >= 10 + this.#calls * 0.2) return false
    this.#retries++
    return true
  }

  /** A rate limit that lets others through is worth waiting for; one that lets none through is an outage. */
  takeLimited(first: boolean): boolean {
    if (!first && this.#limited >= 10 + this.#answers * 2) return false
    if (!first) this.#limited++
    return true
  }
}

/** Waits until the endpoint may be called; undefined, and at no cost, while nothing is held back. */
function turn(options: RetryOptions, retries: ApiRetry[]): Promise<void> | undefined {
  const { throttle } = options.budget
  const left = timeLeft(options)
  if (throttle.wait > left) throw withHistory(tooLongInLine(throttle.wait, left), retries)
  return throttle.enter(options, retries.length > 0)
}

function timeLeft({ deadline }: RetryOptions): number {
  return deadline?.left() ?? Number.POSITIVE_INFINITY
}

const RETRYABLE_STATUS = new Set([408, 409, 425, 429, 500, 502, 503, 504, 529])

function isRetryable(error: AgentError): boolean {
  if (error.retry !== undefined) return error.retry
  if (error.code === 'quota') return false
  if (error.status !== undefined && error.status !== 200) return RETRYABLE_STATUS.has(error.status)
  return error.code === 'connection' || error.code === 'overloaded' || error.code === 'rate_limit' || isBadAnswer(error)
}

function isBadAnswer(error: AgentError): boolean {
  return (error.code === 'cut_off' || error.code === 'bad_response') && (error.status ?? 200) === 200
}

/** The server's own wait plus 0–20 %; else exponential: half to full for rate limits, anything up to full for the rest. */
export function waitBefore(error: AgentError, done: number, options: Pick<RetryOptions, 'baseMs' | 'random'>): number {
  const random = options.random ?? Math.random
  if (error.retryAfterMs !== undefined && error.retryAfterMs > 0) return error.retryAfterMs * (1 + random() * 0.2)
  const full = Math.min((options.baseMs ?? BASE_MS) * 2 ** done, CAP_MS)
  return error.code === 'rate_limit' ? full / 2 + (random() * full) / 2 : random() * full
}

function withHistory(error: unknown, retries: ApiRetry[]): unknown {
  if (error instanceof AgentError && retries.length > 0) error.retries = retries
  return error
}

const SLOW_DOWN = 'raise --timeout, or lower --parallel so that the limit is not reached'

function tooLongToWait(error: AgentError, wait: number, left: number): AgentError {
  return new AgentError({
    code: error.code,
    message: `${error.message}; gave up: the next try would be in ${seconds(wait)}, but only ${seconds(Math.max(0, left))} are left`,
    hint: error.code === 'rate_limit' ? SLOW_DOWN : (error.hint ?? "raise --timeout, or check the server's log"),
    cause: error,
    ...defined({ status: error.status, retry_after_ms: error.retryAfterMs, partial: error.partial }),
  })
}

function tooLongInLine(wait: number, left: number): AgentError {
  return new AgentError({
    code: 'rate_limit',
    message: `rate limited: the next call could be made in ${seconds(wait)}, but only ${seconds(Math.max(0, left))} are left`,
    hint: SLOW_DOWN,
  })
}

function budgetSpent(error: AgentError): AgentError {
  return new AgentError({
    code: error.code,
    message: `${error.message}; not retried: too many calls of this run have already failed`,
    cause: error,
    ...defined({ status: error.status, hint: error.hint, retry_after_ms: error.retryAfterMs, partial: error.partial }),
  })
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
