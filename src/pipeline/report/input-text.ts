// What a user said, as one text: the last message of a history, the words of its parts.
import { asJson } from '../../base/text.js'

export function inputText(input: unknown): string {
  const last: unknown = Array.isArray(input) ? input.at(-1) : input
  if (typeof last === 'string') return last
  if (typeof last !== 'object' || last === null || !('content' in last)) return asJson(last)
  const { content } = last
  if (!Array.isArray(content)) return typeof content === 'string' ? content : asJson(content)
  const texts: unknown[] = content.map(
    (part: { type?: unknown; text?: unknown }) => part.text ?? `[${String(part.type)}]`,
  )
  return texts.join(' ')
}
