// One case, one run: attempts until it passes or may not be tried again, as one result.
import type { Agent, AgentContext, AgentOptions, ToolReplacements } from '../../model/agent.js'
import type { CaseInput, OnMissingInput, TestCase } from '../../model/case.js'
import type { Attempt, ResultEvent } from '../../model/event.js'
import type { Attachment, Message } from '../../model/message.js'
import type { CaseUnit } from '../../model/plan.js'
import { CancelledError } from '../../util/deadline.js'
import { parseDuration } from '../../util/duration.js'
import type { AssertServices } from '../assert/define-assertion.js'
import { compileCase } from './compile-case.js'
import { converse } from './conversation/converse.js'
import type { AskHelper, ConversationResult, Human } from './conversation/contract.js'
import type { Deadline, Deadlines } from './deadline.js'
import { runHooks, type CallHook } from './hooks.js'
import { failureClasses, mayRetry, retryPolicy, retryWait } from './retry.js'
import { settle } from './settle.js'

/** What every case of a run shares. */
export interface CaseDeps {
  run_id: string
  agent: Agent
  contextFor(testCase: TestCase, chatId: string): AgentContext
  timeout: string
  retries: number
  deadlines: Deadlines
  services(testCase: TestCase, run: number, signal: AbortSignal): AssertServices
  askFor(testCase: TestCase, run: number): AskHelper
  callHook: CallHook
  human?: Human
  messagesOf(input: CaseInput, attachments?: Attachment[]): Message[] | Promise<Message[]>
  optionsFor(testCase: TestCase): AgentOptions
  tools?: ToolReplacements
  simulator?: string
  on_missing_input?: OnMissingInput
  interactive: boolean
  awaiting_tools: string[]
  /** The case file, for annotations. */
  file?: string
}

/** The result, or undefined when the case was cancelled: it then has no result and runs on `--resume`. */
export async function runCase(unit: CaseUnit, deps: CaseDeps): Promise<ResultEvent | undefined> {
  const { testCase } = unit
  if (testCase.skip) return skipped(unit, deps, testCase.skip_reason ?? 'skip is set')
  const policy = retryPolicy(testCase, deps.retries)
  const history: Attempt[] = []
  const started = performance.now()
  for (let attempt = 1; ; attempt += 1) {
    const attemptStart = performance.now()
    const outcome = await attemptOnce(unit, attempt, deps)
    if (!outcome) return undefined
    const classes = outcome.status === 'failed' ? failureClasses(outcome.error_kind, outcome.cause) : []
    const again = outcome.status === 'failed' && attempt < policy.max_attempts && mayRetry(policy, classes)
    if (!again) return finish(unit, deps, outcome, attempt, history, performance.now() - started)
    history.push(attemptRecord(attempt, outcome, performance.now() - attemptStart))
    const wait = retryWait(policy, attempt, outcome.cause)
    const limit = parseDuration(testCase.timeout ?? deps.timeout)
    if (wait > limit) {
      outcome.error = `${outcome.error ?? 'failed'} (the next try would have to wait ${Math.ceil(wait / 1000)}s, longer than the case may take)`
      history.pop()
      return finish(unit, deps, outcome, attempt, history, performance.now() - started)
    }
    if (!(await pause(wait, deps))) return undefined
  }
}

async function attemptOnce(unit: CaseUnit, attempt: number, deps: CaseDeps): Promise<ConversationResult | undefined> {
  const { testCase } = unit
  const text = testCase.timeout ?? deps.timeout
  const deadline = deps.deadlines.start(parseDuration(text), text)
  try {
    const chatId = `${deps.run_id}-${testCase.id}-${unit.run}-${attempt}`
    const context = deps.contextFor(testCase, chatId)
    const talk = (): ConversationResult | Promise<ConversationResult> =>
      converse(setupFor(unit, deps, context, deadline))
    const outcome = await settle(
      testCase.before === undefined && testCase.after === undefined
        ? talk()
        : runHooks(testCase, context, deps.callHook, talk, deadline.signal),
      deadline,
    )
    return deadline.signal.reason instanceof CancelledError ? undefined : outcome
  } finally {
    deadline.clear()
  }
}

