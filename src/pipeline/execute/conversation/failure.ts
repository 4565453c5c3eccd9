// What went wrong in a conversation, in the seeds' words, and whose fault it was.
import { AgentError, UserError } from '../../../errors.js'
import type { ErrorKind } from '../../../model/status.js'
import { CancelledError, DeadlineError } from '../../../time/deadline.js'
import { partialReply, type PartialReply } from './partial-reply.js'

export interface Failure {
  error: string
  error_kind: ErrorKind
  /** The thrown error, for the retry decision. */
  cause: unknown
  /** What the agent had given by then. */
  partial?: PartialReply
}

export function agentFailure(thrown: unknown, signal: AbortSignal): Failure {
  // Checked before the deadline: that may have passed only because another case stopped the process they share.
  if (thrown instanceof AgentError && thrown.code === 'lost') {
    return { error: prefixed('agent error', thrown), error_kind: 'crashed', cause: thrown }
  }
  const ended = endedBy(thrown, signal)
  const given = partialReply(thrown)
  const partial = given === undefined ? {} : { partial: given }
  if (ended) return { ...ended, ...partial }
  const kind: ErrorKind = thrown instanceof AgentError && thrown.code === 'crashed' ? 'crashed' : 'agent'
  return { error: prefixed('agent error', thrown), error_kind: kind, cause: thrown, ...partial }
}

export function simulatorFailure(thrown: unknown, signal: AbortSignal): Failure {
  return (
    endedBy(thrown, signal) ?? { error: prefixed('simulator error', thrown), error_kind: 'simulator', cause: thrown }
  )
}

/** The case's own input could not be used: a missing attachment, no first message. */
export function inputFailure(thrown: unknown, signal: AbortSignal): Failure {
  return endedBy(thrown, signal) ?? { error: reasonOf(thrown), error_kind: 'input', cause: thrown }
}

/** What ended the work from outside, whatever the work threw because of it. */
export function endedBy(thrown: unknown, signal: AbortSignal): Failure | undefined {
  const reason: unknown = signal.aborted ? signal.reason : thrown
  if (reason instanceof DeadlineError) return { error: reason.message, error_kind: 'timeout', cause: reason }
  // A cancelled case has no result: the attempt drops this.
  if (signal.aborted || reason instanceof CancelledError) {
    return { error: reasonOf(reason), error_kind: 'agent', cause: reason }
  }
  return undefined
}

function prefixed(prefix: string, thrown: unknown): string {
  const reason = reasonOf(thrown)
  return reason.startsWith(`${prefix}:`) ? reason : `${prefix}: ${reason}`
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error))
    return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? String(thrown))
  const hint = thrown instanceof AgentError || thrown instanceof UserError ? thrown.hint : undefined
  const message = thrown.message === '' ? thrown.name : thrown.message
  return hint === undefined ? message : `${message} (${hint})`
}
