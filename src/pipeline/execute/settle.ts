// A deadline is a deadline: work that ignores its signal is left behind, and what it answers later is dropped.
import type { ConversationResult } from './conversation/contract.js'
import type { Deadline } from './deadline.js'

// Long enough for a process tree to be ended (TERM, 5 s, KILL) and what was gathered to be kept.
const GRACE_MS = 10_000

/** `leave` says what is known when the work is left behind. */
export function settle(
  work: Promise<ConversationResult>,
  deadline: Deadline,
  leave: () => ConversationResult,
): Promise<ConversationResult> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    deadline.whenOver(() => {
      timer = setTimeout(() => resolve(leave()), GRACE_MS)
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
