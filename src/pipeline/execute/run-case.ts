// One case, one run: attempts until it passes or must not be tried again, as one result.
import { AgentError, agentErrorIn } from '../../errors.js'
import type { Agent, AgentContext, AgentOptions } from '../../model/agent.js'
import type { CompiledAssertion } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import type { Attempt, ResultEvent, SkippedResult } from '../../model/event.js'
import type { CaseTools, OpenCaseTools, OpenTools } from '../../model/given-tools.js'
import { HelperLedger, type Spent } from '../../model/helper-cost.js'
import { isLostInImport } from '../../model/import-note.js'
import type { ModelCall } from '../../model/model-call.js'
import type { CaseUnit } from '../../model/plan.js'
import { addUsage } from '../../model/usage.js'
import type { CaseWorkspace, Fixture, OpenCaseWorkspace, WorkspaceSpec } from '../../model/workspace.js'
import { scriptErrorOf } from '../../scripts/host/script-error.js'
import { monotonicNow } from '../../time/clock.js'
import { CancelledError } from '../../time/deadline.js'
import { parseDuration } from '../../base/duration.js'
import type { AssertServices } from '../assert/define-assertion.js'
import { notEvaluated } from '../assert/evaluate.js'
import { compileCase } from './compile-case.js'
import { Conversation } from './conversation/conversation.js'
import { abandoned, converse } from './conversation/converse.js'
import type {
  AskHelper,
  CaseState,
  CompiledCase,
  ConversationResult,
  ConversationRun,
  ConversationSetup,
} from './conversation/contract.js'
import type { Deadline, Deadlines } from './deadline.js'
import { withHooks, type CallHook } from './hooks.js'
import { attemptShared, type Course } from './rerun-alone.js'
import { failureClasses, mayRetry, retryPolicy, retryWait } from './retry.js'
import { Printed } from './printed.js'
import { settle } from './settle.js'

type CaseCall = Required<Omit<ModelCall, 'within' | 'variant'>> & Pick<ModelCall, 'variant'>

/** What every case of a run shares. */
export interface CaseDeps extends ConversationRun {
  run_id: string
  /** `own` is unique in all runs. */
  chatIdFor(own: string, attempt: number): string
  contextFor(testCase: TestCase, chatId: string): AgentContext
  optionsFor(testCase: TestCase): AgentOptions
  timeout: string
  deadlines: Deadlines
  /** `onLog`: what script assertions print; `call`: the case that they belong to. */
  services(ask: () => AskHelper, signal: AbortSignal, onLog: (line: string) => void, call: ModelCall): AssertServices
  /** By attempt too: a scripted helper starts over when a case is retried. */
  askFor(call: CaseCall, ledger: HelperLedger): AskHelper
  callHook: CallHook
  openWorkspace: OpenCaseWorkspace
  /** The file of tools that the case or the configuration names, and the folder it is relative to. */
  toolsOf(testCase: TestCase): Pick<OpenTools, 'file' | 'dir'> | undefined
  openTools: OpenCaseTools
  /** The function that reads the state. */
  stateOf(testCase: TestCase): string | undefined
  /** The case file, for annotations. */
  file?: string
}

/** The result, or undefined if the case was cancelled or could not be run: then it has none and runs on `--resume`. */
export async function runCase(
  unit: CaseUnit,
  deps: CaseDeps,
  checks?: readonly CompiledAssertion[],
): Promise<ResultEvent | undefined> {
  const { testCase } = unit
  if (testCase.skip) return skipped(unit, checks, deps, testCase.skip_reason ?? 'skip is set')
  const leftOut = deps.agent.leavesOut?.(testCase)
  if (leftOut !== undefined) return { ...skipped(unit, checks, deps, leftOut), skipped_by: 'variant' }
  if (deps.agent.isStopped?.()) return undefined
  const compiled = compileCase(testCase, checks, deps.agent.skill)
  const policy = retryPolicy(testCase, deps.options.retries)
  const history: Attempt[] = []
  const moment = monotonicNow()
  const course: Course = { reruns: [], lostMs: 0, started: moment, ledger: new HelperLedger() }
  const { clock } = deps
  const started = clock.now(moment)
  for (let attempt = 1; ; attempt += 1) {
    const start_ms = attempt === 1 ? 0 : Math.round(monotonicNow() - course.started)
    const attemptStart = (attempt === 1 ? started : clock.now()) - course.lostMs
    const outcome = await attemptOnce(unit, compiled, attempt, deps, course)
    if (!outcome) return undefined
    const classes = outcome.status === 'failed' ? failureClasses(outcome.error_kind, outcome.cause) : []
    const again = outcome.status === 'failed' && attempt < policy.max_attempts && mayRetry(policy, classes)
    if (!again) return finish(unit, deps, outcome, attempt, history, course, started)
    const wait = retryWait(policy, attempt, outcome.cause)
    history.push({
      ...attemptRecord(attempt, outcome, clock.now() - course.lostMs - attemptStart),
      start_ms,
      wait_ms: Math.round(wait),
    })
    const limit = parseDuration(testCase.timeout ?? deps.timeout)
    if (wait > limit) {
      outcome.error = `${outcome.error ?? 'failed'} (the next try would have to wait ${Math.ceil(wait / 1000)}s, longer than the case may take)`
      history.pop()
      return finish(unit, deps, outcome, attempt, history, course, started)
    }
    if (!(await pause(wait, deps))) return undefined
  }
}

