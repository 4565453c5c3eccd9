// What went wrong, by kind, and the most frequent messages: each filters the table.
import { computed } from '@preact/signals'
import { countBy } from '../../data/filter.js'
import { cases, filter, setFilter } from '../../data/store.js'
import { formatCount } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { BarList } from './bar-list.js'

const failed = computed(() => cases.value.filter((item) => item.status === 'failed'))
const kinds = computed(() => countBy(failed.value, (item) => [item.kind || 'failed']))
const messages = computed(() => countBy(failed.value, (item) => [item.error]))

export function Failures() {
  const most = kinds.value[0]?.[1] ?? 1
  return (
    <section class="panel chart" aria-labelledby="failures-title">
      <h2 id="failures-title">Failures by kind</h2>
      <BarList
        items={kinds.value.slice(0, 6).map(([kind, count]) => ({
          key: kind,
          label: kind,
          note: formatCount(count),
          share: count / most,
          on: filter.value.kind === kind,
          tone: 'failed',
          press: () => setFilter({ kind: filter.value.kind === kind ? '' : kind, status: 'all' }),
        }))}
      />
      {messages.value.length > 0 && (
        <>
          <h3>Most frequent messages</h3>
          <ul class="messages">
            {messages.value.slice(0, Math.max(1, 5 - kinds.value.length)).map(([message, count]) => (
              <li key={message}>
                <button type="button" class="link" onClick={() => setFilter({ text: message.replace(/…$/, '') })}>
                  <bdi>{visible(message)}</bdi>
                </button>
                {count > 1 && <span class="muted">{formatCount(count)}×</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
