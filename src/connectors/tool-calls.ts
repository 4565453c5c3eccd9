// Tool calls in every spelling a model or an agent uses → one form.
import type { ToolCall } from '../model/message.js'
import { defined } from '../base/defined.js'
import { isEqual } from '../base/equal.js'
import { isPresent, isRecord, readString } from '../base/record.js'
import { messageOf } from '../base/message-of.js'
import { suggest } from '../base/suggest.js'
import { show } from '../base/text.js'
import { AgentError } from '../errors.js'

/** Throws AgentError for anything that is not a list of calls: a dropped call would look as if it had never been made. */
export function normalizeToolCalls(value: unknown): ToolCall[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) throw notCalls(value)
  return value.map((item) => normalizeToolCall(item) ?? refuse(item))
}

/**
 * The calls of a reply or a message, whichever name they are kept under; a word in data is not a call.
 * Throws AgentError as above.
 */
export function toolCallsOf(message: Record<string, unknown>): ToolCall[] {
  let calls = normalizeToolCalls(message['tool_calls'])
  for (const name in message) {
    if (name === 'tool_calls' || !CALLS.test(name)) continue
    const value = message[name]
    if (isNothing(value) || (typeof value !== 'object' && !('content' in message))) continue
    if (name !== 'toolCalls' && name !== 'function_call') throw notCalls({ [name]: value })
    const more = normalizeToolCalls(name === 'function_call' ? [value] : value)
    if (calls.length > 0 && !isEqual(calls, more)) throw notCalls({ tool_calls: message['tool_calls'], [name]: value })
    calls = more
  }
  return calls
}

/** Keys that can only mean calls. */
const CALLS = /^(?:tool|function)_?(?:calls?|uses?)$/i

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function refuse(item: unknown): never {
  throw notCalls(item)
}

export function notCalls(value: unknown): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the tool calls cannot be understood: ${show(value)}`,
    hint: 'write them as [{"name": "find_order", "args": {"number": 7}}]',
    retry: false,
  })
}

function normalizeToolCall(value: unknown): ToolCall | undefined {
  if (!isRecord(value)) return undefined
  const inner = isRecord(value['function']) ? value['function'] : value
  const name = readString(inner['name']) ?? readString(value['toolName'])
  if (name === undefined || name.trim() === '') return undefined
  const written = writtenArgs(inner, value)
  if (written === 'unclear') return undefined
  const { args, args_error } = written
  return {
    name,
    args,
    ...defined({
      id: readString(value['id']) ?? readString(value['toolCallId']) ?? readString(value['call_id']),
      server: readString(value['server']),
      result: value['result'],
      error: readString(value['error']),
      args_error: readString(value['args_error']) ?? args_error,
    }),
  }
}

/** Models write arguments as JSON text, and not always well: then the text is kept, along with the reason. */
export function parseArgs(value: unknown): { args: unknown; args_error?: string } {
  if (value === undefined || value === null) return { args: {} }
  if (typeof value !== 'string') return { args: value }
  if (value.trim() === '') return { args: {} }
  try {
    return { args: JSON.parse(value) }
  } catch (error) {
    return {
      args: value,
      args_error: `the arguments are not JSON: ${messageOf(error)}`,
    }
  }
}

/** As the APIs take them. */
export function argsText({ args }: ToolCall): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}

const ARGS = ['args', 'arguments', 'input', 'parameters']

/** Arguments under an unknown key look like a call without any: a near miss of a known key is not ignored. */
function writtenArgs(
  inner: Record<string, unknown>,
  outer: Record<string, unknown>,
): ReturnType<typeof parseArgs> | 'unclear' {
  const places = inner === outer ? [inner] : [inner, outer]
  const given = places.flatMap((place) =>
    ARGS.map((name) => place[name])
      .filter(isPresent)
      .map(parseArgs),
  )
  const [first] = given
  if (first) return given.every(({ args }) => isEqual(args, first.args)) ? first : 'unclear'
  const names = places.flatMap((place) => Object.keys(place)).filter((name) => !ARGS.includes(name))
  return names.some((name) => suggest(name, ALMOST) !== undefined) ? 'unclear' : parseArgs(undefined)
}

const ALMOST = [...ARGS, 'params', 'kwargs', 'tool_args', 'tool_input', 'function_args']
