// One record of what happened, the same whatever was run: every assertion reads this and nothing else.
import type { AgentReply } from './agent.js'
import type { Message, ToolCall, Usage } from './message.js'

export interface Evidence {
  /** What assertions on the answer see (chapter 3: Next data, content, first tool result, summary of calls, null). */
  output: unknown
  /** The input of this call, as written in the case. */
  input: unknown
  expected?: unknown
  /** The conversation including the answer. */
  messages: Message[]
  /** This turn's calls; for `final_assertions` the whole conversation's. */
  tool_calls: ToolCall[]
  finish_reason?: string
  awaiting_input?: boolean
  awaiting_reason?: string
  duration_ms: number
  usage?: Usage
  /** Undefined = the price is unknown, which is not the same as 0. */
  cost_dollars?: number
  exit_code?: number
  stderr?: string
  reply?: AgentReply
  case_id: string
  metadata?: Record<string, unknown>
}
