// What went wrong, one line for each cause: pressing it shows the cases in the table.
import { useState } from 'preact/hooks'
import { failureGroups, type FailureGroup } from '../data/failure-groups.js'
import { filter, setFilter, totals } from '../data/store.js'
import { formatCount, plural } from '../../../base/format.js'
import { visible } from '../../../base/hidden.js'

const SHOWN = 5

export function Failures() {
  const [all, setAll] = useState(false)
  const groups = failureGroups.value
  if (groups.length === 0) return null
  const most = groups[0]?.cases.length ?? 1
  return (
    <section class="panel failures" aria-labelledby="failures-title">
      <h2 id="failures-title">
        {plural(totals.value.failed, 'failure')}, {plural(groups.length, 'cause')}
      </h2>
      <ul>
        {(all ? groups.slice(0, 200) : groups.slice(0, SHOWN)).map((group) => (
          <Cause key={group.cause} group={group} most={most} />
        ))}
      </ul>
      {groups.length > SHOWN && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? 'Show the most frequent only' : `Show all ${formatCount(groups.length)} causes`}
        </button>
      )}
    </section>
  )
}

function Cause({ group, most }: { group: FailureGroup; most: number }) {
  const { cause, message, isVaried, kinds, cases } = group
  const on = filter.value.cause === cause
  return (
    <li>
      <button
        type="button"
        class={`cause${on ? ' on' : ''}`}
        aria-pressed={on}
        onClick={() => setFilter({ cause: on ? '' : cause, status: 'all' })}
      >
        <span class="cause-count">
          {formatCount(cases.length)}
          <span class="sr-only"> {cases.length === 1 ? 'case' : 'cases'}: </span>
          <span class="cause-bar" aria-hidden="true" style={{ width: `${(cases.length / most) * 100}%` }} />
        </span>
        <span class="cause-message">
          <bdi>{visible(message || cause)}</bdi>
          {isVaried && <span class="muted"> and similar</span>}
        </span>
        <span class="cause-kinds">
          {kinds.map((kind) => (
            <span class="kind" key={kind}>
              {kind}
            </span>
          ))}
        </span>
        <span class="cause-ids muted">{idsOf(group)}</span>
      </button>
    </li>
  )
}

function idsOf({ cases }: FailureGroup): string {
  const ids = [...new Set(cases.slice(0, 12).map(({ title }) => title))].slice(0, 2)
  const more = cases.length - ids.length
  return visible(`${ids.join(', ')}${more > 0 ? ` +${formatCount(more)}` : ''}`)
}
