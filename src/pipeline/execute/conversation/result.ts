// A finished conversation → the case's result: closing assertions, turns that did not run, sums over all turns.
import type { AssertionResult } from '../../../model/assertion.js'
import type { TurnResult } from '../../../model/event.js'
import type { Evidence } from '../../../model/evidence.js'
import { helperId } from '../../../model/helper.js'
import { boundSession } from '../../../model/bound-session.js'
import { describeState } from '../../../model/state-result.js'
import { abridged, clip } from '../../../base/text.js'
import { notEvaluated } from '../../assert/evaluate.js'
import { check } from './check.js'
import { settleCheckpoints } from './check-checkpoints.js'
import { checkpointResults, notHeld } from './checkpoints.js'
import type { ConversationResult, Outcome } from './contract.js'
import type { Conversation } from './conversation.js'
import { stateOf, wholeEvidence } from './evidence.js'
import { endedBy, type Failure } from './failure.js'
import type { Ending } from './next-input.js'
import { assertionErrors, judge, type Judgement } from './judgement.js'

/** It ended before it was complete. */
export function endedResult(conversation: Conversation, ending: Incomplete): ConversationResult {
  const outcome = failedBefore(conversation, ending) ?? outcomeOf(ending)
  recordTurnNotTaken(conversation, ending)
  return describe(conversation, outcome, outcome.status === 'skipped' ? leftOut(conversation, outcome.skip_reason) : {})
}

/** It went as far as it should: now the assertions about all of it. Synchronous if none of them waits. */
export function closedResult(conversation: Conversation): ConversationResult | Promise<ConversationResult> {
  const { setup, script, checkpoints } = conversation
  if (checkpoints.length > 0 || setup.compiled.final.length > 0) return closedLater(conversation)
  if (script.closing.length === 0) return concluded(conversation, {})
  const evidence = wholeEvidence(conversation)
  const assertions = check(setup, script.closing, evidence)
  if (assertions instanceof Promise) return closedLater(conversation, evidence, assertions)
  return concluded(conversation, { assertions })
}

type Incomplete = Exclude<Ending, { kind: 'complete' }>

const NONE: never[] = []
const MAX_LOGGED_RETRIES = 20
const MAX_STDOUT = 64 * 1024

interface Closing {
  assertions?: AssertionResult[]
  final?: AssertionResult[]
}

/** The checks that a skipped case did not reach. */
function leftOut({ setup, script }: Conversation, reason: string): Closing {
  return { assertions: notEvaluated(script.closing, reason), final: notEvaluated(setup.compiled.final, reason) }
}

function outcomeOf(ending: Incomplete): Outcome {
  if (ending.kind === 'failed') return failedBy(ending.failure)
  const { failure, skip_reason, skipped_by } = ending
  const why = failure ? { error: failure.error, error_kind: failure.error_kind, cause: failure.cause } : {}
  return { status: 'skipped', skip_reason, ...(skipped_by && { skipped_by }), ...why }
}

/** A graded case continues after a failed turn; if its input then runs out, skipping must not hide the failure. */
function failedBefore(conversation: Conversation, ending: Incomplete): Outcome | undefined {
  const { turns } = conversation
  if (ending.kind !== 'skipped' || ending.turn?.input_source === 'human') return undefined
  const turn = turns.find((each) => each.status === 'failed')
  if (!turn) return brokenCheckpoints(conversation, false)
  const { error } = judge(turn.assertions ?? [], undefined)
  return { status: 'failed', error: `turn ${turn.turn}: ${error ?? 'failed'}`, error_kind: 'assertion' }
}

function failedBy({ error, error_kind, cause }: Failure): Outcome {
  return { status: 'failed', error, error_kind, ...(cause === undefined ? {} : { cause }) }
}

async function closedLater(
  conversation: Conversation,
  evidence: Evidence = wholeEvidence(conversation),
  checking?: Promise<AssertionResult[]>,
): Promise<ConversationResult> {
  const { setup, script } = conversation
  const closing: Closing = {}
  try {
    if (checking === undefined) {
      const unsettled = await settleCheckpoints(conversation, evidence)
      if (setup.signal.aborted) throw setup.signal.reason
      if (unsettled) return describe(conversation, failedBy(unsettled), closing)
    }
    closing.assertions = await (checking ?? check(setup, script.closing, evidence))
    closing.final = await check(setup, setup.compiled.final, evidence)
    return concluded(conversation, closing)
  } catch (thrown) {
    const failure = endedBy(thrown, setup.signal)
    if (!failure) throw thrown
    return describe(conversation, failedBy(failure), closing)
  }
}

function concluded(conversation: Conversation, closing: Closing): ConversationResult {
  const { setup, turns, checkpoints } = conversation
  const ended = setup.signal.aborted ? endedBy(undefined, setup.signal) : undefined
  if (ended) return describe(conversation, failedBy(ended), closing)
  const all = allAssertions(turns, closing)
  const outcome = uncheckedIn(all, judged(judge(all, setup.testCase.min_score)))
  const broken = checkpoints.length > 0 ? brokenCheckpoints(conversation, true) : undefined
  return describe(conversation, broken ? { ...outcome, ...broken } : outcome, closing)
}

