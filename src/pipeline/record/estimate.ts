// What units will cost and how long they will take, from what the same cases cost and took in earlier runs.
import { caseKey, type CaseKey, type CaseName } from '../../model/run-key.js'
import { listRuns, readRunCases, type HistoryCase } from './run-store.js'

export interface PastCosts {
  /** Runs that were considered. */
  runs: number
  of(name: CaseName): UnitCost | undefined
}

/** Means of one run of a case. */
export interface UnitCost {
  /** Absent: none of them had a known cost. */
  cost_dollars?: number
  duration_ms: number
}

const MOST_RUNS = 50

/** `agents`: runs of other agents say nothing. */
export async function pastCosts(dir: string, agents: ReadonlySet<string>): Promise<PastCosts> {
  const runs = (await listRuns(dir)).filter(({ agent_id }) => agents.has(agent_id)).slice(-MOST_RUNS)
  const sums = new Map<CaseKey, Sums>()
  for (const { run_id } of runs) for (const item of await readRunCases(dir, run_id)) add(sums, item)
  return {
    runs: runs.length,
    of: (name) => {
      const found = sums.get(caseKey(name))
      if (!found) return undefined
      const { count, duration, priced, cost } = found
      return { duration_ms: duration / count, ...(priced > 0 && { cost_dollars: cost / priced }) }
    },
  }
}

interface Sums {
  count: number
  duration: number
  priced: number
  cost: number
}

function add(sums: Map<CaseKey, Sums>, item: HistoryCase): void {
  if (item.status === 'skipped') return
  const key = caseKey(item)
  const known = sums.get(key) ?? { count: 0, duration: 0, priced: 0, cost: 0 }
  known.count += 1
  known.duration += item.duration_ms
  if (item.cost_dollars !== undefined) {
    known.priced += 1
    known.cost += item.cost_dollars
  }
  sums.set(key, known)
}
