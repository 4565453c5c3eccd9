// Two runs beside each other, as a page shows them: the sentences of the comparison, and what became of each case.
import type { CaseStatus } from './status.js'

/** What happened to a case, the most important thing first. */
export const CASE_CHANGES = [
  'newly_failing',
  'regressed',
  'newly_passing',
  'improved',
  'status',
  'output',
  'input',
  'only_before',
  'only_after',
  'same',
] as const

export type CaseChangeKind = (typeof CASE_CHANGES)[number]

export interface ComparedCase {
  id: string
  /** The earlier id, if it was a different one. */
  was?: string
  change: CaseChangeKind
  /** Absent if the run does not have the case. */
  before?: CaseStatus
  after?: CaseStatus
}

export type Tone = 'good' | 'bad' | 'note' | ''

export interface ComparisonOverview {
  conclusion: { text: string; tone: Tone }
  notes: string[]
  before: ComparedSide
  after: ComparedSide
  measures: ComparedMeasure[]
  /** Titled lines: changed pass rates, slower cases … */
  lists: Array<{ title: string; lines: string[]; more: number }>
}

export interface ComparedSide {
  run_id: string
  agent: string
  timestamp: string
  cases: string
  pass_rate: number
}

/** What was measured in both runs, in the words of the reports. */
export interface Measure {
  name: string
  /** Empty if the two sides have no figure of their own. */
  before: string
  after: string
  change: string
  test: string
  verdict: string
}

export interface ComparedMeasure extends Measure {
  tone: Tone
}
