// What a conversation needs and what it returns: the border between one attempt at a case and its modes.
import type { Agent, AgentContext, AgentOptions, TimeLimit, ToolReplacements } from '../../../model/agent.js'
import type { CaseInput, TestCase } from '../../../model/case.js'
import type { FailedResult, PassedResult, SkippedResult } from '../../../model/event.js'
import type { CaseTools } from '../../../model/given-tools.js'
import type { AskHelper } from '../../../model/helper.js'
import type { Attachment, Message } from '../../../model/message.js'
import type { ModelCall } from '../../../model/model-call.js'
import type { RunOptions } from '../../../config/options.js'
import type { OptionsOver } from '../../../model/variant.js'
import type { CaseWorkspace } from '../../../model/workspace.js'
import type { Clock } from '../../../time/clock.js'
import type { AssertServices, CompiledAssertion } from '../../assert/define-assertion.js'

export type { AskHelper } from '../../../model/helper.js'

/** The case's assertions, compiled once and shared by all its runs. */
export interface CompiledCase {
  assertions: CompiledAssertion[]
  turns: CompiledAssertion[][]
  final: CompiledAssertion[]
  checkpoints: CompiledAssertion[]
}

/** Asks a person. Only one question is open at a time. */
export interface Human {
  ask(question: {
    case_id: string
    question: string
    hint?: string
    history: Message[]
    timeout_ms: number
    signal: AbortSignal
  }): Promise<{ kind: 'input'; text: string } | { kind: 'skip' | 'fail' | 'end' | 'timeout' | 'closed' }>
}

/** What all conversations of a run share. */
export interface ConversationRun {
  agent: Agent
  options: RunOptions
  /** What the variant says about the agent's options; default: `-c` of `options`. */
  over?: OptionsOver
  /** `testing.tools` of the configuration, if they are results and scripts. */
  tools?: ToolReplacements
  awaiting_tools: string[]
  human?: Human
  clock: Clock
  /** Input as written → messages, attachments inlined. Synchronous for plain text. */
  messagesOf(input: CaseInput, attachments?: Attachment[]): Message[] | Promise<Message[]>
}

/** What the case changes outside the conversation. Throws if it cannot be read, or kept. */
export interface CaseState {
  source: 'store' | 'hook'
  read(when: 'before' | 'after'): Promise<unknown>
}

/** One attempt at a case. */
export interface ConversationSetup {
  run: ConversationRun
  testCase: TestCase
  compiled: CompiledCase
  context: AgentContext
  /** Case options with flags applied. */
  options: AgentOptions
  /** On whose behalf the agent is called. */
  call: ModelCall
  services: AssertServices
  ask: AskHelper
  /** The simulated user's id for the conversation, if it is not the agent's chat id: the same for all variants. */
  session?: string | undefined
  /** The hash of what the case asks. */
  asked?: string | undefined
  /** The tools that the case provides. */
  tools?: CaseTools | undefined
  /** Where its state is read. */
  state?: CaseState | undefined
  /** Where the agent works, if the case says so. */
  workspace?: CaseWorkspace | undefined
  /** Aborted at the case's deadline or when the run stops. */
  signal: AbortSignal
  deadline?: TimeLimit
  /** When the case began, as `monotonicNow`: steps count from there. */
  started: number
  /** How long our own limits held its calls back: not the agent's latency. */
  waitedMs: number
  /** A call failed: the case may not be able to run at all. */
  onError?(thrown: unknown): void
  /** Until the returned function is called, time does not count against the case: a person is thinking. */
  pauseDeadline?(): () => void
}

/** How an attempt ended, and why. */
export type Outcome = Pick<PassedResult, 'status' | 'score'> | FailedOutcome | SkippedOutcome
type FailedOutcome = Pick<FailedResult, 'status' | 'error' | 'error_kind' | 'score'> & Thrown
type SkippedOutcome = Pick<SkippedResult, 'status' | 'skip_reason' | 'skipped_by' | 'error' | 'error_kind'> & Thrown

interface Thrown {
  /** The thrown error behind `error`, for the retry decision. Never written. */
  cause?: unknown
}

/** The part of a result that the conversation knows; the attempt adds id, run, timing and identity. */
export type ConversationResult = Thrown &
  (Omit<PassedResult, AddedLater> | Omit<FailedResult, AddedLater> | Omit<SkippedResult, AddedLater>)

type AddedLater = 'type' | 'run_id' | 'id' | 'run' | 'variant' | 'asked' | 'judged' | 'duration_ms'
