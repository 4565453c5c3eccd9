// One request and its response: undici's callbacks on one side, what the rest of Viva reads on the other.
import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { AgentError, answerTooLarge } from '../errors.js'
import { decodeStrict, OutputBuffer, type DecodedText } from '../base/output-buffer.js'
import { offAbort, onAbort } from '../time/abort.js'
import { answerError, connectionError, isClosed, unreadable } from './connection-error.js'
import type { Connection, Target } from './connections.js'
import { ACCEPT_ENCODING, canDecompress, createDecompressor, isTruncated } from './decompress.js'
import type { HttpRequest, HttpResponse } from './types.js'
import { proxyRefused } from './proxy-error.js'
import { MAX_BODY_BYTES } from './read-body.js'

type Controller = Dispatcher.DispatchController

/** More than this waiting to be read pauses the sender. */
const MAX_QUEUED_BYTES = 1024 * 1024

export class Exchange implements Dispatcher.DispatchHandler, HttpResponse {
  status = 0
  statusText = ''
  headers: Record<string, string> = {}
  cookies: string[] = []
  readonly head: Promise<HttpResponse>
  readonly #request: HttpRequest
  readonly #target: Target
  readonly #options: Dispatcher.DispatchOptions
  /** Until the answer is complete. */
  #connection: Connection | undefined
  /** From the moment the request is being sent. */
  #controller: Controller | undefined
  #isReused = false
  #isAnswered = false
  #encoding: string | undefined
  #decompressor: Transform | undefined
  #resolveHead: ((response: HttpResponse) => void) | undefined
  #rejectHead: ((error: unknown) => void) | undefined
  #queue: Uint8Array[] = []
  #queued = 0
  #ended = false
  #failure: unknown
  #wake: (() => void) | undefined

  constructor(request: HttpRequest, target: Target) {
    this.#request = request
    this.#target = target
    this.#options = {
      method: request.method ?? 'POST',
      path: target.path,
      headers: request.uncompressed
        ? ['accept-encoding', 'identity', ...target.headers, ...sent(request.headers)]
        : headerList(request.headers, target.headers),
      ...(request.body !== undefined && { body: request.body }),
    }
    this.head = new Promise((resolve, reject) => {
      this.#resolveHead = resolve
      this.#rejectHead = reject
    })
    onAbort(request.signal, this.#onAbort)
    this.#sendOn(target.route.take())
  }

  text(limit: number = MAX_BODY_BYTES): DecodedText | Promise<DecodedText> {
    const [first] = this.#queue
    if (this.#ended && this.#failure === undefined && this.#queue.length === 1 && first && first.byteLength <= limit) {
      this.#queue = []
      return decodeStrict(first)
    }
    return this.#gather(limit)
  }

  /** What arrived together is passed on together: every piece costs its reader at least one turn of the event loop. */
  chunks(limit: number = MAX_BODY_BYTES): AsyncIterable<Uint8Array> {
    return this.#read(limit, (chunks) => (chunks.length === 1 ? chunks : [Buffer.concat(chunks)]))
  }

  pieces(limit: number = MAX_BODY_BYTES): AsyncIterable<Uint8Array> {
    return this.#read(limit, (chunks) => chunks)
  }

