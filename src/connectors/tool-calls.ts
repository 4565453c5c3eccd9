// Tool calls in every spelling a model or an agent uses → one form.
import type { ToolCall } from '../model/message.js'
import { defined } from '../base/defined.js'
import { isRecord, readString } from '../base/record.js'
import { messageOf } from '../base/message-of.js'

export function normalizeToolCalls(value: unknown): ToolCall[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((item) => normalizeToolCall(item) ?? [])
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
