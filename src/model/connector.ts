// How models are reached: one request, one completion, whatever the provider.
import type { ApiRetry, Waiter } from './agent.js'
import type { Message, ToolCall, Usage } from './message.js'
import type { ModelCall } from './model-call.js'
import type { SignedQuestion } from './signed-question.js'
import type { ToolSpec } from './tool-spec.js'

export type { ToolSpec } from './tool-spec.js'

/** What a finish reason can mean, whatever the provider calls it. */
export const ENDINGS = ['stop', 'length', 'tool_calls', 'content_filter', 'refusal'] as const
export type Ending = (typeof ENDINGS)[number]

/**
 * What a model returned beyond its words and calls: thinking blocks with their signatures, reasoning items. It goes back
 * to that model unchanged, beside the answer that it led to, and is never shown, judged or compared.
 */
export interface Reasoning {
  /** Whose it is: no other gets it. */
  connector: string
  /** The answer: what was said, and the ids of the calls. */
  content: string
  calls: string[]
  /** In the form of its protocol. */
  items: unknown[]
}

export interface CompletionRequest extends Waiter {
  messages: Message[]
  /** Of earlier answers of this connector among the messages. */
  reasoning?: Reasoning[]
  /** The first of them with `$SYS.TIME` and the like in place of the actual time; absent: they do not contain the time. */
  timeless?: () => Message[]
  tools?: ToolSpec[]
  /** temperature, max_tokens, response_format, … as in package.yao `options`. */
  options: Record<string, unknown>
  /** Scripted connectors are consumed per conversation: same key, next response. */
  conversation: string
  metadata?: Record<string, unknown>
  call: ModelCall
  /** Of a judge. */
  signed?: SignedQuestion | undefined
  onChunk?: (text: string) => void
  /** Of the case; where a scripted model writes its files. */
  workspace?: string
}

export interface Completion {
  content: string
  tool_calls: ToolCall[]
  finish_reason?: string
  /** Whether the model refused; absent where its protocol cannot report that. */
  refusal?: boolean
  /** The items of `Reasoning`. */
  reasoning?: unknown[]
  /** Of a judge: scripted, or recorded before verdicts were signed. */
  unsigned?: boolean
  usage?: Usage
  cost_dollars?: number
  /** Tokens at list prices. */
  cost_estimated?: true
  awaiting_input?: boolean
  input_hint?: string
  first_chunk_ms?: number
  api_retries?: ApiRetry[]
  exit_code?: number
  raw?: unknown
}

export interface Connector {
  id: string
  type: string
  /** A hash of its settings except the key: the same model at the same place has the same hash. */
  settings?: string
  complete(request: CompletionRequest): Promise<Completion>
}

/** The one mock format: scripted answers for a model and for the backend of an orchestrator. */
export interface MockResponse {
  hat?: string
  trigger_pattern?: string
  output?: unknown
  tool_calls?: Array<{ name: string; args?: unknown; arguments?: unknown; id?: string }>
  finish_reason?: string
  awaiting_input?: boolean
  input_hint?: string
  usage?: Partial<Usage>
  exit_code?: number
  delay_ms?: number
  error?: string
  /** Written to the workspace before the answer: path → text. */
  files?: Record<string, string>
}

/** What each field of it must be. */
export const MOCK_FIELDS = {
  hat: 'string',
  trigger_pattern: 'string',
  output: 'any',
  tool_calls: 'list',
  finish_reason: 'string',
  awaiting_input: 'boolean',
  input_hint: 'string',
  usage: 'object',
  exit_code: 'number',
  delay_ms: 'number',
  error: 'string',
  files: 'object',
} as const satisfies Record<keyof MockResponse, string>
