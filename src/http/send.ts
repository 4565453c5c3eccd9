// One HTTP request with a total deadline, a size limit and strict text. On sockets of our own: with 200 calls at once the
// general clients of Node cost more than everything else Viva does, and `fetch` has idle timers that no setting reaches.
import { AgentError } from '../errors.js'
import { offAbort, onAbort } from '../time/abort.js'
import { decodeStrict, OutputBuffer, type DecodedText } from '../base/output-buffer.js'
import { connectionError } from './connection-error.js'
import { endConnection, returnConnection, takeConnection, type Connection, type ConnectionUser } from './connections.js'
import { inBrackets } from './places.js'
import { ProtocolError, type ResponseHead } from './response-head.js'
import { ResponseParser, readWhole, type ParserHandlers } from './response-parser.js'

export interface HttpRequest {
  url: URL
  method?: string
  headers: Record<string, string>
  body?: string
  /** Ends connecting, waiting and reading alike. */
  signal: AbortSignal
  /** Where the address is written, for errors. */
  place?: string
}

export interface HttpResponse extends ResponseHead {
  /** One of these two, once. Both stop at the limit, at a cut connection and at the abort of the request's signal. */
  text(limit?: number): DecodedText | Promise<DecodedText>
  chunks(limit?: number): AsyncIterable<Uint8Array>
}

export const MAX_BODY_BYTES = 16 * 1024 * 1024
/** More than this waiting to be read stops the sender. */
const MAX_QUEUED_BYTES = 1024 * 1024

/** Rejects with the signal's reason when it aborts, else with an AgentError. Redirects are not followed. */
export async function sendHttp(request: HttpRequest): Promise<HttpResponse> {
  if (request.signal.aborted) throw request.signal.reason
  return new Exchange(request, requestText(request)).head
}

/** One request and its response on one connection. */
class Exchange implements ParserHandlers, ConnectionUser, HttpResponse {
  status = 0
  headers: Record<string, string> = {}
  readonly head: Promise<HttpResponse>
  readonly #url: URL
  readonly #place: string | undefined
  readonly #signal: AbortSignal
  readonly #connection: Connection
  #parser: ResponseParser | undefined
  /** An answer that came in one piece has its text here and needs no parser. */
  #whole: string | undefined
  #resolveHead: ((response: HttpResponse) => void) | undefined
  #rejectHead: ((error: unknown) => void) | undefined
  #queue: Uint8Array[] = []
  #queued = 0
  #started = false
  #ended = false
  #failure: unknown
  #wake: (() => void) | undefined

