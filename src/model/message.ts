// Messages, tool calls and usage: what is said to an agent and what it says and does.
import type { InferOutput } from 'valibot'
import type { TOOL_EVIDENCE, toolCall, usage } from './result-schema.js'

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

/** A message as functions, programs and JSON endpoints receive it: in the shape of OpenAI's chat completions. */
export type AgentMessage =
  | { role: 'system' | 'developer' | 'user'; content: string | ContentPart[]; name?: string }
  /** With tool calls, `content` is null unless something was said beside them. A tool message follows for each call. */
  | { role: 'assistant'; content: string | ContentPart[] | null; tool_calls?: AgentToolCall[]; name?: string }
  | { role: 'tool'; tool_call_id: string; content: string }

export interface AgentToolCall {
  /** Never empty, and the same in every turn of a case. */
  id: string
  type: 'function'
  /** `arguments` is JSON. */
  function: { name: string; arguments: string }
}

/** `args` are parsed; where that failed they are the raw text, and `args_error` says why. */
export interface ToolCall extends InferOutput<typeof toolCall> {}

/** Why what was called is not known in full: some calls may be missing, or none is reported. */
export type ToolEvidence = (typeof TOOL_EVIDENCE)[number]

export interface Attachment {
  type: string
  source?: string
  url?: string
  name?: string
  [key: string]: unknown
}

export interface Usage extends InferOutput<typeof usage> {}
