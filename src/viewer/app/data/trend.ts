// The runs of the same agent on the same cases, over time.
import { computed } from '@preact/signals'
import type { PastRun } from '../../../model/run-entry.js'
import { rateOf } from './run-groups.js'
import { offered } from './runs.js'
import { start, viewed } from './store.js'

export interface TrendRun {
  run: PastRun
  /** 0–100. */
  rate: number
  /** If it can be opened. */
  id: string | undefined
  isShown: boolean
}

const MOST = 30

/** Oldest first; whole runs that have ended, and the one on the page. Empty if there is nothing to see. */
export const trend = computed((): TrendRun[] => {
  const shown = start.value
  if (!shown || viewed.value === undefined) return []
  const input = shown.script ?? shown.input
  const all: Array<PastRun & { id?: string }> = [...(offered.value?.past ?? []), ...(offered.value?.runs ?? [])]
  const found = all
    .filter((run) => run.agent_id === shown.agent_id && run.input === input)
    .flatMap((run): TrendRun[] => {
      const rate = rateOf(run)
      const isShown = run.run_id === shown.run_id
      return rate === undefined || (run.part && !isShown) ? [] : [{ run, rate, id: run.id, isShown }]
    })
    .toSorted((a, b) => (a.run.timestamp < b.run.timestamp ? -1 : 1))
    .slice(-MOST)
  return found.length > 1 ? found : []
})
