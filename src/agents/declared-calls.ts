// `agents.x.tool_calls: "complete"`: the project says that the agent reports every call, where its replies do not show that they do.
import type { Agent, AgentReply } from '../model/agent.js'
import type { AgentEntry } from '../model/config.js'

export function withDeclaredCalls(agent: Agent, { tool_calls }: Pick<AgentEntry, 'tool_calls'>): Agent {
  if (tool_calls === undefined) return agent
  return { ...agent, send: async (request) => asComplete(await agent.send(request)) }
}

/** What was cut off stays so. */
function asComplete(reply: AgentReply): AgentReply {
  const { tool_evidence, session, ...rest } = reply
  if (tool_evidence === 'partial' || (tool_evidence === undefined && session?.unreported_hats === undefined))
    return reply
  if (!session) return rest
  const { unreported_hats: _hats, ...known } = session
  return { ...rest, session: known }
}
