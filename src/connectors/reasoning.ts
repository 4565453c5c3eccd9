// Which answer of a history a model's reasoning belongs to: by what was said and which calls were made.
import type { Reasoning } from '../model/connector.js'
import type { Message } from '../model/message.js'
import { textOf } from '../model/last-user-text.js'

/** Survives copies of a message, and no author can write it. */
const ITEMS = Symbol('reasoning')

interface WithItems extends Message {
  [ITEMS]?: unknown[]
}

/** The same messages, each answer with its reasoning; before ids are made unique. */
export function attachReasoning(messages: Message[], reasoning: Reasoning[] = []): Message[] {
  if (reasoning.length === 0) return messages
  const unused = [...reasoning]
  return messages.map((message) => {
    const at = message.role === 'assistant' ? unused.findIndex((each) => belongsTo(each, message)) : -1
    const [found] = at < 0 ? [] : unused.splice(at, 1)
    return found ? ({ ...message, [ITEMS]: found.items } satisfies WithItems) : message
  })
}

export function reasoningOf(message: Message): unknown[] | undefined {
  return (message as WithItems)[ITEMS]
}

function belongsTo({ content, calls }: Reasoning, message: Message): boolean {
  const made = message.tool_calls ?? []
  return (
    textOf(message.content) === content &&
    made.length === calls.length &&
    made.every((call, index) => call.id === calls[index])
  )
}
