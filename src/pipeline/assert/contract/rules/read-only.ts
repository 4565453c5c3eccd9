// A tool that is annotated as read-only changes nothing.
import type { StateChange } from '../../../../model/contract.js'
import { annotation, hint, TOOLS, type Judged, type Rule } from '../rule.js'
import { describeChange } from './state-change.js'

export const readOnly: Rule = {
  id: 'read-only',
  reason: 'clients call read-only tools without asking the user',
  fix: 'remove readOnlyHint, or move what the tool writes out of reading',
  on: TOOLS,
  applies: (subject) => annotation(subject, 'readOnlyHint') === true,
  judge({ changes, not_watched, undecided }) {
    const isAside = ({ aside }: StateChange) => aside !== undefined
    const [first, ...more] = changes.filter((change) => !isAside(change))
    const found = first ? [judged('finding', first, more)] : []
    const [aside, ...others] = changes.filter(isAside)
    return [
      ...found,
      ...undecided.slice(0, 1).map((why): Judged => ({ kind: 'not_exercised', why })),
      ...(aside ? [judged('hint', aside, others)] : []),
      ...not_watched.slice(0, 1).map((what) => hint(`not watched for changes: ${what}`)),
    ]
  },
}

function judged(kind: 'finding' | 'hint', change: StateChange, more: StateChange[]): Judged {
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  return {
    kind,
    what: `it is annotated readOnlyHint, but after it was called ${describeChange(change)}${others}`,
    probe: change.probe,
    ...(change.before !== undefined && { before: change.before }),
    ...(change.after !== undefined && { after: change.after }),
  }
}
