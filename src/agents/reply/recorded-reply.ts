// What a result line says an agent answered → the reply it was made from, as far as the line holds it.
import { isRecord } from '../../base/record.js'
import { asText } from '../../base/text.js'
import type { AgentReply, TraceStep } from '../../model/agent.js'
import { wholeSession } from '../../model/bound-session.js'
import type { ResultEvent, TurnResult } from '../../model/event.js'

/** A case with one call, or one of its turns. */
export type Said = ResultEvent | TurnResult

// Assigned, not spread: made for every case.
export function recordedReply(said: Said): AgentReply {
  const {
    tool_calls = [],
    usage,
    cost_dollars,
    tool_evidence,
    finish_reason,
    refusal,
    skills,
    exit_code,
    stderr,
  } = said
  const { output = null, output_encoding } = said as { output?: unknown; output_encoding?: 'base64' }
  const reply: AgentReply = { content: output, tool_calls, duration_ms: answeredAfter(said) }
  if (finish_reason === 'error' && isRecord(output)) reply.error = output['error']
  // What was only inferred from the words, or from a tool call, is found again.
  if (said.awaiting_reason === 'agent_declared') reply.awaiting_input = true
  if ('input_hint' in said && said.input_hint !== undefined) reply.input_hint = said.input_hint
  if (usage !== undefined) reply.usage = usage
  if (cost_dollars !== undefined) reply.cost_dollars = cost_dollars
  if (finish_reason !== undefined) reply.finish_reason = finish_reason
  if (refusal !== undefined) reply.refusal = refusal
  if (tool_evidence !== undefined) reply.tool_evidence = tool_evidence
  if (skills !== undefined) reply.skills = skills
  if (exit_code !== undefined) reply.exit_code = exit_code
  // Its output is only stored if it differs.
  const stdout = 'stdout' in said ? said.stdout : undefined
  if (stdout !== undefined) reply.stdout = stdout
  else if (exit_code !== undefined && !output_encoding) reply.stdout = asText(output)
  if (stderr !== undefined) reply.stderr = stderr
  if (output_encoding !== undefined) reply.output_encoding = output_encoding
  if ('first_chunk_ms' in said && said.first_chunk_ms !== undefined) reply.first_chunk_ms = said.first_chunk_ms
  if (!('turn' in said)) addWhole(reply, said)
  return reply
}

/** What is stored for a case as a whole, and not for a turn. */
function addWhole(reply: AgentReply, { session, spans, spans_left_out, trace }: ResultEvent): void {
  const kept = session && wholeSession(session)
  if (kept !== undefined) reply.session = kept
  if (spans !== undefined && spans_left_out === undefined) reply.spans = spans
  if (trace !== undefined) reply.trace = trace.map(stepOf)
}

/** When it began then says nothing now; its order stays. A prompt that is not in the line is in the other file. */
function stepOf({ start_ms: _start, sent, ...step }: TraceStep): TraceStep {
  return sent ? { ...step, sent: sent.filter(({ prompt }) => prompt === undefined) } : step
}

/** Of a whole case at most that long: it was over when the first judge or script was asked. */
function answeredAfter(said: Said): number {
  let after = said.duration_ms
  if ('turn' in said) return after
  for (const { start_ms } of said.assertions ?? []) if (start_ms !== undefined && start_ms < after) after = start_ms
  return after
}
