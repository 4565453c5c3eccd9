// The case, as every stage sees it. Spellings meet here: `assert`/`assertions`, `input`/`messages`, bare strings.
import type { AgentOptions, ToolReplacements } from './agent.js'
import type { AssertionSpec } from './assertion.js'
import type { WrittenCase } from './case-schema.js'
import type { Attachment, Message } from './message.js'
import type { ToolSpec } from './tool-spec.js'
import type { WorkspaceSpec } from './workspace.js'

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

/** Fields that mean the same in every spelling come from the schema as they are. */
type Unchanged = Omit<WrittenCase, 'assert' | 'call' | 'expect_tool' | keyof Normalised>

interface Normalised {
  type?: string
  input?: CaseInput
  messages?: Message[]
  assertions: AssertionSpec[]
  options?: AgentOptions
  retry?: RetryPolicy
  attachments?: Attachment[]
  turns?: Turn[]
  final_assertions?: AssertionSpec[]
  simulator?: SimulatorSpec
  checkpoints?: Checkpoint[]
  testing?: { tools?: string | ToolReplacements; state?: string }
  workspace?: WorkspaceSpec
  tools?: ToolSpec[]
  /** 1-based line in the case file. */
  line?: number
  /** The case file, relative to where the run was started; only if the source has several. */
  file?: string
}

export interface TestCase extends Unchanged, Normalised {}
