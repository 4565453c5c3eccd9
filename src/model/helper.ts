// How helper agents (generator, simulator, validator, reporter) are asked.
import type { AgentOptions } from './agent.js'
import type { Message } from './message.js'
import type { SignedQuestion } from './signed-question.js'

export type HelperRole = 'generator' | 'simulator' | 'validator' | 'reporter'

/** A call of a helper agent (chapter 4): data as metadata and as the JSON text of one user message. */
export interface HelperCall {
  role: HelperRole
  /** Agent id with or without `agents:`, `scripts:…`, or any target; absent: the built-in helper of the role. */
  use?: string
  test_id?: string
  /** Fields of the helper's row in chapter 4; they win over the metadata of the author's options. */
  data: Record<string, unknown>
  /** Overrides the JSON text as the user message. */
  text?: string
  /** Sent instead of the one user message (simulator style `messages`). */
  messages?: Message[]
  /** JSON Schema of the answer: the built-in helpers ask their model for it in that form, where it can. */
  schema?: Record<string, unknown>
  /** Of a judge: what the question is signed with. */
  signed?: SignedQuestion
  /** Called if the answer need not be: it is scripted, or was recorded before verdicts were signed. */
  onUnsigned?: () => void
  options?: AgentOptions
  signal: AbortSignal
}

/** The answer, structured or text. */
export type AskHelper = (call: HelperCall) => Promise<unknown>

/** Who is meant by `use`. A built-in helper has one name, however it is written; recordings have the others as they are. */
export function helperId(use: string): string {
  return use.replace(/^agents:/, '').replace(/^assistants\.(?=viva\.)/, '')
}
