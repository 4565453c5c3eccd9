// How many units a run has, and what it will cost and how long it will take, as far as the history knows.
import { join } from 'node:path'
import { formatDuration } from '../base/duration.js'
import { formatCost, formatCount, plural } from '../base/format.js'
import type { TestCase } from '../model/case.js'
import type { PastCosts } from '../pipeline/record/estimate.js'
import type { Prepared } from '../run/prepare.js'

/** Adds up units as cases are listed. */
export class Units {
  readonly #prepared: Prepared
  readonly #past: PastCosts
  readonly #variants: Array<string | undefined>
  #cases = 0
  #begun = 0
  #known = 0
  #cost = 0
  #priced = 0
  #duration = 0

  constructor(prepared: Prepared, past: PastCosts) {
    const { work } = prepared
    this.#prepared = prepared
    this.#past = past
    this.#variants = work.mode === 'agent' ? work.tested.map(({ variant }) => variant) : [undefined]
  }

  add({ id, skip }: Pick<TestCase, 'id' | 'skip'>): void {
    this.#cases += 1
    if (skip) return
    this.#begun += 1
    for (const variant of this.#variants) {
      const past = this.#past.of({ id, variant })
      if (!past) continue
      this.#known += 1
      this.#duration += past.duration_ms
      if (past.cost_dollars === undefined) continue
      this.#priced += 1
      this.#cost += past.cost_dollars
    }
  }

  lines(): string[] {
    const { runs, max_runs } = this.#prepared.options
    const each = this.#begun * this.#variants.length
    const parts = [plural(this.#begun, 'case')]
    if (this.#variants.length > 1) parts.push(plural(this.#variants.length, 'variant'))
    parts.push(runs === 'auto' ? `1 to ${plural(max_runs, 'run')}` : plural(runs, 'run'))
    const total = runs === 'auto' ? `${formatCount(each)} to ${formatCount(each * max_runs)}` : formatCount(each * runs)
    const skipped = this.#cases - this.#begun
    return [
      `${parts.join(' × ')}: ${total} ${total === '1' ? 'unit' : 'units'}${skipped > 0 ? `, and ${formatCount(skipped)} skipped` : ''}`,
      this.#estimate(each, runs === 'auto' ? 1 : runs),
    ]
  }

  #estimate(each: number, runs: number): string {
    if (this.#known === 0)
      return 'The cost is not known: no run of these cases is in the history (--history keeps runs, viva estimate tries a few cases)'
    const { options } = this.#prepared
    const time = formatDuration(((this.#duration / this.#known) * each * runs) / options.parallel)
    const cost = this.#priced === 0 ? 'an unknown amount' : formatCost((this.#cost / this.#priced) * each * runs)
    const least = options.runs === 'auto' ? 'at least ' : 'about '
    const basis = `${plural(this.#past.runs, 'earlier run')}, which had ${formatCount(this.#known)} of these ${formatCount(each)}`
    return `Likely to cost ${this.#priced === 0 ? '' : least}${cost}, without judges and simulators, and to take ${least}${time} (from ${basis})`
  }
}

export async function openUnits(prepared: Prepared): Promise<Units> {
  const { pastCosts } = await import('../pipeline/record/estimate.js')
  const { work, appRoot, redactor } = prepared
  const agents = work.mode === 'agent' ? work.tested.map(({ agent }) => redactor.text(agent.id)) : []
  return new Units(prepared, await pastCosts(join(appRoot, '.viva', 'history'), new Set(agents)))
}
