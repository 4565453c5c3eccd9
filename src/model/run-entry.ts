// Runs seen from outside: the list of a folder's runs, and how one case fared in each.
import type { CaseStatus } from './status.js'

export interface RunEntry {
  /** Opaque: says nothing about where the file is. */
  id: string
  file: string
  run_id: string
  timestamp: string
  agent_id: string
  mode: 'agent' | 'script_test' | 'test_tools'
  input: string
  connector?: string
  /** How many, if there are several; `total` counts the cases of each. */
  variants?: number
  /** Its options selected only some of the cases. */
  part?: true
  /** Absent while the run is going on, or if it was cut off. */
  total?: number
  passed?: number
  failed?: number
  skipped?: number
  not_shown?: number
  undetermined?: number
  duration_ms?: number
  cost_dollars?: number
  exit_code?: number
}

/** One run of one case; with `--runs` several in one run are summed up. */
export interface HistoryPoint {
  run_id: string
  timestamp: string
  status: CaseStatus
  duration_ms: number
  pass_rate: number
  cost_dollars?: number
}

/** A run whose event file is not listed. */
export type PastRun = Omit<RunEntry, 'id' | 'file'>