  constructor({ url, signal, place }: HttpRequest, text: string) {
    this.#url = url
    this.#place = place
    this.#signal = signal
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve
      this.#rejectHead = reject
    })
    this.#connection = takeConnection(url)
    this.#connection.user = this
    onAbort(signal, this.#onAbort)
    this.#connection.socket.write(text)
  }

  onHead({ status, headers }: ResponseHead): void {
    this.status = status
    this.headers = headers
    this.#resolveHead?.(this)
  }

  onData(chunk: Uint8Array): void {
    this.#queue.push(chunk)
    this.#queued += chunk.byteLength
    if (this.#queued > MAX_QUEUED_BYTES) this.#connection.socket.pause()
    this.#wake?.()
  }

  onEnd(reusable: boolean): void {
    this.#ended = true
    offAbort(this.#signal, this.#onAbort)
    if (reusable) {
      this.#connection.socket.resume()
      returnConnection(this.#url, this.#connection, this.headers['keep-alive'])
    } else endConnection(this.#connection)
    this.#wake?.()
  }

  readonly #onAbort = (): void => this.#fail(this.#signal.reason)

  onBytes(data: Buffer, length: number): void {
    this.#started = true
    try {
      if (this.#parser || !this.#takeWhole(data, length)) {
        this.#parser ??= new ResponseParser(this)
        this.#parser.write(Buffer.from(data.subarray(0, length)))
      }
    } catch (error) {
      if (!this.#ended) this.#fail(error instanceof ProtocolError ? notHttp(this.#url, error, this.#place) : error)
      else this.#connection.socket.destroy()
    }
  }

  #takeWhole(data: Buffer, length: number): boolean {
    if (this.#ended) return false
    const whole = readWhole(data, length)
    if (!whole) return false
    this.#whole = whole.body
    this.onHead(whole.head)
    this.onEnd(whole.head.keepAlive)
    return true
  }

  onClosed(error: Error | undefined): void {
    if (this.#ended) return
    if (!this.#started) this.#fail(connectionError(this.#url, error ?? closedUnanswered(), this.#place))
    else if (!this.#parser?.end()) this.#fail(cutOff(this.#url, error))
  }

  #fail(error: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#failure = error
    offAbort(this.#signal, this.#onAbort)
    endConnection(this.#connection)
    this.#rejectHead?.(error)
    this.#wake?.()
  }

  text(limit: number = MAX_BODY_BYTES): DecodedText | Promise<DecodedText> {
    if (this.#whole === undefined) return this.#gather(limit)
    if (this.#whole.length > limit) throw this.#tooLarge(limit)
    return { text: this.#whole }
  }

  async #gather(limit: number): Promise<DecodedText> {
    const buffer = new OutputBuffer(limit)
    for (;;) {
      for (const chunk of this.#takeQueue()) {
        if (!buffer.push(chunk)) throw this.#tooLarge(limit)
      }
      if (this.#failure !== undefined) throw this.#failure
      if (this.#ended) return decodeStrict(buffer.bytes())
      await this.#more()
    }
  }

  async *chunks(limit: number = MAX_BODY_BYTES): AsyncIterable<Uint8Array> {
    let bytes = 0
    if (this.#whole !== undefined) this.#queue.push(Buffer.from(this.#whole, 'latin1'))
    try {
      for (;;) {
        // What came together goes on together: every piece costs its reader a turn of the event loop or more.
        const chunks = this.#takeQueue()
        if (chunks.length > 0) {
          const chunk = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
          bytes += chunk.byteLength
          if (bytes > limit) throw this.#tooLarge(limit)
          yield chunk
        }
        if (this.#failure !== undefined) throw this.#failure
        if (this.#ended && this.#queue.length === 0) return
        if (this.#queue.length === 0) await this.#more()
      }
    } finally {
      // Whoever stops reading early wants no more of it.
      this.#fail(new Error('no longer read'))
    }
  }

  #takeQueue(): Uint8Array[] {
    const chunks = this.#queue
    this.#queue = []
    if (this.#queued > MAX_QUEUED_BYTES) this.#connection.socket.resume()
    this.#queued = 0
    return chunks
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #tooLarge(limit: number): AgentError {
    const error = new AgentError({
      code: 'too_large',
      message: `the answer of ${this.#url.host} is larger than ${limit / 1024 / 1024} MB`,
    })
    this.#fail(error)
    return error
  }
}

const OURS = new Set(['host', 'content-length', 'accept-encoding', 'connection', 'transfer-encoding'])
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
// oxlint-disable-next-line no-control-regex -- a control character would end the header, or worse.
const BAD_VALUE = /[\u0000-\u0008\u000a-\u001f\u007f]/

/** By the object of the headers: who sends the same ones again has them checked and written once. */
const heads = new WeakMap<Record<string, string>, { url: URL; method: string; text: string }>()

function requestText({ url, method = 'POST', headers, body }: HttpRequest): string {
  const known = heads.get(headers)
  const isSame = known !== undefined && known.url === url && known.method === method
  const head = isSame ? known.text : headText(url, method, headers)
  if (!isSame) heads.set(headers, { url, method, text: head })
  return body === undefined ? `${head}\r\n` : `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function headText(url: URL, method: string, headers: Record<string, string>): string {
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\naccept-encoding: identity\r\n`
  for (const name in headers) {
    if (OURS.has(name)) continue
    const value = headers[name] ?? ''
    if (!NAME.test(name) || BAD_VALUE.test(value)) throw badHeader(url, name)
    head += `${name}: ${value}\r\n`
  }
  return head
}

function badHeader(url: URL, name: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `the header ${JSON.stringify(name)} for ${url.host} has a line break or a control character in it`,
    hint: 'check the headers and the key: a copied key often ends in a line break',
  })
}

function closedUnanswered(): Error {
  return Object.assign(new Error('closed without an answer'), { code: 'ECONNRESET' })
}

function notHttp(url: URL, cause: ProtocolError, place: string | undefined): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `what ${url.host} sent cannot be read: ${cause.message}`,
    hint: `check the port, and http or https${inBrackets(place)}`,
    cause,
  })
}

function cutOff(url: URL, cause: unknown): AgentError {
  return new AgentError({
    code: 'cut_off',
    message: `${url.host} closed the connection in the middle of its answer`,
    hint: 'the server or a proxy between gave up: look at its log, or try again',
    cause,
  })
}