function attemptOnce(
  unit: CaseUnit,
  compiled: CompiledCase,
  attempt: number,
  deps: CaseDeps,
  course: Course,
): Promise<ConversationResult | undefined> {
  const { testCase, variant } = unit
  const whose = variant === undefined ? testCase.id : `${testCase.id}-${variant}`
  const chatId = deps.chatIdFor(`${deps.run_id}-${whose}-${unit.run}-${attempt}`, attempt)
  const { agent, deadlines, clock } = deps
  const talk = (id: string): Promise<ConversationResult | undefined> =>
    converseInTime(unit, compiled, attempt, deps, id, course)
  if (!agent.reserve) return released(agent, chatId, talk(chatId))
  return attemptShared({ agent, deadlines, clock, chatId, course, converse: talk })
}

/** What the agent kept for the conversation goes with it. */
async function released<T>(agent: Agent, chatId: string, conversation: Promise<T>): Promise<T> {
  try {
    return await conversation
  } finally {
    await agent.release?.(chatId)
  }
}

async function converseInTime(
  unit: CaseUnit,
  compiled: CompiledCase,
  attempt: number,
  deps: CaseDeps,
  chatId: string,
  course: Course,
): Promise<ConversationResult | undefined> {
  const { testCase } = unit
  const text = testCase.timeout ?? deps.timeout
  const deadline = deps.deadlines.start(parseDuration(text), text)
  try {
    const context = deps.contextFor(testCase, chatId)
    const setup = new CaseSetup(unit, compiled, attempt, deps, context, deadline, course)
    const tools = deps.toolsOf(testCase)
    const outcome =
      tools === undefined && deps.stateOf(testCase) === undefined
        ? await attemptInPlace(setup, deadline)
        : await attemptWithTools(setup, tools, deadline)
    course.lostMs += setup.waitedMs
    setup.printed.addTo(outcome)
    return deadline.signal.reason instanceof CancelledError ? undefined : outcome
  } finally {
    deadline.clear()
  }
}

async function attemptWithTools(
  setup: CaseSetup,
  file: Pick<OpenTools, 'file' | 'dir'> | undefined,
  deadline: Deadline,
): Promise<ConversationResult> {
  const { withTools } = await import('./with-tools.js')
  const { agent, openTools, callHook, stateOf } = setup.run
  const { testCase, context, call } = setup
  const given = { file, testCase, context, call, agent, openTools, callHook, hook: stateOf(testCase), deadline }
  return withTools({ ...given, onLog: (line) => setup.printed.add(line, 'after') }, (tools, state) => {
    setup.tools = tools
    setup.state = state
    if (tools?.url !== undefined) setup.context.mock_mcp = tools.url
    return attemptInPlace(setup, deadline)
  })
}

function attemptInPlace(setup: CaseSetup, deadline: Deadline): Promise<ConversationResult> {
  const { agent } = setup.run
  const workspace = agent.furnish ? agent.furnish(setup.testCase.workspace) : setup.testCase.workspace
  return workspace === undefined ? attemptWith(setup, deadline) : attemptInWorkspace(setup, workspace, deadline)
}

