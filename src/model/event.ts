// The spine: every fact about a run, in order. The lines of an event file are exactly these.
import type { TraceStep } from './agent.js'
import type { AssertionResult } from './assertion.js'
import type { ToolCall, Usage } from './message.js'
import type { ErrorKind, Status } from './outcome.js'

export const EVENT_FORMAT = 1

export type RunEvent = StartEvent | CaseStartEvent | ResultEvent | ErrorEvent | StabilityEvent | SummaryEvent

export interface Environment {
  user_id: string
  team_id: string
  locale: string
  [key: string]: unknown
}

export interface StartEvent {
  type: 'start'
  format: number
  timestamp: string
  run_id: string
  /** `agent` for cases, `script_test` for `scripts.*`. */
  mode: 'agent' | 'script_test'
  agent_id: string
  agent_path?: string
  connector?: string
  input: string
  /** SHA-256 of the input file, so that `--resume` notices a changed one. */
  input_hash?: string
  total_cases?: number
  /** Some case has turns or a simulator. */
  multi_turn?: boolean
  runs_per_case: number | 'auto'
  environment: Environment
  options: Record<string, unknown>
  version: string
  /** Script tests: the reference as given and the test file(s), relative to the application root. */
  script?: string
  script_path?: string
}

export interface CaseStartEvent {
  type: 'case_start'
  id: string
  name?: string
  run: number
  timestamp: string
}

export interface TurnResult {
  turn: number
  input: unknown
  input_source: 'static' | 'simulator' | 'human'
  status: Status | 'not_run'
  output?: unknown
  tool_calls?: ToolCall[]
  awaiting_input?: boolean
  awaiting_reason?: string
  input_hint?: string
  assertions?: AssertionResult[]
  assertion_errors?: string[]
  error?: string
  error_kind?: ErrorKind
  skip_reason?: string
  /** The question the agent asked when input was missing, and what the author can do. */
  question?: string
  hint?: string
  reasoning?: string
  goal_achieved?: boolean
  /** Why the simulator says so. */
  goal_reasoning?: string
  duration_ms: number
}

export interface CheckpointResult {
  id: string
  description?: string
  reached: boolean
  reached_at_turn?: number
  passed: boolean
  required: boolean
  message?: string
  /** Matched only before the checkpoints in its `after` were reached. */
  out_of_order?: boolean
  assertion?: AssertionResult
}

export interface Attempt {
  attempt: number
  status: Status
  error?: string
  error_kind?: ErrorKind
  duration_ms: number
  usage?: Usage
  cost_dollars?: number
}

export interface ResultEvent {
  type: 'result'
  run_id: string
  id: string
  name?: string
  run: number
  attempts?: number
  status: Status
  skip_reason?: string
  duration_ms: number
  input?: unknown
  output?: unknown
  /** The last answer as text (seed 003's field). */
  response?: string
  messages_count?: number
  expected?: unknown
  error?: string
  error_kind?: ErrorKind
  assertions?: AssertionResult[]
  assertion_errors?: string[]
  /** Graded cases: weighted share of passed assertions, 0–1. */
  score?: number
  min_score?: number
  turns?: TurnResult[]
  checkpoints?: CheckpointResult[]
  final_assertions?: AssertionResult[]
  total_turns?: number
  tool_calls?: ToolCall[]
  finish_reason?: string
  awaiting_input?: boolean
  awaiting_reason?: string
  usage?: Usage
  cost_dollars?: number
  first_chunk_ms?: number
  api_retries?: number
  trace?: TraceStep[]
  logs?: string[]
  logs_dropped?: number
  warnings?: string[]
  flaky?: boolean
  failure_history?: Attempt[]
  leaked?: string[]
  exit_code?: number
  stderr?: string
  /** The answer was not UTF-8: `output` is base64 of its first 64 kB. */
  output_encoding?: 'base64'
  metadata?: Record<string, unknown>
  tags?: string[]
  simulator?: string
  /** Where the case is written, for annotations. */
  file?: string
  line?: number
  /** Script tests: the first failed assertion and the stack. */
  assertion?: { type: string; expected?: unknown; actual?: unknown; message?: string }
  stack?: string
  script?: string
  script_path?: string
}

export interface ErrorEvent {
  type: 'error'
  message: string
  where: string
  timestamp?: string
}

export interface RunDetail {
  run: number
  status: Status
  duration_ms: number
  output?: unknown
  error?: string
  error_kind?: ErrorKind
  cost_dollars?: number
}

export interface StabilityEvent {
  type: 'stability'
  id: string
  name?: string
  runs: number
  passed: number
  failed: number
  pass_rate: number
  consistency: number
  stable: boolean
  classification: 'stable' | 'mostly_stable' | 'unstable' | 'highly_unstable'
  avg_duration_ms: number
  min_duration_ms: number
  max_duration_ms: number
  std_deviation_ms: number
  run_details: RunDetail[]
  /** Beyond the seed: see chapter 7. */
  verdict_runs?: number
  error_rate?: number
  interval?: { low: number; high: number; confidence: number }
  label?: string
  output_agreement?: number | null
  pass_hat_k?: Record<string, number | null>
  pass_at_k?: Record<string, number | null>
  p50_duration_ms?: number
  p95_duration_ms?: number
  cost_per_run?: number
  decision?: 'above' | 'below' | 'undetermined'
  runs_saved?: number
  threshold?: number
  /** Runs still needed before the label can be other than undetermined, if they go on as so far. */
  runs_needed?: number
  /** The case's verdict: passed when its pass rate reaches `--min-pass-rate`, skipped when every run was skipped. */
  status?: Status
  skip_reason?: string
  /** The first run that did not pass. */
  error?: string
  error_kind?: ErrorKind
  input?: unknown
  expected?: unknown
  file?: string
  line?: number
  tags?: string[]
}

export interface SummaryEvent {
  type: 'summary'
  run_id: string
  timestamp: string
  total: number
  passed: number
  failed: number
  skipped: number
  not_run: number
  flaky?: number
  flaky_ids?: string[]
  duration_ms: number
  pass_rate: number
  usage?: Usage
  cost_dollars?: number
  failed_ids: string[]
  /** Ids beyond this list are counted, not listed. */
  failed_ids_omitted?: number
  suggestion?: string
  by_error_kind: Partial<Record<ErrorKind, number>>
  interrupted?: boolean
  errors?: number
  report_errors?: string[]
  /** With `--runs`. */
  total_cases?: number
  total_runs?: number
  runs_per_case?: number | 'auto'
  overall_pass_rate?: number
  stable_cases?: number
  unstable_cases?: number
  runs_saved?: number
  total_turns?: number
  exit_code: number
  reasons?: string[]
}
