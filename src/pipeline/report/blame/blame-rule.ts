// A rule of blame: what it looks at and what it says.
import type { Facts } from '../explain/facts.js'
import type { Strength } from './confidence.js'
import type { BlameContext } from './context.js'

export interface Suspicion {
  why: string
  evidence?: string
}

export interface BlameFacts extends Facts {
  /** The rule that explains the failure, of `explain/rules/`. */
  explained: string
  seen: BlameContext
}

export interface BlameRule {
  id: string
  strength: Strength
  find(facts: BlameFacts): Suspicion | undefined
}
