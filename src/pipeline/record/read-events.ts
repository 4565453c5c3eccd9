// Reads an event file back, line by line. A torn last line is normal (a kill); any other damage is an error.
import { stat } from 'node:fs/promises'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import type { RunEvent } from '../../model/event.js'
import type { EventSequence } from './event-sequence.js'
import { chunksOf, isBlank, readLines, type Line } from './lines.js'

export interface EventLine extends Line {
  /** Undefined: of a type this version does not know. */
  event: RunEvent | undefined
}

/** A finished or interrupted run that reporters can read as often as they like. */
export interface FileRecording {
  events(): AsyncIterable<RunEvent>
  /** The lines as they were written, including those this version does not know. */
  lines(): AsyncIterable<string>
}

/** Where the bytes of an event file come from, if not simply from the file of that name. */
export interface EventBytes {
  path: string
  chunks(): AsyncIterable<Buffer>
}

export function recordingOf(source: string | EventBytes): FileRecording {
  return {
    events: () => readEvents(source),
    async *lines() {
      for await (const { text } of readEventLines(source)) yield text
    },
  }
}

/** `wanted`: lines it refuses, apart from the first, are skipped without being parsed. */
export async function* readEvents(
  source: string | EventBytes,
  wanted?: (text: string) => boolean,
): AsyncGenerator<RunEvent> {
  const sequence = await openSequence(source)
  for await (const lines of batchesOf(source))
    for (const line of lines) {
      const event = wanted && line.start > 0 && !wanted(line.text) ? sequence.pass() : sequence.next(line)
      if (event !== 'skip') yield event
    }
  sequence.end()
}

/** Whole lines that are not empty. */
export async function* readEventLines(source: string | EventBytes): AsyncGenerator<EventLine> {
  const sequence = await openSequence(source)
  for await (const lines of batchesOf(source))
    for (const line of lines) {
      const event = sequence.next(line)
      if (event !== 'skip') yield { ...line, event }
      else if (line.complete && !isBlank(line.text)) yield { ...line, event: undefined }
    }
  sequence.end()
}

/** Called with every line and its number; `read` parses it, and a line that is not read is skipped. */
export async function visitLines(
  path: string,
  visit: (line: Line, number: number, read: () => RunEvent | 'skip') => void,
): Promise<void> {
  const sequence = await openSequence(path)
  let number = 0
  let unread: Line | undefined
  const read = (): RunEvent | 'skip' => {
    if (!unread) throw new Error('a line is read once, while it is visited')
    const line = unread
    unread = undefined
    return sequence.next(line)
  }
  for await (const lines of batchesOf(path))
    for (const line of lines) {
      unread = line
      visit(line, ++number, read)
      if (unread) sequence.pass()
    }
  sequence.end()
}

async function openSequence(source: string | EventBytes): Promise<EventSequence> {
  if (typeof source === 'string') await requireEventFile(source)
  // Loaded here: a run that is never read back does not need the event schema.
  const { EventSequence } = await import('./event-sequence.js')
  return new EventSequence(pathOf(source))
}

async function* batchesOf(source: string | EventBytes): AsyncGenerator<Iterable<Line>> {
  try {
    yield* readLines(typeof source === 'string' ? chunksOf(source) : source.chunks())
  } catch (error) {
    throw error instanceof UserError ? error : cannotRead(pathOf(source), error)
  }
}

function pathOf(source: string | EventBytes): string {
  return typeof source === 'string' ? source : source.path
}

/** Throws a UserError for anything that is not a file. */
export async function requireEventFile(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined)
  if (!info || info.isDirectory())
    throw new UserError({
      code: 'NO_EVENT_FILE',
      message: info ? `${path} is a folder` : `no such file: ${path}`,
      hint: 'give the .jsonl file that viva test wrote',
    })
}

function cannotRead(path: string, cause: unknown): UserError {
  return new UserError({
    code: 'CANNOT_READ',
    message: `cannot read ${path}: ${messageOf(cause)}`,
    hint: 'give the .jsonl file that viva test wrote',
    cause,
  })
}
