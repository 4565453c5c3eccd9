// Attempts with agents that share a process: one that is lost because another case ended the process is repeated alone, and
// only what fails then is the case's own failure.
import { AgentError } from '../../errors.js'
import type { Agent } from '../../model/agent.js'
import type { HelperLedger } from '../../model/helper-cost.js'
import type { Rerun } from '../../model/event.js'
import { defined } from '../../base/defined.js'
import { messageOf } from '../../base/message-of.js'
import { LONGEST_TIMER_MS, monotonicNow, type Clock } from '../../time/clock.js'
import { CancelledError } from '../../time/deadline.js'
import type { ConversationResult } from './conversation/contract.js'
import type { Deadline, Deadlines } from './deadline.js'

/** What happened on the way to the result of a case. */
export interface Course {
  reruns: Rerun[]
  /** Time that says nothing about the agent: lost runs, waiting for a process or for our own limits. */
  lostMs: number
  /** When the case began, as `monotonicNow`. */
  readonly started: number
  /** Every call of a helper, over all attempts. */
  ledger: HelperLedger
}

export interface SharedAttempt {
  agent: Agent
  deadlines: Deadlines
  clock: Clock
  chatId: string
  course: Course
  converse(chatId: string): Promise<ConversationResult | undefined>
}

/** Undefined if the run was stopped. */
export async function attemptShared(attempt: SharedAttempt): Promise<ConversationResult | undefined> {
  const { chatId, course, clock } = attempt
  const start_ms = Math.round(monotonicNow() - course.started)
  const started = clock.now() - course.lostMs
  const outcome = await converseIn(attempt, chatId, false)
  if (!(outcome?.cause instanceof AgentError) || outcome.cause.code !== 'lost') return outcome
  const duration = Math.round(clock.now() - course.lostMs - started)
  const { usage, cost_dollars, cost_estimated } = outcome
  course.lostMs += duration
  const { message: reason } = outcome.cause
  course.reruns.push({ reason, start_ms, duration_ms: duration, ...defined({ usage, cost_dollars, cost_estimated }) })
  return converseIn(attempt, `${chatId}-alone`, true)
}

async function converseIn(
  attempt: SharedAttempt,
  chatId: string,
  alone: boolean,
): Promise<ConversationResult | undefined> {
  try {
    if (!(await reserve(attempt, chatId, alone))) return undefined
  } catch (error) {
    return { status: 'failed', error: `agent error: ${messageOf(error)}`, error_kind: 'agent', cause: error }
  }
  try {
    return await attempt.converse(chatId)
  } finally {
    await attempt.agent.release?.(chatId)
  }
}

/** The case's time begins when it can begin: until then only the end of the run ends the wait. False: it has ended. */
async function reserve(attempt: SharedAttempt, chatId: string, alone: boolean): Promise<boolean> {
  const { agent, deadlines, clock, course } = attempt
  let wait: Deadline | undefined
  const signal = (): AbortSignal => (wait ??= deadlines.start(LONGEST_TIMER_MS, 'wait')).signal
  const started = clock.now()
  try {
    const reserving = agent.reserve?.(chatId, alone, signal)
    if (reserving === undefined) return true
    await reserving
    course.lostMs += clock.now() - started
    return true
  } catch (error) {
    if (wait?.signal.reason instanceof CancelledError) return false
    throw error
  } finally {
    wait?.clear()
  }
}
