// What OpenAI's chat completions endpoint refuses in a conversation, and the words of its error.
import { isRecord } from '../../../src/base/record.js'

/** Undefined if the request is fine. */
export function refusalOf(body: unknown): string | undefined {
  const messages = isRecord(body) ? body['messages'] : undefined
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' must be a list with at least one message"
  for (const [index, message] of messages.entries()) {
    const wrong = wrongIn(message)
    if (wrong !== undefined) return `messages[${index}]${wrong}`
  }
  return unpaired(messages as Written[])
}

type Written = Record<string, unknown>

const KEYS: Record<string, string[]> = {
  system: ['role', 'content', 'name'],
  developer: ['role', 'content', 'name'],
  user: ['role', 'content', 'name'],
  assistant: ['role', 'content', 'name', 'tool_calls', 'refusal', 'audio'],
  // Beyond the documentation, but not refused.
  tool: ['role', 'content', 'tool_call_id', 'name'],
}
const PARTS: Record<string, string[]> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
}

function wrongIn(message: unknown): string | undefined {
  if (!isRecord(message)) return ': expected an object'
  const { role, content, tool_calls: calls, tool_call_id: id } = message
  const keys = KEYS[String(role)]
  if (keys === undefined) return `.role: invalid value ${JSON.stringify(role)}`
  const unknown = Object.keys(message).find((key) => !keys.includes(key))
  if (unknown !== undefined) return `.${unknown}: unknown parameter`
  if (role === 'tool' && !isText(id)) return '.tool_call_id: expected a string'
  const wrong = calls === undefined ? undefined : wrongCalls(calls)
  if (wrong !== undefined) return wrong
  if (content === undefined || content === null) {
    return role === 'assistant' && calls !== undefined ? undefined : '.content: expected a string or parts, got null'
  }
  return isContent(content, PARTS[String(role)] ?? ['text']) ? undefined : '.content: expected a string or parts'
}

function isContent(content: unknown, types: string[]): boolean {
  if (typeof content === 'string') return true
  if (!Array.isArray(content) || content.length === 0) return false
  return content.every((part) => isRecord(part) && types.includes(String(part['type'])))
}

function wrongCalls(calls: unknown): string | undefined {
  if (!Array.isArray(calls) || calls.length === 0) return '.tool_calls: expected a list with at least one call'
  for (const [index, call] of calls.entries()) {
    const wrong = wrongCall(call)
    if (wrong !== undefined) return `.tool_calls[${index}]${wrong}`
  }
  return undefined
}

function wrongCall(call: unknown): string | undefined {
  if (!isRecord(call)) return ': expected an object'
  const { id, type, function: called, ...others } = call
  if (Object.keys(others).length > 0) return `.${Object.keys(others)[0]}: unknown parameter`
  if (!isText(id)) return '.id: expected a string'
  if (type !== 'function') return `.type: invalid value ${JSON.stringify(type)}`
  if (!isRecord(called)) return '.function: expected an object'
  const { name, arguments: args, ...rest } = called
  if (Object.keys(rest).length > 0) return `.function.${Object.keys(rest)[0]}: unknown parameter`
  if (typeof name !== 'string' || !/^[\w-]+$/.test(name)) return '.function.name: does not match ^[a-zA-Z0-9_-]+$'
  return typeof args === 'string' ? undefined : '.function.arguments: expected a string'
}

/** Every call is answered right after it, and nothing else is. */
function unpaired(messages: Written[]): string | undefined {
  let open: unknown[] = []
  for (const [index, { role, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.includes(id))
        return `messages[${index}]: 'tool' must follow a message with 'tool_calls' that has its id`
      open = open.filter((one) => one !== id)
      continue
    }
    if (open.length > 0) return unanswered(open)
    if (Array.isArray(calls)) open = calls.map((call: Written) => call['id'])
    if (new Set(open).size < open.length) return `messages[${index}].tool_calls: duplicate ids`
  }
  return open.length > 0 ? unanswered(open) : undefined
}

function unanswered(open: unknown[]): string {
  return `'tool_calls' must be followed by a tool message for each id; missing: ${open.join(', ')}`
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
