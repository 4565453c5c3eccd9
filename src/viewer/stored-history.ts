// How one case fared in the runs that `--history` kept.
import { isAbsolute, resolve } from 'node:path'
import { fileNameOf } from '../pipeline/record/event-files.js'
import { newestFirst } from '../pipeline/record/newest-first.js'
import type { HistoryPoint, PastRun, RunEntry } from '../model/run-entry.js'
import type { CaseName } from '../model/run-key.js'
import { caseTrend } from '../pipeline/record/history.js'
import { listRuns, type HistoryRun } from '../pipeline/record/run-store.js'
import { defined } from '../base/defined.js'

export interface PointOfInput extends HistoryPoint {
  /** The case file: two files may have cases with the same id. Absolute if the run says where it was started. */
  input: string
}

/** The same file is named from different folders. */
export function caseFileOf(input: string, cwd: unknown): string {
  return typeof cwd === 'string' ? resolve(cwd, input) : input
}

export async function storedHistory(dir: string, name: CaseName): Promise<PointOfInput[]> {
  const trend = (await caseTrend(dir, name.id)).filter(({ variant }) => variant === name.variant)
  return trend.map(({ run_id, timestamp, status, duration_ms, pass_rate, cost_dollars, input, cwd }) =>
    defined({
      run_id,
      timestamp,
      status,
      duration_ms,
      pass_rate: pass_rate ?? (status === 'passed' ? 100 : 0),
      cost_dollars,
      input: caseFileOf(input, cwd),
    }),
  )
}

const MOST_PAST = 200

/** The newest runs that are not among those listed, oldest first. */
export async function pastRuns(dir: string, listed: readonly RunEntry[]): Promise<PastRun[]> {
  const known = new Set(listed.map(({ run_id }) => run_id))
  const runs = (await listRuns(dir)).filter(({ run_id }) => !known.has(run_id))
  return runs.slice(-MOST_PAST).map(pastRun)
}

function pastRun({ run_id, timestamp, agent_id, mode, input, part, ...summary }: HistoryRun): PastRun {
  const { total, passed, failed, skipped, undetermined, duration_ms, cost_dollars, exit_code } = summary
  const told = { run_id, timestamp, agent_id, mode, input, total, passed, failed, skipped, duration_ms, exit_code }
  return defined({ ...told, part: part ? (true as const) : undefined, undetermined, cost_dollars })
}

/** Of the case file of one run only, oldest first; a run known from two places counts once. */
export function mergeHistory(points: PointOfInput[], runId: string | undefined): HistoryPoint[] {
  const own = points.find(({ run_id }) => run_id === runId)?.input
  const byRun = new Map<string, PointOfInput>()
  for (const point of points) if (own === undefined || isSameFile(point.input, own)) byRun.set(point.run_id, point)
  return [...byRun.values()].toSorted((a, b) => newestFirst(b, a)).map(({ input: _input, ...point }) => point)
}

/** By name alone where nothing more is known. */
function isSameFile(one: string, other: string): boolean {
  if (isAbsolute(one) && isAbsolute(other)) return one === other
  return fileNameOf(one) === fileNameOf(other)
}
