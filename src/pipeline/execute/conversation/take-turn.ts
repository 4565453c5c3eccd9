// One turn: the user's message goes in, the answer is recorded, judged and held against the checkpoints.
import { requirePlain } from '../../../agents/reply/plain-reply.js'
import type { AgentReply } from '../../../model/agent.js'
import type { TurnResult } from '../../../model/event.js'
import type { Evidence } from '../../../model/evidence.js'
import { boundBy, orAborted } from '../../../time/deadline.js'
import { parseDuration } from '../../../base/duration.js'
import { detectAwaiting } from './awaiting-input.js'
import { callAgent, turnContext, turnOptions } from './call-agent.js'
import { check } from './check.js'
import { checkCheckpoints } from './check-checkpoints.js'
import type { Conversation } from './conversation.js'
import { evidenceOf } from './evidence.js'
import { agentFailure, type Failure, inputFailure } from './failure.js'
import type { UserInput } from './next-input.js'
import { type PartialReply, spokenSoFar } from './partial-reply.js'
import { judge } from './judgement.js'

// Long enough for a process tree to be ended; after that an agent that does not listen is left behind.
const AGENT_GRACE_MS = 8000

/** The failure that ends the conversation, if any. */
export async function takeTurn(conversation: Conversation, next: UserInput): Promise<Failure | undefined> {
  const { setup, transcript } = conversation
  const { messagesOf, clock } = setup.run
  const turn: TurnResult = {
    turn: conversation.answered + 1,
    input: next.input,
    input_source: next.source,
    status: 'passed',
    duration_ms: 0,
    ...(next.reasoning === undefined ? {} : { reasoning: next.reasoning }),
    ...(next.goal_achieved ? { goal_achieved: true } : {}),
  }
  conversation.turns.push(turn)
  try {
    transcript.add(await messagesOf(next.input, next.planned?.attachments))
  } catch (thrown) {
    return failTurn(turn, inputFailure(thrown, setup.signal))
  }
  const started = clock.now() - setup.waitedMs
  const reply = await answerOf(conversation, next, turn)
  const duration = clock.now() - setup.waitedMs - started
  turn.duration_ms = Math.round(duration)
  if ('error_kind' in reply) return failTurn(turn, reply)

  const evidence = recordAnswer(conversation, turn, reply, duration)
  return (await judgeTurn(conversation, next, turn, evidence)) ?? passCheckpoints(conversation, turn, evidence)
}

async function answerOf(conversation: Conversation, next: UserInput, turn: TurnResult): Promise<AgentReply | Failure> {
  const { setup, transcript } = conversation
  const options = next.planned?.options
  const limit = setup.testCase.turn_timeout
  const bound = limit === undefined ? undefined : boundBy(setup.signal, parseDuration(limit), limit, setup.run.clock)
  const signal = bound?.signal ?? setup.signal
  try {
    const request = {
      messages: transcript.copy(),
      context: turnContext(setup, options),
      options: turnOptions(setup, options),
      signal,
    }
    conversation.sent = transcript.length
    const reply = await orAborted(callAgent(setup, request), signal, AGENT_GRACE_MS)
    return signal.aborted ? agentFailure(signal.reason, signal) : requirePlain(reply)
  } catch (thrown) {
    const failure = agentFailure(thrown, signal)
    if (failure.partial !== undefined) recordPartial(conversation, turn, failure.partial)
    return failure
  } finally {
    bound?.clear()
  }
}

function recordAnswer(conversation: Conversation, turn: TurnResult, reply: AgentReply, duration: number): Evidence {
  const { setup, transcript } = conversation
  transcript.answer(reply)
  conversation.answered++
  conversation.firstChunkMs ??= reply.first_chunk_ms
  const awaiting = detectAwaiting(reply, setup.run.awaiting_tools)
  const evidence = evidenceOf(setup, { input: turn.input, messages: transcript.copy(), reply, awaiting, duration })
  conversation.last = { reply, output: evidence.output, awaiting }
  turn.output = evidence.output
  if (reply.tool_calls.length > 0) turn.tool_calls = reply.tool_calls
  turn.awaiting_input = awaiting.awaiting
  turn.awaiting_reason = awaiting.reason
  if (awaiting.hint !== undefined) turn.input_hint = awaiting.hint
  return evidence
}

/** The call failed: what it had said, done, cost and left behind counts all the same. */
function recordPartial({ transcript }: Conversation, turn: TurnResult, partial: PartialReply): void {
  const said = spokenSoFar(partial)
  if (said !== undefined) turn.output = said
  if (partial.tool_calls !== undefined && partial.tool_calls.length > 0) turn.tool_calls = partial.tool_calls
  transcript.count(partial)
}

async function judgeTurn(
  conversation: Conversation,
  next: UserInput,
  turn: TurnResult,
  evidence: Evidence,
): Promise<Failure | undefined> {
  const results = await check(conversation.setup, next.planned?.assertions ?? [], evidence)
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

function failTurn(turn: TurnResult, failure: Failure): Failure {
  turn.status = 'failed'
  turn.error = failure.error
  turn.error_kind = failure.error_kind
  return failure
}

async function passCheckpoints(
  conversation: Conversation,
  turn: TurnResult,
  evidence: Evidence,
): Promise<Failure | undefined> {
  const failure = await checkCheckpoints(conversation, turn.turn, evidence)
  return failure && failTurn(turn, failure)
}
