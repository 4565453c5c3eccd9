// What a case changed outside the conversation: the state before and after, and where it comes from.
import type { InferOutput } from 'valibot'
import type { stateResult } from './result-schema.js'

export interface StateEvidence {
  /** The store of the tools, a function of the test, or what the agent says itself. */
  source: StateResult['source']
  /** The agent reported it itself: nobody has looked. */
  claimed?: true
  /** When the case began; absent if it is not known. */
  before?: unknown
  after: unknown
}

/** In a result: hashes of all of it, and what changed, as far as there is room. */
export interface StateResult extends InferOutput<typeof stateResult> {}
