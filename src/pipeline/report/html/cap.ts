// Keeps one result small enough to embed: every field at most 64 k characters, the whole at most 1 M, with a notice
// where something was cut. The event file keeps everything.
import type { ResultEvent, StabilityEvent } from '../../../model/event.js'
import { clipField, FIELD_LIMIT } from '../text.js'

export const RESULT_LIMIT = 1024 * 1024
const ITEM_LIMIT = 200

/** The result as one line of JSON, cut where it is too long. */
export function cappedLine(event: ResultEvent, limit = FIELD_LIMIT): string {
  const lean = withoutCopies(event)
  const line = JSON.stringify(lean)
  // Usually nothing can be too long, and the result is written once, untouched.
  if (line.length <= limit) return line
  for (let fieldLimit = limit; ; fieldLimit = Math.floor(fieldLimit / 8)) {
    const cut = JSON.stringify(capValue(lean, fieldLimit))
    if (cut.length <= RESULT_LIMIT || fieldLimit < 512) return cut.length <= RESULT_LIMIT ? cut : bareLine(lean)
  }
}

/** The numbers of all runs; the answer of each is in its result. */
export function withoutOutputs(event: StabilityEvent): StabilityEvent {
  return { ...event, run_details: event.run_details.map(({ output: _output, ...rest }) => rest) }
}

// `response` repeats a textual output: it would double the size of every long answer.
function withoutCopies(event: ResultEvent): ResultEvent {
  if (event.response === undefined || event.response !== event.output) return event
  const { response: _copy, ...rest } = event
  return rest
}

const STRUCTURE = new Set([
  'turns',
  'assertions',
  'final_assertions',
  'assertion',
  'parts',
  'checkpoints',
  'tool_calls',
  'trace',
  'session',
  'iterations',
  'events',
  'changes',
  'logs',
  'failure_history',
  'api_retry_log',
  'warnings',
  'assertion_errors',
  'leaked',
  'skills',
  'offered',
])

function capValue(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return clipField(value, limit)
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEM_LIMIT).map((item) => capValue(item, limit))
    return value.length > ITEM_LIMIT && value.every((item) => typeof item === 'string')
      ? [...items, `… [${value.length - ITEM_LIMIT} more lines in the event file]`]
      : items
  }
  if (typeof value !== 'object' || value === null) return value
  const result: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value))
    result[key] = typeof item === 'string' || STRUCTURE.has(key) ? capValue(item, limit) : capField(item, limit)
  return result
}

// Structured data that is too long becomes text: half a JSON document would not parse.
function capField(value: unknown, limit: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length <= limit ? value : clipField(text, limit)
}

function bareLine(event: ResultEvent): string {
  const { type, run_id, id, name, run, status, duration_ms, error, error_kind, tags } = event
  const warnings = ['this result is too large for the report: its conversation is in the event file only']
  const bare = { type, run_id, id, name, run, status, duration_ms, error, error_kind, tags, warnings }
  return JSON.stringify(capValue(bare, 4096))
}
