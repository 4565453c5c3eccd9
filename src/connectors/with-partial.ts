// The same error, with what had been gathered when it happened, unless it says so itself.
import type { AgentError } from '../errors.js'

export function withPartial(error: AgentError, partial: unknown): AgentError {
  return partial === undefined || error.partial !== undefined ? error : error.having(partial)
}
