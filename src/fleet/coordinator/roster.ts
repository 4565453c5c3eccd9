// The workers of a run, as they have reported: who takes its units, who does not and why.
import type { Redis } from 'ioredis'
import { workerKey } from '../redis/keys.js'

export class Roster {
  readonly #serving = new Map<string, number>()
  readonly #refused = new Map<string, string>()
  readonly #stopped = new Map<string, string>()
  #hasWarned = false

  /** Units that can run at the same time. */
  get slots(): number {
    let sum = 0
    for (const slots of this.#serving.values()) sum += slots
    return sum
  }

  get workers(): number {
    return this.#serving.size
  }

  /** Endpoints refused the workers that would have run units. */
  get isStopped(): boolean {
    return this.#stopped.size > 0
  }

  serves(worker: string, slots: number): void {
    this.#serving.set(worker, slots)
    this.#refused.delete(worker)
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
    const why = [...this.#stopped, ...this.#refused].map(([worker, reason]) => `${worker}: ${reason}`)
    return why.length === 0 ? undefined : why
  }

  warnOnce(warn: () => void): void {
    if (!this.#hasWarned) warn()
    this.#hasWarned = true
  }

  /** Workers that vanished without a message are gone. */
  async look(redis: Redis): Promise<void> {
    for (const known of [this.#serving, this.#refused, this.#stopped])
      for (const worker of known.keys()) if ((await redis.exists(workerKey(worker))) === 0) known.delete(worker)
  }
}
