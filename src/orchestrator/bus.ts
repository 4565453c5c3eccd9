// The bus: who gets an event, and whose turn it is.
import type { Hat } from './hats.js'
import { GLOBAL, matchesTopic } from '../base/topics.js'

export interface BusEvent {
  topic: string
  payload: string
  /** Null: the orchestrator itself. */
  source: string | null
  target: string | null
}

export type Observer = (event: BusEvent, recipients: string[]) => void

export class Bus {
  readonly #hats: readonly Hat[]
  readonly #observers: Observer[]
  /** Unprocessed events, by hat; hats in the order their first one arrived. */
  readonly #pending = new Map<string, BusEvent[]>()

  constructor(hats: readonly Hat[], observers: Observer[]) {
    // By id: who gets an event first does not depend on how a file is sorted.
    this.#hats = hats.toSorted((a, b) => (a.id < b.id ? -1 : 1))
    this.#observers = observers
  }

  /** Notifies the observers first, then delivers. */
  publish(event: BusEvent, deliver = true): void {
    const recipients = deliver ? this.recipientsOf(event) : []
    for (const observe of this.#observers) observe(event, recipients)
    for (const hat of recipients) this.#queue(hat).push(event)
  }

  /** Only the explicit target, if any; else hats with a specific match; else those that take everything. */
  recipientsOf({ topic, target }: BusEvent): string[] {
    if (target !== null) return this.#hats.some(({ id }) => id === target) ? [target] : []
    const specific = this.#hats.filter(({ triggers }) => triggers.some((pattern) => isSpecific(pattern, topic)))
    const chosen = specific.length > 0 ? specific : this.#hats.filter(({ triggers }) => triggers.includes(GLOBAL))
    return chosen.map(({ id }) => id)
  }

  /** The hat whose event came first, with everything pending for it; undefined: nothing is pending. */
  take(): { hat: string; events: BusEvent[] } | undefined {
    const next = this.#pending.entries().next()
    if (next.done === true) return undefined
    const [hat, events] = next.value
    this.#pending.delete(hat)
    return { hat, events }
  }

  /** Nothing came of it: it gets another turn. */
  putBack(hat: string, events: BusEvent[]): void {
    this.#pending.set(hat, [...events, ...(this.#pending.get(hat) ?? [])])
  }

  #queue(hat: string): BusEvent[] {
    let queue = this.#pending.get(hat)
    if (!queue) this.#pending.set(hat, (queue = []))
    return queue
  }
}

function isSpecific(pattern: string, topic: string): boolean {
  return pattern !== GLOBAL && matchesTopic(pattern, topic)
}
