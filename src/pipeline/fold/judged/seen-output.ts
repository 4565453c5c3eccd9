// What a judge saw of an answer, for the people who check it: with `files`, the files that were written belong to it.
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent } from '../../../model/event.js'

export function seenOutput({ params }: AssertionResult, { changes }: ResultEvent, output: unknown): unknown {
  if (params?.['files'] !== true || !changes) return output
  return {
    answer: output ?? null,
    files: changes.map(({ path, change, diff }) => ({ path, change, diff: diff ?? null })),
  }
}
