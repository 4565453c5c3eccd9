// What a tool returned: MCP content → one value, and any value → the text the model reads.
import { isRecord } from '../base/record.js'
import { jsonOrText } from '../base/json/parse-json.js'

export type { ToolOutcome } from '../model/given-tools.js'

/** One part is the value itself, several are a list; text that is JSON is parsed. */
export function parseToolContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null
  const values = content.map((part: unknown) => partValue(part))
  return values.length === 0 ? null : values.length === 1 ? values[0] : values
}

export function toolText(result: unknown): string {
  if (typeof result === 'string') return result
  return result === undefined || result === null ? '' : JSON.stringify(result)
}

function partValue(part: unknown): unknown {
  if (!isRecord(part)) return part
  if (part['type'] === 'text' && typeof part['text'] === 'string') return jsonOrText(part['text'])
  if (part['type'] === 'resource') return part['resource']
  return part
}
