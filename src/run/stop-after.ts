// `--stop-after N`: how many cases have failed, and which were not run because of it.
import { IdTable } from '../base/id-table.js'
import type { ResultEvent, StabilityEvent } from '../model/event.js'
import type { Planned } from '../model/plan.js'
import { caseKey } from '../model/run-key.js'
import type { Limit } from './brake.js'

export interface StopAfter extends Limit {
  /** The first cases that have no verdict, in the order in which they would have run. */
  notRun(planned: AsyncIterable<Planned[]>): Promise<string[]>
}

const LISTED = 100

export interface StopAfterInit {
  stop_after: number
  runs: number | 'auto'
  /** Undefined if there is only one. */
  variants: readonly string[] | undefined
}

export function createStopAfter({ stop_after, runs, variants = [] }: StopAfterInit): StopAfter {
  let failed = 0
  const settled = new IdTable()
  /** With `--runs` a case has failed if its runs together have. */
  const counts = ({ type }: { type: string }): boolean => type === (runs === 1 ? 'result' : 'stability')
  const settle = (event: ResultEvent | StabilityEvent): void => {
    settled.add(caseKey(event), 1)
    if (event.status === 'failed' || event.status === 'undetermined') failed += 1
  }
  const hasAll = (id: string): boolean =>
    variants.length === 0
      ? settled.has(caseKey({ id }))
      : variants.every((variant) => settled.has(caseKey({ id, variant })))
  return {
    add: (event) => {
      if (event.type !== 'start' && counts(event)) settle(event)
    },
    isReached: () => failed >= stop_after,
    why: (isRefused) => (isRefused ? `--stop-after ${stop_after} reached` : undefined),
    failuresLeft: () => Math.max(0, stop_after - failed),
    goOn: () => {
      failed = 0
    },
    notRun: async (planned) => {
      const ids: string[] = []
      for await (const batch of planned) {
        for (const { unit } of batch) {
          const all = unit.kind === 'case' ? [unit.testCase.id] : unit.tests.map((test) => test.id)
          ids.push(...all.filter((id) => !hasAll(id)))
        }
        if (ids.length >= LISTED) break
      }
      return ids.slice(0, LISTED)
    },
  }
}
