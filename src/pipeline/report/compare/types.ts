// What `viva compare` finds between two runs.
import type { CorrectedSummary } from '../../../model/event.js'
import type { CaseStatus, ErrorKind } from '../../../model/status.js'
import type { BehaviourChange } from '../../fold/behaviour/compare-behaviour.js'
import type { ShiftTest } from '../../fold/statistics/shift.js'

export interface Comparison {
  format: 1
  before: RunSide
  after: RunSide
  /** Why nothing can be concluded; absent if the runs can be compared. */
  cannot_compare?: string[]
  /** Why there are only numbers and no verdict, as the caller allowed; `regression` is then absent. */
  no_verdict?: string[]
  cases: CaseOverlap
  /** Reasons to read the rest with care: different cases, another agent, a run cut short. */
  notes: string[]
  /** Cases whose assertions were removed or written differently: the second run is another test. */
  changed_assertions: { count: number; cases: AssertionsChange[] }
  newly_failing: CaseList
  newly_passing: CaseList
  /** With `--runs`: cases whose own pass rate changed by more than chance. */
  regressed: RateChange[]
  improved: RateChange[]
  changed_output: { count: number; diffs: OutputDiff[] }
  pass_rate: SuiteTest
  /** Runs that ended without a verdict: lost to infrastructure, simulator or judge. */
  lost: SuiteTest
  duration: Shift
  /** Absent if no case has a price in both runs. */
  cost?: Shift
  /** What the agent did, whatever the verdicts: a separate claim, outside the joint confidence. Absent if no case has a verdict in both runs. */
  behaviour?: BehaviourChange
  /** Percent by which times and costs, points by which behaviour must differ to be called different. */
  practical: number
  /** If both runs have several variants: each of them on its own, so that none hides behind another. */
  variants?: VariantComparison[]
  regression?: boolean
  reasons: string[]
}

/** They have a share of the joint confidence. */
export interface VariantComparison {
  name: string
  pass_rate: SuiteTest
  lost: SuiteTest
  duration?: Shift
  cost?: Shift
  behaviour?: BehaviourChange
}

/** Which cases the runs share. Cases with the same input are the same case, whatever their ids. */
export interface CaseOverlap {
  both: number
  only_before: IdList
  only_after: IdList
  /** The same input under another id. */
  renamed: { count: number; cases: Renamed[] }
  /** The same id with a different input: not compared. */
  changed: IdList
  /** Passed before, and nothing shows that they still do: gone, skipped, or changed and not passing. */
  missing: IdList
}

export interface AssertionsChange {
  id: string
  removed: string[]
  added: string[]
}

export interface Renamed {
  before: string
  after: string
}

export interface RunSide {
  run_id: string
  timestamp: string
  agent_id: string
  connector?: string
  /** Names, if there are several. */
  variants?: string[]
  runs_per_case: number | 'auto'
  total: number
  passed: number
  failed: number
  skipped: number
  undetermined: number
  not_run: number
  pass_rate: number
  /** If labels or a licence tell how often its judges are wrong. */
  corrected?: CorrectedSummary
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
  before: CaseStatus
  after: CaseStatus
  error?: string
  error_kind?: ErrorKind
  /** Passed runs out of runs with a verdict, if a side has more than one. */
  before_runs?: string
  after_runs?: string
}

export interface RateChange {
  id: string
  /** 0–100. */
  before: number
  after: number
  /** Adjusted for everything that the comparison tests: below 1 − confidence. */
  p_value: number
}

export interface OutputDiff {
  id: string
  diff: string
}

/** `not_tested`: the run plans differ. */
export type Direction = 'worse' | 'better' | 'unchanged' | 'not_tested'

export interface SuiteTest {
  test: string
  /** Cases that could be compared. */
  pairs: number
  /** Joint: of the pass rate, the lost runs and the cases together. */
  confidence: number
  /** Adjusted for everything that the comparison tests. */
  p_value: number
  /** 0–100, of the cases that could be compared, weighted by their runs. */
  before: number
  after: number
  /** In points, after minus before; the interval excludes 0 exactly when the verdict is not `unchanged`. */
  difference: number
  interval: { low: number; high: number }
  verdict: Direction
  /** As the judges said, if everything else is corrected for their error. */
  as_judged?: { before: number; after: number; difference: number }
}

export interface Shift extends ShiftTest {
  /** The cases that moved most, in milliseconds or dollars, beyond chance; with one run each, by at least half. */
  up: CaseShift[]
  down: CaseShift[]
}

export interface CaseShift {
  id: string
  before: number
  after: number
  ratio: number
  /** Welch's test on logarithms, adjusted for the number of cases; absent with one run each, where nothing can be tested. */
  p_value?: number
}
