// What `viva compare` finds between two runs.
import type { ErrorKind, Status } from '../../../model/outcome.js'

export interface Comparison {
  format: 1
  before: RunSide
  after: RunSide
  /** Cases in both runs, and in one alone. */
  cases: { both: number; only_before: IdList; only_after: IdList }
  /** Reasons to read the rest with care: another input, another agent, a run cut short. */
  notes: string[]
  newly_failing: CaseList
  newly_passing: CaseList
  /** With `--runs`: cases whose pass rate changed by more than chance, Holm-corrected over all cases. */
  regressed: RateChange[]
  improved: RateChange[]
  changed_output: { count: number; diffs: OutputDiff[] }
  pass_rate: SuiteTest
  /** Cases that ended without a verdict: lost to infrastructure, simulator or judge. */
  lost: SuiteTest
  duration: Shift
  /** Absent where no case has a price in both runs. */
  cost?: Shift
  regression: boolean
  reasons: string[]
}

export interface RunSide {
  run_id: string
  timestamp: string
  agent_id: string
  connector?: string
  runs_per_case: number | 'auto'
  total: number
  passed: number
  failed: number
  skipped: number
  pass_rate: number
  duration_ms: number
  cost_dollars?: number
}

export interface IdList {
  count: number
  ids: string[]
}

export interface CaseList {
  count: number
  cases: CaseChange[]
}

export interface CaseChange {
  id: string
  name?: string
  before: Status
  after: Status
  error?: string
  error_kind?: ErrorKind
  /** Passed runs of runs with a verdict, where a side has more than one. */
  before_runs?: string
  after_runs?: string
}

export interface RateChange {
  id: string
  /** 0–100. */
  before: number
  after: number
  /** Holm-corrected. */
  p_value: number
}

export interface OutputDiff {
  id: string
  diff: string
}

export type Direction = 'worse' | 'better' | 'unchanged'

export interface SuiteTest {
  test: string
  pairs: number
  confidence: number
  p_value: number
  /** Mean difference in points, after minus before, with its interval. */
  difference: number
  interval: { low: number; high: number }
  verdict: Direction
}

export interface Shift {
  test: string
  pairs: number
  confidence: number
  p_value: number
  /** Typical case, after divided by before, with its interval. */
  ratio: number
  interval: { low: number; high: number }
  verdict: Direction
  /** The cases that moved most, in milliseconds or dollars. */
  up: CaseShift[]
  down: CaseShift[]
}

export interface CaseShift {
  id: string
  before: number
  after: number
  ratio: number
  /** Welch's test on logarithms, Holm-corrected; absent with one run each, where nothing can be tested. */
  p_value?: number
}
