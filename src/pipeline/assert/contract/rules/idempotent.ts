// A tool that is annotated as idempotent has no further effect when it is called again.
import type { StateChange } from '../../../../model/contract.js'
import { annotation, TOOLS, type Judged, type Rule } from '../rule.js'
import { describeChange } from './state-change.js'

export const idempotent: Rule = {
  id: 'idempotent',
  reason: 'clients repeat idempotent calls after a lost connection',
  fix: 'remove idempotentHint, or make the second call leave things as the first did',
  on: TOOLS,
  applies: (subject) => annotation(subject, 'idempotentHint') === true && annotation(subject, 'readOnlyHint') !== true,
  judge({ changes_again: changes, undecided }) {
    const isAside = ({ aside }: StateChange) => aside !== undefined
    const [first, ...more] = changes.filter((change) => !isAside(change))
    const open = undecided.slice(0, 1).map((why): Judged => ({ kind: 'not_exercised', why }))
    if (!first) return open
    const others = more.length > 0 ? ` (and ${more.length} more)` : ''
    const { probe, before, after } = first
    return [
      {
        kind: 'finding',
        what: `it is annotated idempotentHint, but after the same call a second time ${describeChange(first)}${others}`,
        probe,
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      },
      ...open,
    ]
  },
}
