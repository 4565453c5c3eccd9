// Whether what an agent returned says which tools it called, even if it called none.
import { isRecord } from '../../base/record.js'
import type { AgentReply } from '../../model/agent.js'
import { readTranscript } from './sdk-results.js'

/** The reply, marked if nothing in `value`, from which it was read, is about calls. */
export function withToolEvidence(reply: AgentReply, value: unknown): AgentReply {
  if (reply.tool_calls.length === 0 && !reportsCalls(value)) reply.tool_evidence = 'unknown'
  return reply
}

function reportsCalls(value: unknown): boolean {
  if (Array.isArray(value)) return readTranscript(value) !== undefined
  if (!isRecord(value)) return false
  const choice: unknown = Array.isArray(value['choices']) ? value['choices'][0] : undefined
  const messages = [value, value['message'], isRecord(choice) ? choice['message'] : undefined]
  if (messages.some((message) => isRecord(message) && hasCalls(message))) return true
  // Of a whole run: the AI SDK, the OpenAI Agents SDK, LangGraph.
  return RUNS.some((name) => Array.isArray(value[name]))
}

/** `null` says nothing. */
export function hasCalls(message: Record<string, unknown>): boolean {
  return Array.isArray(message['tool_calls']) || Array.isArray(message['toolCalls'])
}

const RUNS = ['steps', 'newItems', 'messages']
