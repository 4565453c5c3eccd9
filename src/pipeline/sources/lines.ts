// The text of a file in blocks, strictly UTF-8, in constant memory however long the file is.
import { isAscii, isUtf8 } from 'node:buffer'
import { readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileHandle } from 'node:fs/promises'

/** A line, or a value over several lines, may be this long. */
export const MAX_VALUE_BYTES = 16 * 1024 * 1024

// Small: a block that is read lives until its cases have run, and long-lived objects burden the garbage collector.
const BLOCK_BYTES = 32 * 1024
// Between them a signal is heard, however long the file is.
const BLOCKS_PER_TURN = 8

export interface TextBlock {
  text: string
  /** Lines that are not UTF-8, by their number within the block (0 = the first). */
  bad?: Map<number, BadText>
}

export interface BadText {
  column: number
  message: string
}

/** The text cannot be read beyond this point. `line` counts from the start of the block (0 = the first). */
export class UnreadableText extends Error {
  readonly line: number
  readonly column: number
  /** The problem is the size of the file, not its content. */
  readonly isTooLong: boolean

  constructor(message: string, line = 0, column = 1, isTooLong = false) {
    super(message)
    this.line = line
    this.column = column
    this.isTooLong = isTooLong
  }
}

export interface ReadTextOptions {
  /** `lines`: blocks end where lines end. `characters`: anywhere between two characters. */
  by: 'lines' | 'characters'
  onBytes?: (bytes: Uint8Array) => void
}

export async function* readText(file: FileHandle, options: ReadTextOptions): AsyncGenerator<TextBlock> {
  let buffer: Buffer = Buffer.allocUnsafe(BLOCK_BYTES)
  let filled = 0
  let position = 0
  // A block of a file is available immediately; asking another thread for it takes longer than reading it. A pipe may block.
  const isFile = (await file.stat()).isFile()
  for (let blocks = 1; ; blocks++) {
    if (blocks % BLOCKS_PER_TURN === 0) await nextTurn()
    if (filled === buffer.length) buffer = grow(buffer)
    const room = buffer.length - filled
    const bytesRead = isFile
      ? readSync(file.fd, buffer, filled, room, position)
      : (await file.read(buffer, filled, room, position)).bytesRead
    options.onBytes?.(buffer.subarray(filled, filled + bytesRead))
    const atStart = position === 0
    position += bytesRead
    filled += bytesRead
    let from = 0
    if (atStart) from = skipMark(buffer.subarray(0, filled))
    const end = bytesRead === 0 ? filled : lastBoundary(buffer, filled, options.by)
    if (end > from) yield decode(buffer.subarray(from, end), position - filled + from)
    if (bytesRead === 0) return
    if (end > 0 || from > 0) {
      const used = Math.max(end, from)
      buffer.copyWithin(0, used, filled)
      filled -= used
    }
  }
}

/** The whole text of a file that must not be longer than `limit`. */
export async function readWholeText(
  file: FileHandle,
  limit: number,
  onBytes?: (bytes: Uint8Array) => void,
): Promise<string> {
  const { size } = await file.stat()
  if (size > limit) throw new UnreadableText(`the file is longer than ${limit / 1024 / 1024} MB`, 0, 1, true)
  const chunks: string[] = []
  let line = 0
  for await (const block of readText(file, { by: 'characters', ...(onBytes && { onBytes }) })) {
    if (block.bad) {
      const [[at, bad] = [0, { column: 1, message: 'not UTF-8' }]] = block.bad
      throw new UnreadableText(bad.message, line + at, bad.column)
    }
    chunks.push(block.text)
    line += countLines(block.text)
  }
  return chunks.join('')
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}

function grow(buffer: Buffer): Buffer {
  if (buffer.length > MAX_VALUE_BYTES) throw tooLong()
  const larger = Buffer.allocUnsafe(Math.min(buffer.length * 2, MAX_VALUE_BYTES + BLOCK_BYTES))
  buffer.copy(larger)
  return larger
}

function lastBoundary(buffer: Buffer, filled: number, by: ReadTextOptions['by']): number {
  if (by === 'lines') return buffer.lastIndexOf(0x0a, filled - 1) + 1
  // A character has at most four bytes; back up to where the last, possibly unfinished one begins.
  for (let at = filled - 1; at >= Math.max(0, filled - 4); at--) {
    const byte = buffer[at] ?? 0
    if (byte < 0x80) return at + 1
    if (byte >= 0xc0) return at + sequenceLength(byte) <= filled ? filled : at
  }
  return filled
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
}

/** Bytes to skip at the start of a file: a UTF-8 mark. UTF-16 stops here. */
function skipMark(bytes: Buffer): number {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 3
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const halfNul = bytes.length > 1 && (bytes[0] === 0) !== (bytes[1] === 0)
  if (marked || halfNul) throw new UnreadableText('the file is UTF-16, expected UTF-8: save it as UTF-8')
  return 0
}

function decode(bytes: Buffer, position: number): TextBlock {
  if (isAscii(bytes)) return { text: bytes.toString('latin1') }
  const text = bytes.toString('utf8')
  return isUtf8(bytes) ? { text } : { text, bad: findBadLines(bytes, position) }
}

function findBadLines(bytes: Buffer, position: number): Map<number, BadText> {
  const bad = new Map<number, BadText>()
  let line = 0
  for (let start = 0; start < bytes.length; line++) {
    const newline = bytes.indexOf(0x0a, start)
    const end = newline < 0 ? bytes.length : newline
    const slice = bytes.subarray(start, end)
    if (!isUtf8(slice)) bad.set(line, describeBytes(slice, position + start))
    start = end + 1
  }
  return bad
}

function describeBytes(bytes: Buffer, position: number): BadText {
  const before = validPrefix(bytes)
  const at = Buffer.byteLength(before)
  const byte = bytes[at] ?? 0
  const alone = byte >= 0xa0 && (bytes[at - 1] ?? 0) < 0x80 && (bytes[at + 1] ?? 0) < 0x80
  const guess = alone ? '; it looks like Latin-1 (Windows-1252)' : ''
  const hex = byte.toString(16).toUpperCase().padStart(2, '0')
  return {
    column: before.length + 1,
    message: `not UTF-8: byte 0x${hex} at byte offset ${position + at} of the file${guess}; save the file as UTF-8`,
  }
}

/** The text before the first byte that is not UTF-8. A genuine U+FFFD in the file is not taken for one. */
function validPrefix(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  for (let at = text.indexOf('\uFFFD'); at >= 0; at = text.indexOf('\uFFFD', at + 1)) {
    const before = text.slice(0, at)
    const offset = Buffer.byteLength(before)
    const written = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd
    if (!written) return before
  }
  return text
}

function tooLong(): UnreadableText {
  return new UnreadableText(`line longer than the limit of ${MAX_VALUE_BYTES / 1024 / 1024} MB`)
}
