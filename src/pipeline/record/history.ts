// Questions to the history: how a case went over time, which are unstable, slow or expensive.
import { isNotShown, type CaseStatus } from '../../model/status.js'
import { caseKey, type CaseKey } from '../../model/run-key.js'
import { defined } from '../../base/defined.js'
import { quantileOfSorted } from '../../base/quantile.js'
import { listRuns, readRunCases, type HistoryCase, type HistoryRun } from './run-store.js'

export interface HistoryQuery {
  /** Only runs of this agent. */
  agent_id?: string
  /** How many of the newest runs to look at (NEWEST_RUNS). */
  runs?: number
  /** How many rows to return (20). */
  limit?: number
}

export interface TrendPoint extends Omit<HistoryCase, 'id'> {
  run_id: string
  timestamp: string
  input: string
  /** What `input` is relative to. */
  cwd?: string
  config: string
}

export interface UnstableCase {
  id: string
  variant?: string
  runs: number
  passed: number
  failed: number
  /** Verdicts that differ from the preceding run with the same configuration. */
  flips: number
  /** Runs in which it passed only after a retry, or in only some of its repetitions. */
  flaky: number
  pass_rate: number
  last_status: CaseStatus
}

export interface CaseCost {
  id: string
  variant?: string
  runs: number
  /** Median milliseconds, or mean dollars. */
  value: number
  highest: number
}

/** How many of the newest runs are looked at, unless said otherwise. */
export const NEWEST_RUNS = 50

/** A case over time, oldest first. */
export async function caseTrend(dir: string, id: string, query: HistoryQuery = {}): Promise<TrendPoint[]> {
  const points: TrendPoint[] = []
  await eachRun(dir, query, (run, cases) => {
    const { run_id, timestamp, input, cwd, config } = run
    for (const { id: caseId, ...rest } of cases) {
      if (caseId === id) points.push({ run_id, timestamp, input, ...defined({ cwd }), config, ...rest })
    }
  })
  return points
}

/**
 * Cases with different verdicts although nothing changed. A change of agent, connector, input or options starts a new
 * series: a verdict that changed with it says nothing about stability.
 */
export async function flakyOverTime(dir: string, query: HistoryQuery = {}): Promise<UnstableCase[]> {
  const seen = new Map<CaseKey, Seen>()
  await eachRun(dir, query, (run, cases) => {
    for (const item of cases) {
      if (item.status === 'skipped' && !isNotShown(item)) continue
      const key = caseKey(item)
      const known = seen.get(key) ?? newSeen(item)
      const before = known.byConfig.get(run.config)
      if (before !== undefined && before !== item.status) known.flips++
      known.runs++
      if (item.status === 'passed') known.passed++
      else known.failed++
      if (item.flaky) known.flaky++
      known.last_status = item.status
      known.byConfig.set(run.config, item.status)
      seen.set(key, known)
    }
  })
  const unstable = [...seen.values()].filter((item) => item.flips > 0 || item.flaky > 0)
  const rows = unstable.map(({ byConfig: _series, ...item }) => ({
    ...item,
    pass_rate: (item.passed / item.runs) * 100,
  }))
  return rows.toSorted((a, b) => b.flips + b.flaky - (a.flips + a.flaky)).slice(0, query.limit ?? 20)
}

export async function slowest(dir: string, query: HistoryQuery = {}): Promise<CaseCost[]> {
  return rank(dir, query, (item) => item.duration_ms, median)
}

export async function mostExpensive(dir: string, query: HistoryQuery = {}): Promise<CaseCost[]> {
  return rank(dir, query, (item) => item.cost_dollars, mean)
}

async function rank(
  dir: string,
  query: HistoryQuery,
  read: (item: HistoryCase) => number | undefined,
  summarise: (values: number[]) => number,
): Promise<CaseCost[]> {
  const values = new Map<CaseKey, { item: HistoryCase; list: number[] }>()
  await eachRun(dir, query, (_run, cases) => {
    for (const item of cases) {
      const value = item.status === 'skipped' ? undefined : read(item)
      if (value === undefined) continue
      const key = caseKey(item)
      const known = values.get(key)
      if (known) known.list.push(value)
      else values.set(key, { item, list: [value] })
    }
  })
  const rows = [...values.values()].map(({ item: { id, variant }, list }) => ({
    id,
    ...defined({ variant }),
    runs: list.length,
    value: summarise(list),
    highest: list.reduce((a, b) => Math.max(a, b), 0),
  }))
  return rows.toSorted((a, b) => b.value - a.value).slice(0, query.limit ?? 20)
}

async function eachRun(
  dir: string,
  query: HistoryQuery,
  visit: (run: HistoryRun, cases: HistoryCase[]) => void,
): Promise<void> {
  const runs = (await listRuns(dir)).filter((run) => query.agent_id === undefined || run.agent_id === query.agent_id)
  for (const run of runs.slice(-(query.runs ?? NEWEST_RUNS))) visit(run, await readRunCases(dir, run.run_id))
}

interface Seen extends UnstableCase {
  /** The last status of each series: runs of several configurations may alternate. */
  byConfig: Map<string, CaseStatus>
}

function newSeen(item: HistoryCase): Seen {
  return defined({
    id: item.id,
    variant: item.variant,
    runs: 0,
    passed: 0,
    failed: 0,
    flips: 0,
    flaky: 0,
    pass_rate: 0,
    last_status: item.status,
    byConfig: new Map<string, CaseStatus>(),
  })
}

function median(values: number[]): number {
  return quantileOfSorted(
    values.toSorted((a, b) => a - b),
    0.5,
  )
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
