// One deadline per attempt, on the monotonic clock, as an AbortSignal that says why.
import type { TimeLimit } from '../../model/agent.js'
import { isUnheard } from '../../time/abort.js'
import { LONGEST_TIMER_MS, type Clock } from '../../time/clock.js'
import { CancelledError, DeadlineError } from '../../time/deadline.js'

/** All deadlines of a run. Those of the same length share one timer; stopping the run ends all open ones. */
export class Deadlines {
  private readonly clock: Clock
  private readonly lanes = new Map<number, Lane>()
  private readonly spare: AbortController[] = []
  /** Those that are currently paused. */
  private readonly paused = new Set<Deadline>()
  private cancelled: CancelledError | undefined

  constructor(clock: Clock) {
    this.clock = clock
  }

  start(ms: number, text: string): Deadline {
    const lane = this.laneOf(ms)
    const deadline = new Deadline(text, this.clock, ms, this.spare.pop() ?? new AbortController(), lane, this.spare)
    lane.add(deadline)
    if (this.cancelled) deadline.end(this.cancelled)
    return deadline
  }

  /** Time until the returned function is called does not count against the case: a person is asked, or awaited. */
  pause(deadline: Deadline): () => void {
    const left = Math.max(0, deadline.left())
    deadline.lane.delete(deadline)
    this.paused.add(deadline)
    return () => {
      if (!this.paused.delete(deadline)) return
      deadline.at = this.clock.now() + left
      deadline.lane = this.laneOf(left)
      deadline.lane.add(deadline)
    }
  }

  private laneOf(ms: number): Lane {
    let lane = this.lanes.get(ms)
    if (!lane) this.lanes.set(ms, (lane = new Lane(ms, this.clock)))
    return lane
  }

  cancelAll(reason: string): void {
    this.cancelled = new CancelledError(reason)
    for (const lane of this.lanes.values()) lane.endAll(this.cancelled)
    for (const deadline of this.paused) deadline.end(this.cancelled)
  }

  close(): void {
    for (const lane of this.lanes.values()) lane.close()
  }
}

export class Deadline implements TimeLimit {
  /** When it passes, by the clock of the run. */
  at: number
  lane: Lane
  private readonly text: string
  private readonly clock: Clock
  private readonly controller: AbortController
  private readonly spare: AbortController[]
  private callback: (() => void) | undefined

  constructor(
    text: string,
    clock: Clock,
    ms: number,
    controller: AbortController,
    lane: Lane,
    spare: AbortController[],
  ) {
    this.text = text
    this.clock = clock
    this.at = clock.now() + ms
    this.controller = controller
    this.lane = lane
    this.spare = spare
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  left(): number {
    return this.at - this.clock.now()
  }

  /** Called when the deadline passes or is cancelled; immediately if that has happened. Cheaper than a listener per case. */
  whenOver(callback: () => void): void {
    if (this.controller.signal.aborted) callback()
    else this.callback = callback
  }

  pass(): void {
    this.end(new DeadlineError(this.text))
  }

  end(reason: Error): void {
    if (this.controller.signal.aborted) return
    this.controller.abort(reason)
    this.callback?.()
  }

  clear(): void {
    this.callback = undefined
    this.lane.delete(this)
    // A signal without listeners can serve the next case: creating one costs more than an echo.
    const { signal } = this.controller
    if (!signal.aborted && isUnheard(signal)) this.spare.push(this.controller)
  }
}

/** Deadlines of one length: they pass in the order they were started, so one timer for the oldest is enough. */
class Lane {
  private readonly ms: number
  private readonly clock: Clock
  private readonly open = new Set<Deadline>()
  private timer: NodeJS.Timeout | undefined

  constructor(ms: number, clock: Clock) {
    this.ms = ms
    this.clock = clock
  }

  add(deadline: Deadline): void {
    this.open.add(deadline)
    if (!this.timer) this.arm(this.ms)
  }

  delete(deadline: Deadline): void {
    this.open.delete(deadline)
  }

  endAll(reason: Error): void {
    for (const deadline of this.open) deadline.end(reason)
  }

  close(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  private arm(ms: number): void {
    this.timer = setTimeout(() => this.check(), Math.min(Math.max(1, ms), LONGEST_TIMER_MS))
  }

  private check(): void {
    this.timer = undefined
    const moment = this.clock.now()
    for (const deadline of this.open) {
      if (deadline.at > moment) return this.arm(deadline.at - moment)
      this.open.delete(deadline)
      deadline.pass()
    }
  }
}