function setupFor(
  unit: CaseUnit,
  deps: CaseDeps,
  context: AgentContext,
  deadline: Deadline,
): Parameters<typeof converse>[0] {
  const { testCase } = unit
  const setup: Parameters<typeof converse>[0] = {
    testCase,
    compiled: compileCase(testCase),
    agent: deps.agent,
    context,
    options: deps.optionsFor(testCase),
    services: deps.services(testCase, unit.run, deadline.signal),
    ask: deps.askFor(testCase, unit.run),
    messagesOf: deps.messagesOf,
    on_missing_input: deps.on_missing_input ?? testCase.on_missing_input ?? 'skip',
    interactive: deps.interactive,
    awaiting_tools: deps.awaiting_tools,
    signal: deadline.signal,
  }
  const tools = testCase.testing?.tools
  if (tools || deps.tools) setup.tools = { ...deps.tools, ...tools }
  if (deps.simulator !== undefined) setup.simulator = deps.simulator
  if (deps.human) setup.human = deps.human
  return setup
}

function finish(
  unit: CaseUnit,
  deps: CaseDeps,
  outcome: ConversationResult,
  attempts: number,
  history: Attempt[],
  durationMs: number,
): ResultEvent {
  const { cause: _cause, status, ...rest } = outcome
  const result: ResultEvent = {
    ...identity(unit, deps),
    status,
    duration_ms: Math.round(durationMs),
    ...rest,
  }
  if (attempts > 1) result.attempts = attempts
  if (history.length > 0) {
    result.failure_history = history
    if (status === 'passed') result.flaky = true
  }
  return result
}

function skipped(unit: CaseUnit, deps: CaseDeps, reason: string): ResultEvent {
  const result: ResultEvent = { ...identity(unit, deps), status: 'skipped', skip_reason: reason, duration_ms: 0 }
  if (unit.testCase.input !== undefined) result.input = unit.testCase.input
  return result
}

function identity(
  unit: CaseUnit,
  deps: CaseDeps,
): Pick<ResultEvent, 'type' | 'run_id' | 'id' | 'run'> & Partial<ResultEvent> {
  const { testCase } = unit
  const base: Pick<ResultEvent, 'type' | 'run_id' | 'id' | 'run'> & Partial<ResultEvent> = {
    type: 'result',
    run_id: deps.run_id,
    id: testCase.id,
    run: unit.run,
  }
  if (testCase.name !== undefined) base.name = testCase.name
  if (testCase.tags) base.tags = testCase.tags
  if (testCase.metadata) base.metadata = testCase.metadata
  if (deps.file !== undefined) base.file = deps.file
  if (testCase.line !== undefined) base.line = testCase.line
  return base
}

function attemptRecord(attempt: number, outcome: ConversationResult, durationMs: number): Attempt {
  const record: Attempt = { attempt, status: outcome.status, duration_ms: Math.round(durationMs) }
  if (outcome.error !== undefined) record.error = outcome.error
  if (outcome.error_kind !== undefined) record.error_kind = outcome.error_kind
  return record
}

/** False when the run was stopped while waiting. */
async function pause(ms: number, deps: CaseDeps): Promise<boolean> {
  const wait = deps.deadlines.start(ms, 'pause')
  try {
    await new Promise<void>((resolve) => wait.whenOver(resolve))
    return !(wait.signal.reason instanceof CancelledError)
  } finally {
    wait.clear()
  }
}

/** A case over the budget is listed, not run. */
export function budgetSkip(unit: CaseUnit, deps: CaseDeps): ResultEvent {
  return skipped(unit, deps, 'budget')
}
