// Parallel slots: starts planned work in order, at most `parallel` at a time, and stops when told. The only place with concurrency.
import { BARRIER } from '../../model/plan.js'
import { monotonicNow } from '../../time/clock.js'

export interface Schedule<T> {
  /** What to run, in batches as it becomes known. At a barrier, everything started is awaited. */
  batches: AsyncIterable<T[] | typeof BARRIER>
  parallel: number
  /** Aborted: nothing more starts. Running work ends through the same signal, which it sees itself. */
  signal: AbortSignal
  run(item: T): Promise<void> | void
}

// Work that never waits would otherwise keep timers and signals from being noticed.
const YIELD_AFTER_MS = 15

export async function runSchedule<T>({ batches, parallel, signal, run }: Schedule<T>): Promise<void> {
  const source = batches[Symbol.asyncIterator]()
  let batch: T[] = []
  let next = 0
  let exhausted = false
  let filling: Promise<void> | undefined
  const rest = createRest()
  let running = 0
  let onIdle: (() => void) | undefined
  const idle = (): Promise<void> =>
    running === 0 ? Promise.resolve() : new Promise((resolve) => void (onIdle = resolve))

  // All workers wait for the same refill; the first one takes the next item.
  const refill = (): Promise<void> => {
    filling ??= source.next().then(async (result) => {
      if (result.value === BARRIER) await idle()
      filling = undefined
      if (result.done) exhausted = true
      else if (result.value !== BARRIER) {
        batch = result.value
        next = 0
      }
    })
    return filling
  }

  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      if (next >= batch.length) {
        if (exhausted) return
        await refill()
        continue
      }
      const item = batch[next++] as T
      running++
      try {
        const work = run(item)
        if (work) await work
      } finally {
        running--
        if (running === 0) onIdle?.()
      }
      const resting = rest()
      if (resting) await resting
    }
  }

  try {
    await Promise.all(Array.from({ length: parallel }, worker))
  } finally {
    await source.return?.()
  }
}

/** Shared yield point for all workers: with one each, the others would go on without a turn of the event loop. */
function createRest(): () => Promise<void> | undefined {
  let restedAt = monotonicNow()
  let resting: Promise<void> | undefined
  const rest = (): Promise<void> =>
    new Promise((resolve) =>
      setImmediate(() => {
        restedAt = monotonicNow()
        resting = undefined
        resolve()
      }),
    )
  return () => {
    if (!resting && monotonicNow() - restedAt > YIELD_AFTER_MS) resting = rest()
    return resting
  }
}
