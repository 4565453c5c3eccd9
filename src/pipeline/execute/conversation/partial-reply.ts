// What an agent had given before its call failed: it is kept, under the names of a whole answer.
import { AgentError } from '../../../errors.js'
import type { AgentReply } from '../../../model/agent.js'
import { isRecord } from '../../../base/record.js'

export type PartialReply = Partial<AgentReply>

export function partialReply(thrown: unknown): PartialReply | undefined {
  if (!(thrown instanceof AgentError)) return undefined
  const { partial, retries } = thrown
  const reply: PartialReply = isRecord(partial) ? partial : partial === undefined ? {} : { content: partial }
  if (retries !== undefined && reply.api_retries === undefined) return { ...reply, api_retries: retries }
  return partial === undefined ? undefined : reply
}

/** Without text the case has no output. */
export function spokenSoFar({ content }: PartialReply): unknown {
  return content === '' || content === null ? undefined : content
}
