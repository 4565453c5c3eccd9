// A conduct with one thing changed; everything else is shared with the original.
import type { ToolCall } from '../../model/message.js'
import { isRecord } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import type { Conduct } from '../conduct.js'
import type { Mutant, Original } from './operator.js'

/** What it says in that turn; a reply's Next data would win over its content. */
export function saying(conduct: Conduct, turn: number, content: unknown): Conduct {
  const replies = conduct.replies.map((reply, index) => {
    if (index !== turn) return reply
    const { next: _next, messages: _messages, ...rest } = reply
    // A program's output is what it has written.
    const stdout = rest.stdout === undefined || typeof content !== 'string' ? {} : { stdout: content }
    return { ...rest, ...stdout, content }
  })
  return { ...conduct, replies }
}

export function outputIn({ replies }: Conduct, turn: number): unknown {
  const reply = replies[turn]
  return reply?.next ?? reply?.content
}

/** One mutant for each text that the case looks at and `change` can do something with. */
export function* eachText(
  { conduct, judged }: Original,
  change: (text: string) => Iterable<{ what: string; text: string }>,
): Generator<Mutant> {
  for (const turn of judged) {
    const output = outputIn(conduct, turn)
    if (typeof output !== 'string' || output.trim() === '') continue
    for (const { what, text } of change(output)) yield { what, conduct: saying(conduct, turn, text), turn }
  }
}

/** The same for answers that are JSON, as data or as text. */
export function* eachJson(
  { conduct, judged }: Original,
  change: (value: Record<string, unknown> | unknown[]) => Iterable<{ what: string; value: unknown }>,
): Generator<Mutant> {
  for (const turn of judged) {
    const output = outputIn(conduct, turn)
    const isText = typeof output === 'string'
    const value = isText ? (/^\s*[[{]/.test(output) ? parseJson(output)?.value : undefined) : output
    if (!isRecord(value) && !Array.isArray(value)) continue
    for (const each of change(value)) {
      const content = isText && typeof each.value !== 'string' ? JSON.stringify(each.value) : each.value
      yield { what: each.what, conduct: saying(conduct, turn, content), turn }
    }
  }
}

/** One mutant for each way in which `change` alters the calls of a turn. */
export function* eachCalls(
  { conduct }: Original,
  change: (calls: readonly ToolCall[]) => Iterable<{ what: string; calls: ToolCall[] }>,
): Generator<Mutant> {
  for (const [turn, { tool_calls: calls }] of conduct.replies.entries()) {
    if (calls.length === 0) continue
    for (const each of change(calls)) yield { what: each.what, conduct: withCalls(conduct, turn, each.calls), turn }
  }
}

/** What was said and reported about the calls of before would contradict the new ones. */
export function withCalls(conduct: Conduct, turn: number, calls: ToolCall[]): Conduct {
  const replies = conduct.replies.map((reply, index) => {
    if (index !== turn) return reply
    const { messages: _messages, spans: _spans, ...rest } = reply
    return { ...rest, tool_calls: calls }
  })
  return { ...conduct, replies }
}

export function replaced<T>(list: readonly T[], index: number, item: T): T[] {
  return list.map((each, at) => (at === index ? item : each))
}

export function removed<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, at) => at !== index)
}

export function inserted<T>(list: readonly T[], index: number, item: T): T[] {
  return [...list.slice(0, index), item, ...list.slice(index)]
}

/** Every n-th, so that at most so many are left, spread over the whole. */
export function spread<T>(list: readonly T[], most: number): T[] {
  if (list.length <= most) return [...list]
  return Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)] as T)
}
