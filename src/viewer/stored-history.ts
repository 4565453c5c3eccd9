// How one case fared in the runs that `--history` kept.
import { fileNameOf } from './event-files.js'
import { newestFirst } from '../pipeline/record/newest-first.js'
import type { HistoryPoint } from '../model/run-entry.js'
import type { CaseName } from '../model/run-key.js'
import { caseTrend } from '../pipeline/record/history.js'
import { defined } from '../base/defined.js'

export interface PointOfInput extends HistoryPoint {
  /** The case file as the run named it: two files may have cases with the same id. */
  input: string
}

export async function storedHistory(dir: string, name: CaseName): Promise<PointOfInput[]> {
  const trend = (await caseTrend(dir, name.id)).filter(({ variant }) => variant === name.variant)
  return trend.map(({ run_id, timestamp, status, duration_ms, pass_rate, cost_dollars, input }) =>
    defined({
      run_id,
      timestamp,
      status,
      duration_ms,
      pass_rate: pass_rate ?? (status === 'passed' ? 100 : 0),
      cost_dollars,
      input,
    }),
  )
}

/** Of the same case file only, oldest first; a run known from two places counts once. */
export function mergeHistory(points: PointOfInput[], input: string | undefined): HistoryPoint[] {
  const byRun = new Map<string, PointOfInput>()
  for (const point of points) {
    // The same file is named from different folders.
    if (input === undefined || fileNameOf(point.input) === fileNameOf(input)) byRun.set(point.run_id, point)
  }
  return [...byRun.values()].toSorted((a, b) => newestFirst(b, a)).map(({ input: _input, ...point }) => point)
}
