// Whatever an agent's own code threw → one error.
import { AgentError, UserError, agentErrorIn } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { errorFacts } from '../../http/error-facts.js'
import { errorText } from '../reply/error-text.js'

/** SDKs say on their errors, or on what those wrap, whether another try makes sense. */
export function toAgentError(error: unknown, hint?: string): AgentError | UserError {
  if (error instanceof AgentError || error instanceof UserError) return error
  const own = agentErrorIn(error)
  if (own) return own
  return new AgentError({
    code: 'failed',
    message: isThrownData(error) ? `threw ${errorText(error)}` : errorText(error),
    cause: error,
    ...errorFacts(error),
    ...defined({ hint }),
  })
}

function isThrownData(error: unknown): boolean {
  return !(error instanceof Error) && typeof error !== 'string'
}
