// Why work was ended early, and waiting that really ends when asked to.
import { offAbort, onAbort as listen } from './abort.js'
import type { Clock } from './clock.js'

/** The time the user allowed is over. `text` is the duration as written: `30s` gives `timeout after 30s`. */
export class DeadlineError extends Error {
  readonly text: string

  constructor(text: string) {
    super(`timeout after ${text}`)
    this.name = 'DeadlineError'
    this.text = text
  }
}

/** The run is being stopped (Ctrl-C, `--fail-fast`): the case has no result. */
export class CancelledError extends Error {
  constructor(reason = 'cancelled') {
    super(reason)
    this.name = 'CancelledError'
  }
}

/** How long aborted work may take to hand over what it had gathered. */
const ABORT_GRACE_MS = 500

/** Waits for `work`, but no longer than `graceMs` after `signal` aborts, whether or not the work listens to it. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal, graceMs: number = ABORT_GRACE_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      timer = setTimeout(() => reject(signal.reason), graceMs)
    }
    if (signal.aborted) onAbort()
    else listen(signal, onAbort)
    const settle = (): void => {
      if (timer !== undefined) clearTimeout(timer)
      offAbort(signal, onAbort)
    }
    work.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error: unknown) => {
        settle()
        reject(error)
      },
    )
  })
}

export interface Bound {
  signal: AbortSignal
  clear(): void
}

/** A signal that aborts after `ms`, or when `outer` does, with the reason of whichever came first. */
export function boundBy(outer: AbortSignal, ms: number, text: string, clock: Clock): Bound {
  const controller = new AbortController()
  const onOuter = (): void => controller.abort(outer.reason)
  if (outer.aborted) onOuter()
  else listen(outer, onOuter)
  const clear = clock.after(ms, () => controller.abort(new DeadlineError(text)))
  return {
    signal: controller.signal,
    clear() {
      clear()
      offAbort(outer, onOuter)
    },
  }
}