async function attemptInWorkspace(
  setup: CaseSetup,
  spec: WorkspaceSpec,
  deadline: Deadline,
): Promise<ConversationResult> {
  const { inWorkspace } = await import('./in-workspace.js')
  const { agent, openWorkspace, options } = setup.run
  const place = {
    spec: withAddress(spec, setup.tools?.url),
    agent,
    chatId: setup.context.chat_id,
    deadline,
    open: openWorkspace,
  }
  return inWorkspace({ ...place, keepFailed: options.keep_workspaces }, (workspace) => {
    setup.workspace = workspace
    setup.context.workspace = workspace.path
    if (workspace.home !== undefined) setup.context.home = workspace.home
    return attemptWith(setup, deadline)
  })
}

/** `$VIVA_MOCK_MCP` in a file: where the tools of this attempt are served, for agents that read that from a file. */
function withAddress(spec: WorkspaceSpec, url: string | undefined): WorkspaceSpec {
  if (url === undefined || !spec.fixtures) return spec
  const filledIn = (file: Fixture): Fixture =>
    typeof file === 'string' ? file.replaceAll(/\$(?:VIVA_MOCK_MCP\b|\{VIVA_MOCK_MCP\})/g, () => url) : file
  const fixtures = Object.entries(spec.fixtures).map(([path, file]) => [path, filledIn(file)] as const)
  return { ...spec, fixtures: Object.fromEntries(fixtures) }
}

function attemptWith(setup: CaseSetup, deadline: Deadline): Promise<ConversationResult> {
  const { testCase, context, run } = setup
  const conversation = new Conversation(setup)
  const leave = (): ConversationResult => abandoned(conversation)
  if (testCase.before === undefined && testCase.after === undefined)
    return settle(converse(conversation), deadline, leave)
  const { callHook, clock } = run
  const { signal } = deadline
  return withHooks(
    { testCase, context, callHook, call: setup.call, clock, signal, onLog: setup.printed.hooks() },
    () => converse(conversation),
    (work) => settle(work, deadline, leave),
  )
}

/** What the conversation of one attempt needs. Created for every case, so rarely used parts are created on demand. */
class CaseSetup implements ConversationSetup {
  readonly run: CaseDeps
  readonly testCase: TestCase
  readonly compiled: CompiledCase
  readonly context: AgentContext
  readonly options: AgentOptions
  readonly call: CaseCall
  readonly deadline: Deadline
  readonly signal: AbortSignal
  readonly started: number
  waitedMs = 0
  workspace: CaseWorkspace | undefined
  tools: CaseTools | undefined
  state: CaseState | undefined
  readonly session: string | undefined
  readonly asked: string | undefined
  readonly printed = new Printed()
  private readonly ledger: HelperLedger
  private asking: AskHelper | undefined

  constructor(
    unit: CaseUnit,
    compiled: CompiledCase,
    attempt: number,
    run: CaseDeps,
    context: AgentContext,
    deadline: Deadline,
    course: Course,
  ) {
    const { testCase } = unit
    this.run = run
    this.ledger = course.ledger
    this.started = course.started
    this.testCase = testCase
    this.asked = unit.print?.asked
    this.compiled = compiled
    this.context = context
    this.options = run.optionsFor(testCase)
    this.call = { lane: 'agent', role: run.agent.id, case_id: testCase.id, run: unit.run, attempt }
    if (unit.variant !== undefined) {
      this.call.variant = unit.variant
      this.session = run.chatIdFor(`${run.run_id}-${testCase.id}-${unit.run}-${attempt}`, attempt)
    }
    this.deadline = deadline
    this.signal = deadline.signal
  }

  pauseDeadline(): () => void {
    return this.run.deadlines.pause(this.deadline)
  }

  get ask(): AskHelper {
    const asking = (this.asking ??= this.run.askFor(this.call, this.ledger))
    return async (call) => {
      try {
        return await asking(call)
      } catch (thrown) {
        this.onError(thrown)
        throw thrown
      }
    }
  }

  get services(): AssertServices {
    const services = this.run.services(
      () => this.ask,
      this.signal,
      (line) => this.printed.add(line, 'after'),
      this.call,
    )
    if (this.workspace) services.workspace = this.workspace
    return services
  }

  /** A call that was withheld because its endpoint refuses everything says nothing about the case: it has no result. */
  onError(thrown: unknown): void {
    if (thrown instanceof AgentError && thrown.code === 'stopped') this.deadline.end(new CancelledError(thrown.message))
  }
}

