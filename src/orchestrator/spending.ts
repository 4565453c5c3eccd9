// What a run has cost so far.
import type { Usage } from '../model/message.js'
import { addUsage } from '../model/usage.js'
import type { BackendAnswer } from './backends/backend.js'

export class Spending {
  #usage: Usage | undefined
  #spent = 0
  #isKnown = true

  add({ usage, cost_dollars }: BackendAnswer): void {
    if (usage) this.#usage = addUsage(this.#usage, usage)
    if (cost_dollars === undefined) this.#isKnown = false
    else this.#spent += cost_dollars
  }

  get usage(): Usage | undefined {
    return this.#usage
  }

  get tokens(): number {
    return this.#usage?.total_tokens ?? 0
  }

  /** At least this much. */
  get spent(): number {
    return this.#spent
  }

  /** Undefined: one price is unknown, which is not 0. */
  get cost(): number | undefined {
    return this.#isKnown ? this.#spent : undefined
  }
}
