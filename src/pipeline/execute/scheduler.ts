// Parallel slots: starts planned work in order, at most `parallel` at once, and stops when told. The only place with concurrency.

export interface Schedule<T> {
  items: AsyncIterable<T>
  parallel: number
  /** Aborted: nothing more starts. What runs is ended by the same signal, seen by the work itself. */
  signal: AbortSignal
  run(item: T): Promise<void> | void
}

// Work that never waits would otherwise keep timers and signals from being seen.
const YIELD_AFTER_MS = 15

export async function runSchedule<T>({ items, parallel, signal, run }: Schedule<T>): Promise<void> {
  const source = items[Symbol.asyncIterator]()
  let exhausted = false
  let lastYield = performance.now()

  const worker = async (): Promise<void> => {
    while (!exhausted && !signal.aborted) {
      const next = await source.next()
      if (next.done) {
        exhausted = true
        return
      }
      if (signal.aborted) return
      const running = run(next.value)
      if (running) await running
      const now = performance.now()
      if (now - lastYield > YIELD_AFTER_MS) {
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
