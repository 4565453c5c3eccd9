// Whether what an agent returned says which tools it called, even if it called none.
import { isRecord } from '../../base/record.js'
import type { AgentReply } from '../../model/agent.js'
import { readRun } from './run-readers.js'
import { isTranscriptWithCalls } from './sdk-results.js'

/** The reply, marked if nothing in `value`, from which it was read, is about calls. */
export function withToolEvidence(reply: AgentReply, value: unknown): AgentReply {
  if (reply.tool_calls.length === 0 && !reportsCalls(value)) reply.tool_evidence = 'unknown'
  return reply
}

/** Whether it has a place for them, in one of the usual forms. */
export function reportsCalls(value: unknown): boolean {
  if (Array.isArray(value)) return isTranscriptWithCalls(value) || readRun(value) !== undefined
  if (!isRecord(value)) return false
  const choice: unknown = Array.isArray(value['choices']) ? value['choices'][0] : undefined
  const messages = [value, value['message'], isRecord(choice) ? choice['message'] : undefined]
  if (messages.some((message) => isRecord(message) && hasCalls(message))) return true
  return isWholeRun(value)
}

/** A whole run of the AI SDK, the OpenAI Agents SDK or LangGraph. A list of that name alone may hold anything. */
function isWholeRun(value: Record<string, unknown>): boolean {
  const { steps, newItems, messages } = value
  if (Array.isArray(steps) && steps.length > 0 && steps.every((step) => isRecord(step) && hasCalls(step))) return true
  if (Array.isArray(newItems) && 'finalOutput' in value) return true
  return Array.isArray(messages) && isTranscriptWithCalls(messages)
}

/** `null` says nothing. */
export function hasCalls(message: Record<string, unknown>): boolean {
  return Array.isArray(message['tool_calls']) || Array.isArray(message['toolCalls'])
}
