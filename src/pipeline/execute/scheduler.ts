// Parallel slots: starts planned work in order, at most `parallel` at once, and stops when told. The only place with concurrency.

export interface Schedule<T> {
  /** What to run, in batches as it becomes known. */
  batches: AsyncIterable<T[]>
  parallel: number
  /** Aborted: nothing more starts. What runs is ended by the same signal, seen by the work itself. */
  signal: AbortSignal
  run(item: T): Promise<void> | void
}

// Work that never waits would otherwise keep timers and signals from being seen.
const YIELD_AFTER_MS = 15

export async function runSchedule<T>({ batches, parallel, signal, run }: Schedule<T>): Promise<void> {
  const source = batches[Symbol.asyncIterator]()
  let batch: T[] = []
  let next = 0
  let exhausted = false
  let filling: Promise<void> | undefined
  let lastYield = performance.now()

  // All workers wait for the same refill; whoever comes first takes the next item.
  const refill = (): Promise<void> => {
    filling ??= source.next().then((result) => {
      filling = undefined
      if (result.done) exhausted = true
      else {
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
      const running = run(item)
      if (running) await running
      if (performance.now() - lastYield > YIELD_AFTER_MS) {
        await new Promise((resolve) => setImmediate(resolve))
        lastYield = performance.now()
      }
    }
  }

  try {
    await Promise.all(Array.from({ length: parallel }, worker))
  } finally {
    await source.return?.()
  }
}
