// The record that assertions read: of one answer, or of the whole conversation.
import type { TraceStep } from '../../../model/agent.js'
import type { Evidence } from '../../../model/evidence.js'
import type { ToolCall, ToolEvidence, Usage } from '../../../model/message.js'
import type { SkillUse } from '../../../model/skill-use.js'
import type { Span } from '../../../model/span.js'
import type { StateEvidence } from '../../../model/state.js'
import { show } from '../../../base/text.js'
import type { Conversation, LastAnswer } from './conversation.js'
import { expectsRefusal, hasRefused } from './require-answer.js'

/** What was said and done in the last turn. */
export function turnEvidence(conversation: Conversation): Evidence {
  const last = lastAnswer(conversation)
  const { tool_calls, tool_evidence, usage, cost_dollars, cost_estimated } = last.reply
  const { transcript } = conversation
  const { trace: steps = [], spans = [] } = last.reply
  // The transcript has their times since the case began.
  const trace = steps.length > 0 ? transcript.trace.slice(-steps.length) : steps
  const unreported = last.reply.session?.unreported_hats ?? []
  const done = {
    tool_calls,
    tool_evidence,
    unreported,
    usage,
    cost_dollars,
    cost_estimated,
    duration_ms: conversation.lastMs,
    trace,
    spans,
    skills: last.reply.skills,
  }
  return evidenceOf(conversation, last, conversation.turns.at(-1)?.input, done)
}

/** The last answer for what was said, the whole conversation for what was done. */
export function wholeEvidence(conversation: Conversation): Evidence {
  const { toolCalls, toolEvidence, unreportedHats, usage, cost, isEstimated, trace, spans, skills } =
    conversation.transcript
  const done = {
    tool_calls: toolCalls,
    tool_evidence: toolEvidence,
    unreported: [...unreportedHats],
    usage,
    cost_dollars: cost,
    cost_estimated: isEstimated || undefined,
    duration_ms: conversation.agentMs,
    trace,
    spans,
    skills,
  }
  return evidenceOf(conversation, lastAnswer(conversation), conversation.turns[0]?.input, done)
}

/** Without an answer there is nothing to judge: every ending that comes before one fails or skips the case. */
function lastAnswer({ last }: Conversation): LastAnswer {
  if (!last) throw new Error('nothing was answered, so there is nothing to judge')
  return last
}

interface Done {
  tool_calls: ToolCall[]
  tool_evidence: ToolEvidence | undefined
  unreported: string[]
  usage: Usage | undefined
  cost_dollars: number | undefined
  cost_estimated: boolean | undefined
  duration_ms: number
  trace: TraceStep[]
  spans: Span[]
  skills: SkillUse | undefined
}

// Assigned, not spread: made for every case.
function evidenceOf(conversation: Conversation, last: LastAnswer, input: unknown, done: Done): Evidence {
  const { setup, transcript, changed, answered } = conversation
  const { testCase } = setup
  const { reply, output, awaiting } = last
  const evidence: Evidence = {
    output,
    input: input ?? null,
    messages: transcript.messages(),
    tool_calls: done.tool_calls,
    awaiting_input: awaiting.awaiting,
    awaiting_reason: awaiting.reason,
    duration_ms: done.duration_ms,
    reply,
    case_id: testCase.id,
  }
  if (done.tool_evidence !== undefined) evidence.tool_evidence = done.tool_evidence
  if (done.unreported.length > 0) evidence.unreported_hats = done.unreported
  if (testCase.expected !== undefined) evidence.expected = testCase.expected
  if (testCase.metadata !== undefined) evidence.metadata = testCase.metadata
  if (done.usage !== undefined) evidence.usage = done.usage
  if (done.cost_dollars !== undefined) evidence.cost_dollars = done.cost_dollars
  if (done.cost_estimated) evidence.cost_estimated = true
  if (reply.finish_reason !== undefined) evidence.finish_reason = reply.finish_reason
  const refusal = hasRefused(reply) || reply.refusal
  if (refusal !== undefined) evidence.refusal = refusal
  if (refusal && !expectsRefusal(testCase, answered)) evidence.refused = show(reply.content)
  if (done.skills !== undefined) evidence.skills = done.skills
  if (reply.exit_code !== undefined) evidence.exit_code = reply.exit_code
  if (reply.stdout !== undefined) {
    evidence.stdout = reply.stdout
    evidence.stderr = ''
  }
  if (reply.stderr !== undefined) evidence.stderr = reply.stderr
  if (reply.session !== undefined) evidence.session = reply.session
  if (done.trace.length > 0) evidence.trace = done.trace
  if (done.spans.length > 0) evidence.spans = done.spans
  if (changed !== undefined) evidence.changes = changed.changes
  if (changed !== undefined && changed.left_out > 0) evidence.changes_left_out = changed.left_out
  const state = stateOf(conversation)
  if (state !== undefined) evidence.state = state
  if (setup.tools?.url !== undefined) evidence.recorded_tools = setup.tools.tools.map(({ spec }) => spec.name)
  return evidence
}

/** As Viva has read it, else as the agent says. */
export function stateOf({ setup, stateBefore, stateAfter, latest }: Conversation): StateEvidence | undefined {
  if (setup.state)
    return stateAfter === undefined ? undefined : { source: setup.state.source, before: stateBefore, after: stateAfter }
  return latest?.state === undefined ? undefined : { source: 'reply', claimed: true, after: latest.state }
}
