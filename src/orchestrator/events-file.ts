// Events that a backend's programs append to a file (`viva emit`), read after each iteration.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { isRecord, readNonEmpty } from '../base/record.js'
import { parseJson } from '../base/json/parse-json.js'
import { messageOf } from '../base/message-of.js'
import { preview } from '../base/text.js'
import { UserError } from '../errors.js'
import type { MalformedEvent } from '../model/session.js'
import type { BusEvent } from './bus.js'

const MAX_BYTES = 4 * 1024 * 1024
/** Several lines: enough to tell whether they are still there. */
const END_BYTES = 64 * 1024

export interface EmittedEvents {
  events: BusEvent[]
  malformed: MalformedEvent[]
}

export class EventsFile {
  readonly path: string
  #read = 0
  /** The last of what was read. */
  #end: Buffer = Buffer.alloc(0)

  constructor(path: string) {
    this.path = path
  }

  /** What was appended since the last time. Its writers are dead by now, so half a line stays half a line. */
  take(source: string): EmittedEvents {
    const result: EmittedEvents = { events: [], malformed: [] }
    for (const line of this.#newText().split('\n')) {
      if (line.trim() === '') continue
      const event = eventOf(line, source)
      if (typeof event === 'string') result.malformed.push({ source, text: preview(line, 200), reason: event })
      else result.events.push(event)
    }
    return result
  }

  #newText(): string {
    let fd: number
    try {
      // An agent may have put a link or a pipe there: neither is followed.
      fd = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw lost(this.path, messageOf(error))
    }
    try {
      const info = fstatSync(fd)
      if (!info.isFile()) throw lost(this.path, 'it is no longer a regular file')
      // Something has rewritten it from the start, with `>` instead of `>>`.
      if (!this.#end.equals(readPart(fd, this.#read - this.#end.length, this.#end.length))) {
        this.#read = 0
        this.#end = Buffer.alloc(0)
      }
      const added = info.size - this.#read
      if (added > MAX_BYTES)
        throw lost(this.path, `${added} bytes were added in one turn, at most ${MAX_BYTES} are read`)
      const bytes = readPart(fd, this.#read, added)
      this.#read = info.size
      this.#end = Buffer.concat([this.#end, bytes]).subarray(-END_BYTES)
      return bytes.toString('utf8')
    } finally {
      closeSync(fd)
    }
  }
}

function readPart(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from))
}

/** An event that cannot be read still happened: the run cannot continue as if nothing had been said. */
function lost(path: string, why: string): UserError {
  return new UserError({
    code: 'EVENTS_LOST',
    message: `the events of the last turn cannot be read from ${path}: ${why}`,
    hint: 'programs should only append lines to that file, with viva emit or directly',
    exitCode: 3,
  })
}

/** The event, or what is wrong with the line. */
function eventOf(line: string, source: string): BusEvent | string {
  const json = parseJson(line)
  if (!json) return 'not JSON'
  if (!isRecord(json.value)) return 'not an object'
  const { topic, payload, target } = json.value
  if (typeof topic !== 'string' || topic.trim() === '') return 'no topic'
  return {
    topic: topic.trim(),
    payload:
      typeof payload === 'string'
        ? payload.trim()
        : payload === undefined || payload === null
          ? ''
          : JSON.stringify(payload),
    source,
    target: readNonEmpty(target) ?? null,
  }
}
