// The same error, with what had been gathered when it happened.
import { AgentError } from '../errors.js'
import { defined } from '../base/defined.js'

export function withPartial(error: AgentError, partial: unknown): AgentError {
  if (partial === undefined || error.partial !== undefined) return error
  return new AgentError({
    code: error.code,
    message: error.message,
    cause: error.cause,
    ...defined({
      hint: error.hint,
      status: error.status,
      retry_after_ms: error.retryAfterMs,
      retry: error.retry,
      partial,
    }),
  })
}
