// `limits.per_minute`: at most that many calls begin in any minute.
import { setTimeout as sleep } from 'node:timers/promises'
import { AgentError } from '../../errors.js'
import type { TimeLimit } from '../../model/agent.js'

export const MINUTE = 60_000

export class MinuteShare {
  readonly #perMinute: number
  readonly #now: () => number
  /** When the calls of the last minute began or will begin, oldest first. */
  #starts: number[] = []

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute
    this.#now = now
  }

  /** Undefined: the call may begin now. Throws if it could not begin before its deadline. */
  take(signal: AbortSignal, deadline: TimeLimit | undefined): Promise<void> | undefined {
    const now = this.#now()
    this.#starts = this.#starts.filter((start) => start > now - MINUTE)
    // The call that is `perMinute` places before this one must be a minute old.
    const before = this.#starts[this.#starts.length - this.#perMinute]
    const start = before === undefined ? now : Math.max(now, before + MINUTE)
    const wait = start - now
    if (wait > (deadline?.left() ?? Number.POSITIVE_INFINITY))
      throw usedUp(`limits.per_minute ${this.#perMinute}`, wait)
    this.#starts.push(start)
    if (wait <= 0) return undefined
    return sleep(wait, undefined, { signal }).catch(() => {
      this.#starts.splice(this.#starts.indexOf(start), 1)
      throw signal.reason
    })
  }
}

export function usedUp(limit: string, wait: number): AgentError {
  return new AgentError({
    code: 'rate_limit',
    message: `${limit} is used up for the next ${(wait / 1000).toFixed(1)} s, longer than the case may last`,
    hint: 'raise --timeout or the limit, or lower --parallel',
    retry: false,
  })
}
