// A deadline is a deadline: work that ignores its signal is left behind, and what it answers later is dropped.
import { CancelledError, DeadlineError } from '../../time/deadline.js'
import type { ConversationResult } from './conversation/contract.js'
import type { Deadline } from './deadline.js'

// Long enough for a process tree to be ended (TERM, 5 s, KILL) and what was gathered to be kept.
const GRACE_MS = 10_000

export function settle(
  work: ConversationResult | Promise<ConversationResult>,
  deadline: Deadline,
): ConversationResult | Promise<ConversationResult> {
  if (!(work instanceof Promise)) return work
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    deadline.whenOver(() => {
      timer = setTimeout(() => resolve(givenUp(deadline.signal.reason)), GRACE_MS)
    })
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error instanceof Error ? error : new Error(String(error)))
      },
    )
  })
}

function givenUp(reason: unknown): ConversationResult {
  if (reason instanceof DeadlineError || reason instanceof CancelledError) {
    return { status: 'failed', error: reason.message, error_kind: 'timeout', cause: reason }
  }
  return { status: 'failed', error: String(reason), error_kind: 'agent', cause: reason }
}
