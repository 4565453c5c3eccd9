// Messages as functions receive them → messages that LangChain and LangGraph take.
import { isRecord } from '../../base/record.js'
import type { AgentMessage, ContentPart } from '../../model/message.js'
import { addedMessages } from '../reply/sdk-results.js'
import { spellAnswers } from './answers.js'
import { parseArguments } from './chat-parts.js'

/** One of LangChain's `BaseMessageLike`: a role with fields, or a message of its own that it returned before. */
export interface LangChainMessage {
  role: string
  content: string | ContentPart[]
  [key: string]: unknown
}

/**
 * For `invoke` and `stream` of LangChain and LangGraph. `history` is `options.history`: messages that an earlier call
 * returned go back as they were, reasoning and signatures included.
 */
export function toLangChain(messages: readonly AgentMessage[], history: readonly unknown[] = []): LangChainMessage[] {
  return spellAnswers(messages, history, { convert: toMessage, own: ownMessages })
}

function toMessage(message: AgentMessage, names: ReadonlyMap<string, string>): LangChainMessage[] {
  if (message.role === 'tool')
    return [{ ...message, ...(names.has(message.tool_call_id) && { name: names.get(message.tool_call_id) }) }]
  if (message.role !== 'assistant') return [message]
  const { tool_calls = [], content, ...rest } = message
  const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => ({
    type: 'tool_call',
    id,
    name,
    args: parseArguments(args),
  }))
  return [{ ...rest, content: content ?? '', ...(calls.length > 0 && { tool_calls: calls }) }]
}

function ownMessages(reply: unknown): LangChainMessage[] | undefined {
  const list = isRecord(reply) ? reply['messages'] : reply
  const added = Array.isArray(list) ? addedMessages(list) : undefined
  // Written out as JSON they are no longer LangChain's.
  const isOwn = added?.every((message) => isRecord(message) && typeof message['getType'] === 'function')
  return isOwn && added && added.length > 0 ? (added as LangChainMessage[]) : undefined
}
