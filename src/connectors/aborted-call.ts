// The error of a call that was ended from outside: by the deadline or by a person.
import { AgentError } from '../errors.js'
import { defined } from '../base/defined.js'

/** `partial` is what had arrived by then. */
export function abortedCall(signal: AbortSignal, partial?: unknown): AgentError {
  const reason: unknown = signal.reason
  return new AgentError({
    code: 'timeout',
    message: reason instanceof Error ? reason.message : 'aborted',
    cause: reason,
    ...defined({ partial }),
  })
}
