// The workers of a run, as they have reported: who takes its units, who does not and why.
import type { Redis } from 'ioredis'
import { workerKey } from '../redis/keys.js'

export class Roster {
  readonly #serving = new Map<string, number>()
  readonly #refused = new Map<string, string>()
  readonly #stopped = new Map<string, string>()
  /** Not seen when last looked for. One that was paused says nothing when it goes on, and still takes units. */
  readonly #unseen = new Set<string>()
  #hasWarned = false

  /** Units that can run at the same time. */
  get slots(): number {
    return this.#seen(this.#serving).reduce((sum, [, slots]) => sum + slots, 0)
  }

  get workers(): number {
    return this.#seen(this.#serving).length
  }

  /** Endpoints refused the workers that would have run units. */
  get isStopped(): boolean {
    return this.#seen(this.#stopped).length > 0
  }

  serves(worker: string, slots: number): void {
    this.#serving.set(worker, slots)
    this.#refused.delete(worker)
    this.#unseen.delete(worker)
  }

  leaves(worker: string): void {
    this.#serving.delete(worker)
  }

  /** True if this is new. */
  refuses(worker: string, reason: string): boolean {
    const isNew = this.#refused.get(worker) !== reason
    this.#serving.delete(worker)
    this.#refused.set(worker, reason)
    return isNew
  }

  stopped(worker: string, reason: string): void {
    this.#serving.delete(worker)
    this.#stopped.set(worker, reason)
  }

  /** Why no worker serves, if all have said so; undefined if none has come yet. */
  whyNone(): string[] | undefined {
    const saying = [...this.#seen(this.#stopped), ...this.#seen(this.#refused)]
    const why = saying.map(([worker, reason]) => `${worker}: ${reason}`)
    return why.length === 0 ? undefined : why
  }

  warnOnce(warn: () => void): void {
    if (!this.#hasWarned) warn()
    this.#hasWarned = true
  }

  /** Workers that vanished without a message do not count, until they are back. */
  async look(redis: Redis): Promise<void> {
    for (const worker of [this.#serving, this.#refused, this.#stopped].flatMap((known) => [...known.keys()]))
      if ((await redis.exists(workerKey(worker))) === 0) this.#unseen.add(worker)
      else this.#unseen.delete(worker)
  }

  #seen<T>(known: Map<string, T>): Array<[string, T]> {
    return [...known].filter(([worker]) => !this.#unseen.has(worker))
  }
}
