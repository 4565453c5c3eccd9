// Your agent: any function that gets the conversation and answers. Call your model here. For an SDK, import from 'viva':
// toModelMessages(messages, history) for the AI SDK, toAgentInput for OpenAI Agents, toLangChain for LangGraph.
import type { AgentMessage } from 'viva'

export async function answer(messages: AgentMessage[]) {
  const said = messages.at(-1)?.content
  const asked = typeof said === 'string' ? said : ''
  const day = /monday|tuesday|wednesday|thursday|friday/i.exec(asked)?.[0]
  if (!day) return { content: 'Which day suits you?', tool_calls: [], awaiting_input: true }
  return {
    content: `Your table is booked for ${day}.`,
    tool_calls: [{ name: 'book_table', args: { day } }],
  }
}
