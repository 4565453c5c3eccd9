// Reads an event file and keeps reading while it grows. Nothing is read ahead of the consumer: a slow consumer
// slows down nothing else, and the run that writes never waits.
import { open } from 'node:fs/promises'
import { UserError } from '../../errors.js'
import type { RunEvent } from '../../model/event.js'
import { LineSplitter, type Line } from './lines.js'
import { watchChanges } from './watch-changes.js'

/** `at`: the byte at which the line of the event starts. */
export type Followed =
  | { kind: 'events'; events: Array<{ event: RunEvent; at: number }> }
  /** A line that cannot be used; what follows it can. */
  | { kind: 'problem'; message: string }
  /** Everything written so far was read. */
  | { kind: 'idle' }
  /** The file was truncated, and starts again. */
  | { kind: 'reset' }

const BLOCK = 256 * 1024
/** The last bytes read: if they have changed, the file was overwritten. */
const COMPARED = 64
// A file that is something else altogether need not say so for every line.
const MOST_PROBLEMS = 20

export async function* followEvents(path: string, signal: AbortSignal): AsyncGenerator<Followed> {
  const { EventSequence } = await import('./event-sequence.js')
  const file = await open(path, 'r')
  const changes = watchChanges(path, signal)
  const begin = () => ({
    position: 0,
    seen: Buffer.alloc(0),
    problems: 0,
    splitter: new LineSplitter(),
    sequence: new EventSequence(path),
  })
  try {
    let state = begin()
    const block = Buffer.alloc(BLOCK)
    while (!signal.aborted) {
      const { seen } = state
      const { bytesRead } = await file.read(block, 0, BLOCK, state.position - seen.length)
      // A summary is overwritten when reports fail, and cut off when a run is resumed.
      if (!block.subarray(0, bytesRead).subarray(0, seen.length).equals(seen)) {
        state = begin()
        yield { kind: 'reset' }
        continue
      }
      if (bytesRead === seen.length) {
        yield { kind: 'idle' }
        await changes.next()
        continue
      }
      const fresh = block.subarray(seen.length, bytesRead)
      state.position += fresh.length
      state.seen = Buffer.from(block.subarray(Math.max(0, bytesRead - COMPARED), bytesRead))
      // A line without its newline may still be being written: the splitter keeps it.
      for (const step of stepsOf(state.splitter.push(fresh), state.sequence))
        if (step.kind !== 'problem' || ++state.problems <= MOST_PROBLEMS) yield step
    }
  } finally {
    changes.close()
    await file.close()
  }
}

type Reader = { next(line: Line): RunEvent | 'skip' }

function* stepsOf(lines: Iterable<Line>, sequence: Reader): Generator<Followed> {
  let events: Array<{ event: RunEvent; at: number }> = []
  for (const line of lines) {
    try {
      const event = sequence.next(line)
      if (event !== 'skip') events.push({ event, at: line.start })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (events.length > 0) yield { kind: 'events', events }
      events = []
      yield { kind: 'problem', message: error.message }
    }
  }
  if (events.length > 0) yield { kind: 'events', events }
}
