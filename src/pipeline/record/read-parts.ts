// Parts of an event file, without reading the rest of it: its start and its summary, or one result.
import { open, type FileHandle } from 'node:fs/promises'
import type { ResultEvent, RunEvent, StartEvent, SummaryEvent } from '../../model/event.js'
import { EVENT_FORMATS } from '../../model/event.js'
import { isBlank, LineSplitter, type Line } from './lines.js'

/** The first and the last line. Undefined for a file that is not a run this version can read. */
export async function readEdges(
  path: string,
): Promise<{ start: StartEvent; summary: SummaryEvent | undefined } | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return undefined
  try {
    const start = await eventOf(await lineAt(file, 0))
    if (start?.type !== 'start' || !EVENT_FORMATS.includes(start.format)) return undefined
    const summary = await eventOf(await lastLine(file))
    return { start, summary: summary?.type === 'summary' ? summary : undefined }
  } finally {
    await file.close()
  }
}

/** The result whose line starts at this byte. Undefined if there is none. */
export async function readResultAt(path: string, at: number): Promise<ResultEvent | undefined> {
  if (!Number.isSafeInteger(at) || at < 0) return undefined
  const file = await open(path, 'r')
  try {
    const event = await eventOf(await lineAt(file, at))
    return event?.type === 'result' ? event : undefined
  } finally {
    await file.close()
  }
}

const BLOCK = 64 * 1024
const LONGEST = 64 * 1024 * 1024

async function lineAt(file: FileHandle, at: number): Promise<Line | undefined> {
  const splitter = new LineSplitter(at)
  for (let position = at; position - at < LONGEST;) {
    const block = await readBlock(file, position, BLOCK)
    if (block.length === 0) return splitter.rest()
    for (const line of splitter.push(block)) return line
    position += block.length
  }
  return undefined
}

/** The last complete one; looks further back until it has all of it. */
async function lastLine(file: FileHandle): Promise<Line | undefined> {
  const { size } = await file.stat()
  for (let length = BLOCK; ; length *= 4) {
    const from = Math.max(0, size - length)
    const lines = [...new LineSplitter(from).push(await readBlock(file, from, size - from))]
    const last = lines.findLast((line) => !isBlank(line.text))
    // The first line of the block may lack its beginning.
    if (last && (last !== lines[0] || from === 0)) return last
    if (from === 0 || length > LONGEST) return undefined
  }
}

async function readBlock(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

async function eventOf(line: Line | undefined): Promise<RunEvent | undefined> {
  if (!line) return undefined
  const { parseEventLine } = await import('../../model/parse-event.js')
  const parsed = parseEventLine(line.text)
  return parsed.kind === 'event' ? parsed.event : undefined
}
