// How many descriptors the pipes of our children may take: a full table would break everything else that opens a file.
import { setMaxListeners } from 'node:events'
import type { OpenFiles } from './platform/platform.js'

/** Share of the free descriptors. The rest is for files, sockets and modules, and for the other ends while a child is started. */
const SHARE = 0.5

export class Room {
  readonly #limit: number
  readonly #onFull: () => void
  #taken = 0
  readonly #waiting: Array<{ count: number; enter: () => void }> = []

  /** `onFull` is called once, the first time something has to wait. */
  constructor(files: OpenFiles | undefined, onFull: () => void) {
    this.#limit = files === undefined ? Infinity : Math.floor((files.limit - files.open) * SHARE)
    let told = false
    this.#onFull = () => {
      if (!told) onFull()
      told = true
    }
  }

  /** How many processes with that many descriptors each there is room for; at least one. */
  capacity(count: number): number {
    return Math.max(1, Math.floor(this.#limit / count))
  }

  /** Waits its turn. Resolves with a function that returns the descriptors, or with undefined if the signal aborts first. */
  async take(count: number, signal?: AbortSignal): Promise<(() => void) | undefined> {
    if (this.#waiting.length > 0 || !this.#fits(count)) {
      this.#onFull()
      if (!(await this.#wait(count, signal))) return undefined
    } else {
      this.#taken += count
    }
    let given = false
    return () => {
      if (given) return
      given = true
      this.#taken -= count
      this.#admit()
    }
  }

  /** One process always fits, however small the table is. */
  #fits(count: number): boolean {
    return this.#taken === 0 || this.#taken + count <= this.#limit
  }

  #wait(count: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1)
        resolve(false)
        this.#admit()
      }
      const waiter = {
        count,
        enter: () => {
          signal?.removeEventListener('abort', giveUp)
          resolve(true)
        },
      }
      if (signal?.aborted) return resolve(false)
      this.#waiting.push(waiter)
      // As many wait for one signal as there are concurrent cases.
      if (signal) setMaxListeners(0, signal)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.count); next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#taken += next.count
      next.enter()
    }
  }
}
