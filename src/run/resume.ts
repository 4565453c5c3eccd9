// What an interrupted run's event file says: its options, what is done, and where its good part ends.
import { createHash } from 'node:crypto'
import type { StabilityEvent, StartEvent } from '../model/event.js'
import { readEventLines, readEvents } from '../pipeline/record/read-events.js'
import type { Tracker } from './tracker.js'

export interface Interrupted {
  path: string
  start: StartEvent
  isDone(id: string, run: number): boolean
  /** Bytes to keep: everything but a torn last line and an old summary. */
  length: number
  /** Milliseconds the earlier part took. */
  elapsed_ms: number
}

export async function readInterrupted(path: string): Promise<Interrupted> {
  let start: StartEvent | undefined
  let length = 0
  let elapsed = 0
  const done = new Set<number>()
  for await (const { event, end } of readEventLines(path)) {
    // Files of other hands may lack what ours always have; what is missing then comes from the flags.
    if (event.type === 'start') start = { ...event, options: event.options ?? {} }
    if (event.type === 'result') done.add(keyOf(event.id, event.run ?? 1))
    if (event.type === 'summary') {
      elapsed = event.duration_ms
      continue
    }
    length = end
  }
  if (!start) throw new Error(`${path}: no start record`)
  return { path, start, length, elapsed_ms: elapsed, isDone: (id, run) => done.has(keyOf(id, run)) }
}

/** Follows the earlier part again; gives what the kill came too early for: statistics of cases whose runs are all there. */
export async function readAgain(path: string, tracker: Tracker): Promise<StabilityEvent[]> {
  const missing = new Map<string, StabilityEvent>()
  for await (const event of readEvents(path)) {
    const stability = tracker.add(event)
    if (stability) missing.set(stability.id, stability)
    if (event.type === 'stability') missing.delete(event.id)
  }
  return [...missing.values()]
}

// 48 bits of a hash instead of the text: a million finished cases stay a small set of numbers.
function keyOf(id: string, run: number): number {
  return createHash('sha256').update(`${run}\0${id}`).digest().readUIntBE(0, 6)
}
