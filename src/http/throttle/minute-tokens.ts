// `limits.tokens_per_minute`: no call begins while the calls of the last minute have used that many tokens.
import { setTimeout as sleep } from 'node:timers/promises'
import type { TimeLimit } from '../../model/agent.js'
import { MINUTE, usedUp } from './minute-share.js'

export class MinuteTokens {
  readonly #perMinute: number
  readonly #now: () => number
  /** When how many were used, oldest first. */
  #used: Array<{ at: number; tokens: number }> = []

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute
    this.#now = now
  }

  used(tokens: number): void {
    if (tokens > 0) this.#used.push({ at: this.#now(), tokens })
  }

  /** Undefined: the call may begin now. Throws if it could not begin before its deadline. */
  take(signal: AbortSignal, deadline: TimeLimit | undefined): Promise<void> | undefined {
    const wait = this.#wait()
    if (wait <= 0) return undefined
    if (wait > (deadline?.left() ?? Number.POSITIVE_INFINITY))
      throw usedUp(`limits.tokens_per_minute ${this.#perMinute}`, wait)
    return sleep(wait, undefined, { signal }).then(
      () => this.take(signal, deadline),
      () => {
        throw signal.reason
      },
    )
  }

  #wait(): number {
    const now = this.#now()
    this.#used = this.#used.filter(({ at }) => at > now - MINUTE)
    let sum = this.#used.reduce((total, { tokens }) => total + tokens, 0)
    let wait = 0
    for (const { at, tokens } of this.#used) {
      if (sum < this.#perMinute) break
      sum -= tokens
      wait = at + MINUTE - now
    }
    return wait
  }
}
