// What the readers of streamed answers share: where a stream comes from, its events as data, and a stream without an end.
import { AgentError } from '../errors.js'
import type { SseEvent } from '../http/sse.js'
import { clip } from '../base/text.js'
import type { FinishReasons } from './finish-reason.js'

export interface StreamOptions {
  url: URL
  /** Values that must not appear in a message. */
  secrets?: string[]
  /** `monotonicNow()` when the request was sent. */
  start: number
  /** What has arrived so far, for when the call is ended from outside. */
  progress: { partial?: () => unknown }
  onChunk?: (text: string) => void
  finishReasons?: FinishReasons
}

export function parseEvent({ event, data, number }: SseEvent, url: URL): unknown {
  try {
    return JSON.parse(data)
  } catch (cause) {
    if (event === 'error') return data
    throw new AgentError({
      code: 'bad_response',
      message: `event ${number} of the stream of ${url.host} is not JSON: ${clip(data, 200)}`,
      cause,
    })
  }
}

export function cutOff(url: URL): AgentError {
  return new AgentError({
    code: 'cut_off',
    message: `the stream of ${url.host} ended before the answer was complete`,
  })
}
