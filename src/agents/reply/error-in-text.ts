// A program's output that is a stream, of lines of JSON or of server-sent events: the error that one of its pieces reports.
// A pure stream is read whole; after other text, only its end can be told from an answer that quotes one.
import { isRecord } from '../../base/record.js'
import { jsonOrText } from '../../base/json/parse-json.js'
import { errorInPiece } from '../../http/reported-error.js'
import { parseSseText } from '../../http/sse.js'
import { parseStructure } from './parse-structure.js'

export function errorInText(text: string): { error: unknown } | undefined {
  // Most answers contain neither word, and may be long.
  if (!text.includes('error')) return undefined
  return errorInEvents(text) ?? errorInLines(text)
}

function errorInEvents(text: string): { error: unknown } | undefined {
  const blocks = text.trim().split(/(?:\r?\n){2,}/)
  const isStream = blocks.every(isEvent)
  const last = isStream ? text : trailingEvent(blocks.at(-1) ?? '')
  if (last === undefined) return undefined
  for (const { event, data } of parseSseText(last)) {
    const piece = jsonOrText(data)
    const found = errorInPiece(piece) ?? (event === 'error' ? { error: piece } : undefined)
    if (found) return found
  }
  return undefined
}

/** The lines from `event:` on, if nothing but an event follows. */
function trailingEvent(block: string): string | undefined {
  const lines = block.split(/\r?\n/)
  const start = lines.findLastIndex((line) => /^event: ?error$/.test(line))
  return start !== -1 && lines.slice(start).every(isField) ? lines.slice(start).join('\n') : undefined
}

function isEvent(block: string): boolean {
  return block.split(/\r?\n/).every(isField) && /^(data|event):/m.test(block)
}

function isField(line: string): boolean {
  return /^(?:(?:data|event|id|retry)(?::|$)|:)/.test(line)
}

function errorInLines(text: string): { error: unknown } | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const last = pieceOf(lines.at(-1) ?? '')
  if (!last) return undefined
  const pieces = lines.map(pieceOf)
  if (!pieces.every((piece) => piece !== undefined)) return isNothingElse(last) ? errorInPiece(last) : undefined
  for (const piece of pieces) {
    const found = errorInPiece(piece)
    if (found) return found
  }
  return undefined
}

/** An object that can be a piece of a streamed answer, as opposed to a row of data. */
function pieceOf(line: string): Record<string, unknown> | undefined {
  const value = parseStructure(line)?.value
  return isRecord(value) && PIECE_FIELDS.some((name) => name in value) ? value : undefined
}

const PIECE_FIELDS = [
  'error',
  'type',
  'event',
  'content',
  'delta',
  'text',
  'textDelta',
  'tool_calls',
  'choices',
  'usage',
]

/** Words may precede an error, but a line that contains more than one is likely quoted data. */
function isNothingElse(piece: Record<string, unknown>): boolean {
  return Object.keys(piece).every((name) => ERROR_FIELDS.has(name))
}

const ERROR_FIELDS = new Set([
  ...PIECE_FIELDS,
  'code',
  'status',
  'message',
  'finish_reason',
  'tool_calls',
  'data',
  'id',
])
