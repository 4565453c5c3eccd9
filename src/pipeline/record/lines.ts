// A file as lines, with the byte range of each.
import { createReadStream } from 'node:fs'

export interface Line {
  text: string
  /** The byte at which it starts, and the one after its newline. */
  start: number
  end: number
  /** False for what follows the last newline: it was torn, or is still being written. */
  complete: boolean
}

const BLOCK = 256 * 1024
// No string can be longer than this.
const LONGEST = 256 * 1024 * 1024

export function chunksOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: BLOCK }) as AsyncIterable<Buffer>
}

/** In batches: waiting for each line on its own would take longer than reading it. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Iterable<Line>> {
  const splitter = new LineSplitter()
  for await (const chunk of chunks) yield splitter.push(chunk)
  const rest = splitter.rest()
  if (rest) yield [rest]
}

export function isBlank(text: string): boolean {
  return text.charCodeAt(0) !== BRACE && text.trim() === ''
}

const BRACE = 0x7b

/** Splits bytes that come in pieces into lines. A line is joined once, however many pieces it comes in. */
export class LineSplitter {
  #parts: Buffer[] = []
  #held = 0
  #start: number

  constructor(start = 0) {
    this.#start = start
  }

  *push(chunk: Buffer): Generator<Line> {
    let from = 0
    for (;;) {
      const newline = chunk.indexOf(10, from)
      if (newline < 0) break
      yield this.#take(chunk.subarray(from, newline), 1)
      from = newline + 1
    }
    if (from === chunk.length) return
    // A copy: the caller may reuse the buffer.
    this.#parts.push(Buffer.from(chunk.subarray(from)))
    this.#held += chunk.length - from
    if (this.#held > LONGEST) throw new RangeError(`a line is longer than ${LONGEST / 1024 / 1024} MB`)
  }

  /** What follows the last newline. */
  rest(): Line | undefined {
    return this.#held === 0 ? undefined : this.#take(Buffer.alloc(0), 0)
  }

  #take(last: Buffer, newline: 0 | 1): Line {
    const bytes = this.#held === 0 ? last : Buffer.concat([...this.#parts, last])
    const start = this.#start
    this.#start += bytes.length + newline
    this.#parts = []
    this.#held = 0
    return { text: bytes.toString('utf8'), start, end: this.#start, complete: newline === 1 }
  }
}
