// What an agent says is stored, sent on and judged: it must be plain data, and not too deep for any of that.
import { AgentError } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import { isDeeper, MAX_LEVELS } from '../../base/json/levels.js'
import { messageOf } from '../../base/message-of.js'

/** The reply itself. Throws an AgentError if it cannot be written as JSON. */
export function requirePlain(reply: AgentReply): AgentReply {
  if (isText(reply)) return reply
  if (isDeeper(reply, MAX_LEVELS)) throw notPlain(`it has more than ${MAX_LEVELS} levels, or contains itself`)
  const lost = lostIn(reply.content) ?? lostIn(reply.next) ?? lostIn(reply.tool_calls)
  if (lost !== undefined) throw notPlain(`it holds ${lost}`)
  try {
    JSON.stringify(reply)
  } catch (error) {
    throw notPlain(messageOf(error), error)
  }
  return reply
}

/** The usual answer needs no inspection. */
function isText({ content, tool_calls, next, raw, messages }: AgentReply): boolean {
  const silent = content === null || content === undefined || typeof content === 'string'
  return silent && tool_calls.length === 0 && next === undefined && raw === undefined && messages === undefined
}

/** What would become `{}`, or numbers instead of the text they stand for, without a word. */
function lostIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value instanceof Promise) return 'a promise: is an "await" missing?'
  if (value instanceof Map || value instanceof Set) return `a ${value.constructor.name}`
  if (ArrayBuffer.isView(value)) return `bytes (${value.constructor.name}): decode them, as with toString()`
  const inside: unknown[] = Object.values(value)
  if (inside.length === 0 && !isPlain(value))
    return `an instance of ${value.constructor.name}, which JSON would reduce to nothing`
  for (const inner of inside) {
    const lost = lostIn(inner)
    if (lost !== undefined) return lost
  }
  return undefined
}

/** Or defines its own JSON form. `Response` and `Error` are neither. */
function isPlain(value: object): boolean {
  if (Array.isArray(value) || 'toJSON' in value) return true
  const kind: unknown = Object.getPrototypeOf(value)
  return kind === null || Object.getPrototypeOf(kind) === null
}

function notPlain(why: string, cause?: unknown): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the answer cannot be written as JSON: ${why}`,
    hint: 'an agent answers with plain data: strings, numbers, lists and objects',
    retry: false,
    cause,
  })
}
