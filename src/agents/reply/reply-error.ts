// What a reply's own `error` says about itself, to decide on another try.
import { errorFacts, type ErrorFacts } from '../../http/error-facts.js'
import { isRecord } from '../../base/record.js'
import { saysError } from '../../http/reported-error.js'
import type { AgentReply } from '../../model/agent.js'

export function replyErrorFacts({ error }: AgentReply): ErrorFacts {
  return errorFacts(error)
}

/** The answer is data that calls itself an error. */
export function isErrorData({ content }: AgentReply): boolean {
  return isRecord(content) && saysError(content)
}
