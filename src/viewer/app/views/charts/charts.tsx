// The charts above the table: how steady, how long. Folded away when the failures matter more, or when there is little to see.
import { signal } from '@preact/signals'
import { severalRuns, totals, variants } from '../../data/store.js'
import { formatDuration } from '../../../../base/duration.js'
import { DurationChart } from './durations.js'
import { Scatter } from './scatter.js'
import { Slowest } from './slowest.js'
import { Stability } from './stability.js'

/** Fewer points are a table. */
const FEW = 30

/** As the reader left them. */
const chosen = signal<boolean | undefined>(undefined)

export function Charts() {
  const { results, failed, p50, p95 } = totals.value
  if (results < 2) return null
  const open = chosen.value ?? (failed === 0 && results >= FEW)
  return (
    <details
      class="charts-fold"
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== open) chosen.value = currentTarget.open
      }}
    >
      <summary>
        Charts
        <span class="muted">
          {severalRuns.value && 'stability, '}median {formatDuration(p50)}, p95 {formatDuration(p95)}
        </span>
      </summary>
      {open && (
        <div class="charts">
          {variants.value && <Scatter rows={variants.value.rows} />}
          {severalRuns.value && <Stability />}
          <DurationChart />
          {!severalRuns.value && !variants.value && <Slowest />}
        </div>
      )}
    </details>
  )
}
