// What hooks say to the user directly (`ctx.Send`, `ctx.SendStream`, `ctx.Append`), joined as text.
import { isRecord, readString } from '../../base/record.js'

export interface SentText {
  add(message: unknown): void
  /** Undefined if nothing was said. */
  text(): string | undefined
}

export function createSentText(): SentText {
  const texts = new Map<string, string>()
  return {
    add(message) {
      if (!isRecord(message)) return
      const id = String(message['message_id'])
      const content = contentOf(message['message'])
      if (content === undefined) return
      const action = message['action']
      if (action === 'send' || action === 'stream' || action === 'replace') texts.set(id, content)
      else if (action === 'append') texts.set(id, (texts.get(id) ?? '') + content)
    },
    text: () => (texts.size === 0 ? undefined : [...texts.values()].join('\n')),
  }
}

function contentOf(message: unknown): string | undefined {
  if (!isRecord(message)) return readString(message)
  const props = isRecord(message['props']) ? message['props'] : message
  return readString(props['content'])
}
