// Standard mode: one call with the whole history, then the case's assertions. The path of most cases, so it does little.
import { requirePlain } from '../../../agents/reply/plain-reply.js'
import type { AgentReply } from '../../../model/agent.js'
import type { AssertionResult } from '../../../model/assertion.js'
import type { Message } from '../../../model/message.js'
import { NO_FIRST_INPUT } from '../../../model/missing-input.js'
import { orAborted } from '../../../time/deadline.js'
import { evaluate } from '../../assert/evaluate.js'
import { detectAwaiting } from './awaiting-input.js'
import { callAgent } from './call-agent.js'
import type { ConversationResult, ConversationSetup } from './contract.js'
import { evidenceOf } from './evidence.js'
import { agentFailure, endedBy, type Failure, inputFailure } from './failure.js'
import { type PartialReply, spokenSoFar } from './partial-reply.js'
import { responseText } from './spoken-text.js'
import { answerMessages, copyMessages } from './transcript.js'
import { judge } from './judgement.js'

export async function converseOnce(setup: ConversationSetup): Promise<ConversationResult> {
  const { testCase, signal, run } = setup
  const input = testCase.messages ?? testCase.input
  const result: ConversationResult = { status: 'passed', input }
  if (testCase.expected !== undefined) result.expected = testCase.expected
  if (input === undefined) return fail(result, { error: NO_FIRST_INPUT, error_kind: 'input', cause: undefined })

  let messages: Message[]
  try {
    const made = run.messagesOf(input, testCase.attachments)
    messages = made instanceof Promise ? await made : made
  } catch (thrown) {
    return fail(result, inputFailure(thrown, signal))
  }
  result.messages_count = messages.length

  const started = run.clock.now()
  let reply: AgentReply
  try {
    const answer = await callAgent(setup, {
      messages: copyMessages(messages),
      context: setup.context,
      options: setup.options,
      signal,
    })
    reply = requirePlain(answer)
  } catch (thrown) {
    return fail(result, agentFailure(thrown, signal))
  }
  if (signal.aborted) return fail(result, agentFailure(signal.reason, signal))
  const duration = run.clock.now() - started - setup.waitedMs
  return judgeAnswer(setup, messages, reply, duration, result)
}

function judgeAnswer(
  setup: ConversationSetup,
  messages: Message[],
  reply: AgentReply,
  duration: number,
  result: ConversationResult,
): ConversationResult | Promise<ConversationResult> {
  const awaiting = detectAwaiting(reply, setup.run.awaiting_tools)
  const conversation = [...messages, ...answerMessages(reply, 'call')]
  const evidence = evidenceOf(setup, { input: result.input, messages: conversation, reply, awaiting, duration })
  describeReply(result, reply, evidence.output)
  if (awaiting.awaiting) {
    result.awaiting_input = true
    result.awaiting_reason = awaiting.reason
  }
  const { assertions } = setup.compiled
  if (assertions.length === 0) return result
  const checked = evaluate(assertions, evidence, setup.services)
  return checked instanceof Promise ? concludeLater(setup, result, checked) : conclude(setup, result, checked)
}

async function concludeLater(
  setup: ConversationSetup,
  result: ConversationResult,
  checking: Promise<AssertionResult[]>,
): Promise<ConversationResult> {
  try {
    return conclude(setup, result, await orAborted(checking, setup.signal))
  } catch (thrown) {
    const ended = endedBy(thrown, setup.signal)
    if (!ended) throw thrown
    return fail(result, ended)
  }
}

function conclude(
  setup: ConversationSetup,
  result: ConversationResult,
  results: AssertionResult[],
): ConversationResult {
  const minScore = setup.testCase.min_score
  result.assertions = results
  const verdict = judge(results, minScore)
  if (verdict.score !== undefined) result.score = verdict.score
  if (minScore !== undefined) result.min_score = minScore
  if (verdict.errors.length > 0) result.assertion_errors = verdict.errors
  const ended = setup.signal.aborted ? endedBy(undefined, setup.signal) : undefined
  if (ended) return fail(result, ended)
  if (!verdict.passed) {
    result.status = 'failed'
    if (verdict.error !== undefined) result.error = verdict.error
    if (verdict.error_kind !== undefined) result.error_kind = verdict.error_kind
  }
  return result
}

function describeReply(result: ConversationResult, reply: AgentReply, output: unknown): void {
  result.output = output
  result.response = responseText(reply)
  describeCall(result, reply)
}

function describeCall(result: ConversationResult, reply: PartialReply): void {
  if (reply.tool_calls !== undefined && reply.tool_calls.length > 0) result.tool_calls = reply.tool_calls
  if (reply.finish_reason !== undefined) result.finish_reason = reply.finish_reason
  if (reply.usage !== undefined) result.usage = reply.usage
  if (reply.cost_dollars !== undefined) result.cost_dollars = reply.cost_dollars
  if (reply.first_chunk_ms !== undefined) result.first_chunk_ms = reply.first_chunk_ms
  if (reply.api_retries !== undefined) result.api_retries = reply.api_retries.length
  if (reply.trace !== undefined && reply.trace.length > 0) result.trace = reply.trace
  if (reply.leaked !== undefined && reply.leaked.length > 0) result.leaked = reply.leaked
  if (reply.exit_code !== undefined) result.exit_code = reply.exit_code
  if (reply.stderr !== undefined) result.stderr = reply.stderr
  if (reply.output_encoding !== undefined) result.output_encoding = reply.output_encoding
  if (reply.logs !== undefined) result.logs = reply.logs
  if (reply.logs_dropped !== undefined) result.logs_dropped = reply.logs_dropped
}

function fail(result: ConversationResult, failure: Failure): ConversationResult {
  result.status = 'failed'
  result.error = failure.error
  result.error_kind = failure.error_kind
  if (failure.cause !== undefined) result.cause = failure.cause
  if (failure.partial !== undefined) {
    const said = spokenSoFar(failure.partial)
    if (said !== undefined) result.output ??= said
    describeCall(result, failure.partial)
  }
  return result
}
