// The text a person said last: what echo answers with and patterns are matched against.
import type { Message } from './message.js'

export function lastUserText(messages: Message[]): string {
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]
    if (message?.role === 'user') return textOf(message.content)
  }
  return ''
}

/** The text parts of a message's content, one per line. */
export function textOf(content: Message['content']): string {
  if (typeof content === 'string') return content
  if (content === null || content === undefined) return ''
  const texts: string[] = []
  for (const part of content) if (typeof part['text'] === 'string') texts.push(part['text'])
  return texts.join('\n')
}
