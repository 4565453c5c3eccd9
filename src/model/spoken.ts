// What a case asks, as messages. Pure.
import type { Message } from './message.js'

export interface Spoken {
  role: string
  content: unknown
  name?: string
  tool_calls?: unknown
  tool_call_id?: string
}

/** A string is what the user says. */
export function messagesOf(input: unknown): Spoken[] {
  if (input === undefined || input === null) return []
  if (Array.isArray(input) && input.every(isMessage)) return input
  if (isMessage(input)) return [input]
  return [{ role: 'user', content: input }]
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'role' in value && typeof value.role === 'string'
}
