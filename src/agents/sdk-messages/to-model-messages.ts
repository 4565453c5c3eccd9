// Messages as functions receive them → `messages` of the AI SDK, versions 5 to 7.
import { isRecord } from '../../base/record.js'
import type { AgentMessage } from '../../model/message.js'
import { spellAnswers } from './answers.js'
import { parseArguments, readChatParts, textOfParts } from './chat-parts.js'

type UserPart =
  | { type: 'text'; text: string }
  | { type: 'image'; image: string }
  | { type: 'file'; data: string; mediaType: string; filename?: string }

type AnswerPart =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }

interface ToolResult {
  type: 'tool-result'
  toolCallId: string
  toolName: string
  output: { type: 'text'; value: string }
}

/** The SDK's `ModelMessage`. */
export type SdkModelMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string | UserPart[] }
  | { role: 'assistant'; content: string | AnswerPart[] }
  | { role: 'tool'; content: ToolResult[] }

/**
 * For `generateText`, `streamText` and agents of the AI SDK. `history` is `options.history`: what an earlier call of it
 * returned goes back as it was, reasoning and signatures included.
 */
export function toModelMessages(
  messages: readonly AgentMessage[],
  history: readonly unknown[] = [],
): SdkModelMessage[] {
  return spellAnswers(messages, history, { convert: toModelMessage, own: ownMessages })
}

function toModelMessage(message: AgentMessage, names: ReadonlyMap<string, string>): SdkModelMessage[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: 'system', content: textOfParts(message.content) }]
    case 'user': {
      const { content } = message
      return [{ role: 'user', content: typeof content === 'string' ? content : readChatParts(content).map(toUserPart) }]
    }
    case 'assistant': {
      const { content, tool_calls = [] } = message
      if (tool_calls.length === 0) return [{ role: 'assistant', content: textOfParts(content) }]
      const said = textOfParts(content)
      const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: parseArguments(args),
      }))
      return [{ role: 'assistant', content: said === '' ? calls : [{ type: 'text', text: said }, ...calls] }]
    }
    case 'tool': {
      const { tool_call_id: toolCallId, content: value } = message
      const toolName = names.get(toolCallId) ?? 'unknown'
      return [
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] },
      ]
    }
  }
}

function toUserPart(part: ReturnType<typeof readChatParts>[number]): UserPart {
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image', image: part.url }
    case 'file': {
      const { kind: _kind, ...file } = part
      return { type: 'file', ...file }
    }
  }
}

/** Version 7 has the messages of all steps in `responseMessages`, the ones before in `response.messages`. */
function ownMessages(reply: unknown): SdkModelMessage[] | undefined {
  if (!isRecord(reply)) return undefined
  const response = isRecord(reply['response']) ? reply['response'] : {}
  const given = reply['responseMessages'] ?? response['messages']
  return Array.isArray(given) && given.length > 0 ? (given as SdkModelMessage[]) : undefined
}
