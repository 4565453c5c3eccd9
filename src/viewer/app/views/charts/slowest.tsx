// The cases that took longest.
import { computed } from '@preact/signals'
import { openResult } from '../../data/navigate.js'
import { cases } from '../../data/store.js'
import { formatDuration } from '../../../../base/duration.js'
import { BarList } from './bar-list.js'

const slowest = computed(() => {
  const all = cases.value.filter((item) => item.status !== 'skipped')
  return all.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 6)
})

export function Slowest() {
  const most = slowest.value[0]?.durationMs || 1
  return (
    <section class="panel chart" aria-labelledby="slowest-title">
      <h2 id="slowest-title">Slowest</h2>
      <BarList
        items={slowest.value.map((item) => ({
          key: item.title,
          label: item.name ? `${item.title} ${item.name}` : item.title,
          note: formatDuration(item.durationMs),
          share: item.durationMs / most,
          tone: 'plain',
          press: () => openResult(item),
        }))}
      />
    </section>
  )
}
