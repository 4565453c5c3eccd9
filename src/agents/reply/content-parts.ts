// The parts of a message: what it says, the calls it makes, and whether it refuses.
import { normalizeToolCalls } from '../../connectors/tool-calls.js'
import { isRecord, readString } from '../../base/record.js'
import { asText } from '../../base/text.js'
import { joinTexts } from './join-texts.js'
import type { ToolCall } from '../../model/message.js'

export interface Parts {
  content: unknown
  calls: ToolCall[]
  refusal?: string
}

/** Parts that are all text become one string; anything but a list of parts is the content itself. */
export function readParts(content: unknown): Parts {
  if (!Array.isArray(content)) return { content: content ?? null, calls: [] }
  const given: unknown[] = content
  if (given.length === 0 || !given.every(isTyped)) return { content, calls: [] }
  const results = new Map(given.filter(isResult).map((part) => [part['tool_use_id'], part]))
  const calls = normalizeToolCalls(
    given.filter((part) => CALLS.has(part.type)).map((part) => ({ server: part['server_name'], ...part })),
  ).map((call) => withResult(call, results.get(call.id)))
  const refusal = readString(given.find((part) => part.type === 'refusal')?.['refusal'])
  const rest = given.filter(
    (part) => !isResult(part) && !CALLS.has(part.type) && !THOUGHTS.has(part.type) && part.type !== 'refusal',
  )
  const texts = rest.flatMap((part) => readString(part['text']) ?? [])
  const said = texts.length === 0 ? null : joinTexts(given.filter((part) => !THOUGHTS.has(part.type)).map(textOrCall))
  return {
    content: texts.length === rest.length ? said : content,
    calls,
    ...(refusal !== undefined && { refusal }),
  }
}

function textOrCall(part: Typed): string | undefined {
  return isResult(part) || CALLS.has(part.type) ? undefined : (readString(part['text']) ?? '')
}

/** Not every object with a type: a list of those may be data. */
export function isPart(value: unknown): boolean {
  if (!isTyped(value)) return false
  const { type } = value
  return (TEXTS.has(type) && typeof value['text'] === 'string') || CALLS.has(type) || THOUGHTS.has(type)
}

type Typed = Record<string, unknown> & { type: string }

function isTyped(value: unknown): value is Typed {
  return isRecord(value) && typeof value['type'] === 'string'
}

/** What a tool that the model's own servers ran gave back. */
function isResult({ type }: Typed): boolean {
  return type.endsWith('_tool_result')
}

function withResult(call: ToolCall, part: Typed | undefined): ToolCall {
  if (!part) return call
  const { content, is_error } = part
  return is_error === true ? { ...call, error: asText(content) } : { ...call, result: content ?? null }
}

const TEXTS = new Set(['text', 'output_text'])
const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use', 'tool-call', 'tool_call', 'function_call'])
const THOUGHTS = new Set(['thinking', 'redacted_thinking', 'reasoning'])
