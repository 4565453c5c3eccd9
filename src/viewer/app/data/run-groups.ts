// The runs of a folder, by what they test: runs of the same agent on the same cases can be compared and have a trend.
import type { PastRun, RunEntry } from '../../../model/run-entry.js'

export interface RunGroup {
  key: string
  agent: string
  input: string
  /** Newest first. */
  runs: RunEntry[]
}

/** Groups in the order of their newest run; the runs come newest first. */
export function groupRuns(runs: readonly RunEntry[]): RunGroup[] {
  const groups = new Map<string, RunGroup>()
  for (const run of runs) {
    const key = JSON.stringify([run.agent_id, run.input])
    const group = groups.get(key)
    if (group) group.runs.push(run)
    else groups.set(key, { key, agent: run.agent_id, input: run.input, runs: [run] })
  }
  return [...groups.values()]
}

/** 0–100 of the cases that were not skipped; undefined while the run is going on, or if nothing was judged. */
export function rateOf({
  passed = 0,
  failed = 0,
  not_shown = 0,
  undetermined = 0,
  total,
}: PastRun): number | undefined {
  const judged = passed + failed + undetermined + not_shown
  return total === undefined || judged === 0 ? undefined : (passed / judged) * 100
}
