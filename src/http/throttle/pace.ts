// How many tries per second an endpoint takes, learnt from its "too many requests": no limit until the first one.
import { Line } from './line.js'

/** What a rate is measured over: the time the server asks for, within reason. */
const SHORTEST_SPAN_MS = 100
const LONGEST_SPAN_MS = 1000
const SLOWEST_PER_SECOND = 1
/** A single "too many" while we are holding back: a little slower. */
const CUT = 0.95
/** Per second without one: slowly near the pace last refused, else fast, since limits and measurements change. */
const GROW_NEAR = 1.01
const GROW_FAR = 1.1
const NEAR = 0.1
/** If asked to wait this long, the other calls need not try either. */
const LONG_WAIT_MS = 5000

export class Pace {
  readonly #now: () => number
  /** When the requests of the last while were sent and turned away, oldest first. */
  readonly #sent = new RecentTimes()
  readonly #turnedAway = new RecentTimes()
  /** Those that were turned away before go first. */
  readonly #again = new Line()
  readonly #new = new Line()
  #perSecond: number | undefined
  #learning = false
  #span = LONGEST_SPAN_MS
  /** The last pace that was too fast. */
  #refusedAt = 0
  /** When the next request may be sent. */
  #next = 0
  #changed = 0
  #timer: NodeJS.Timeout | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  /** Undefined: nothing is held back. */
  get perSecond(): number | undefined {
    return this.#perSecond
  }

  /** Milliseconds until a request that comes now may be sent, as far as that is known. */
  get wait(): number {
    if (this.#perSecond === undefined) return 0
    const before = this.#again.length + this.#new.length
    return Math.max(0, this.#next - this.#now()) + (this.#learning ? 0 : (before * 1000) / this.#perSecond)
  }

  /** Before every request. Resolves immediately while nothing is held back; rejects when the signal aborts. */
  enter(signal: AbortSignal, again: boolean): Promise<void> | undefined {
    if (this.#perSecond === undefined) {
      this.#sent.add(this.#now())
      return undefined
    }
    const held = (again ? this.#again : this.#new).join(signal)
    this.#arm()
    return held
  }

  /** The endpoint said "too many"; it is asked again after this long. */
  refused(waitMs: number): void {
    const now = this.#now()
    this.#turnedAway.add(now)
    if (this.#learning) {
      this.#next = Math.max(this.#next, now + waitMs)
      return
    }
    if (this.#perSecond === undefined) this.#pause(now, waitMs)
    else if (this.#turnedAway.since(now - this.#span) > this.#accepted(now) || waitMs >= LONG_WAIT_MS)
      this.#pause(now, waitMs)
    else if (now - this.#changed >= this.#span) {
      this.#refusedAt = this.#perSecond
      this.#set(this.#perSecond * CUT, now)
    }
  }

  /** The server answered. */
  answered(): void {
    if (this.#perSecond === undefined || this.#learning) return
    const now = this.#now()
    if (now - this.#changed < this.#span) return
    const isNear = Math.abs(this.#perSecond - this.#refusedAt) < this.#refusedAt * NEAR
    const grow = (isNear ? GROW_NEAR : GROW_FAR) ** Math.min(2, (now - this.#changed) / 1000)
    this.#set(this.#perSecond * grow, now)
  }

  /** Everything waits; how many were accepted is known once the answers to those already sent have come. */
  #pause(now: number, waitMs: number): void {
    this.#learning = true
    this.#set(SLOWEST_PER_SECOND, now)
    this.#next = now + waitMs
    this.#span = Math.min(LONGEST_SPAN_MS, Math.max(SHORTEST_SPAN_MS, waitMs))
    this.#arm()
  }

  #set(perSecond: number, now: number): void {
    this.#perSecond = Math.max(SLOWEST_PER_SECOND, perSecond)
    this.#changed = now
  }

  #accepted(now: number): number {
    return this.#sent.since(now - this.#span) - this.#turnedAway.since(now - this.#span)
  }

  #arm(): void {
    if (this.#timer !== undefined || this.#again.length + this.#new.length === 0) return
    this.#timer = setTimeout(() => this.#release(), Math.max(0, this.#next - this.#now()))
  }

  #release(): void {
    this.#timer = undefined
    const now = this.#now()
    if (this.#learning && now >= this.#next) {
      this.#learning = false
      this.#set((this.#accepted(this.#changed) * 1000) / this.#span, now)
      this.#refusedAt = this.#perSecond ?? 0
    }
    const interval = 1000 / (this.#perSecond ?? SLOWEST_PER_SECOND)
    while (this.#next <= now) {
      if (!this.#again.pass() && !this.#new.pass()) return
      this.#sent.add(now)
      // After a pause nothing is caught up on.
      this.#next = Math.max(this.#next + interval, now - interval)
    }
    this.#arm()
  }
}

/** Times in order; only the latest matter. */
class RecentTimes {
  #times: number[] = []

  add(time: number): void {
    this.#times.push(time)
    if (this.#times.length >= 4096) this.#times = this.#times.slice(2048)
  }

  since(time: number): number {
    let count = 0
    for (let at = this.#times.length - 1; at >= 0 && (this.#times[at] ?? 0) > time; at--) count++
    return count
  }
}
