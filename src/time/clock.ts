// The clock of cases and deadlines: monotonic, and it stands still while Viva is stopped (Ctrl-Z).

let stopped = 0

/** Milliseconds. Only differences mean something. */
export function now(): number {
  return performance.now() - stopped
}

/** The time that `work` takes is left out: it stops us, and returns when we go on. */
export function leaveOut(work: () => void): void {
  const before = performance.now()
  work()
  stopped += performance.now() - before
}

// setTimeout fires at once beyond this.
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Calls back after `ms` of this clock, however long that is. Returns what takes it back. */
export function after(ms: number, callback: () => void): () => void {
  const ends = now() + ms
  let timer: NodeJS.Timeout
  const arm = (): void => {
    timer = setTimeout(check, Math.min(Math.max(1, ends - now()), LONGEST_TIMER_MS))
  }
  const check = (): void => {
    // A timer may fire a fraction early; beyond that, time stood still or the span was too long for one timer.
    if (ends - now() >= 1) arm()
    else callback()
  }
  arm()
  return () => clearTimeout(timer)
}
