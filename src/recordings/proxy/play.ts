// A recorded answer, sent to the client in the pieces it arrived in.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { WireAnswer } from '../wire-response.js'
import { monotonicNow } from '../../time/clock.js'

export interface PlayOptions {
  /** In the time it took; else immediately. */
  realtime: boolean
  signal: AbortSignal
  /** It was never completed. */
  cut?: true
}

export async function play(answer: WireAnswer, response: ServerResponse, options: PlayOptions): Promise<void> {
  const { status, chunks, times } = answer
  const { realtime, cut } = options
  const started = monotonicNow()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const signal = AbortSignal.any([options.signal, gone.signal])
  try {
    if (realtime) await until(started + (times[0] ?? 0), signal)
    const length = chunks.length <= 1 && !cut ? { 'content-length': chunks[0]?.byteLength ?? 0 } : {}
    response.writeHead(status, { ...headersOf(answer, realtime), ...(BODYLESS.has(status) ? {} : length) })
    response.flushHeaders()
    for (const [index, chunk] of chunks.entries()) {
      if (realtime) await until(started + (times[index] ?? 0), signal)
      if (!response.write(chunk)) await once(response, 'drain', { signal })
    }
    if (!cut) response.end()
    // What was written has to leave before the connection closes.
    else response.write('', () => response.destroy())
  } catch (error) {
    if (!signal.aborted) throw error
    response.destroy()
  }
}

const BODYLESS = new Set([204, 304])

/** Waits between tries are not repeated: a client told to retry does so immediately. */
function headersOf({ status, headers }: WireAnswer, realtime: boolean): Record<string, string> {
  if (realtime || status < 400) return headers
  const { 'retry-after': _wait, ...rest } = headers
  return { ...rest, 'retry-after-ms': '1' }
}

async function until(time: number, signal: AbortSignal): Promise<void> {
  const left = time - monotonicNow()
  if (left > 0) await delay(left, undefined, { signal })
}
