// Messages, tool calls and usage: what is said to an agent and what it says and does.

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

export interface ToolCall {
  name: string
  /** Parsed arguments; the raw text where it could not be parsed (then `args_error` says why). */
  args: unknown
  id?: string
  server?: string
  result?: unknown
  error?: string
  args_error?: string
}

export interface Attachment {
  type: string
  source?: string
  url?: string
  name?: string
  [key: string]: unknown
}

export interface Usage {
  input_tokens: number
  output_tokens: number
  total_tokens: number
}
