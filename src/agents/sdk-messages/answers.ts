// A conversation for an SDK: each earlier answer as the SDK itself returned it where that is known, else converted.
import { isEqual } from '../../base/equal.js'
import { asText } from '../../base/text.js'
import type { AgentMessage } from '../../model/message.js'
import { normalizeReply } from '../reply/normalize-reply.js'

export interface Spelling<T> {
  /** Messages in the chat shape → the SDK's. Ids of calls → their names come along: results have only the id. */
  convert(message: AgentMessage, names: ReadonlyMap<string, string>): T[]
  /** What an SDK's result holds of its own; undefined if it is not one. */
  own(reply: unknown): T[] | undefined
}

export function spellAnswers<T>(
  messages: readonly AgentMessage[],
  history: readonly unknown[],
  { convert, own }: Spelling<T>,
): T[] {
  const names = new Map(messages.flatMap(callsOf).map((call) => [call.id, call.function.name]))
  let replies = history
  return answersIn(messages).flatMap((part) => {
    const found = part.isAnswer ? replies.findIndex((reply) => isSame(reply, part.messages)) : -1
    const kept = found === -1 ? undefined : own(replies[found])
    if (found !== -1) replies = replies.slice(found + 1)
    return kept ?? part.messages.flatMap((message) => convert(message, names))
  })
}

interface Part {
  isAnswer: boolean
  messages: AgentMessage[]
}

/** What the assistant and its tools said in a row is one answer. */
function answersIn(messages: readonly AgentMessage[]): Part[] {
  const parts: Part[] = []
  for (const message of messages) {
    const isAnswer = message.role === 'assistant' || message.role === 'tool'
    const last = parts.at(-1)
    if (last?.isAnswer === isAnswer) last.messages.push(message)
    else parts.push({ isAnswer, messages: [message] })
  }
  return parts
}

/** The same calls, or the same words where nothing was called: a case may begin with answers that nobody gave. */
function isSame(reply: unknown, answer: AgentMessage[]): boolean {
  const read = readQuietly(reply)
  if (!read) return false
  const ids = answer.flatMap(callsOf).map(({ id }) => id)
  if (ids.length > 0 || read.tool_calls.length > 0)
    return isEqual(
      ids,
      read.tool_calls.map(({ id }) => id),
    )
  return asText(answer.at(-1)?.content ?? '') === asText(read.content ?? '')
}

/** Earlier answers have been read before, but those of another agent need not be readable. */
function readQuietly(reply: unknown): ReturnType<typeof normalizeReply> | undefined {
  try {
    return normalizeReply(reply)
  } catch {
    return undefined
  }
}

function callsOf(message: AgentMessage) {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : []
}
