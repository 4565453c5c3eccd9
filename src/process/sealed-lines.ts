// Messages on a private channel: one line of JSON each, after a seal if one is required. Code that writes to the descriptor
// without the key cannot produce an accepted line, and a line seen once is not accepted again.
import { sha256 } from './sha256.js'

/** The seal of the `count`th line with this text. */
export type Seal = (count: number, json: string) => string

/** Something other than our own code wrote to the channel. */
export class ForgedLineError extends Error {}

const SEAL_LENGTH = 32
const NEWLINE = 10
const MAX_LINE_BYTES = 256 * 1024 * 1024

// Captured when this file is loaded, before any user code: replacing a built-in later reveals nothing of the key.
const { parse } = JSON
// oxlint-disable-next-line typescript/unbound-method -- bound to whatever it is called with
const cut = Function.prototype.call.bind(String.prototype.slice) as (text: string, start: number, end: number) => string

/** Half of the hash, so that it cannot be extended to the hash of a longer text. */
export function createSeal(key: string): Seal {
  return (count, json) => cut(sha256(`${key} ${count} ${json}`), 0, SEAL_LENGTH)
}

export class LineWriter {
  readonly #seal: Seal | undefined
  #count = 0

  constructor(seal?: Seal) {
    this.#seal = seal
  }

  /** With its newline. */
  encode(json: string): string {
    return this.#seal ? `${this.#seal(this.#count++, json)}${json}\n` : `${json}\n`
  }
}

export class LineReader {
  readonly #seal: Seal | undefined
  #count = 0
  #chunks: Buffer[] = []
  #size = 0

  constructor(seal?: Seal) {
    this.#seal = seal
  }

  /** The messages that are complete now. Throws ForgedLineError. */
  push(chunk: Buffer): unknown[] {
    const messages: unknown[] = []
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      messages.push(this.#open(this.#lineEndingWith(chunk.subarray(start, end))))
      start = end + 1
    }
    if (start < chunk.length) {
      // A copy: the next chunk may come in the same memory.
      this.#chunks.push(Buffer.from(chunk.subarray(start)))
      this.#size += chunk.length - start
    }
    if (this.#size > MAX_LINE_BYTES) throw new ForgedLineError(`a line of more than ${MAX_LINE_BYTES} bytes`)
    return messages
  }

  #lineEndingWith(rest: Buffer): string {
    if (this.#chunks.length === 0) return rest.toString('utf8')
    const line = Buffer.concat([...this.#chunks, rest]).toString('utf8')
    this.#chunks = []
    this.#size = 0
    return line
  }

  #open(line: string): unknown {
    let json = line
    if (this.#seal) {
      json = line.slice(SEAL_LENGTH)
      if (this.#seal(this.#count++, json) !== line.slice(0, SEAL_LENGTH)) {
        throw new ForgedLineError('a line without our seal')
      }
    }
    try {
      return parse(json)
    } catch {
      throw new ForgedLineError('a line that is not JSON')
    }
  }
}
