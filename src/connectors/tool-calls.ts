// Tool calls in every spelling a model or an agent uses → one form.
import type { ToolCall } from '../model/message.js'
import { defined } from '../base/defined.js'
import { isRecord, readString } from '../base/record.js'
import { messageOf } from '../base/message-of.js'
import { show } from '../base/text.js'
import { AgentError } from '../errors.js'

/** Throws AgentError for what is no list of calls: a call that is dropped looks as if it had never been made. */
export function normalizeToolCalls(value: unknown): ToolCall[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw notCalls(value)
  return value.map((item) => normalizeToolCall(item) ?? refuse(item))
}

function refuse(item: unknown): never {
  throw notCalls(item)
}

function notCalls(value: unknown): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the tool calls cannot be understood: ${show(value)}`,
    hint: 'write them as [{"name": "find_order", "args": {"number": 7}}]',
    retry: false,
  })
}

function normalizeToolCall(value: unknown): ToolCall | undefined {
  if (!isRecord(value)) return undefined
  const inner = isRecord(value['function']) ? value['function'] : value
  const name = readString(inner['name']) ?? readString(value['toolName'])
  if (name === undefined) return undefined
  const { args, args_error } = parseArgs(firstPresent(inner, ['args', 'arguments', 'input', 'parameters']))
  return {
    name,
    args,
    ...defined({
      id: readString(value['id']) ?? readString(value['toolCallId']),
      server: readString(value['server']),
      result: value['result'],
      error: readString(value['error']),
      args_error: readString(value['args_error']) ?? args_error,
    }),
  }
}

/** Models write arguments as JSON text, and not always well: then the text is kept and the reason said. */
export function parseArgs(value: unknown): { args: unknown; args_error?: string } {
  if (value === undefined || value === null) return { args: {} }
  if (typeof value !== 'string') return { args: value }
  if (value.trim() === '') return { args: {} }
  try {
    return { args: JSON.parse(value) }
  } catch (error) {
    return {
      args: value,
      args_error: `the arguments are not JSON: ${messageOf(error)}`,
    }
  }
}

function firstPresent(record: Record<string, unknown>, names: string[]): unknown {
  for (const name of names) if (record[name] !== undefined) return record[name]
  return undefined
}
