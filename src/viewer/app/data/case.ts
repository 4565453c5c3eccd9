// One case as the table knows it, and its results.
import type { ComparedCase } from '../../../model/compared-case.js'
import type { StabilityEvent } from '../../../model/event.js'
import type { ListedStatus } from '../../../model/status.js'
import type { ResultRow } from '../../../model/result-row.js'

/** A row and where its details are: only the source that created it knows what `at` means. */
export interface Result extends ResultRow {
  at: number
  order: number
}

/** One result, or all of them together: times and costs are then means and sums over the runs. */
export interface Case extends Pick<
  ResultRow,
  'id' | 'name' | 'kind' | 'durationMs' | 'cost' | 'turns' | 'tags' | 'flaky' | 'error'
> {
  /** As the table, links and comparisons name it; with several variants, including its own. */
  title: string
  variant: string
  order: number
  results: Result[]
  status: ListedStatus
  passed: number
  stability?: StabilityEvent
  /** With several variants: the outcome of each, in their order. Undefined if one has no result. */
  members?: Array<Case | undefined>
  /** Their verdicts, or their answers, differ. */
  differs?: { verdicts: boolean; answers: boolean }
  /** In a comparison: what became of it, and the case of the earlier run. */
  compared?: ComparedCase
  before?: Case
  /** Lower case, computed when first filtered. */
  haystack: string
}
