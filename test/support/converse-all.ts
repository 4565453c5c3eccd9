// Holds many conversations at once with one agent and one helper; the chat id of each is its number.
import type { Agent } from '../../src/model/agent.js'
import type { AskHelper } from '../../src/model/helper.js'
import type { ConversationResult } from '../../src/pipeline/execute/conversation/contract.js'
import { Conversation } from '../../src/pipeline/execute/conversation/conversation.js'
import { converse } from '../../src/pipeline/execute/conversation/converse.js'
import { setupOf } from './scripted-conversation.js'

export function converseAll(
  count: number,
  shared: { agent: Agent; ask: AskHelper },
  written: (mark: number) => Record<string, unknown>,
): Promise<ConversationResult[]> {
  return Promise.all(
    Array.from({ length: count }, async (_unused, mark) => {
      const setup = setupOf(written(mark), { agent: shared.agent, over: { ask: shared.ask } })
      return converse(new Conversation({ ...setup, context: { ...setup.context, chat_id: String(mark) } }))
    }),
  )
}
