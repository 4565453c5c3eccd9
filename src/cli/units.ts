// How many units a run has, and what it will cost and how long it will take, as far as the history knows.
import { join } from 'node:path'
import { formatDuration } from '../base/duration.js'
import { formatCost, formatCount, plural } from '../base/format.js'
import type { RunOptions } from '../config/options.js'
import type { TestCase } from '../model/case.js'
import type { PastCosts } from '../pipeline/record/estimate.js'
import type { Prepared } from '../run/prepare.js'
import { testedWith, type Tested } from '../run/unit/tested.js'

/** Adds up units as cases are listed. */
export class Units {
  readonly #prepared: Prepared
  readonly #past: PastCosts
  readonly #tested: readonly Tested[]
  #cases = 0
  #begun = 0
  /** In one run of each, with every variant it is for. */
  #each = 0
  #known = 0
  #cost = 0
  #priced = 0
  #duration = 0

  constructor(prepared: Prepared, past: PastCosts) {
    const { work } = prepared
    this.#prepared = prepared
    this.#past = past
    this.#tested = work.mode === 'agent' ? work.tested : []
  }

  add(testCase: TestCase): void {
    this.#cases += 1
    if (testCase.skip) return
    this.#begun += 1
    for (const { variant } of testedWith(testCase, this.#tested)) {
      this.#each += 1
      const past = this.#past.of({ id: testCase.id, variant })
      if (!past) continue
      this.#known += 1
      this.#duration += past.duration_ms
      if (past.cost_dollars === undefined) continue
      this.#priced += 1
      this.#cost += past.cost_dollars
    }
  }

  lines(): string[] {
    const { options } = this.#prepared
    const each = this.#each
    const count = countUnits({ cases: this.#begun, variants: this.#tested.length, each }, options)
    const skipped = this.#cases - this.#begun
    return [
      `${count}${skipped > 0 ? `, and ${formatCount(skipped)} skipped` : ''}`,
      this.#estimate(each, options.runs === 'auto' ? 1 : options.runs),
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

/** `each`: units of one run of each case, with every variant it is for. */
export function countUnits(
  { cases, variants, each }: { cases: number; variants: number; each: number },
  { runs, max_runs }: Pick<RunOptions, 'runs' | 'max_runs'>,
): string {
  const parts = [plural(cases, 'case')]
  if (variants > 1) parts.push(plural(variants, 'variant'))
  parts.push(runs === 'auto' ? `1 to ${plural(max_runs, 'run')}` : plural(runs, 'run'))
  const total = runs === 'auto' ? `${formatCount(each)} to ${formatCount(each * max_runs)}` : formatCount(each * runs)
  const left = cases * variants - each
  const why = left > 0 ? ` (${plural(left, 'case')} for one variant only)` : ''
  return `${parts.join(' × ')}: ${total} ${total === '1' ? 'unit' : 'units'}${why}`
}

export async function openUnits(prepared: Prepared): Promise<Units> {
  const { pastCosts } = await import('../pipeline/record/estimate.js')
  const { work, appRoot, redactor } = prepared
  const agents = work.mode === 'agent' ? work.tested.map(({ agent }) => redactor.text(agent.id)) : []
  return new Units(prepared, await pastCosts(join(appRoot, '.viva', 'history'), new Set(agents)))
}
