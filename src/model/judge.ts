// Who judged, and by what: verdicts with the same hash come from the same judge, model, prompt and criterion.
import type { InferOutput } from 'valibot'
import type { judgeEntry } from './result-schema.js'

export interface JudgeEntry extends InferOutput<typeof judgeEntry> {}

/** A judge without its criterion. */
export interface JudgeIdentity {
  /** `viva.judge`, `workers.validator`, `./judge.ts#run`. */
  id: string
  /** The model that answers for it, if it is one that connectors reach. */
  model?: string
  /** A hash of its prompts, hooks or source, and of the settings of its model. */
  made_of: string
}

export interface JudgeQuestionSpec {
  type: string
  criteria: unknown
  rubric?: unknown
  metadata?: unknown
  threshold?: unknown
  votes?: unknown
  /** It sees the files that the agent changed. */
  files?: true
}
