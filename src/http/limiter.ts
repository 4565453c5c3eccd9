// How many calls a connector makes at once and per minute, and how it backs off when the provider says "too many".
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError } from '../errors.js'
import { offAbort, onAbort as listen } from '../time/abort.js'
import type { TimeLimit } from '../model/agent.js'
import { monotonicNow } from '../time/clock.js'

export interface LimiterOptions {
  concurrency?: number
  per_minute?: number
  /** Milliseconds; for tests. */
  now?: () => number
}

export interface Turn {
  signal: AbortSignal
  /** When the signal aborts. */
  deadline?: TimeLimit
}

const MINUTE = 60_000
const CUT = 0.8
/** All calls in flight hear of one limit: only the first of them cuts. */
const CUT_EVERY_MS = 15_000
const GROW = 1.05

export class Limiter {
  readonly #ceiling: number
  readonly #perMinute: number | undefined
  readonly #now: () => number
  readonly #waiting: Array<() => void> = []
  /** When the calls of the last minute began, oldest first. */
  #starts: number[] = []
  #limit: number
  #open = 0
  #clean = 0
  #lastCut = Number.NEGATIVE_INFINITY

  constructor(options: LimiterOptions = {}) {
    this.#ceiling = options.concurrency ?? Number.POSITIVE_INFINITY
    this.#limit = this.#ceiling
    this.#perMinute = options.per_minute
    this.#now = options.now ?? monotonicNow
  }

  /** Calls allowed at once, at this moment. */
  get limit(): number {
    return this.#limit
  }

  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    await this.#takeSlot(turn.signal)
    try {
      await this.#takeMinuteShare(turn)
      const result = await work()
      this.#noteClean()
      return result
    } finally {
      this.#open--
      this.#wakeNext()
    }
  }

  /** Called for every failed try, those that are tried again too. */
  noteError(error: AgentError): void {
    this.#clean = 0
    const now = this.#now()
    if (error.code !== 'rate_limit' || now - this.#lastCut < CUT_EVERY_MS) return
    this.#lastCut = now
    this.#limit = Math.max(1, Math.min(this.#limit, this.#open) * CUT)
  }

  /** A round without an error is as many good calls as may run at once. */
  #noteClean(): void {
    if (this.#limit >= this.#ceiling || ++this.#clean < this.#limit) return
    this.#clean = 0
    // Without a ceiling of its own it grows on, and soon no longer limits anything.
    this.#limit = Math.min(this.#ceiling, this.#limit * GROW)
    this.#wakeNext()
  }

  async #takeSlot(signal: AbortSignal): Promise<void> {
    if (this.#open < this.#limit && this.#waiting.length === 0) {
      this.#open++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const onAbort = (): void => {
        const at = this.#waiting.indexOf(wake)
        if (at !== -1) this.#waiting.splice(at, 1)
        reject(signal.reason)
      }
      const wake = (): void => {
        offAbort(signal, onAbort)
        this.#open++
        resolve()
      }
      if (signal.aborted) return reject(signal.reason)
      listen(signal, onAbort)
      this.#waiting.push(wake)
    })
  }

  #wakeNext(): void {
    while (this.#open < this.#limit) {
      const wake = this.#waiting.shift()
      if (!wake) return
      wake()
    }
  }

  async #takeMinuteShare({ signal, deadline }: Turn): Promise<void> {
    if (this.#perMinute === undefined) return
    const now = this.#now()
    this.#starts = this.#starts.filter((start) => start > now - MINUTE)
    // The call that is `perMinute` places before this one must be a minute old.
    const before = this.#starts[this.#starts.length - this.#perMinute]
    const start = before === undefined ? now : Math.max(now, before + MINUTE)
    if (start - now > (deadline?.left() ?? Number.POSITIVE_INFINITY))
      throw tooManyPerMinute(this.#perMinute, start - now)
    this.#starts.push(start)
    if (start <= now) return
    await sleep(start - now, undefined, { signal }).catch(() => {
      throw signal.reason
    })
  }
}

function tooManyPerMinute(perMinute: number, wait: number): AgentError {
  return new AgentError({
    code: 'rate_limit',
    message: `limits.per_minute ${perMinute} is used up for the next ${(wait / 1000).toFixed(1)} s, longer than the case may last`,
    hint: 'raise --timeout or limits.per_minute, or lower --parallel',
    retry: false,
  })
}
