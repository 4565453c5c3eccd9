// How interactions are identified: by conversation, and within it by who is asked.
import type { ConversationId } from '../model/cassette.js'

export function conversationOf({ case: id, variant = '', run, attempt }: ConversationId): string {
  return `${attempt}\0${run}\0${variant}\0${id}`
}

export function keyOf(conversation: ConversationId, hat: string): string {
  return `${conversationOf(conversation)}\0${hat}`
}
