// Plays a conduct to a case: through the conversation and the evaluator of a real run, with nobody called.
import { DEFAULT_OPTIONS, type RunOptions } from '../config/options.js'
import type { Agent, AgentReply, AgentRequest } from '../model/agent.js'
import type { AssertionResult, AssertServices, CompiledAssertion } from '../model/assertion.js'
import type { TestCase } from '../model/case.js'
import type { Message } from '../model/message.js'
import { SearchThread } from '../pipeline/assert/search-thread.js'
import { compileCase } from '../pipeline/execute/compile-case.js'
import { Conversation } from '../pipeline/execute/conversation/conversation.js'
import { converse } from '../pipeline/execute/conversation/converse.js'
import type {
  AskHelper,
  CompiledCase,
  ConversationResult,
  ConversationRun,
  ConversationSetup,
} from '../pipeline/execute/conversation/contract.js'
import { DEFAULT_AWAITING_TOOLS } from '../pipeline/execute/conversation/awaiting-input.js'
import { contextFor } from '../pipeline/plan/environment.js'
import { Clock } from '../time/clock.js'
import { assertionsByType } from '../pipeline/assert/registry.js'
import { checksOf, type Checks } from './checks.js'
import type { Conduct, Said } from './conduct.js'
import { filesBefore, workspaceOf } from './conduct-files.js'
import type { ConductState } from './conduct-state.js'

/** Answers a turn, from 1. */
export type Answer = (turn: number, messages: Message[]) => AgentReply

/** A conduct, or an agent that is made up: then it leaves the workspace as it was. */
export type Part = Conduct | { answer: Answer; said: Said[] }

export interface Played {
  /** `open`: it passes unless a judge, a script or a snapshot says otherwise. */
  verdict: 'passed' | 'failed' | 'open'
  /** The checks that failed, by their place in the case: `assert[0]`, `turns[1].assert[0]`, `checkpoints[2]`. */
  failed: string[]
  /** Why it failed. */
  error?: string
}

export interface StageInit {
  /** Of the run that the cases are from. */
  options?: Partial<RunOptions>
  awaiting_tools?: string[] | undefined
}

/** One case, ready to be played to again and again. */
export interface Stage {
  testCase: TestCase
  checks: Checks
  play(part: Part): Promise<Played>
}

export interface Stages {
  /** `ready`: assertions of the case that are compiled already. */
  of(testCase: TestCase, ready?: readonly CompiledAssertion[]): Stage
  close(): Promise<void>
}

export function openStages(init: StageInit = {}): Stages {
  const thread = new SearchThread()
  const shared = new SharedSetup(init, thread)
  return {
    of: (testCase, ready) => {
      const checks = checksOf(compileCase(testCase, ready))
      return { testCase, checks, play: (part) => play(testCase, checks, part, shared) }
    },
    close: () => thread.close(),
  }
}

async function play(testCase: TestCase, checks: Checks, part: Part, shared: SharedSetup): Promise<Played> {
  const setup = new PlaySetup(testCase, checks.atBest, part, shared)
  const conversation = new Conversation(setup)
  const result = await converse(conversation)
  if (!isGreen(result)) return { verdict: 'failed', failed: failedChecks(result), error: reasonOf(result) }
  const decidedByUser = conversation.script.mode === 'simulated'
  if (!checks.atWorst && !decidedByUser) return PASSED
  if (checks.atWorst && !decidedByUser) {
    const worst = await converse(new Conversation(new PlaySetup(testCase, checks.atWorst, part, shared)))
    if (isGreen(worst)) return PASSED
  }
  return { verdict: 'open', failed: NONE }
}

const NONE: never[] = []
const PASSED: Played = { verdict: 'passed', failed: NONE }

/** A run with such a result would not fail because of it. */
function isGreen(result: ConversationResult): boolean {
  return result.status === 'passed' || (result.status === 'skipped' && result.skipped_by === undefined)
}

function reasonOf({ error, skip_reason }: ConversationResult): string {
  return error ?? skip_reason ?? 'not shown'
}

/** Empty if it failed before any check: no answer, too many turns. */
function failedChecks(result: ConversationResult): string[] {
  const places: string[] = []
  addFailed(places, 'assert', result.assertions)
  addFailed(places, 'final_assertions', result.final_assertions)
  for (const [index, turn] of (result.turns ?? NONE).entries())
    addFailed(places, `turns[${index}].assert`, turn.assertions)
  for (const [index, { passed, required }] of (result.checkpoints ?? NONE).entries())
    if (required && !passed) places.push(`checkpoints[${index}]`)
  return places
}

