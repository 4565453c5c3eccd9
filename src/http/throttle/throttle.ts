// How fast an endpoint may be asked: how many calls at once, how many a minute, and what its "too many requests" teaches.
import type { Waiter } from '../../model/agent.js'
import { monotonicNow } from '../../time/clock.js'
import { MinuteShare } from './minute-share.js'
import { MinuteTokens } from './minute-tokens.js'
import { Pace } from './pace.js'
import { Slots } from './slots.js'

export interface Limits {
  concurrency?: number
  per_minute?: number
  tokens_per_minute?: number
}

/** What several processes that call the same endpoint know together. */
export interface SharedPace {
  /** Resolves when fewer than `limit` calls of all are in flight; returns a function that ends this one. */
  hold(limit: number, waiter: Waiter): Promise<() => void>
  /** Before every try. Throws an AgentError if it could not be made before the deadline. */
  enter(waiter: Waiter, limits: Limits): Promise<void>
  used(tokens: number): void
  /** The endpoint wants to be left alone for this long. */
  refused(waitMs: number): void
}

export class Throttle {
  readonly #now: () => number
  readonly #slots: Slots
  readonly #minute: MinuteShare | undefined
  readonly #tokens: MinuteTokens | undefined
  readonly #limits: Limits
  readonly #shared: SharedPace | undefined
  readonly #pace: Pace

  /** `now`: milliseconds; for tests. `shared`: the limits apply to all processes that share it. */
  constructor(limits: Limits = {}, now: () => number = monotonicNow, shared?: SharedPace) {
    this.#now = now
    this.#limits = limits
    this.#shared = shared
    const { per_minute, tokens_per_minute } = shared ? {} : limits
    this.#slots = new Slots(limits.concurrency ?? Number.POSITIVE_INFINITY, now)
    this.#minute = per_minute === undefined ? undefined : new MinuteShare(per_minute, now)
    this.#tokens = tokens_per_minute === undefined ? undefined : new MinuteTokens(tokens_per_minute, now)
    this.#pace = new Pace(now)
  }

  /** Calls allowed in flight, at this moment. */
  get concurrency(): number {
    return this.#slots.limit
  }

  /** Tries allowed per second, at this moment; undefined while nothing is held back. */
  get perSecond(): number | undefined {
    return this.#pace.perSecond
  }

  /** Milliseconds until a try made now would be sent, as far as that is known. */
  get wait(): number {
    return this.#pace.wait
  }

  /** One call with all its tries. */
  async run<T>(waiter: Waiter, work: () => Promise<T>): Promise<T> {
    const held = this.#slots.take(waiter.signal)
    if (held) await this.#timed(held, waiter)
    let release: (() => void) | undefined
    try {
      const { concurrency } = this.#limits
      if (this.#shared && concurrency !== undefined) release = await this.#hold(this.#shared, concurrency, waiter)
      const waiting = this.#minute?.take(waiter.signal, waiter.deadline)
      if (waiting) await this.#timed(waiting, waiter)
      const resting = this.#tokens?.take(waiter.signal, waiter.deadline)
      if (resting) await this.#timed(resting, waiter)
      const result = await work()
      this.#slots.succeeded()
      return result
    } finally {
      release?.()
      this.#slots.free()
    }
  }

  /** Before every try. Undefined, and at no cost, while nothing is held back. `again`: it was turned away before. */
  enter(waiter: Waiter, again: boolean): Promise<void> | undefined {
    const own = this.#pace.enter(waiter.signal, again)
    const held = this.#shared ? this.#both(own, this.#shared, waiter) : own
    return held && this.#timed(held, waiter)
  }

  answered(): void {
    this.#pace.answered()
  }

  /** Reported by a call that has ended. */
  used(tokens: number): void {
    this.#tokens?.used(tokens)
    this.#shared?.used(tokens)
  }

  /** A try failed for a reason other than "too many". */
  failed(): void {
    this.#slots.failed()
  }

  /** The endpoint said "too many"; it is asked again after this long. `told`: the wait it named itself. */
  refused(waitMs: number, told?: number): void {
    this.#slots.refused()
    this.#pace.refused(waitMs)
    if (told !== undefined && told > 0) this.#shared?.refused(told)
  }

  async #hold(shared: SharedPace, concurrency: number, waiter: Waiter): Promise<() => void> {
    const holding = shared.hold(concurrency, waiter)
    await this.#timed(
      holding.then(() => {}),
      waiter,
    )
    return holding
  }

  async #both(own: Promise<void> | undefined, shared: SharedPace, waiter: Waiter): Promise<void> {
    if (own) await own
    await shared.enter(waiter, this.#limits)
  }

  async #timed(waiting: Promise<void>, { onWait }: Waiter): Promise<void> {
    const started = this.#now()
    await waiting
    onWait?.(this.#now() - started)
  }
}
