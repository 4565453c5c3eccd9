// Answers before the answer. undici takes all but `100 Continue`, which it treats as an attack, and which some servers and
// proxies send unasked: it is passed to it under another number of the same meaning, "still to come".
import type { Socket } from 'node:net'

/** Looks at the beginning of every answer, and no further. */
export class InterimAnswers {
  /** What came of the status line so far; undefined once the answer itself has begun. */
  #line: string | undefined
  /** How much of the empty line that ends an interim answer has come. */
  #ending = 0

  /** A request is sent: an answer comes next. */
  expect(): void {
    this.#line = ''
    this.#ending = 0
  }

  /** undici reads a socket through `read` alone. */
  watch<T extends Socket>(socket: T): T {
    const read = socket.read.bind(socket)
    socket.read = (size?: number): unknown => {
      const chunk: unknown = read(size)
      if (chunk instanceof Uint8Array) this.#look(chunk)
      return chunk
    }
    return socket
  }

  #look(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length && this.#line !== undefined; at++) {
      const char = String.fromCharCode(chunk[at] ?? 0)
      if (this.#line.length < STATUS_LENGTH) {
        this.#line += char
        if (this.#line.length < STATUS_LENGTH) continue
        if (CONTINUE.test(this.#line)) chunk[at] = PROCESSING
        else if (!INTERIM.test(this.#line)) this.#line = undefined
      } else this.#skip(char)
    }
  }

  #skip(char: string): void {
    if (char === EMPTY_LINE[this.#ending]) this.#ending++
    else this.#ending = char === '\r' ? 1 : 0
    if (this.#ending === EMPTY_LINE.length) this.expect()
  }
}

const STATUS_LENGTH = 'HTTP/1.1 100'.length
const CONTINUE = /^HTTP\/1\.[01] 100$/
const INTERIM = /^HTTP\/1\.[01] 1\d\d$/
const EMPTY_LINE = '\r\n\r\n'

/** The last digit of `102 Processing`. */
const PROCESSING = '2'.charCodeAt(0)
