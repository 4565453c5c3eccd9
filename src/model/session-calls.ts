// The tool calls that the backends of an orchestrator reported. Pure.
import { isRecord } from '../base/record.js'
import type { ToolCall } from './message.js'
import { isKind, type SessionRecord } from './session.js'

export function sessionCalls(records: readonly SessionRecord[]): ToolCall[] {
  return records.flatMap((record) => (isKind(record, 'backend.call') ? reportedCalls(record.data.tool_calls) : []))
}

/** As a session or a cassette has them: older ones have only the names, those of other programs may have anything. */
export function reportedCalls(list: unknown): ToolCall[] {
  return Array.isArray(list) ? list.map(reportedCall) : []
}

function reportedCall(call: unknown): ToolCall {
  const given = isRecord(call) ? call : { name: call }
  const named = typeof given['name'] === 'string' ? { name: given['name'] } : { name: 'tool', unnamed: true as const }
  const args = 'args' in given ? {} : { args: {}, args_error: 'they were not recorded' }
  return { ...(given as Partial<ToolCall>), ...named, ...args } as ToolCall
}
