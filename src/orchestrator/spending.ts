// What a run has cost so far.
import type { Usage } from '../model/message.js'
import { addUsage } from '../model/usage.js'
import type { BackendAnswer } from './backends/backend.js'

export class Spending {
  #usage: Usage | undefined
  #spent = 0
  #isKnown = true
  #isCounted = true

  add({ usage, cost_dollars }: BackendAnswer): void {
    if (usage) this.#usage = addUsage(this.#usage, usage)
    else this.#isCounted = false
    if (cost_dollars === undefined) this.#isKnown = false
    else this.#spent += cost_dollars
  }

  /** Undefined: one call did not report its tokens. */
  get usage(): Usage | undefined {
    return this.#isCounted ? this.#usage : undefined
  }

  /** At least this many. */
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
