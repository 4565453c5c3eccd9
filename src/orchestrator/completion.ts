// Whether a hat says that the work is done.
import type { BusEvent } from './bus.js'
import type { ParsedOutput } from './parse-events.js'

/** An event of that topic, or the promise as the last line outside event tags. */
export function isCompleted({ events, rest }: ParsedOutput, emitted: BusEvent[], promise: string): boolean {
  return [...events, ...emitted].some(({ topic }) => topic === promise) || saysPromise(rest, events, promise)
}

/** A payload that mentions the promise talks about the work, not for it: then the last line does not count. */
export function saysPromise(rest: string, events: BusEvent[], promise: string): boolean {
  const wanted = promise.trim()
  if (wanted === '' || events.some(({ payload }) => payload.includes(wanted))) return false
  return (
    rest
      .split('\n')
      .map((line) => line.trim())
      .findLast((line) => line !== '') === wanted
  )
}
