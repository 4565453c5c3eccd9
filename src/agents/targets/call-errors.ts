// Whatever an agent's own code threw → one error.
import { AgentError, UserError } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { codeOfStatus } from '../../http/error-codes.js'
import { isRecord } from '../../base/record.js'
import { asJson } from '../../base/text.js'

/** SDKs put the HTTP status on their errors: it says whether to try again. */
export function toAgentError(error: unknown, hint?: string): AgentError | UserError {
  if (error instanceof AgentError || error instanceof UserError) return error
  const status = isRecord(error) ? readStatus(error) : undefined
  return new AgentError({
    code: status === undefined ? 'failed' : codeOfStatus(status),
    message: describe(error),
    cause: error,
    ...defined({ status, hint }),
  })
}

/** `TypeError: x is not a function` keeps its name; a plain `Error: boom` is `boom`. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `threw ${asJson(error)}`
  const message = error.message || '(no message)'
  return error.name === 'Error' ? message : `${error.name}: ${message}`
}

function readStatus(error: Record<string, unknown>): number | undefined {
  const status = error['status'] ?? error['statusCode']
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined
}