  async *#read(limit: number, joined: (chunks: Uint8Array[]) => Uint8Array[]): AsyncIterable<Uint8Array> {
    let bytes = 0
    try {
      for (;;) {
        const chunks = this.#takeQueue()
        if (chunks.length > 0)
          for (const chunk of joined(chunks)) {
            bytes += chunk.byteLength
            if (bytes > limit) throw this.#tooLarge(limit)
            yield chunk
          }
        if (this.#failure !== undefined) throw this.#failure
        if (this.#queue.length > 0) continue
        if (this.#ended) return
        await this.#more()
      }
    } finally {
      // A reader that stops early wants no more.
      this.#fail(new Error('no longer read'))
    }
  }

  // From here on: what undici calls.

  onRequestStart(controller: Controller): void {
    this.#controller = controller
    if (this.#ended) return controller.abort(new Error('aborted before it was sent'))
    this.#isReused = this.#connection?.used ?? false
  }

  /** The first byte of an answer has come. */
  onResponseStarted(): void {
    this.#isAnswered = true
  }

  onResponseStart(_: Controller, status: number, headers: IncomingHttpHeaders, statusText?: string): void {
    // 103 Early Hints and similar: the answer is yet to come.
    if (status < 200) return
    const { proxy } = this.#target
    if (proxy && status === 407) return this.#fail(proxyRefused(proxy, status, this.#request.url.host))
    this.status = status
    this.statusText = statusText ?? ''
    this.#readHeaders(headers)
    const coding = this.headers['transfer-encoding'] ?? 'chunked'
    if (!/^(chunked|identity)$/i.test(coding)) this.#fail(unreadable(this.#request, `transfer-encoding: ${coding}`))
    this.#resolveHead?.(this)
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (this.#ended) return
    if (this.#encoding === undefined) return this.#take(chunk)
    this.#decompressor ??= this.#openDecompressor(this.#encoding, chunk)
    if (!this.#decompressor.write(chunk)) controller.pause()
  }

  onResponseEnd(): void {
    this.#connection?.release()
    this.#connection = undefined
    this.#controller = undefined
    if (this.#decompressor) this.#decompressor.end()
    else this.#finish()
  }

  onResponseError(_: Controller, error: Error): void {
    if (this.#ended) return
    const reached = this.#request
    // The server had closed a kept connection as our request left: it never saw the request, so this is not a retry.
    if (this.#isReused && !this.#isAnswered && isClosed(error)) {
      this.#endConnection()
      this.#sendOn(this.#target.route.create())
    } else if (isInvalidArgument(error)) this.#fail(badRequest(this.#request, error))
    else this.#fail(this.#isAnswered ? answerError(reached, error, this.status !== 0) : connectionError(reached, error))
  }

  #sendOn(connection: Connection): void {
    this.#connection = connection
    this.#isReused = false
    connection.send(this.#options, this)
  }

  #readHeaders(headers: IncomingHttpHeaders): void {
    for (const name in headers) {
      const value = headers[name]
      if (value !== undefined) this.headers[name] = Array.isArray(value) ? value.join(', ') : value
    }
    const cookies = headers['set-cookie']
    if (cookies !== undefined) this.cookies = [cookies].flat()
    const encoding = this.headers['content-encoding']?.trim().toLowerCase()
    if (encoding === undefined || !canDecompress(encoding)) return
    this.#encoding = encoding
    delete this.headers['content-encoding']
    delete this.headers['content-length']
  }

  #openDecompressor(encoding: string, first: Buffer): Transform {
    return createDecompressor(encoding, first)
      .on('data', (chunk: Buffer) => this.#take(chunk))
      .on('drain', () => this.#controller?.resume())
      .on('end', () => this.#finish())
      .on('error', (error) => this.#fail(badCompression(this.#request.url, encoding, error)))
  }

  #take(chunk: Buffer): void {
    this.#queue.push(chunk)
    this.#queued += chunk.byteLength
    if (this.#queued > MAX_QUEUED_BYTES) (this.#decompressor ?? this.#controller)?.pause()
    this.#wake?.()
  }

  #takeQueue(): Uint8Array[] {
    const chunks = this.#queue
    this.#queue = []
    const wasFull = this.#queued > MAX_QUEUED_BYTES
    this.#queued = 0
    if (wasFull) (this.#decompressor ?? this.#controller)?.resume()
    return chunks
  }

  async #gather(limit: number): Promise<DecodedText> {
    const buffer = new OutputBuffer(limit)
    for (;;) {
      for (const chunk of this.#takeQueue()) {
        if (!buffer.push(chunk)) throw this.#tooLarge(limit)
      }
      if (this.#failure !== undefined) throw this.#failure
      if (this.#queue.length > 0) continue
      if (this.#ended) return decodeStrict(buffer.bytes())
      await this.#more()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  readonly #onAbort = (): void => this.#fail(this.#request.signal.reason)

  #finish(): void {
    if (this.#ended) return
    this.#ended = true
    offAbort(this.#request.signal, this.#onAbort)
    this.#wake?.()
  }

  #fail(error: unknown): void {
    if (this.#ended) return
    this.#failure = error
    this.#finish()
    this.#endConnection()
    this.#decompressor?.destroy()
    this.#rejectHead?.(error)
  }

  /** Closes the socket too, so that the server notices. */
  #endConnection(): void {
    const connection = this.#connection
    this.#connection = undefined
    this.#controller = undefined
    connection?.end().catch(() => {})
  }

  #tooLarge(limit: number): AgentError {
    const error = answerTooLarge(limit, { of: this.#request.url.host })
    this.#fail(error)
    return error
  }
}

/** Set by the transport, whatever the caller says. */
const OURS = new Set([
  'host',
  'content-length',
  'accept-encoding',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'expect',
])

/** Keyed by the headers object: an agent sends the same one with every call. */
const lists = new WeakMap<Record<string, string>, { added: string[]; list: string[] }>()

function headerList(headers: Record<string, string>, added: string[]): string[] {
  const known = lists.get(headers)
  if (known?.added === added) return known.list
  const list = [...added, 'accept-encoding', ACCEPT_ENCODING, ...sent(headers)]
  lists.set(headers, { added, list })
  return list
}

function sent(headers: Record<string, string>): string[] {
  const list: string[] = []
  for (const name in headers) if (!OURS.has(name.toLowerCase())) list.push(name, headers[name] ?? '')
  return list
}

function isInvalidArgument(error: Error): boolean {
  return 'code' in error && error.code === 'UND_ERR_INVALID_ARG'
}

// oxlint-disable-next-line no-control-regex -- a control character would end the header, or worse.
const BAD_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/
const NAME = /^[\w!#$%&'*+.^`|~-]+$/

function badRequest({ url, headers }: HttpRequest, cause: Error): AgentError {
  const name = Object.keys(headers).find((key) => !NAME.test(key) || BAD_VALUE.test(headers[key] ?? ''))
  return new AgentError({
    code: 'config',
    message:
      name === undefined
        ? `the request to ${url.host} cannot be sent: ${cause.message}`
        : `the header ${JSON.stringify(name)} for ${url.host} contains a line break or another character not allowed in headers`,
    hint: 'check the headers and the key: a copied key often ends in a line break',
    cause,
  })
}

function badCompression(url: URL, encoding: string, cause: Error): AgentError {
  const isCut = isTruncated(cause)
  return new AgentError({
    code: isCut ? 'cut_off' : 'bad_response',
    message: `the answer of ${url.host} ${isCut ? 'ends in the middle of its compressed data' : `is not valid ${encoding}`}`,
    hint: 'check the log of the server, or of the proxy in between',
    cause,
  })
}
