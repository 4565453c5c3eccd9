// One turn: the user's message goes in, the answer is recorded, judged and checked against the checkpoints.
import { requirePlain } from '../../../agents/reply/plain-reply.js'
import type { AgentReply } from '../../../model/agent.js'
import type { AssertionResult, CompiledAssertion } from '../../../model/assertion.js'
import type { TurnResult } from '../../../model/event.js'
import type { Evidence } from '../../../model/evidence.js'
import { isCallInput } from '../../../model/tool-call-part.js'
import { monotonicNow } from '../../../time/clock.js'
import { boundBy, orAborted } from '../../../time/deadline.js'
import { parseDuration } from '../../../base/duration.js'
import { outputOf } from '../../assert/extract-output.js'
import { detectAwaiting, forgiveAwaitingTools } from './awaiting-input.js'
import { callAgent, turnContext, turnOptions } from './call-agent.js'
import { check } from './check.js'
import { checkCheckpoints } from './check-checkpoints.js'
import type { Conversation } from './conversation.js'
import { turnEvidence } from './evidence.js'
import { agentFailure, endedBy, type Failure, inputFailure } from './failure.js'
import type { UserInput } from './next-input.js'
import { type PartialReply, spokenSoFar } from './partial-reply.js'
import { judge } from './judgement.js'
import { idleProblem, requireAnswer } from './require-answer.js'

// Long enough for a process tree to be ended; after that an agent that ignores `turn_timeout` is left behind.
const AGENT_GRACE_MS = 8000

/** The failure that ends the conversation, if any. */
export async function takeTurn(conversation: Conversation, next: UserInput): Promise<Failure | undefined> {
  const { setup, transcript } = conversation
  const { messagesOf, clock } = setup.run
  const turn = startTurn(conversation, next)
  try {
    const messages = messagesOf(next.input, next.planned?.attachments)
    transcript.add(messages instanceof Promise ? await messages : messages)
  } catch (thrown) {
    return failTurn(turn, inputFailure(thrown, setup.signal))
  }
  const limit = setup.testCase.turn_timeout
  const bound = limit === undefined ? undefined : boundBy(setup.signal, parseDuration(limit), limit, clock)
  const signal = bound?.signal ?? setup.signal
  const started = clock.now() - setup.waitedMs
  let answer: AgentReply | Failure
  try {
    const sent = sendTurn(conversation, next, signal)
    const given = await (bound ? orAborted(sent, signal, AGENT_GRACE_MS) : sent)
    const reply = requireAnswer(given, setup.testCase, turn.turn)
    // The case has asked for the error. A later judgement must be able to tell it from data.
    if (reply.error !== undefined) reply.finish_reason = 'error'
    answer = signal.aborted ? agentFailure(signal.reason, signal) : requirePlain(reply)
  } catch (thrown) {
    setup.onError?.(thrown)
    answer = agentFailure(thrown, signal)
  }
  bound?.clear()
  if (conversation.isAbandoned) return agentFailure(setup.signal.reason, setup.signal)
  const measured = clock.now() - setup.waitedMs - started
  recordTime(conversation, turn, ('duration_ms' in answer ? answer.duration_ms : undefined) ?? measured)
  // Also for a failed call: what it did is in the files.
  if (setup.workspace) conversation.changed = await setup.workspace.changes()
  const unread = await readState(conversation)
  if ('error_kind' in answer) return failCall(conversation, turn, answer)
  if (unread) return failCall(conversation, turn, unread)
  const idle = conversation.changed?.changes.length === 0 && idleProblem(answer, setup.testCase, turn.turn)
  if (idle) return failCall(conversation, turn, agentFailure(idle, signal))
  recordAnswer(conversation, turn, answer)

  const assertions = next.planned?.assertions
  const isJudged = (assertions !== undefined && assertions.length > 0) || conversation.checkpoints.length > 0
  return isJudged ? judgeTurn(conversation, turn, assertions ?? []) : undefined
}

/** What keeps it from being known: the tools of the test do not work, or it cannot be read. */
async function readState(conversation: Conversation): Promise<Failure | undefined> {
  const { tools, state, signal } = conversation.setup
  const broken = tools?.broken()
  if (broken) return inputFailure(broken, signal)
  if (!state) return undefined
  try {
    conversation.stateAfter = await state.read('after')
    return undefined
  } catch (thrown) {
    return inputFailure(thrown, signal)
  }
}

function sendTurn(conversation: Conversation, next: UserInput, signal: AbortSignal): Promise<AgentReply> {
  const { setup, transcript } = conversation
  const options = next.planned?.options
  conversation.sent = transcript.length
  return callAgent(setup, {
    messages: setup.run.agent.listens === false ? [] : transcript.copy(),
    turn: conversation.answered + 1,
    context: turnContext(setup, options),
    options: turnOptions(setup, options),
    signal,
  })
}

