// What fuzzing a suite found, as data.

export interface FuzzReport {
  format: 1
  input: string
  agent_id: string
  seed: number
  /** Agent runs: what was allowed, and what was used. */
  budget: { tries: number; most_runs: number; runs: number }
  cases: number
  /** Changed inputs by operator. */
  tried: Record<string, number>
  weaknesses: Weakness[]
  /** Failed once, and not by more than chance when repeated. */
  unconfirmed: Unconfirmed[]
  /** Failed once, beyond `--most`: not looked into. */
  not_examined: number
  /** Cases that failed as they are, under another id: nothing can be said about changes. */
  failing: string[]
  left_alone: Array<{ id: string; why: string }>
  /** Tries in which the agent never read what was planted. */
  unreached: Array<{ id: string; why: string }>
  /** Tries that could not be judged. */
  unknown: Array<{ id: string; why: string }>
}

export interface Weakness {
  /** Of the case that shows it. */
  id: string
  from: string
  operator: string
  summary: string
  /** The smallest change that breaks the case, in words. */
  changes: string[]
  /** False: the budget ended before nothing more could be left out. */
  minimal: boolean
  /** What is said in the case that shows it. */
  text: string
  reason?: string
  failed: number
  runs: number
  unchanged_failed: number
  unchanged_runs: number
  p_value: number
}

export interface Unconfirmed {
  from: string
  operator: string
  failed: number
  runs: number
  unchanged_failed: number
}
