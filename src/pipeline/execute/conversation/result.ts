// A finished conversation → the case's result: closing assertions, turns that did not run, sums over all turns.
import type { AssertionResult } from '../../../model/assertion.js'
import type { TurnResult } from '../../../model/event.js'
import type { Evidence } from '../../../model/evidence.js'
import { defined } from '../../../base/defined.js'
import { settleCheckpoints } from './check-checkpoints.js'
import { checkpointResults, notHeld } from './checkpoints.js'
import type { ConversationResult } from './contract.js'
import type { Conversation } from './conversation.js'
import { endedBy, type Failure } from './failure.js'
import type { Ending } from './next-input.js'
import { check } from './check.js'
import { judge, type Judgement } from './judgement.js'

export async function conversationResult(conversation: Conversation, ending: Ending): Promise<ConversationResult> {
  if (ending.kind !== 'complete') {
    const outcome = failedBefore(conversation, ending) ?? outcomeOf(ending)
    recordTurnNotTaken(conversation, ending)
    return describe(conversation, outcome, {})
  }
  const closing: Closing = {}
  try {
    return describe(conversation, await close(conversation, closing), closing)
  } catch (thrown) {
    const failure = endedBy(thrown, conversation.setup.signal)
    if (!failure) throw thrown
    return describe(conversation, failedBy(failure), closing)
  }
}

type Outcome = Pick<ConversationResult, 'status' | 'error' | 'error_kind' | 'skip_reason' | 'score' | 'cause'>

interface Closing {
  assertions?: AssertionResult[]
  final?: AssertionResult[]
}

function outcomeOf(ending: Exclude<Ending, { kind: 'complete' }>): Outcome {
  if (ending.kind === 'failed') return failedBy(ending.failure)
  const { failure } = ending
  const why = failure ? { error: failure.error, error_kind: failure.error_kind, cause: failure.cause } : {}
  return { status: 'skipped', skip_reason: ending.skip_reason, ...why }
}