function startTurn(conversation: Conversation, next: UserInput): TurnResult {
  const turn: TurnResult = {
    turn: conversation.answered + 1,
    input: next.input,
    input_source: next.source,
    status: 'passed',
    duration_ms: 0,
  }
  // The turn of a case with one call is not shown.
  if (conversation.script.mode !== 'single') turn.start_ms = Math.round(monotonicNow() - conversation.setup.started)
  if (next.reasoning !== undefined) turn.reasoning = next.reasoning
  if (next.goal_achieved) turn.goal_achieved = true
  conversation.turns.push(turn)
  return turn
}

function recordTime(conversation: Conversation, turn: TurnResult, duration: number): void {
  conversation.lastMs = duration
  conversation.agentMs += duration
  turn.duration_ms = Math.round(duration)
}

function recordAnswer(conversation: Conversation, turn: TurnResult, reply: AgentReply): void {
  const { setup, transcript } = conversation
  forgiveAwaitingTools(reply, setup.run.awaiting_tools)
  transcript.answer(reply)
  conversation.answered++
  conversation.latest = reply
  const awaiting = detectAwaiting(reply, setup.run.awaiting_tools)
  // An empty result is a result: nothing else may stand in for it.
  const output = isCallInput(turn.input) ? (reply.content ?? null) : outputOf(reply)
  conversation.last = { reply, output, awaiting }
  turn.output = output
  if (reply.tool_calls.length > 0) turn.tool_calls = reply.tool_calls
  if (reply.tool_evidence !== undefined) turn.tool_evidence = reply.tool_evidence
  turn.awaiting_input = awaiting.awaiting
  turn.awaiting_reason = awaiting.reason
  if (awaiting.hint !== undefined) turn.input_hint = awaiting.hint
  recordFacts(turn, reply)
}

/** A turn is self-contained: what is known about its call is not only in the sums. */
function recordFacts(turn: TurnResult, reply: AgentReply): void {
  const { finish_reason, refusal, usage, cost_dollars, cost_estimated, skills, exit_code, stderr } = reply
  if (finish_reason !== undefined) turn.finish_reason = finish_reason
  if (refusal !== undefined) turn.refusal = refusal
  if (usage !== undefined) turn.usage = usage
  if (cost_dollars !== undefined) turn.cost_dollars = cost_dollars
  if (cost_estimated) turn.cost_estimated = true
  if (skills !== undefined) turn.skills = skills
  if (exit_code !== undefined) turn.exit_code = exit_code
  if (stderr !== undefined) turn.stderr = stderr
}

/** The call failed: what it had said, done, cost and left behind still counts. */
function recordPartial(conversation: Conversation, turn: TurnResult, partial: PartialReply): void {
  const said = spokenSoFar(partial)
  if (said !== undefined) turn.output = said
  if (partial.tool_calls !== undefined && partial.tool_calls.length > 0) turn.tool_calls = partial.tool_calls
  conversation.latest = partial
  conversation.transcript.fail(partial)
}

async function judgeTurn(
  conversation: Conversation,
  turn: TurnResult,
  assertions: CompiledAssertion[],
): Promise<Failure | undefined> {
  const { setup } = conversation
  const evidence = turnEvidence(conversation)
  try {
    const failure =
      judgeResults(conversation, turn, await check(setup, assertions, evidence)) ??
      (await passCheckpoints(conversation, turn, evidence))
    if (setup.signal.aborted) throw setup.signal.reason
    return failure
  } catch (thrown) {
    const ended = endedBy(thrown, setup.signal)
    if (!ended) throw thrown
    return failTurn(turn, ended)
  }
}

function judgeResults(conversation: Conversation, turn: TurnResult, results: AssertionResult[]): Failure | undefined {
  if (results.length === 0) return undefined
  turn.assertions = results
  const { errors, error, error_kind } = judge(results, undefined)
  if (error === undefined || error_kind === undefined) return undefined
  turn.status = 'failed'
  turn.assertion_errors = errors
  if (error_kind === 'assertion' && conversation.graded) return undefined
  if (error_kind !== 'assertion') {
    turn.error = error
    turn.error_kind = error_kind
  }
  return { error: `turn ${turn.turn}: ${error}`, error_kind, cause: undefined }
}

async function passCheckpoints(
  conversation: Conversation,
  turn: TurnResult,
  evidence: Evidence,
): Promise<Failure | undefined> {
  const failure = await checkCheckpoints(conversation, turn.turn, evidence)
  return failure && failTurn(turn, failure)
}

function failCall(conversation: Conversation, turn: TurnResult, failure: Failure): Failure {
  if (failure.partial !== undefined) recordPartial(conversation, turn, failure.partial)
  return failTurn(turn, failure)
}

export function failTurn(turn: TurnResult, failure: Failure): Failure {
  turn.status = 'failed'
  turn.error = failure.error
  turn.error_kind = failure.error_kind
  return failure
}
