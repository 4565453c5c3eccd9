// The tool calls of a history in one form, each with an id, each result with the id of its call: every provider requires it.
import type { Message, ToolCall } from '../model/message.js'
import { normalizeToolCalls } from './tool-calls.js'

/** Authors write calls as in the API, as `{name, arguments}` or `{name, args}`, with ids or without. */
export function pairCalls(messages: readonly Message[]): Message[] {
  if (!messages.some(({ role, tool_calls }) => role === 'tool' || tool_calls !== undefined)) return [...messages]
  let open: Array<ToolCall & { id: string }> = []
  return messages.map((message, index) => {
    if (message.tool_calls !== undefined && message.tool_calls !== null) {
      open = callsOf(message.tool_calls, index)
      return { ...message, tool_calls: open.slice() }
    }
    if (message.role !== 'tool') return message
    const answered = takeCall(open, message)
    return answered ? { ...message, tool_call_id: answered.id } : message
  })
}

function callsOf(written: unknown, index: number): Array<ToolCall & { id: string }> {
  return normalizeToolCalls(written).map((call, position) => ({
    ...call,
    id: call.id ?? `call_${index}_${position + 1}`,
  }))
}

/** By id, else by name, else the first that has no result yet. */
function takeCall(
  open: Array<ToolCall & { id: string }>,
  { tool_call_id, name }: Message,
): { id: string; name: string } | undefined {
  const at =
    tool_call_id === undefined
      ? Math.max(
          open.findIndex((call) => call.name === name),
          open.length > 0 ? 0 : -1,
        )
      : open.findIndex((call) => call.id === tool_call_id)
  return at === -1 ? undefined : open.splice(at, 1)[0]
}
