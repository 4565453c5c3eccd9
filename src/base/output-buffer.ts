// What a process or a server sends, kept up to a limit and decoded strictly.
import { isUtf8 } from 'node:buffer'

export interface DecodedText {
  text: string
  /** Set when the bytes were not UTF-8: `text` is then base64 of the first 64 kB. */
  encoding?: 'base64'
}

const BASE64_BYTES = 64 * 1024
const LINE_FEED = 10
const LONGEST_LINE = 4096

export class OutputBuffer {
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** False: the limit has been passed, and whatever was beyond it is dropped. */
  push(chunk: Uint8Array): boolean {
    const room = this.#limit - this.#bytes
    if (chunk.byteLength <= room) {
      this.#chunks.push(chunk)
      this.#bytes += chunk.byteLength
      return true
    }
    if (room > 0) this.#chunks.push(chunk.subarray(0, room))
    this.#bytes = this.#limit
    return false
  }

  bytes(): Uint8Array {
    const [first] = this.#chunks
    if (first === undefined) return new Uint8Array(0)
    return this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
  }

  text(): DecodedText {
    return decodeStrict(this.bytes())
  }
}

/** Keeps the end of what it is given: for standard error, where the last lines say why. */
export class TailBuffer {
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #bytes = 0
  #dropped = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.byteLength
    while (this.#bytes - (this.#chunks[0]?.byteLength ?? 0) >= this.#limit) {
      const first = this.#chunks.shift()?.byteLength ?? 0
      this.#bytes -= first
      this.#dropped += first
    }
  }

  /**
   * From the start of a line, if one starts soon: half a line can hold half a key, which nothing would hide. A line
   * before it says that something is missing, so that no conclusion is drawn from what is not there.
   */
  text(): string {
    const whole = Buffer.concat(this.#chunks)
    const from = Math.max(0, whole.length - this.#limit)
    const line = from === 0 || whole[from - 1] === LINE_FEED ? from : whole.indexOf(LINE_FEED, from) + 1
    const begin = line > from && line - from <= LONGEST_LINE ? line : from
    const missing = this.#dropped + begin
    return `${missing === 0 ? '' : cutLine(missing)}${whole.subarray(begin).toString('utf8')}`
  }
}

export function cutLine(bytes: number): string {
  return `… ${bytes} bytes before this were not kept\n`
}

/** Whether only the end of the text was kept. */
export function isTail(text: string): boolean {
  return /^… \d+ bytes before this were not kept$/m.test(text)
}

export function decodeStrict(bytes: Uint8Array): DecodedText {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isUtf8(buffer)) return { text: buffer.toString('utf8') }
  return { text: buffer.toString('base64', 0, Math.min(buffer.length, BASE64_BYTES)), encoding: 'base64' }
}
