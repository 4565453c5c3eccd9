// Agents that keep the conversation themselves (A2A, ACP): what to tell them, and which of their conversations is which of ours.
import type { Message } from '../../model/message.js'
import { lastUserText, textOf } from '../../model/last-user-text.js'

/**
 * What is new since the first `seen` messages. An agent that knows nothing yet gets the earlier messages as a
 * transcript, since these protocols cannot pass on a history.
 */
export function newText(messages: Message[], seen: number): string {
  if (seen > 0 && seen < messages.length) {
    const said = messages.slice(seen).filter((message) => message.role === 'user')
    return said.map((message) => textOf(message.content)).join('\n\n')
  }
  const before = messages.slice(0, -1).filter((message) => textOf(message.content) !== '')
  const last = lastUserText(messages)
  if (before.length === 0) return last
  const lines = before.map((message) => `${message.role}: ${textOf(message.content)}`)
  return `The conversation so far:\n${lines.join('\n')}\n\nuser: ${last}`
}

/** A map of limited size that evicts the least recently used. */
export class RecentMap<Value> {
  readonly #limit: number
  readonly #onForget: (value: Value) => void
  readonly #values = new Map<string, Value>()

  constructor(limit: number, onForget: (value: Value) => void = () => {}) {
    this.#limit = limit
    this.#onForget = onForget
  }

  /** Removes and returns it: the user of a conversation has it exclusively, and puts it back. */
  take(key: string): Value | undefined {
    const value = this.#values.get(key)
    this.#values.delete(key)
    return value
  }

  put(key: string, value: Value): void {
    const before = this.take(key)
    if (before !== undefined && before !== value) this.#onForget(before)
    this.#values.set(key, value)
    for (const [oldest, forgotten] of this.#values) {
      if (this.#values.size <= this.#limit) return
      this.#values.delete(oldest)
      this.#onForget(forgotten)
    }
  }

  clear(): Value[] {
    const values = [...this.#values.values()]
    this.#values.clear()
    return values
  }
}
