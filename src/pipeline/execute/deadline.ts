// One deadline per attempt, on the monotonic clock, as an AbortSignal that says why.
import { CancelledError, DeadlineError } from '../../util/deadline.js'

// setTimeout fires at once beyond this.
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Deadlines that are open now, so that stopping the run ends them all without a listener per case on one signal. */
export class Deadlines {
  private readonly open = new Set<Deadline>()
  private cancelled: CancelledError | undefined

  start(ms: number, text: string): Deadline {
    const deadline = new Deadline(ms, text, this.open)
    this.open.add(deadline)
    if (this.cancelled) deadline.end(this.cancelled)
    return deadline
  }

  cancelAll(reason: string): void {
    this.cancelled = new CancelledError(reason)
    for (const deadline of this.open) deadline.end(this.cancelled)
  }
}

export class Deadline {
  private readonly controller = new AbortController()
  private readonly open: Set<Deadline>
  private timer: NodeJS.Timeout | undefined
  private callback: (() => void) | undefined

  constructor(ms: number, text: string, open: Set<Deadline>) {
    this.open = open
    this.arm(ms, text)
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** Called when the deadline passes or is cancelled; at once if that has happened. Cheaper than a listener per case. */
  whenOver(callback: () => void): void {
    if (this.controller.signal.aborted) callback()
    else this.callback = callback
  }

  end(reason: Error): void {
    clearTimeout(this.timer)
    if (this.controller.signal.aborted) return
    this.controller.abort(reason)
    this.callback?.()
  }

  clear(): void {
    clearTimeout(this.timer)
    this.callback = undefined
    this.open.delete(this)
  }

  private arm(left: number, text: string): void {
    const next = Math.min(left, LONGEST_TIMER_MS)
    this.timer = setTimeout(() => (left > next ? this.arm(left - next, text) : this.end(new DeadlineError(text))), next)
  }
}
