// In which shape an agent receives the conversation. Converted in the target, below recording: events, reports and
// cassettes have Viva's own.
import { chatMessages } from '../../connectors/chat-messages.js'
import type { AgentMessage, Message } from '../../model/message.js'
import type { AgentEntry } from '../../model/config.js'

export type SentMessages = Message[] | AgentMessage[]
export type MessageShape = (messages: Message[]) => SentMessages

export const SHAPES: Record<'chat' | 'viva', MessageShape> = { chat: chatMessages, viva: (messages) => messages }

/** An OpenAI-compatible endpoint; any other URL takes a JSON document. */
export function isChatEndpoint({ target, response_path }: AgentEntry): boolean {
  if (!/^https?:/i.test(target) || !URL.canParse(target)) return false
  return /\/(chat\/completions|v1)\/?$/.test(new URL(target).pathname) && response_path === undefined
}
