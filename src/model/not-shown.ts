// Why a case was not shown, in words: what it lacked, and the checks that it did not come to.
import { assertionLabel } from './assertion-label.js'
import type { ResultEvent, StabilityEvent } from './event.js'

export function notShownText(event: ResultEvent | StabilityEvent): string {
  const { error, skip_reason = 'skipped' } = event
  const why = error === undefined || event.type === 'stability' ? skip_reason : `${skip_reason}: ${error}`
  const open = event.type === 'result' ? notReached(event) : []
  return open.length === 0 ? why : `${why}; not reached: ${open.join(', ')}`
}

const LISTED = 10

/** The checks that it did not come to. */
export function notReached({
  turns = [],
  assertions = [],
  final_assertions = [],
  checkpoints = [],
}: ResultEvent): string[] {
  const all = [...turns.flatMap((turn) => turn.assertions ?? []), ...assertions, ...final_assertions]
  const labels = [
    ...all.filter(({ not_evaluated }) => not_evaluated).map(assertionLabel),
    ...checkpoints.filter(({ required, reached }) => required && !reached).map(({ id }) => `checkpoint ${id}`),
  ]
  const more = labels.length - LISTED
  return more > 0 ? [...labels.slice(0, LISTED), `${more} more`] : labels
}
