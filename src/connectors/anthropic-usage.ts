// Answers of servers like Anthropic's that count no tokens: the package refuses them, although all else is there.
import { isAmount, isRecord } from '../base/record.js'

/**
 * For one answer, event by event: the same value where nothing is missing. A count that is missing is one that nobody takes
 * for a number of tokens.
 */
export function fillUsage(): (value: unknown) => unknown {
  // Only the start says what was read: without one the package would count nothing.
  let hasStart = false
  return (value) => {
    if (!isRecord(value)) return value
    switch (value['type']) {
      case 'message':
        return withCounts(value, ['input_tokens', 'output_tokens'])
      case 'message_start':
        hasStart = true
        return isRecord(value['message']) ? withStart(value, value['message']) : value
      case 'message_delta':
        return withCounts(value, hasStart ? ['output_tokens'] : ['input_tokens', 'output_tokens'])
      default:
        return value
    }
  }
}

/** However much was cached, the sum stays below zero, which is no count. */
const UNKNOWN = Number.MIN_SAFE_INTEGER

function withStart(event: Record<string, unknown>, message: Record<string, unknown>): unknown {
  const complete = withCounts(message, ['input_tokens'])
  return complete === message ? event : { ...event, message: complete }
}

function withCounts(holder: Record<string, unknown>, names: string[]): Record<string, unknown> {
  const usage = isRecord(holder['usage']) ? holder['usage'] : {}
  const missing = names.filter((name) => !isAmount(usage[name]))
  if (missing.length === 0) return holder
  return { ...holder, usage: { ...usage, ...Object.fromEntries(missing.map((name) => [name, UNKNOWN])) } }
}
