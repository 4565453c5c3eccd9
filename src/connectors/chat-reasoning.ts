// Reasoning in chat completions: what servers add to a message, and want back with it. DeepSeek and its like refuse the
// results of a call without the thoughts that led to it; OpenRouter and Gemini sign theirs.
import { defined } from '../base/defined.js'
import { isRecord, readList, readString } from '../base/record.js'
import type { Message } from '../model/message.js'
import { reasoningOf } from './reasoning.js'

type Item = Record<string, unknown>

/** `calls`: what is beside each call. */
interface Kept {
  reasoning_content?: string
  reasoning_details?: unknown[]
  calls?: unknown[]
}

/** Of a whole message; undefined if it has none. */
export function readReasoning(message: Item): unknown[] | undefined {
  const details = readList(message['reasoning_details'])
  const beside = readList(message['tool_calls']).map((call) => (isRecord(call) ? call['extra_content'] : undefined))
  return itemsOf(readString(message['reasoning_content']), details, beside)
}

/** The pieces that a stream brings. */
export class ReasoningFragments {
  /** An empty one is wanted back, too. */
  #text: string | undefined
  readonly #details: Item[] = []

  add(delta: Item): void {
    const text = readString(delta['reasoning_content'])
    if (text !== undefined) this.#text = (this.#text ?? '') + text
    for (const piece of readList(delta['reasoning_details']).filter(isRecord)) this.#addDetail(piece)
  }

  items(beside: unknown[]): unknown[] | undefined {
    return itemsOf(this.#text, this.#details, beside)
  }

  #addDetail(piece: Item): void {
    const known = this.#details.find(({ type, index }) => type === piece['type'] && index === piece['index'])
    if (!known) return void this.#details.push({ ...piece })
    for (const [name, value] of Object.entries(piece)) {
      const isText = (name === 'text' || name === 'summary') && typeof value === 'string'
      if (isText) known[name] = (readString(known[name]) ?? '') + value
      else if (value !== null) known[name] = value
    }
  }
}

/** Thoughts without a signature are wanted until the user speaks again, and some refuse them later. */
export function sentReasoning(message: Message, isAnswered: boolean): { fields: Item; beside: unknown[] } {
  const [kept] = reasoningOf(message) ?? []
  const { reasoning_content, reasoning_details, calls = [] }: Kept = isRecord(kept) ? kept : {}
  return {
    fields: defined({ reasoning_content: isAnswered ? undefined : reasoning_content, reasoning_details }),
    beside: calls,
  }
}

function itemsOf(text: string | undefined, details: unknown[], beside: unknown[]): unknown[] | undefined {
  const kept: Kept = defined({
    reasoning_content: text,
    reasoning_details: details.length > 0 ? details : undefined,
    calls: beside.some(isRecord) ? beside.map((each) => each ?? null) : undefined,
  })
  return Object.keys(kept).length === 0 ? undefined : [kept]
}
