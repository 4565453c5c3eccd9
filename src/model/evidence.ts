// One record of what happened, the same whatever was run: every assertion reads this and nothing else.
import type { AgentReply, TraceStep } from './agent.js'
import type { Message, ToolCall, ToolEvidence, Usage } from './message.js'
import type { SessionEvidence } from './session-evidence.js'
import type { SkillUse } from './skill-use.js'
import type { Span } from './span.js'
import type { StateEvidence } from './state.js'
import type { FileChange } from './workspace.js'

export interface Evidence {
  /** What assertions on the answer see (chapter 3: Next data, content, first tool result, summary of calls, null). */
  output: unknown
  /** The input of this call, as written in the case. */
  input: unknown
  expected?: unknown
  /** The conversation including the answer. */
  messages: Message[]
  /** The calls of this turn; for `final_assertions`, of the whole conversation. */
  tool_calls: ToolCall[]
  /** Absent: every call is in `tool_calls`. */
  tool_evidence?: ToolEvidence
  /** Hats of an orchestrator that may have made further calls: their backends report none. */
  unreported_hats?: string[]
  finish_reason?: string
  /** Whether the agent refused; absent where its protocol cannot report that. */
  refusal?: boolean
  /** What it said in place of an answer, unless the case has an assertion on refusals. */
  refused?: string
  awaiting_input?: boolean
  awaiting_reason?: string
  duration_ms: number
  usage?: Usage
  /** Undefined = the price is unknown, which is not the same as 0. */
  cost_dollars?: number
  cost_estimated?: true
  /** The skills that the agent had and used; absent: it reports none. */
  skills?: SkillUse
  /** For an agent that is a program, and for an orchestrator run. */
  exit_code?: number
  /** As written, whatever was read from it. */
  stdout?: string
  stderr?: string
  /** What an orchestrator run did. */
  session?: SessionEvidence
  /** What has changed in the workspace since the case began; file contents come from the services. */
  changes?: FileChange[]
  /** How many more files have changed. */
  changes_left_out?: number
  /** What the case has changed outside the conversation, if that is known. */
  state?: StateEvidence
  /** Tools that the test provides: each of their calls is in `tool_calls`, whatever `tool_evidence` says. */
  recorded_tools?: string[]
  /** Steps of the agent, as Viva saw them. */
  trace?: TraceStep[]
  /** Steps of the agent, as it reported them. */
  spans?: Span[]
  reply?: AgentReply
  case_id: string
  metadata?: Record<string, unknown>
}
