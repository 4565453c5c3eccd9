// Several variants beside each other, as a page shows them: a row each, and how it compares with the baseline.
import type { ComparedMeasure, Tone } from './compared-case.js'
import type { VariantSummary } from './event.js'

export interface VariantsOverview {
  /** The baseline first. */
  rows: VariantSummary[]
  /** All but the baseline, in the same order. */
  compared: ComparedVariant[]
  /** Which may be the best, with three or more. */
  best?: string
}

export interface ComparedVariant {
  name: string
  /** "worse than plain" */
  verdict: string
  tone: Tone
  /** The numbers behind it. */
  difference: string
  /** Single cases that changed by more than chance. */
  cases: string[]
  /** Time, cost and behaviour, with the test that was used. */
  measures: ComparedMeasure[]
  /** What it does differently from the baseline, largest change first. */
  behaviour: string[]
}
