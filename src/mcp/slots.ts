// How many calls may run something at the same time. The others wait their turn; a flood is refused.
import { UserError } from '../errors.js'

const AT_ONCE = 8
const MOST_WAITING = 100

export class Slots {
  #taken = 0
  readonly #waiting: Array<() => void> = []

  /** Returns a function that frees the place. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#taken < AT_ONCE) this.#taken += 1
    else await this.#wait(signal)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#free()
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) throw tooMany()
    return new Promise((resolve, reject) => {
      const onTurn = (): void => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(onTurn), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.push(onTurn)
    })
  }

  /** The place goes to the next in line. */
  #free(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken -= 1
  }
}

function tooMany(): UserError {
  return new UserError({
    code: 'TOO_MANY_CALLS',
    message: `${AT_ONCE} calls are running and ${MOST_WAITING} are waiting`,
    hint: 'wait until some of them have answered, then call again',
  })
}
