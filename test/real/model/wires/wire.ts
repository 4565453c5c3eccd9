// One vendor's protocol: an answer as one document, as the events of a stream, and an error.
import type { ScriptedAnswer } from '../behaviour.js'

export interface Wire {
  whole(answer: ScriptedAnswer): unknown
  /** Complete server-sent events, each ending in an empty line. */
  events(answer: ScriptedAnswer): string[]
  error(type: string, message: string, status: number): unknown
  /** An error in the middle of a stream. */
  errorEvent(): string
  /** What the vendor says to a request that it does not take. `issued`: what it has answered before. */
  refusalOf(body: unknown, headers?: Record<string, unknown>, issued?: readonly ScriptedAnswer[]): string | undefined
}

/** No two answers of a vendor have one id, and SDKs rely on that. */
export const uniqueId = (prefix: string, { id }: ScriptedAnswer): string =>
  `${prefix}${id ?? Math.random().toString(36).slice(2)}`

export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const named = (event: string, value: object): string => `event: ${event}\n${data({ type: event, ...value })}`

export const textOf = (answer: ScriptedAnswer): string => (answer.pieces ?? []).join('')

export const finishOf = (answer: ScriptedAnswer): 'stop' | 'length' | 'tools' =>
  answer.finish ?? (answer.calls ? 'tools' : 'stop')

export function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
