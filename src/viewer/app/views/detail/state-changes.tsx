// What changed in the state of the case: each path with its value before and after.
import type { ResultEvent } from '../../../../model/event.js'
import { plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { Section } from './section.js'

type State = NonNullable<ResultEvent['state']>
type StateChange = NonNullable<State['changes']>[number]

export function StateChanges({ state }: { state: State }) {
  const { changes = [], changes_left_out = 0, claimed } = state
  if (!claimed && changes.length === 0) return null
  return (
    <Section title="State changed" note={claimed ? 'claimed' : plural(changes.length + changes_left_out, 'change')}>
      {claimed && <p class="muted">The agent reported its state itself: nobody has looked.</p>}
      <ul class="file-changes">
        {changes.map((change) => (
          <li key={change.path}>
            <Change {...change} />
          </li>
        ))}
      </ul>
      {changes_left_out > 0 && <p class="muted">{plural(changes_left_out, 'more change')} not listed.</p>}
    </Section>
  )
}

function Change({ path, change, before, after, cut }: StateChange) {
  const kind = change === 'removed' ? 'deleted' : change
  return (
    <div class="file-change state-change">
      <span class={`chip change-${kind}`}>{visible(change)}</span> <bdi class="file-path">{visible(path)}</bdi>{' '}
      <code>{valueText(before, cut)}</code> → <code>{valueText(after, cut)}</code>
    </div>
  )
}

/** It stands under the name of its member. */
function valueText(value: Record<string, unknown> | undefined, cut: true | undefined): string {
  if (value === undefined) return cut ? '…' : 'nothing'
  return visible(JSON.stringify(Object.values(value)[0]) ?? '')
}
