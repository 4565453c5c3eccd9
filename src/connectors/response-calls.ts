// Tool calls among the items of the Responses API: functions, custom tools, tools of MCP servers, and those that OpenAI runs itself.
import { normalizeToolCalls } from './tool-calls.js'
import { defined } from '../base/defined.js'
import { readString } from '../base/record.js'
import { asText } from '../base/text.js'
import type { ToolCall } from '../model/message.js'

type Fields = Record<string, unknown>

/** None if the item is not a call. */
export function responseCalls(item: Fields): ToolCall[] {
  const type = readString(item['type']) ?? ''
  if (!type.endsWith('_call')) return []
  if (type === 'function_call') return normalizeToolCalls([{ ...item, id: idOf(item) }])
  const {
    name = type.slice(0, -'_call'.length),
    arguments: args = ownFields(item),
    server_label: server,
    output,
  } = item
  const error = item['error'] === undefined || item['error'] === null ? undefined : asText(item['error'])
  const call = { name, args, ...defined({ id: idOf(item), server, error, result: output ?? undefined }) }
  return normalizeToolCalls([call])
}

/** Its own `id` is that of the item. */
function idOf(item: Fields): string | undefined {
  return readString(item['call_id']) ?? readString(item['callId']) ?? readString(item['id'])
}

/** `{"action": {"query": "…"}}` of a search, `{"input": "…"}` of a custom tool. */
function ownFields(item: Fields): Fields {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !OTHERS.has(name)))
}

const OTHERS = new Set([
  'type',
  'id',
  'call_id',
  'callId',
  'status',
  'name',
  'output',
  'error',
  'server_label',
  'providerData',
])
