// `builtin:echo`: answers with the last user text. For trying things and for measuring Viva itself.
import type { Agent, AgentReply } from '../../model/agent.js'
import { lastUserText } from '../../model/last-user-text.js'

export function createEchoAgent(): Agent {
  return {
    id: 'builtin:echo',
    sees: 'nothing',
    description: 'Answers with the last user text',
    send({ messages, onChunk }) {
      const content = lastUserText(messages)
      onChunk?.(content)
      const reply: AgentReply = { content, tool_calls: [], finish_reason: 'stop' }
      return Promise.resolve(reply)
    },
  }
}