/** What could not be shown is not a pass, even if everything else holds. */
function uncheckedIn(all: AssertionResult[], outcome: Outcome): Outcome {
  if (outcome.status !== 'passed') return outcome
  const open = all.find(({ not_evaluated }) => not_evaluated)
  return open ? { status: 'skipped', skip_reason: open.message ?? `${open.type} was not evaluated` } : outcome
}

/** Something that must not happen but did fails the case, whatever else holds. */
function brokenCheckpoints({ checkpoints }: Conversation, settled: boolean): Outcome | undefined {
  const broken = notHeld(checkpoints, settled)
  if (broken.length === 0) return undefined
  return { status: 'failed', error: `checkpoints not held: ${broken.join(', ')}`, error_kind: 'assertion' }
}

function allAssertions(turns: TurnResult[], { assertions = NONE, final = NONE }: Closing): AssertionResult[] {
  if (final.length === 0 && !turns.some((turn) => turn.assertions)) return assertions
  return [...turns.flatMap((turn) => turn.assertions ?? NONE), ...assertions, ...final]
}

function judged({ passed, error = 'failed', error_kind = 'assertion', score }: Judgement): Outcome {
  const outcome: Outcome = passed ? { status: 'passed' } : { status: 'failed', error, error_kind }
  if (score !== undefined) outcome.score = score
  return outcome
}

/** The turn for which input was missing, and the static turns after it or after a failure. */
function recordTurnNotTaken(conversation: Conversation, ending: Incomplete): void {
  const { turns, script } = conversation
  if (ending.turn) turns.push({ ...turnNotTaken(turns.length + 1, ending), ...leftOfTurn(conversation, ending) })
  for (const planned of script.turns.slice(turns.length)) {
    turns.push({
      turn: turns.length + 1,
      input: planned.input ?? null,
      input_source: 'static',
      status: 'not_run',
      duration_ms: 0,
      ...leftOfTurn(conversation, ending),
    })
  }
}

/** The assertions of the next turn to be recorded, if the case is skipped before it. */
function leftOfTurn({ turns, script }: Conversation, ending: Incomplete): Pick<TurnResult, 'assertions'> {
  const planned = script.turns[turns.length]?.assertions ?? []
  if (ending.kind !== 'skipped' || planned.length === 0) return {}
  return { assertions: notEvaluated(planned, ending.skip_reason) }
}

function turnNotTaken(turn: number, ending: Incomplete): TurnResult {
  const why =
    ending.kind === 'skipped'
      ? { status: 'skipped' as const, skip_reason: ending.skip_reason }
      : { status: 'failed' as const, error: ending.failure.error, error_kind: ending.failure.error_kind }
  return { turn, input: null, input_source: 'static', duration_ms: 0, ...why, ...ending.turn }
}

/** The one way from what happened to a result. Assigned, not spread: this runs for every case. */
function describe(conversation: Conversation, outcome: Outcome, closing: Closing): ConversationResult {
  const { setup, turns, checkpoints } = conversation
  const { testCase } = setup
  const result = outcome as ConversationResult
  result.input = turns[0]?.input ?? testCase.messages ?? testCase.input
  if (testCase.expected !== undefined) result.expected = testCase.expected
  if (conversation.sent > 0) result.messages_count = conversation.sent
  if (testCase.min_score !== undefined) result.min_score = testCase.min_score
  // A skipped case has no answer of its own; what was said by then is in the turns.
  if (result.status !== 'skipped') describeAnswer(result, conversation)
  if (closing.assertions !== undefined && closing.assertions.length > 0) result.assertions = closing.assertions
  if (closing.final !== undefined && closing.final.length > 0) result.final_assertions = closing.final
  // Only a graded case can pass with an assertion that failed.
  if (result.status !== 'passed' || conversation.graded) describeErrors(result, turns, closing)
  if (checkpoints.length > 0) result.checkpoints = checkpointResults(checkpoints)
  if (result.status !== 'skipped') describeChoice(result, conversation, closing)
  describeCalls(result, conversation)
  if (closing.assertions?.some(isHint)) showHints(result, closing.assertions)
  if (result.state?.claimed) warnOfClaims(result, allAssertions(turns, closing))
  if (conversation.script.mode !== 'single') describeTurns(result, conversation)
  return result
}

/** A case that ended before the check has a choice too: one that is not known. */
function describeChoice(
  result: ConversationResult,
  { setup: { compiled }, turns }: Conversation,
  closing: Closing,
): void {
  const expected = firstChoice(compiled.turns.flat()) ?? firstChoice(compiled.assertions) ?? firstChoice(compiled.final)
  if (expected) result.choice = firstChoice(allAssertions(turns, closing)) ?? expected
}

function firstChoice<T>(checks: ReadonlyArray<{ choice?: T | undefined }>): T | undefined {
  return checks.find(({ choice }) => choice !== undefined)?.choice
}

/** What a rule noticed, though it holds. */
function isHint({ type, passed, message }: AssertionResult): boolean {
  return type === 'contract' && passed && message !== undefined
}

