// Reads an event file back, line by line. A torn last line is normal (a kill); a corrupt line before it is an error.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { UserError } from '../../errors.js'
import type { RunEvent } from '../../model/event.js'

export interface ReadLine {
  event: RunEvent
  line: number
  /** Byte offset at which the line starts, and just after its newline. */
  start: number
  end: number
}

/** A finished or interrupted run that reporters can read as often as they like. */
export function recordingOf(path: string): { events(): AsyncIterable<RunEvent> } {
  return { events: () => readEvents(path) }
}

export async function* readEvents(path: string): AsyncGenerator<RunEvent> {
  for await (const { event } of readEventLines(path)) yield event
}

export async function* readEventLines(path: string): AsyncGenerator<ReadLine> {
  await requireFile(path)
  let line = 0
  let offset = 0
  let sawStart = false
  for await (const { text, bytes, complete } of readLines(path)) {
    line += 1
    const start = offset
    offset += bytes
    if (text.trim() === '') continue
    const event = parseEvent(text)
    if (!event) {
      if (!complete) return
      throw sawStart ? corruptLine(path, line, text) : notARun(path, line)
    }
    if (!sawStart) {
      if (event.type !== 'start') throw notARun(path, line)
      sawStart = true
    } else if (event.type === 'start') {
      throw twoRuns(path, line)
    }
    if (complete) yield { event, line, start, end: offset }
  }
  if (!sawStart) throw notARun(path, 1)
}

async function* readLines(path: string): AsyncGenerator<{ text: string; bytes: number; complete: boolean }> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let from = 0
    for (;;) {
      const newline = data.indexOf(10, from)
      if (newline < 0) break
      yield { text: data.toString('utf8', from, newline), bytes: newline + 1 - from, complete: true }
      from = newline + 1
    }
    rest = data.subarray(from)
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), bytes: rest.length, complete: false }
}

function parseEvent(text: string): RunEvent | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string')
      return value as RunEvent
  } catch {
    // Reported by the caller, who knows whether this is the torn last line.
  }
  return undefined
}

async function requireFile(path: string): Promise<void> {
  const info = await stat(path).catch(() => undefined)
  if (!info)
    throw new UserError({
      code: 'NO_EVENT_FILE',
      message: `no such file: ${path}`,
      hint: 'give the .jsonl file that viva test wrote',
    })
  if (info.isDirectory())
    throw new UserError({
      code: 'NO_EVENT_FILE',
      message: `${path} is a folder`,
      hint: 'give the .jsonl file that viva test wrote',
    })
}

function corruptLine(path: string, line: number, text: string): UserError {
  const nul = text.includes('\0')
  return new UserError({
    code: 'CORRUPT_EVENT_FILE',
    message: `${path}:${line}: ${nul ? 'NUL bytes: the file was cut by a power loss' : 'this line is not an event'}`,
    hint: 'the lines before it are whole: cut the file there by hand and try again',
    problems: [{ file: path, line, message: JSON.stringify(text.slice(0, 80)) }],
  })
}

function notARun(path: string, line: number): UserError {
  return new UserError({
    code: 'NOT_A_RUN_FILE',
    message: `${path}:${line}: not a run file (no start record)`,
    hint: 'give the .jsonl file that viva test wrote',
  })
}

function twoRuns(path: string, line: number): UserError {
  return new UserError({
    code: 'TWO_RUNS',
    message: `${path}:${line}: two runs in one file`,
    hint: 'cut it before this line into two files',
  })
}