function addFailed(places: string[], list: string, results: readonly AssertionResult[] = NONE): void {
  for (const [index, { passed, not_evaluated }] of results.entries())
    if (!passed && !not_evaluated) places.push(`${list}[${index}]`)
}

/** What every play of every case has in common. */
class SharedSetup {
  readonly options: RunOptions
  readonly awaitingTools: string[]
  readonly clock = new Clock()
  readonly signal = new AbortController().signal
  readonly services: AssertServices
  readonly call = { lane: 'agent', role: 'suite', case_id: '', run: 1, attempt: 1 } as const

  constructor({ options, awaiting_tools = DEFAULT_AWAITING_TOOLS }: StageInit, thread: SearchThread) {
    // Nobody is asked, whatever the run could do.
    this.options = { ...DEFAULT_OPTIONS, ...options, interactive: false }
    this.awaitingTools = awaiting_tools
    const search = (expression: RegExp, text: string): Promise<boolean> => thread.search(expression, text)
    this.services = { judge: nobody, script: nobody, search, signal: this.signal, verdictsOnly: true }
  }
}

const nobody = (): never => {
  throw new Error('nobody is asked here')
}

/** One play of one case. */
class PlaySetup implements ConversationSetup {
  readonly run: ConversationRun
  readonly testCase: TestCase
  readonly compiled: CompiledCase
  readonly options = {}
  readonly signal: AbortSignal
  readonly started = 0
  readonly call: ConversationSetup['call']
  readonly services: AssertServices
  readonly workspace: ConversationSetup['workspace']
  readonly state: ConversationSetup['state']
  waitedMs = 0
  readonly #said: readonly Said[]

  constructor(testCase: TestCase, compiled: CompiledCase, part: Part, shared: SharedSetup) {
    this.testCase = testCase
    this.compiled = compiled
    this.signal = shared.signal
    this.call = shared.call
    this.#said = part.said
    this.run = {
      agent: 'answer' in part ? madeUp(part.answer) : performing(part.replies),
      options: shared.options,
      awaiting_tools: shared.awaitingTools,
      clock: shared.clock,
      messagesOf: (input) => messagesIn(input),
    }
    this.services = shared.services
    const state = 'state' in part ? part.state : 'answer' in part ? untouched(compiled) : undefined
    if (state) this.state = { source: state.source, read: async (when) => state[when] }
    if (testCase.workspace === undefined) return
    const files = ('files' in part && part.files) || filesBefore(testCase.workspace)
    const changes = ('changes' in part && part.changes) || NONE
    this.workspace = workspaceOf(testCase.workspace, files, async () => ({ changes, left_out: 0 }))
    this.services = { ...shared.services, workspace: this.workspace }
  }

  get context(): ConversationSetup['context'] {
    return contextFor({}, this.testCase, 'suite', 'suite')
  }

  /** The simulated user says what it said when the case ran; after that it has no more to say. */
  get ask(): AskHelper {
    return async ({ data }) => {
      const turn = Number(data['turn_number'])
      const next = this.#said[turn - 1]
      if (this.#said[turn - 2]?.goal_achieved) return { goal_achieved: true }
      return next ? { input: textOf(next.input), goal_achieved: false } : { input: '…', goal_achieved: false }
    }
  }
}

/** Nothing changed, which says nothing about what is there: enough only for assertions about what changed. */
function untouched({ assertions, turns, final, checkpoints }: CompiledCase): ConductState | undefined {
  const specs = [assertions, final, checkpoints, ...turns].flat().map(({ spec }) => spec)
  const own = specs.filter(({ type }) => assertionsByType.get(type)?.on === 'state')
  const isEnough = own.length > 0 && own.every(({ type, negate }) => type === 'state_changed' && negate !== true)
  return isEnough ? { source: 'store', before: {}, after: {} } : undefined
}

function textOf(input: unknown): string {
  return typeof input === 'string' && input !== '' ? input : JSON.stringify(input ?? '')
}

function madeUp(answer: Answer): Agent {
  return { id: 'suite', send: async ({ turn = 1, messages }: AgentRequest) => answer(turn, messages) }
}

const CLOSING = 'Thank you. Goodbye.'

/** Beyond its last reply it only says goodbye. */
function performing(replies: readonly AgentReply[]): Agent {
  return {
    id: 'suite',
    listens: false,
    send: async ({ turn = 1 }) => replies[turn - 1] ?? { content: CLOSING, tool_calls: [], duration_ms: 0 },
  }
}

/** Attachments stay where they are: no assertion that is checked here reads them. */
export function messagesIn(input: unknown): Message[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }]
  return Array.isArray(input) ? (input as Message[]) : [input as Message]
}
