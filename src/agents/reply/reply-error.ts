// What a reply's own `error` says about itself, to decide on another try.
import { errorFacts, type ErrorFacts } from '../../http/error-facts.js'
import type { AgentReply } from '../../model/agent.js'

export function replyErrorFacts({ error }: AgentReply): ErrorFacts {
  return errorFacts(error)
}
