// HTTP/1.1 responses out of the bytes of a connection, wherever they were cut.
import { parseHead, ProtocolError, type ParsedHead, type ResponseHead } from './response-head.js'

export interface ParserHandlers {
  onHead(head: ResponseHead): void
  onData(chunk: Uint8Array): void
  /** `reusable`: the connection may carry another request. */
  onEnd(reusable: boolean): void
}

const MAX_HEAD_BYTES = 64 * 1024
const MAX_SIZE_LINE = 1024
const NOT_ASCII = /[\u0080-\u00ff]/
const CR = 13
const LF = 10

type State = 'head' | 'length' | 'close' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'done'

const STATE_OF: Record<ParsedHead['framing'], State> = {
  none: 'done',
  length: 'length',
  chunks: 'size',
  close: 'close',
}

export interface WholeResponse {
  head: ParsedHead
  body: string
}

/** The usual answer: its head and a body of plain ASCII in one piece. Undefined: it takes the parser. */
export function readWhole(data: Buffer, length: number): WholeResponse | undefined {
  const text = data.toString('latin1', 0, length)
  const end = text.indexOf('\r\n\r\n')
  if (end === -1 || end > MAX_HEAD_BYTES) return undefined
  const head = parseHead(text.slice(0, end))
  if (head.status < 200 || head.framing !== 'length' || end + 4 + head.length !== length) return undefined
  const body = text.slice(end + 4)
  return NOT_ASCII.test(body) ? undefined : { head, body }
}

export class ResponseParser {
  readonly #handlers: ParserHandlers
  #state: State = 'head'
  /** Bytes of a head or line that is not complete yet. */
  #rest: Buffer | undefined
  /** Bytes that the body or chunk still has. */
  #left = 0
  #keepAlive = true

  constructor(handlers: ParserHandlers) {
    this.#handlers = handlers
  }

  /** Throws a ProtocolError. */
  write(data: Buffer): void {
    let chunk = this.#rest ? Buffer.concat([this.#rest, data]) : data
    this.#rest = undefined
    while (chunk.length > 0) {
      const used = this.#step(chunk)
      if (used === 0) {
        this.#rest = chunk
        return
      }
      chunk = chunk.subarray(used)
    }
  }

  /** The connection ended. False: in the middle of a response. */
  end(): boolean {
    if (this.#state === 'done') return true
    if (this.#state !== 'close') return false
    this.#finish(false)
    return true
  }

  /** How many bytes were used; 0 when more are needed. */
  #step(chunk: Buffer): number {
    switch (this.#state) {
      case 'head':
        return this.#readHead(chunk)
      case 'length':
      case 'chunk':
        return this.#readBody(chunk)
      case 'close':
        this.#handlers.onData(chunk)
        return chunk.length
      case 'size':
        return this.#readSize(chunk)
      case 'chunk-end':
        return this.#readChunkEnd(chunk)
      case 'trailers':
        return this.#readTrailer(chunk)
      case 'done':
        throw new ProtocolError('bytes after the end of the response')
    }
  }

  #readHead(chunk: Buffer): number {
    const end = chunk.indexOf('\r\n\r\n')
    if (end === -1 || end > MAX_HEAD_BYTES) {
      if (chunk.length > MAX_HEAD_BYTES) throw new ProtocolError('the headers are larger than 64 kB')
      // Not HTTP at all is seen at once, not when 64 kB have come.
      if (!'HTTP/1.'.startsWith(chunk.toString('latin1', 0, 7))) throw new ProtocolError('the answer is not HTTP')
      return 0
    }
    const head = parseHead(chunk.toString('latin1', 0, end))
    if (head.status === 101) throw new ProtocolError('the server switched to another protocol')
    if (head.status < 200) return end + 4
    this.#keepAlive = head.keepAlive
    this.#left = head.length
    this.#state = STATE_OF[head.framing]
    this.#handlers.onHead(head)
    if (head.framing === 'none' || (head.framing === 'length' && head.length === 0)) this.#finish(this.#keepAlive)
    return end + 4
  }

  #readBody(chunk: Buffer): number {
    const used = Math.min(chunk.length, this.#left)
    this.#left -= used
    this.#handlers.onData(used === chunk.length ? chunk : chunk.subarray(0, used))
    if (this.#left === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end'
      else this.#finish(this.#keepAlive)
    }
    return used
  }

  #readSize(chunk: Buffer): number {
    const end = chunk.indexOf(LF)
    if (end === -1) {
      if (chunk.length > MAX_SIZE_LINE) throw new ProtocolError('the size of a chunk is too long')
      return 0
    }
    const line = chunk.toString('latin1', 0, end).trimEnd()
    const size = /^([0-9a-fA-F]{1,12})\s*(?:;|$)/.exec(line)?.[1]
    if (size === undefined) throw new ProtocolError('a chunk has no size')
    this.#left = Number.parseInt(size, 16)
    this.#state = this.#left === 0 ? 'trailers' : 'chunk'
    return end + 1
  }

  #readChunkEnd(chunk: Buffer): number {
    if (chunk[0] === LF) {
      this.#state = 'size'
      return 1
    }
    if (chunk[0] !== CR) throw new ProtocolError('a chunk is longer than its size')
    if (chunk.length === 1) return 0
    if (chunk[1] !== LF) throw new ProtocolError('a chunk is longer than its size')
    this.#state = 'size'
    return 2
  }

  #readTrailer(chunk: Buffer): number {
    const end = chunk.indexOf(LF)
    if (end === -1) {
      if (chunk.length > MAX_HEAD_BYTES) throw new ProtocolError('the trailers are larger than 64 kB')
      return 0
    }
    if (end === 0 || (end === 1 && chunk[0] === CR)) this.#finish(this.#keepAlive)
    return end + 1
  }

  #finish(reusable: boolean): void {
    this.#state = 'done'
    this.#handlers.onEnd(reusable)
  }
}