/** A graded case goes on after a failed turn; when its input then runs out, the failure is not skipped away. */
function failedBefore(conversation: Conversation, ending: Exclude<Ending, { kind: 'complete' }>): Outcome | undefined {
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

async function close(conversation: Conversation, closing: Closing): Promise<Outcome> {
  const { setup, script, turns } = conversation
  const evidence = wholeEvidence(conversation)
  const unsettled = await settleCheckpoints(conversation, evidence)
  if (unsettled) return failedBy(unsettled)
  const assertions = await check(setup, script.closing, evidence)
  if (assertions.length > 0) closing.assertions = assertions
  const final = await check(setup, setup.compiled.final, evidence)
  if (final.length > 0) closing.final = final
  const ofTurns = turns.flatMap((turn) => turn.assertions ?? [])
  const verdict = judge([...ofTurns, ...assertions, ...final], setup.testCase.min_score)
  return { ...judged(verdict), ...brokenCheckpoints(conversation, true) }
}

/** What must not happen and did fails the case, whatever else holds. */
function brokenCheckpoints({ checkpoints }: Conversation, settled: boolean): Outcome | undefined {
  const broken = notHeld(checkpoints, settled)
  if (broken.length === 0) return undefined
  return { status: 'failed', error: `checkpoints not held: ${broken.join(', ')}`, error_kind: 'assertion' }
}

function judged({ passed, error, error_kind, score }: Judgement): Outcome {
  return defined({ status: passed ? ('passed' as const) : ('failed' as const), error, error_kind, score })
}

/** The last answer for what was said, the whole conversation for what was done. */
function wholeEvidence({ setup, transcript, turns, last }: Conversation): Evidence {
  return {
    output: last?.output ?? null,
    input: turns[0]?.input ?? null,
    messages: transcript.copy(),
    tool_calls: transcript.toolCalls,
    duration_ms: turns.reduce((sum, turn) => sum + turn.duration_ms, 0),
    case_id: setup.testCase.id,
    ...defined({
      expected: setup.testCase.expected,
      metadata: setup.testCase.metadata,
      finish_reason: last?.reply.finish_reason,
      awaiting_input: last?.awaiting.awaiting,
      awaiting_reason: last?.awaiting.reason,
      usage: transcript.usage,
      cost_dollars: transcript.cost,
      exit_code: last?.reply.exit_code,
      stderr: last?.reply.stderr,
      reply: last?.reply,
    }),
  }
}

/** The turn for which input was missing, and the static turns after it or after a failure. */
function recordTurnNotTaken(conversation: Conversation, ending: Exclude<Ending, { kind: 'complete' }>): void {
  const { turns, script } = conversation
  if (ending.turn) turns.push(turnNotTaken(turns.length + 1, ending))
  for (const planned of script.turns.slice(turns.length)) {
    turns.push({
      turn: turns.length + 1,
      input: planned.input ?? null,
      input_source: 'static',
      status: 'not_run',
      duration_ms: 0,
    })
  }
}

function turnNotTaken(turn: number, ending: Exclude<Ending, { kind: 'complete' }>): TurnResult {
  const why =
    ending.kind === 'skipped'
      ? { status: 'skipped' as const, skip_reason: ending.skip_reason }
      : { status: 'failed' as const, error: ending.failure.error, error_kind: ending.failure.error_kind }
  return { turn, input: null, input_source: 'static', duration_ms: 0, ...why, ...ending.turn }
}

function describe(conversation: Conversation, outcome: Outcome, closing: Closing): ConversationResult {
  const { setup, script, transcript, turns, last, checkpoints } = conversation
  const { testCase } = setup
  const errors = allAssertionErrors(turns, closing)
  const skipped = outcome.status === 'skipped'
  return defined({
    ...outcome,
    input: turns[0]?.input ?? testCase.messages ?? testCase.input,
    // A skipped case has no answer of its own; what was said until then stands in the turns.
    output: skipped ? undefined : (last?.output ?? turns.at(-1)?.output),
    response: last && !skipped ? conversation.lastText : undefined,
    messages_count: conversation.sent > 0 ? conversation.sent : undefined,
    expected: testCase.expected,
    assertions: closing.assertions,
    assertion_errors: errors.length > 0 ? errors : undefined,
    min_score: testCase.min_score,
    turns,
    checkpoints: checkpoints.length > 0 ? checkpointResults(checkpoints) : undefined,
    final_assertions: closing.final,
    total_turns: conversation.answered,
    tool_calls: transcript.toolCalls.length > 0 ? transcript.toolCalls : undefined,
    finish_reason: last?.reply.finish_reason,
    awaiting_input: last?.awaiting.awaiting,
    awaiting_reason: last?.awaiting.reason,
    usage: transcript.usage,
    cost_dollars: conversation.answered > 0 ? transcript.cost : undefined,
    first_chunk_ms: conversation.firstChunkMs,
    api_retries: transcript.apiRetries > 0 ? transcript.apiRetries : undefined,
    trace: transcript.trace.length > 0 ? transcript.trace : undefined,
    leaked: transcript.leaked.length > 0 ? transcript.leaked : undefined,
    logs: transcript.logs?.lines(),
    logs_dropped: transcript.logs?.dropped || undefined,
    exit_code: last?.reply.exit_code,
    stderr: last?.reply.stderr,
    output_encoding: skipped ? undefined : last?.reply.output_encoding,
    simulator: script.simulator ? simulatorName(script.simulator.use) : undefined,
    metadata:
      script.mode === 'turns'
        ? undefined
        : { mode: 'dynamic', total_turns: conversation.answered, ...testCase.metadata },
  })
}

function allAssertionErrors(turns: TurnResult[], closing: Closing): string[] {
  const ofTurns = turns.flatMap((turn) => (turn.assertion_errors ?? []).map((text) => `turn ${turn.turn}: ${text}`))
  const ofCase = judge(closing.assertions ?? [], undefined).errors
  const ofEnd = judge(closing.final ?? [], undefined).errors.map((text) => `final: ${text}`)
  return [...ofTurns, ...ofCase, ...ofEnd]
}

function simulatorName(use: string | undefined): string {
  return use === undefined ? 'viva.user' : use.replace(/^agents:/, '')
}
