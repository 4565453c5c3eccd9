// Calls waiting for their turn, first come, first served. An aborted call leaves the line.
import { offAbort, onAbort as listen } from '../../time/abort.js'

export class Line {
  readonly #waiting: Array<() => void> = []

  get length(): number {
    return this.#waiting.length
  }

  /** Resolves when its turn has come; rejects with the signal's reason. */
  join(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(pass), 1)
        reject(signal.reason)
      }
      const pass = (): void => {
        offAbort(signal, onAbort)
        resolve()
      }
      listen(signal, onAbort)
      this.#waiting.push(pass)
    })
  }

  /** Lets the first one pass; false if none is waiting. */
  pass(): boolean {
    const first = this.#waiting.shift()
    first?.()
    return first !== undefined
  }
}
