// The clock of a run's cases and deadlines: monotonic, and it stands still while Viva is stopped (Ctrl-Z).

/** Milliseconds of real time. Only differences mean something. */
export function monotonicNow(): number {
  // Not `performance.now()`: Node loads a dozen modules for it.
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

// setTimeout fires immediately beyond this.
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** One per run, so that stopping one run leaves the time of the others alone. */
export class Clock {
  #leftOut = 0

  /** Milliseconds. Only differences mean something. `moment`: what `monotonicNow` has just returned. */
  now(moment = monotonicNow()): number {
    return moment - this.#leftOut
  }

  /** Leaves out the time that `work` takes: it stops the process, and returns when the process continues. */
  leaveOut(work: () => void): void {
    const before = monotonicNow()
    work()
    this.#leftOut += monotonicNow() - before
  }

  /** Calls back after `ms` of this clock, however long that is. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void {
    const ends = this.now() + ms
    let timer: NodeJS.Timeout
    const arm = (): void => {
      timer = setTimeout(check, Math.min(Math.max(1, ends - this.now()), LONGEST_TIMER_MS))
    }
    const check = (): void => {
      // A timer may fire a fraction early; beyond that, time stood still or the span was too long for one timer.
      if (ends - this.now() >= 1) arm()
      else callback()
    }
    arm()
    return () => clearTimeout(timer)
  }
}
