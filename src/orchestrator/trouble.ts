// Loops that get nowhere: failures in a row, the same task blocked again and again, the same event over and over.
import type { TerminationReason } from '../model/termination.js'
import type { BusEvent } from './bus.js'

const BLOCKED = 3
const IDENTICAL = 3
const MALFORMED = 3

export class Trouble {
  readonly #maxFailures: number
  #failures = 0
  #malformed = 0
  #last = ''
  #repeated = 0
  /** By task: how often work on it was blocked. */
  readonly #blocked = new Map<string, number>()
  #found: { reason: TerminationReason; message: string } | undefined

  constructor(maxFailures: number) {
    this.#maxFailures = maxFailures
  }

  call(failed: boolean): void {
    this.#failures = failed ? this.#failures + 1 : 0
    if (this.#failures >= this.#maxFailures)
      this.#report('ConsecutiveFailures', `the backend failed ${this.#failures} times in a row`)
  }

  /** `task`: the events that the hat was working on. */
  published(event: BusEvent, task: BusEvent[]): void {
    this.#malformed = 0
    const { topic, payload, target } = event
    const key = JSON.stringify([topic, payload, target])
    this.#repeated = key === this.#last ? this.#repeated + 1 : 1
    this.#last = key
    if (this.#repeated >= IDENTICAL) this.#report('LoopStale', `"${topic}" was published ${IDENTICAL} times in a row`)
    if (topic.split('.').at(-1) === 'blocked') this.#countBlocked(task)
  }

  malformed(): void {
    this.#malformed++
    if (this.#malformed >= MALFORMED)
      this.#report('ValidationFailure', `${MALFORMED} malformed events in a row, and no good one between them`)
  }

  /** The first that was found. */
  found(): { reason: TerminationReason; message: string } | undefined {
    return this.#found
  }

  #countBlocked(task: BusEvent[]): void {
    const key = JSON.stringify(task.map(({ topic, payload }) => [topic, payload]))
    const count = (this.#blocked.get(key) ?? 0) + 1
    this.#blocked.set(key, count)
    if (count >= BLOCKED) this.#report('LoopThrashing', `the same task was blocked ${BLOCKED} times`)
  }

  #report(reason: TerminationReason, message: string): void {
    this.#found ??= { reason, message }
  }
}
