// How many calls may be in flight: fewer after a "too many requests", more again after calls without one.
import { Line } from './line.js'

const CUT = 0.8
/** All calls in flight hit the same limit: only the first of them lowers it. */
const CUT_EVERY_MS = 15_000
const GROW = 1.05

export class Slots {
  readonly #ceiling: number
  readonly #now: () => number
  readonly #line = new Line()
  #limit: number
  #taken = 0
  /** Calls that went well since the last failure. */
  #clean = 0
  #lastCut = Number.NEGATIVE_INFINITY

  constructor(ceiling: number, now: () => number) {
    this.#ceiling = ceiling
    this.#limit = ceiling
    this.#now = now
  }

  /** At this moment. */
  get limit(): number {
    return this.#limit
  }

  /** Undefined: a slot was free, and is taken. */
  take(signal: AbortSignal): Promise<void> | undefined {
    if (this.#taken >= this.#limit || this.#line.length > 0) return this.#line.join(signal)
    this.#taken++
    return undefined
  }

  free(): void {
    this.#taken--
    this.#passOn()
  }

  /** Grow after `limit` successes. */
  succeeded(): void {
    if (this.#limit >= this.#ceiling || ++this.#clean < this.#limit) return
    this.#clean = 0
    // Without a ceiling it keeps growing, and soon no longer limits anything.
    this.#limit = Math.min(this.#ceiling, this.#limit * GROW)
    this.#passOn()
  }

  failed(): void {
    this.#clean = 0
  }

  refused(): void {
    this.#clean = 0
    const now = this.#now()
    if (now - this.#lastCut < CUT_EVERY_MS) return
    this.#lastCut = now
    this.#limit = Math.max(1, Math.min(this.#limit, this.#taken) * CUT)
  }

  #passOn(): void {
    while (this.#taken < this.#limit && this.#line.pass()) this.#taken++
  }
}
