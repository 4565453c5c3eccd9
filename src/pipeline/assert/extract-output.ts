// What assertions on the answer see of a reply.
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall } from '../../model/message.js'
import { isRecord } from '../../base/record.js'

/** The Next hook's data, else the content, else the first tool result's message, else a summary of the calls, else null. */
export function outputOf(reply: Pick<AgentReply, 'content' | 'tool_calls' | 'next'>): unknown {
  const { next, content, tool_calls: calls } = reply
  if (next !== undefined && next !== null) return next
  if (content !== undefined && content !== null && content !== '') return content
  if (calls.length === 0) return content ?? null
  return firstMessage(calls) ?? calls.map((call) => summaryOf(call)).join(' ')
}

function firstMessage(calls: ToolCall[]): string | undefined {
  for (const { result } of calls) {
    if (isRecord(result) && typeof result['message'] === 'string' && result['message'] !== '') return result['message']
  }
  return undefined
}

function summaryOf({ name, result }: ToolCall): string {
  const { action, success } = isRecord(result) ? result : {}
  if (typeof action === 'string' && action !== '') return `[${name}: ${action}]`
  return success === true ? `[${name}: success]` : `[${name}]`
}
