// Keeps one result small enough to embed: every field at most 64 kB, the whole at most 1 MB, with a notice where
// something was cut. The run file keeps everything.
import type { ResultEvent } from '../../../model/event.js'

export const FIELD_LIMIT = 64 * 1024
export const RESULT_LIMIT = 1024 * 1024
const ITEM_LIMIT = 200

/** The result as one line of JSON, cut where it is too long. */
export function cappedLine(event: ResultEvent, limit = FIELD_LIMIT): string {
  const lean = withoutCopies(event)
  const line = JSON.stringify(lean)
  // In the usual case nothing can be too long, and the result is written once, untouched.
  if (line.length * 3 <= limit) return line
  for (let fieldLimit = limit; ; fieldLimit = Math.floor(fieldLimit / 8)) {
    const cut = JSON.stringify(capValue(lean, fieldLimit))
    if (cut.length <= RESULT_LIMIT || fieldLimit < 512) return cut.length <= RESULT_LIMIT ? cut : bareLine(lean)
  }
}

/** Text cut between characters, with a notice that says how much is missing. */
export function capText(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text
  const bytes = Buffer.byteLength(text)
  if (bytes <= limit) return text
  const kept = Buffer.from(text)
    .subarray(0, limit)
    .toString('utf8')
    .replace(/\ufffd+$/, '')
  return `${kept}\n${notice(bytes)}`
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
  'logs',
  'failure_history',
  'warnings',
  'assertion_errors',
  'leaked',
])

function capValue(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return capText(value, limit)
  if (Array.isArray(value)) {
    const items = value.slice(0, ITEM_LIMIT).map((item) => capValue(item, limit))
    return value.length > ITEM_LIMIT && value.every((item) => typeof item === 'string')
      ? [...items, `… [${value.length - ITEM_LIMIT} more lines in the run file]`]
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
  return text.length * 3 <= limit || Buffer.byteLength(text) <= limit ? value : capText(text, limit)
}

function bareLine(event: ResultEvent): string {
  const { type, run_id, id, name, run, status, duration_ms, error, error_kind, tags } = event
  const warnings = ['this result is too large for the report: its conversation is in the run file only']
  const bare = { type, run_id, id, name, run, status, duration_ms, error, error_kind, tags, warnings }
  return JSON.stringify(capValue(bare, 4096))
}

function notice(bytes: number): string {
  return `… [cut: ${bytes.toLocaleString('en-US')} bytes in all; the full text is in the run file]`
}
