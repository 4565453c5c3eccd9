// Messages as functions receive them → the input items of the OpenAI Agents SDK.
import { isRecord } from '../../base/record.js'
import type { AgentMessage } from '../../model/message.js'
import { spellAnswers } from './answers.js'
import { readChatParts, textOfParts } from './chat-parts.js'

type UserPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image: string }
  | { type: 'input_file'; file: string; filename?: string }

/** The SDK's `AgentInputItem`. */
export type SdkInputItem =
  | { type: 'message'; role: 'system'; content: string }
  | { type: 'message'; role: 'user'; content: string | UserPart[] }
  | { type: 'message'; role: 'assistant'; status: 'completed'; content: Array<{ type: 'output_text'; text: string }> }
  | { type: 'function_call'; callId: string; name: string; arguments: string; status: 'completed' }
  | {
      type: 'function_call_result'
      callId: string
      name: string
      status: 'completed'
      output: { type: 'text'; text: string }
    }

/**
 * For `run` of the OpenAI Agents SDK. `history` is `options.history`: what an earlier run returned goes back as it was,
 * reasoning items included.
 */
export function toAgentInput(messages: readonly AgentMessage[], history: readonly unknown[] = []): SdkInputItem[] {
  return spellAnswers(messages, history, { convert: toItems, own: ownItems })
}

function toItems(message: AgentMessage, names: ReadonlyMap<string, string>): SdkInputItem[] {
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ type: 'message', role: 'system', content: textOfParts(message.content) }]
    case 'user': {
      const { content } = message
      const parts = typeof content === 'string' ? content : readChatParts(content).map(toUserPart)
      return [{ type: 'message', role: 'user', content: parts }]
    }
    case 'assistant': {
      const { content, tool_calls = [] } = message
      const text = textOfParts(content)
      const said: SdkInputItem[] =
        text === '' && tool_calls.length > 0
          ? []
          : [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }]
      const calls = tool_calls.map(({ id, function: { name, arguments: args } }) => ({
        type: 'function_call' as const,
        callId: id,
        name,
        arguments: args,
        status: 'completed' as const,
      }))
      return [...said, ...calls]
    }
    case 'tool': {
      const { tool_call_id: callId, content: text } = message
      const name = names.get(callId) ?? 'unknown'
      return [{ type: 'function_call_result', callId, name, status: 'completed', output: { type: 'text', text } }]
    }
  }
}

function toUserPart(part: ReturnType<typeof readChatParts>[number]): UserPart {
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return { type: 'input_image', image: part.url }
    case 'file': {
      const { data, mediaType, filename } = part
      const file = `data:${mediaType};base64,${data}`
      return { type: 'input_file', file, ...(filename !== undefined && { filename }) }
    }
  }
}

/**
 * What the run added to its input, if there is more in it than messages can hold. Otherwise it is converted: over chat
 * completions the SDK would send back fields that OpenAI refuses.
 */
function ownItems(reply: unknown): SdkInputItem[] | undefined {
  if (!isRecord(reply) || !Array.isArray(reply['newItems']) || !Array.isArray(reply['output'])) return undefined
  const items: unknown[] = reply['output']
  const isMore = items.some((item) => isRecord(item) && !PLAIN.has(item['type'] ?? 'message'))
  return isMore ? (items as SdkInputItem[]) : undefined
}

const PLAIN = new Set<unknown>(['message', 'function_call', 'function_call_result'])
