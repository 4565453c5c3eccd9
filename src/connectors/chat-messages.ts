// A conversation as functions, programs and JSON endpoints receive it: in the shape of OpenAI's chat completions.
import type { AgentMessage, AgentToolCall, Message, ToolCall } from '../model/message.js'
import { textOf } from '../model/last-user-text.js'
import { isPresent } from '../base/record.js'
import { isAboutCalls, pairCalls } from './pair-calls.js'

/** The same list if it already has that shape. Keys that an author added to a message stay. */
export function chatMessages(messages: Message[]): AgentMessage[] {
  const isConverted = messages.some((message) => isAboutCalls(message) || !isPresent(message.content))
  // The role is that of a case or a hook, and neither is checked here.
  return (isConverted ? pairCalls(messages).map(chatMessage) : messages) as AgentMessage[]
}

function chatMessage(message: Message, index: number): object {
  if (message.role === 'tool') return toolMessage(message, index)
  const { tool_calls, ...said } = message
  if (!tool_calls || tool_calls.length === 0) return { ...said, content: message.content ?? '' }
  return { ...said, content: message.content ?? null, tool_calls: tool_calls.map(chatCall) }
}

function toolMessage({ name: _name, content, tool_call_id, ...rest }: Message, index: number): object {
  return { ...rest, tool_call_id: tool_call_id || `call_${index}`, content: resultText(content) }
}

function chatCall({ id = '', name, args }: ToolCall): AgentToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

/** The API takes text alone. */
function resultText(content: Message['content']): string {
  if (!Array.isArray(content)) return content ?? ''
  return content.every((part) => part.type === 'text') ? textOf(content) : JSON.stringify(content)
}
