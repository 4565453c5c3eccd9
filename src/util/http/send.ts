// One HTTP request with a total deadline, a size limit and strict text. On node:http: it has no idle timer of its own
// that would end a slow model before the case's deadline does, and costs a third of `fetch` under load.
import http from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { AgentError } from '../../errors.js'
import { decodeStrict, OutputBuffer, type DecodedText } from '../process/output-buffer.js'
import { connectionError } from './connection-error.js'

export interface HttpRequest {
  url: URL
  method?: string
  headers: Record<string, string>
  body?: string
  /** Ends connecting, waiting and reading alike. */
  signal: AbortSignal
}

export interface HttpResponse {
  status: number
  headers: Record<string, string>
  /** One of these two, once. Both stop at the limit, at a cut connection and at the abort of the request's signal. */
  text(limit?: number): Promise<DecodedText>
  chunks(limit?: number): AsyncIterable<Uint8Array>
}

export const MAX_BODY_BYTES = 16 * 1024 * 1024

const plainAgent = new http.Agent({ keepAlive: true, maxFreeSockets: 1024 })
let secureAgent: https.Agent | undefined

/** Rejects with the signal's reason when it aborts, else with an AgentError. Redirects are not followed. */
export function sendHttp(request: HttpRequest): Promise<HttpResponse> {
  const { url, signal, body } = request
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const secure = url.protocol === 'https:'
    if (secure) secureAgent ??= new https.Agent({ keepAlive: true, maxFreeSockets: 1024 })
    const headers = { ...request.headers }
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    const method = request.method ?? 'POST'
    const agent = secure ? secureAgent : plainAgent
    const sent = (secure ? https : http).request({ ...connectionOptions(url), method, headers, agent })

    const onAbort = (): void => {
      sent.destroy()
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    sent.once('close', () => signal.removeEventListener('abort', onAbort))
    sent.on('error', (cause) => reject(signal.aborted ? signal.reason : connectionError(url, cause)))
    sent.once('response', (incoming) => {
      resolve({
        status: incoming.statusCode ?? 0,
        headers: flatHeaders(incoming.headers),
        text: (limit = MAX_BODY_BYTES) => readText(incoming, url, signal, limit),
        chunks: (limit = MAX_BODY_BYTES) => readChunks(incoming, url, signal, limit),
      })
    })
    sent.end(body)
  })
}

const known = new WeakMap<URL, http.RequestOptions>()

/** Taking a URL apart costs as much as the rest of a small request, and an agent asks the same one thousands of times. */
function connectionOptions(url: URL): http.RequestOptions {
  let options = known.get(url)
  if (!options) {
    options = urlToHttpOptions(url)
    known.set(url, options)
  }
  return options
}

/** With plain listeners: an async iterator would cost more than the rest of the call. */
function readText(incoming: http.IncomingMessage, url: URL, signal: AbortSignal, limit: number): Promise<DecodedText> {
  return new Promise((resolve, reject) => {
    const buffer = new OutputBuffer(limit)
    incoming.on('data', (chunk: Uint8Array) => {
      if (buffer.push(chunk)) return
      reject(tooLarge(url, limit))
      incoming.destroy()
    })
    incoming.once('end', () => {
      if (incoming.complete) resolve(decodeStrict(buffer.bytes()))
    })
    incoming.once('error', (cause) => reject(signal.aborted ? signal.reason : cutOff(url, cause)))
    incoming.once('close', () => {
      if (!incoming.complete) reject(signal.aborted ? signal.reason : cutOff(url))
    })
  })
}

async function* readChunks(
  incoming: http.IncomingMessage,
  url: URL,
  signal: AbortSignal,
  limit: number,
): AsyncIterable<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of incoming) {
      const part: Uint8Array = chunk
      bytes += part.byteLength
      if (bytes > limit) throw tooLarge(url, limit)
      yield part
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    throw cause instanceof AgentError ? cause : cutOff(url, cause)
  }
  if (!incoming.complete) throw signal.aborted ? signal.reason : cutOff(url)
}

function tooLarge(url: URL, limit: number): AgentError {
  return new AgentError({
    code: 'too_large',
    message: `the answer of ${url.host} is larger than ${limit / 1024 / 1024} MB`,
  })
}

function cutOff(url: URL, cause?: unknown): AgentError {
  return new AgentError({
    code: 'cut_off',
    message: `${url.host} closed the connection in the middle of its answer`,
    hint: 'the server or a proxy between gave up: look at its log, or try again',
    cause,
  })
}

function flatHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const result: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) result[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return result
}
