// A call passed on to the model. The client gets every piece as it arrives, and everything but the end.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { AgentError } from '../../errors.js'
import type { HttpClient, HttpResponse } from '../../http/types.js'
import type { Normaliser } from '../normalise.js'
import { recordWire, type WireAnswer } from '../wire-response.js'
import { monotonicNow } from '../../time/clock.js'
import type { Talk } from './types.js'
import { targetOf } from './upstream.js'
import type { WireRequest } from './wire-request.js'

interface ForwardContext {
  http: HttpClient
  normaliser: Normaliser
  talk: Talk
  /** Of the conversation. */
  signal: AbortSignal
  /** Gets the piece that completes an answer of known length, which is not passed on. */
  onLast(chunk: Uint8Array): void
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Rejects with an AgentError that holds what arrived by then, so that a cut answer is never taken for a whole one. */
export async function forward(
  { provider, method, path, headers, body }: WireRequest,
  response: ServerResponse,
  { http, normaliser, talk, signal, onLast }: ForwardContext,
): Promise<WireAnswer> {
  const started = monotonicNow()
  const client = new AbortController()
  const onGone = (): void => {
    if (!response.writableFinished) client.abort(gone())
  }
  const merged = AbortSignal.any([signal, client.signal])
  response.once('close', onGone)
  if (response.destroyed) onGone()
  let answer: WireAnswer | undefined
  try {
    const got = await http.send({
      url: targetOf(provider, path, talk.upstreams),
      method,
      headers: passedOn(headers),
      signal: merged,
      uncompressed: true,
      ...(body.length > 0 && { body }),
    })
    answer = { status: got.status, headers: got.headers, chunks: [], times: [] }
    response.writeHead(got.status, got.statusText, headOf(got))
    let missing = got.headers['content-length'] === undefined ? Infinity : Number(got.headers['content-length'])
    // The client may be waiting for the headers alone.
    if (missing > 0) response.flushHeaders()
    for await (const chunk of got.pieces(MAX_ANSWER_BYTES)) {
      answer.chunks.push(chunk)
      answer.times.push(monotonicNow() - started)
      missing -= chunk.byteLength
      if (missing <= 0) onLast(chunk)
      else if (!response.write(chunk)) await once(response, 'drain', { signal: merged })
    }
    return answer
  } catch (error) {
    const reason: unknown = merged.aborted ? merged.reason : error
    // What is too large to pass on is too large to keep.
    if (!answer || !(reason instanceof AgentError) || reason.code === 'too_large') throw reason
    const partial = recordWire(answer, monotonicNow() - started, (text) => normaliser.responseText(text))
    throw new AgentError({ code: reason.code, message: reason.message, partial, cause: reason })
  } finally {
    response.off('close', onGone)
  }
}

/** Headers of one connection, not of the message. */
const HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
])

function passedOn(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.has(name)))
}

function headOf({ headers, cookies }: HttpResponse): Record<string, string | string[]> {
  const kept = passedOn(headers)
  return cookies.length > 0 ? { ...kept, 'set-cookie': cookies } : kept
}

function gone(): AgentError {
  return new AgentError({ code: 'cut_off', message: 'the client closed the connection before the answer was complete' })
}
