// Failed cases by cause: one line for a hundred timeouts.
import { computed } from '@preact/signals'
import type { Case } from './cases.js'
import { causeOf } from './filter.js'
import { cases } from './store.js'

export interface FailureGroup {
  cause: string
  /** The first of them, as it is written. */
  message: string
  /** Some say it with other ids or numbers. */
  isVaried: boolean
  kinds: string[]
  cases: Case[]
}

/** The largest first. Empty if the table says the same just as briefly. */
export const failureGroups = computed((): FailureGroup[] => {
  const groups = groupFailures(cases.value)
  const failed = groups.reduce((sum, group) => sum + group.cases.length, 0)
  return failed > (groups.length < failed ? FEW : MOST_IN_SIGHT) ? groups : []
})

/** These rows are in sight at once, even with the same words. */
const FEW = 3
const MOST_IN_SIGHT = 8

function groupFailures(cases: readonly Case[]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>()
  for (const item of cases) {
    if (item.status !== 'failed') continue
    const cause = causeOf(item)
    let group = groups.get(cause)
    if (!group) groups.set(cause, (group = { cause, message: item.error, isVaried: false, kinds: [], cases: [] }))
    group.cases.push(item)
    group.isVaried ||= item.error !== group.message
    if (item.kind && !group.kinds.includes(item.kind)) group.kinds.push(item.kind)
  }
  return [...groups.values()].toSorted((a, b) => b.cases.length - a.cases.length)
}
