// The shape of a mutation operator: one way in which an agent could do worse, applied to what a good one did.
import type { TestCase } from '../../model/case.js'
import type { Conduct } from '../conduct.js'

export interface Operator {
  /** As it is written in `mutations.ignore`. */
  name: string
  about: 'answer' | 'tools' | 'conversation' | 'limits' | 'files' | 'state' | 'events'
  /** What users would meet, if the suite let it pass. */
  meaning: string
  /** Lazily: a mutant is made when it is wanted. */
  mutants(original: Original): Iterable<Mutant>
}

/** What a good run did, and what is known about the others. */
export interface Original {
  testCase: TestCase
  conduct: Conduct
  /** The turns whose answers the case looks at, from 0. */
  judged: readonly number[]
  /** Of another case. */
  otherAnswer?: unknown
  /** Tools that the agent called in any case, with arguments that it has used. */
  tools: ReadonlyMap<string, unknown>
  /** Names that other answers hold. */
  names: readonly string[]
}

export interface Mutant {
  /** What was changed, in a few words. */
  what: string
  conduct: Conduct
  /** The turn that was changed, from 0, if it is one. */
  turn?: number
}
