// What the live viewer's server sends to the page, one message at a time.
import type { ErrorEvent, PromptEvent, StabilityEvent, StartEvent, SummaryEvent } from './event.js'
import type { PackedRow } from './result-row.js'
import type { PastRun, RunEntry } from './run-entry.js'

export type LiveMessage =
  | { type: 'reset' }
  | { type: 'start'; event: StartEvent }
  | { type: 'rows'; rows: PackedRow[]; at: number[] }
  | { type: 'stability'; events: StabilityEvent[] }
  | { type: 'prompt'; event: PromptEvent }
  | { type: 'error'; event: ErrorEvent }
  | { type: 'summary'; event: SummaryEvent }
  | { type: 'running'; ids: string[] }
  /** Everything so far has been sent; more may come. */
  | { type: 'idle' }
  /** Everything has been sent, and the run has ended. */
  | { type: 'ended' }

/** The runs that can be viewed; sent again whenever one is added or ends. */
export interface RunsMessage {
  runs: RunEntry[]
  /** Only this one run was asked for: there is no list to go back to. */
  single: boolean
  /** Runs that only the history knows, oldest first. */
  past?: PastRun[]
  /** The state of a fleet can be requested. */
  fleet?: true
  /** The editor that cases can be opened in. */
  editor?: string
  /** The server can look at the suite behind a run. */
  suite?: true
  /** Cases can be run again. */
  rerun?: RerunState
  /** The run that was asked for, where others may join it. */
  open?: string
}

export interface RerunState {
  /** The run that is going on. */
  running?: string
}

/** What a page may ask for: a listed run, and ids of its cases. */
export interface RerunRequest {
  run: string
  cases: string[]
}