function finish(
  unit: CaseUnit,
  deps: CaseDeps,
  outcome: ConversationResult,
  attempts: number,
  history: Attempt[],
  course: Course,
  started: number,
): ResultEvent {
  // Object.assign, not spread: this runs once per case, and spreading two objects into a literal costs 30 times as much.
  const result = Object.assign(identity(unit, deps), outcome, {
    duration_ms: Math.max(0, Math.round(deps.clock.now() - started - course.lostMs)),
  })
  if (result.cause !== undefined) {
    const stack = scriptErrorOf(result.cause)?.scriptStack ?? agentErrorIn(result.cause)?.frames
    if (stack !== undefined && result.status === 'failed') result.stack = stack
    delete result.cause
  }
  if (deps.agent.skill !== undefined && unit.testCase.should_trigger !== undefined) result.uncompared = true
  if (attempts > 1) result.attempts = attempts
  const helpers = course.ledger.rows()
  if (helpers) result.helpers = helpers
  if (result.status !== 'passed' || unit.testCase.file !== undefined) addPlace(result, unit, deps)
  if (history.length > 0) {
    result.failure_history = history
    for (const earlier of history) addSpent(result, earlier)
    if (result.status === 'passed') result.flaky = true
  }
  if (course.reruns.length > 0) {
    result.reruns = course.reruns
    for (const lost of course.reruns) addSpent(result, lost)
  }
  return result
}

/** Where the case is defined, for annotations: a passing case needs it only with several files. */
function addPlace(result: ResultEvent, unit: CaseUnit, deps: CaseDeps): void {
  if (deps.file !== undefined) result.file = deps.file
  if (unit.testCase.line !== undefined) result.line = unit.testCase.line
}

function skipped(
  unit: CaseUnit,
  checks: readonly CompiledAssertion[] | undefined,
  deps: CaseDeps,
  reason: string,
): SkippedResult {
  const result: SkippedResult = {
    ...identity(unit, deps),
    status: 'skipped',
    skip_reason: reason,
    skip: true,
    skipped_by: 'author',
    duration_ms: 0,
  }
  if (isLostInImport(unit.testCase.metadata)) {
    result.skipped_by = 'not_shown'
    const { assertions, turns, final } = compileCase(unit.testCase, checks)
    const left = notEvaluated([...assertions, ...turns.flat(), ...final], reason)
    if (left.length > 0) result.assertions = left
    addPlace(result, unit, deps)
  }
  if (unit.testCase.input !== undefined) result.input = unit.testCase.input
  return result
}

/** What a result says whatever happened. */
type Identified = Pick<
  ResultEvent,
  'type' | 'run_id' | 'id' | 'run' | 'variant' | 'name' | 'tags' | 'metadata' | 'asked' | 'judged'
>

function identity(unit: CaseUnit, deps: CaseDeps): Identified {
  const { testCase } = unit
  const base: Identified = {
    type: 'result',
    run_id: deps.run_id,
    id: testCase.id,
    run: unit.run,
  }
  if (unit.variant !== undefined) base.variant = unit.variant
  if (unit.print) {
    base.asked = unit.print.asked
    base.judged = unit.print.judged
  }
  if (testCase.name !== undefined) base.name = testCase.name
  if (testCase.tags) base.tags = testCase.tags
  if (testCase.metadata) base.metadata = testCase.metadata
  return base
}

function attemptRecord(attempt: number, outcome: ConversationResult, durationMs: number): Attempt {
  const record: Attempt = { attempt, status: outcome.status, duration_ms: Math.round(durationMs) }
  if (outcome.error !== undefined) record.error = outcome.error
  if (outcome.error_kind !== undefined) record.error_kind = outcome.error_kind
  if (outcome.api_retries !== undefined) record.api_retries = outcome.api_retries
  if (outcome.usage !== undefined) record.usage = outcome.usage
  if (outcome.cost_dollars !== undefined) record.cost_dollars = outcome.cost_dollars
  if (outcome.cost_estimated) record.cost_estimated = true
  return record
}

/** What failed or was lost was paid for too. */
function addSpent(result: ResultEvent, { usage, cost_dollars, cost_estimated }: Spent): void {
  if (cost_dollars !== undefined) result.cost_dollars = (result.cost_dollars ?? 0) + cost_dollars
  if (cost_estimated) result.cost_estimated = true
  if (usage !== undefined) result.usage = addUsage(result.usage, usage)
}

/** False if the run was stopped while waiting. */
async function pause(ms: number, deps: CaseDeps): Promise<boolean> {
  const wait = deps.deadlines.start(ms, 'pause')
  try {
    await new Promise<void>((resolve) => wait.whenOver(resolve))
    return !(wait.signal.reason instanceof CancelledError)
  } finally {
    wait.clear()
  }
}
