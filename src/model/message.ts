// Messages, tool calls and usage: what is said to an agent and what it says and does.
import type { InferOutput } from 'valibot'
import type { toolCall, usage } from './result-schema.js'

export const ROLES = ['user', 'assistant', 'system', 'developer', 'tool'] as const

export interface ContentPart {
  type: string
  [key: string]: unknown
}

export interface Message {
  role: string
  content: string | ContentPart[] | null
  name?: string
  tool_calls?: ToolCall[]
  tool_call_id?: string
  [key: string]: unknown
}

/** `args` are parsed; where that failed they are the raw text, and `args_error` says why. */
export interface ToolCall extends InferOutput<typeof toolCall> {}

export interface Attachment {
  type: string
  source?: string
  url?: string
  name?: string
  [key: string]: unknown
}

export interface Usage extends InferOutput<typeof usage> {}
