// The text of a chat message, or of a piece of one. Some servers answer with parts, as in a request.
import { isRecord, readString } from '../base/record.js'
import { asText } from '../base/text.js'

export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  return content.map((part) => (isRecord(part) ? asText(part['text']) : '')).join('')
}

export function refusalIn({ refusal, content }: Record<string, unknown>): string | undefined {
  const parts: unknown[] = Array.isArray(content) ? content : []
  return readString(refusal) || parts.flatMap((part) => (isRecord(part) ? (readString(part['refusal']) ?? []) : []))[0]
}
