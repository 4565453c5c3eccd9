// The cases that took longest.
import { computed } from '@preact/signals'
import { openResult } from '../../data/navigate.js'
import { cases } from '../../data/store.js'
import { formatDuration } from '../../../../base/duration.js'
import { visible } from '../../../../base/hidden.js'

const slowest = computed(() => {
  const all = cases.value.filter((item) => item.status !== 'skipped')
  return all.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 6)
})

export function Slowest() {
  const most = slowest.value[0]?.durationMs || 1
  return (
    <section class="panel chart" aria-labelledby="slowest-title">
      <h2 id="slowest-title">Slowest</h2>
      <ul class="bar-list">
        {slowest.value.map((item) => (
          <li key={item.title}>
            <button type="button" class="bar" onClick={() => openResult(item)}>
              <span class="bar-label">
                <bdi>{visible(item.name ? `${item.title} ${item.name}` : item.title)}</bdi>
              </span>
              <span class="bar-note">{formatDuration(item.durationMs)}</span>
              <span
                class="bar-fill"
                aria-hidden="true"
                style={{ width: `${Math.max(1.5, (item.durationMs / most) * 100)}%` }}
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
