// Who can fail a case, and what is said about it.
import type { StepRuleId } from './first-bad-step.js'

export const PARTIES = ['agent', 'simulator', 'judge', 'infrastructure', 'test'] as const

export type Party = (typeof PARTIES)[number]

export interface Blame {
  party: Party
  /** From 0 to 1, by the kind of the rule: `confidence.ts`. */
  confidence: number
  why: string
  /** The rule that says so. */
  rule: string
  /** What was said or recorded, word for word. */
  evidence?: string
  /** Of the agent: where it first went wrong. */
  step?: WrongStep
  /** The other parties that something speaks against, most likely first. */
  others?: Array<{ party: Party; confidence: number; why: string }>
}

export interface WrongStep {
  /** `call 2`, `turn 3, call 1`, `turn 2, answer`. */
  at: string
  /** The call or the words. */
  what: string
  why: string
  rule: StepRuleId
  /** How often the rule named the very step in logs that people have labelled; absent: not measured. */
  confidence?: number
}
