// Where each result is in an event file, so that any of them can be read without reading the rest.
import { closeSync, openSync, readSync } from 'node:fs'
import { IdTable } from '../../base/id-table.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import type { ResultEvent, StartEvent } from '../../model/event.js'
import { parseEventLine } from '../../model/parse-event.js'
import { visitLines } from './read-events.js'
import { caseTitle, runKey, type RunKey, type RunName } from '../../model/run-key.js'

export interface ResultIndex {
  start: StartEvent
  /** The result of one run of a case; undefined if the file has none. */
  read(name: RunName): ResultEvent | undefined
  close(): void
}

/** A few bytes per result are kept, however long its line is. */
export async function openResultIndex(path: string): Promise<ResultIndex> {
  const positions = new Positions()
  let start: StartEvent | undefined
  await visitLines(path, (line, number, read) => {
    const key = line.complete ? keyOfLine(line.text) : undefined
    if (key !== undefined) return positions.add(key, line.start, line.end, number, path)
    if (start && line.complete && CASE_START.test(line.text)) return
    const event = read()
    if (event === 'skip') return
    if (event.type === 'start') start = event
    if (event.type === 'result') positions.add(runKey(event), line.start, line.end, number, path)
  })
  if (!start) throw new Error(`${path}: no start record`)
  const file = new Window(path)
  return {
    start,
    read: (name) => {
      const position = positions.get(runKey(name))
      return position && readResult(file, position, path)
    },
    close: () => file.close(),
  }
}

/** Results are requested nearly in file order: what follows is read along. */
class Window {
  readonly #file: number
  #bytes = Buffer.alloc(0)
  #from = 0

  constructor(path: string) {
    this.#file = openSync(path, 'r')
  }

  text(from: number, to: number): string {
    if (from < this.#from || to > this.#from + this.#bytes.length) this.#read(from, Math.max(to - from, WINDOW_BYTES))
    return this.#bytes.toString('utf8', from - this.#from, to - this.#from)
  }

  close(): void {
    closeSync(this.#file)
  }

  #read(from: number, length: number): void {
    const bytes = Buffer.allocUnsafe(length)
    let done = 0
    while (done < length) {
      const count = readSync(this.#file, bytes, done, length - done, from + done)
      if (count === 0) break
      done += count
    }
    this.#from = from
    this.#bytes = bytes.subarray(0, done)
  }
}

const WINDOW_BYTES = 64 * 1024

interface Position {
  from: number
  to: number
  line: number
}

class Positions {
  readonly #table = new IdTable()
  #from = new Float64Array(1024)
  #to = new Float64Array(1024)
  #line = new Uint32Array(1024)
  #count = 0

  add(key: RunKey, from: number, to: number, line: number, path: string): void {
    const earlier = this.#table.add(key, this.#count + 1)
    if (earlier > 0) throw doubled(path, line, this.#line[earlier - 1] ?? 0, key)
    if (this.#count === this.#from.length) this.#grow()
    this.#from[this.#count] = from
    this.#to[this.#count] = to
    this.#line[this.#count] = line
    this.#count++
  }

  get(key: RunKey): Position | undefined {
    const found = this.#table.lineOf(key) - 1
    if (found < 0) return undefined
    return { from: this.#from[found] ?? 0, to: this.#to[found] ?? 0, line: this.#line[found] ?? 0 }
  }

  #grow(): void {
    const [from, to, line] = [this.#from, this.#to, this.#line]
    this.#from = new Float64Array(from.length * 2)
    this.#to = new Float64Array(from.length * 2)
    this.#line = new Uint32Array(from.length * 2)
    this.#from.set(from)
    this.#to.set(to)
    this.#line.set(line)
  }
}

function readResult(file: Window, { from, to, line }: Position, path: string): ResultEvent {
  const parsed = parseEventLine(file.text(from, to))
  if (parsed.kind === 'event' && parsed.event.type === 'result') return parsed.event
  throw new UserError({
    code: 'CORRUPT_EVENT_FILE',
    message: `${path}:${line}: ${parsed.kind === 'bad' ? parsed.problem : 'this line is not a result'}`,
    hint: 'the file was changed after viva test wrote it: run the cases again',
  })
}

// As our own log writes a result: the first fields are known, so most of the line need not be examined.
const RESULT =
  /^\{"type":"result","run_id":"[^"\\]*","id":"((?:[^"\\]|\\.)*)","run":(\d{1,9}),(?:"variant":"((?:[^"\\]|\\.)*)",)?/

/** A whole line as our own log writes it: nothing in it is wanted here. */
const CASE_START =
  /^\{"type":"case_start","id":"(?:[^"\\]|\\.)*","run":\d{1,9},"timestamp":"[^"\\]*"(?:,"name":"(?:[^"\\]|\\.)*")?\}$/

/** Undefined for anything written differently: it is parsed as a whole. */
function keyOfLine(text: string): RunKey | undefined {
  const found = RESULT.exec(text)
  const id = found?.[1]
  const run = found?.[2]
  const variant = found?.[3]
  if (id === undefined || run === undefined) return undefined
  // Written by another tool: it may come later.
  if (variant === undefined && text.includes('"variant":')) return undefined
  return runKey({ id: unescaped(id), variant: variant && unescaped(variant), run: Number(run) })
}

function unescaped(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text
}

function doubled(path: string, line: number, earlier: number, key: RunKey): UserError {
  const [run, variant, ...id] = key.split('\0')
  return new UserError({
    code: 'DOUBLED_EVENT',
    message: `${path}:${line}: a second result of ${show(caseTitle({ id: id.join('\0'), variant: variant || undefined }), 80)}, run ${run} (the first is on line ${earlier})`,
    hint: 'two files were joined, or a line was copied: remove one of the two lines',
  })
}
