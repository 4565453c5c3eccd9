// Results of tools as Anthropic spells them: parts of a message of the user.
import { isRecord, readString } from '../../base/record.js'
import { asText } from '../../base/text.js'
import type { ToolCall } from '../../model/message.js'

export interface ToolResult {
  id: unknown
  content: unknown
  isError: boolean
}

export function toolResults(content: unknown): ToolResult[] {
  if (!Array.isArray(content)) return []
  return content
    .filter((part) => isRecord(part) && part['type'] === 'tool_result')
    .map((part) => ({
      id: part['tool_use_id'],
      content: plainContent(part['content']),
      isError: part['is_error'] === true,
    }))
}

export function withToolResult(call: ToolCall, result: ToolResult | undefined): ToolCall {
  if (!result) return call
  return result.isError ? { ...call, error: asText(result.content) } : { ...call, result: result.content }
}

/** Parts that are all text are one string. */
export function plainContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null
  const texts = content.map((part) => (isRecord(part) ? readString(part['text']) : readString(part)))
  return texts.includes(undefined) ? content : texts.join('')
}
