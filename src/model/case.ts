// The case, as every stage sees it. Spellings meet here: `assert`/`assertions`, `input`/`messages`, bare strings.
import type { AgentOptions, ToolReplacements } from './agent.js'
import type { AssertionSpec } from './assertion.js'
import type { Attachment, Message } from './message.js'

export type CaseInput = string | Message | Message[]

export interface Turn {
  input?: CaseInput
  assertions: AssertionSpec[]
  options?: AgentOptions
  attachments?: Attachment[]
}

export interface Checkpoint {
  id: string
  description?: string
  assertion: AssertionSpec
  after: string[]
  required: boolean
}

export interface SimulatorSpec {
  use?: string
  options?: AgentOptions
}

export interface RetryPolicy {
  max_attempts: number
  backoff_ms: number
  retry_on?: string[]
  no_retry_on?: string[]
}

export type OnMissingInput = 'skip' | 'fail' | 'end'

export interface TestCase {
  id: string
  name?: string
  type?: string
  input?: CaseInput
  messages?: Message[]
  expected?: unknown
  assertions: AssertionSpec[]
  user?: string
  team?: string
  metadata?: Record<string, unknown>
  options?: AgentOptions
  skip?: boolean
  skip_reason?: string
  timeout?: string
  turn_timeout?: string
  retry?: RetryPolicy
  tags?: string[]
  before?: string
  after?: string
  attachments?: Attachment[]
  turns?: Turn[]
  interactive?: { enabled?: boolean; timeout?: string }
  on_missing_input?: OnMissingInput
  final_assertions?: AssertionSpec[]
  simulator?: SimulatorSpec
  checkpoints?: Checkpoint[]
  max_turns?: number
  min_score?: number
  testing?: { tools?: ToolReplacements }
  workspace?: Record<string, unknown>
  /** 1-based line in the case file. */
  line?: number
}
