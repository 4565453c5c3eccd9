// A weakness as a case of its own, for a case file.
import { writtenCase } from '../../model/case-written.js'
import { describeEdits } from './describe.js'
import { changedCase, type Try } from './plan.js'
import { wholeChange, type Smallest } from './smallest.js'

export interface FoundInit {
  item: Try
  small: Smallest
  id: string
  seed: number
}

/** Where it comes from is in a key that no agent sees. */
export function foundCase({ item, small, id, seed }: FoundInit): object {
  const { subject, operator } = item
  const { id: from, ...changed } = changedCase(subject.testCase, wholeChange(small))
  const fuzz = { from, operator: operator.name, seed, changes: describeEdits(small.change.edits) }
  return { id, ...writtenCase({ id, ...changed }), 'x-fuzz': fuzz }
}
