// The record of one answer that assertions read.
import type { AgentReply } from '../../../model/agent.js'
import type { Evidence } from '../../../model/evidence.js'
import type { Message } from '../../../model/message.js'
import { outputOf } from '../../assert/extract-output.js'
import type { Awaiting } from './awaiting-input.js'
import type { ConversationSetup } from './contract.js'

export interface Answered {
  input: unknown
  /** The conversation including the answer. */
  messages: Message[]
  reply: AgentReply
  awaiting: Awaiting
  duration: number
}

export function evidenceOf(setup: ConversationSetup, answered: Answered): Evidence {
  const { reply, awaiting } = answered
  const { testCase } = setup
  const evidence: Evidence = {
    output: outputOf(reply),
    input: answered.input,
    messages: answered.messages,
    tool_calls: reply.tool_calls,
    awaiting_input: awaiting.awaiting,
    awaiting_reason: awaiting.reason,
    duration_ms: answered.duration,
    reply,
    case_id: testCase.id,
  }
  if (testCase.expected !== undefined) evidence.expected = testCase.expected
  if (testCase.metadata !== undefined) evidence.metadata = testCase.metadata
  if (reply.finish_reason !== undefined) evidence.finish_reason = reply.finish_reason
  if (reply.usage !== undefined) evidence.usage = reply.usage
  if (reply.cost_dollars !== undefined) evidence.cost_dollars = reply.cost_dollars
  if (reply.exit_code !== undefined) evidence.exit_code = reply.exit_code
  if (reply.stderr !== undefined) evidence.stderr = reply.stderr
  return evidence
}
