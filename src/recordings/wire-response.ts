// A model's answers as they came over HTTP, as a cassette keeps them, and back: bytes, pieces and times.
import type { RecordedResponse } from '../model/cassette.js'
import { hideInStream } from './hide-in-stream.js'

export interface WireAnswer {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  chunks: Uint8Array[]
  /** When each arrived, in milliseconds since the request. */
  times: number[]
}

/** The others are about the connection, the account or the moment. */
const KEPT_HEADERS = ['content-type', 'retry-after', 'x-should-retry', 'request-id', 'x-request-id']

/** `hide`: replaces what must not be written, however it was split into pieces. */
export function recordWire(
  { status, headers, chunks, times }: WireAnswer,
  durationMs: number,
  hide: (text: string) => string,
): RecordedResponse {
  const kept = KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]))
  const { pieces, at } = piecesOf(chunks, times, isStream(headers), hide)
  const [only = ''] = pieces
  const isPlain = pieces.length <= 1 && typeof only === 'string'
  return {
    status,
    ...(kept.length > 0 && { headers: Object.fromEntries(kept) as Record<string, string> }),
    ...(isPlain ? { output: only } : { chunks: pieces }),
    ...(at.length > 0 && { chunk_ms: at }),
    duration_ms: Math.round(durationMs),
  }
}

/** A person may have written it: missing fields get the usual values. */
export function wireOf(response: RecordedResponse): WireAnswer {
  const { status = 200, headers = {}, chunk_ms = [], duration_ms } = response
  const chunks = chunksOf(response)
  const known = chunk_ms as number[]
  return {
    status: Number(status),
    headers: headers as Record<string, string>,
    chunks,
    times: chunks.map((_, index) => known[index] ?? duration_ms),
  }
}

/** Whether it is the answer of a model over HTTP, whole or not. */
export function isWire(response: unknown): response is RecordedResponse {
  return typeof response === 'object' && response !== null && 'status' in response
}

export function bodyBytes(response: RecordedResponse): Buffer {
  return Buffer.concat(chunksOf(response))
}

type Piece = string | { base64: string }

function chunksOf({ output = '', chunks = [output] }: RecordedResponse): Buffer[] {
  return (chunks as Piece[])
    .map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.base64, 'base64')))
    .filter((chunk) => chunk.length > 0)
}

function isStream(headers: Record<string, string>): boolean {
  return /^text\/event-stream\b/i.test(headers['content-type'] ?? '')
}

function piecesOf(
  chunks: readonly Uint8Array[],
  times: readonly number[],
  stream: boolean,
  hide: (text: string) => string,
): { pieces: Piece[]; at: number[] } {
  const bytes = Buffer.concat(chunks)
  const text = decoded(bytes)
  // Binary bodies may still contain text.
  const encoding = text === undefined ? 'latin1' : 'utf8'
  const parts = partsOf(text ?? bytes.toString('latin1'), stream)
  const hidden = stream ? hideInStream(parts, hide) : parts.map(hide)
  const ends = movedEnds(
    endsOf(chunks),
    parts.map((part) => Buffer.byteLength(part, encoding)),
    hidden.map((part, index) => (part === parts[index] ? undefined : Buffer.byteLength(part, encoding))),
  )
  const result = Buffer.from(hidden.join(''), encoding)
  const pieces: Piece[] = []
  const at: number[] = []
  let start = 0
  for (const [index, end] of ends.entries()) {
    if (end === start) continue
    pieces.push(pieceOf(result.subarray(start, end)))
    at.push(Math.round(times[index] ?? 0))
    start = end
  }
  return { pieces, at }
}

function partsOf(text: string, stream: boolean): string[] {
  return stream ? text.split(/(?<=\n\n|\r\n\r\n)/) : [text]
}

function endsOf(chunks: readonly Uint8Array[]): number[] {
  let end = 0
  return chunks.map(({ byteLength }) => (end += byteLength))
}

/** Where pieces end once parts have changed length; none ends within a changed part. */
function movedEnds(ends: number[], lengths: number[], changed: Array<number | undefined>): number[] {
  let part = 0
  let before = 0
  let after = 0
  return ends.map((end) => {
    for (; part < lengths.length && end >= before + (lengths[part] ?? 0); part++) {
      before += lengths[part] ?? 0
      after += changed[part] ?? lengths[part] ?? 0
    }
    if (end === before) return after
    const length = changed[part]
    return length === undefined ? after + end - before : after + length
  })
}

/** A piece may begin or end within a character. */
function pieceOf(bytes: Buffer): Piece {
  return decoded(bytes) ?? { base64: bytes.toString('base64') }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