function showHints(result: ConversationResult, assertions: AssertionResult[]): void {
  const hints = assertions.filter(isHint).flatMap(({ message }) => message ?? [])
  result.warnings = [...(result.warnings ?? []), ...hints.map((text) => `hint: ${text}`)]
}

/** A pass that rests on the agent's own word must not look like one that was shown. */
function warnOfClaims(result: ConversationResult, assertions: AssertionResult[]): void {
  const claimed = assertions.filter((assertion) => assertion.claimed && assertion.passed)
  if (claimed.length === 0) return
  const names = [...new Set(claimed.map(({ label, type }) => label ?? type))].join(', ')
  result.warnings = [
    ...(result.warnings ?? []),
    `${names} passed on state that the agent reported itself (claimed): nobody has looked`,
  ]
}

function describeAnswer(
  result: Exclude<ConversationResult, { status: 'skipped' }>,
  { last, latest, turns, lastText }: Conversation,
): void {
  const output = last ? last.output : turns.at(-1)?.output
  if (output !== undefined) result.output = output
  if (last) result.response = lastText
  if (latest?.output_encoding !== undefined) result.output_encoding = latest.output_encoding
}

/** What a result line has room for. */
const MOST_SPANS = 500

/** Sums over all calls; how the latest one ended. */
function describeCalls(result: ConversationResult, conversation: Conversation): void {
  const { transcript, latest, last, setup, changed } = conversation
  const { toolCalls, toolEvidence, usage, cost, firstChunkMs, apiRetries, trace, spans, leaked, skills, logs } =
    transcript
  if (toolCalls.length > 0) result.tool_calls = toolCalls
  if (toolEvidence !== undefined) result.tool_evidence = toolEvidence
  if (latest?.finish_reason !== undefined) result.finish_reason = latest.finish_reason
  if (latest?.refusal !== undefined) result.refusal = latest.refusal
  if (last?.awaiting.awaiting) {
    result.awaiting_input = true
    result.awaiting_reason = last.awaiting.reason
  }
  if (usage !== undefined) result.usage = usage
  if (setup.run.agent.recorded !== undefined) result.cost_dollars = 0
  else if (cost !== undefined) result.cost_dollars = cost
  if (transcript.isEstimated && setup.run.agent.recorded === undefined) result.cost_estimated = true
  if (firstChunkMs !== undefined) result.first_chunk_ms = firstChunkMs
  if (apiRetries.length > 0) {
    result.api_retries = apiRetries.length
    result.api_retry_log = apiRetries.slice(0, MAX_LOGGED_RETRIES)
  }
  if (trace.length > 0) result.trace = trace
  if (spans.length > 0) result.spans = spans.slice(0, MOST_SPANS)
  if (spans.length > MOST_SPANS) result.spans_left_out = spans.length - MOST_SPANS
  if (leaked.length > 0) result.leaked = leaked
  if (skills !== undefined) result.skills = skills
  if (logs) {
    result.logs = logs.lines()
    if (logs.dropped > 0) result.logs_dropped = logs.dropped
  }
  if (latest?.exit_code !== undefined) result.exit_code = latest.exit_code
  if (latest?.stdout !== undefined && latest.stdout.trimEnd() !== latest.content)
    result.stdout = clip(latest.stdout, MAX_STDOUT)
  if (latest?.stderr !== undefined) result.stderr = latest.stderr
  if (latest?.session !== undefined) result.session = boundSession(latest.session)
  if (changed && changed.changes.length > 0) result.changes = changed.changes
  if (changed && changed.left_out > 0) result.changes_left_out = changed.left_out
  const state = stateOf(conversation)
  if (state) result.state = describeState(state)
}

function describeTurns(result: ConversationResult, conversation: Conversation): void {
  const { script, turns, answered, last, setup } = conversation
  result.turns = turns
  result.total_turns = answered
  if (last) {
    result.awaiting_input = last.awaiting.awaiting
    result.awaiting_reason = last.awaiting.reason
  }
  if (script.simulator) {
    const { use, options } = script.simulator
    result.simulator = simulatorName(use)
    if (options?.metadata !== undefined) result.simulator_brief = briefOf(options.metadata)
  }
  if (script.mode !== 'turns') result.metadata = { mode: 'dynamic', total_turns: answered, ...setup.testCase.metadata }
}

function describeErrors(result: ConversationResult, turns: TurnResult[], closing: Closing): void {
  const ofTurns = turns.flatMap((turn) => (turn.assertion_errors ?? []).map((text) => `turn ${turn.turn}: ${text}`))
  const ofCase = assertionErrors(closing.assertions ?? [])
  const ofEnd = assertionErrors(closing.final ?? []).map((text) => `final: ${text}`)
  const errors = result.status === 'skipped' ? ofTurns : [...ofTurns, ...ofCase, ...ofEnd]
  if (errors.length > 0) result.assertion_errors = errors
}

/** Enough to tell later whether the simulator played its part. */
function briefOf(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(metadata)
      .slice(0, 20)
      .map(([key, value]) => [key, abridged(value, 1000)]),
  )
}

function simulatorName(use: string | undefined): string {
  return use === undefined ? 'viva.user' : helperId(use)
}
