// One case as the table knows it, and its results.
import type { ComparedCase } from '../../../model/compared-case.js'
import type { StabilityEvent } from '../../../model/event.js'
import type { CaseStatus } from '../../../model/outcome.js'
import type { ResultRow } from '../../../model/result-row.js'

/** A row and where its details are: the source that made it knows what `at` means. */
export interface Result extends ResultRow {
  at: number
  order: number
}

/** What one result says, or all of them together: times and costs are then means and sums over the runs. */
export interface Case extends Pick<
  ResultRow,
  'id' | 'name' | 'kind' | 'durationMs' | 'cost' | 'turns' | 'tags' | 'flaky' | 'error'
> {
  /** As the table, links and comparisons name it; of several variants with its own. */
  title: string
  variant: string
  order: number
  results: Result[]
  status: CaseStatus
  passed: number
  stability?: StabilityEvent
  /** Of several variants: what each came to, in their order. Undefined where one has no result. */
  members?: Array<Case | undefined>
  /** Their verdicts, or their answers, are not the same. */
  differs?: { verdicts: boolean; answers: boolean }
  /** In a comparison: what became of it, and the case of the earlier run. */
  compared?: ComparedCase
  before?: Case
  /** Lower case, made when first filtered. */
  haystack: string
}
