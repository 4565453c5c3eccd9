// The charts above the table: what went wrong, how steady, how long.
import { severalRuns, totals, variants } from '../../data/store.js'
import { DurationChart } from './durations.js'
import { Failures } from './failures.js'
import { Scatter } from './scatter.js'
import { Slowest } from './slowest.js'
import { Stability } from './stability.js'

export function Charts() {
  if (totals.value.results < 2) return null
  return (
    <div class="charts">
      {variants.value && <Scatter rows={variants.value.rows} />}
      {totals.value.failed > 0 && <Failures />}
      {severalRuns.value && <Stability />}
      <DurationChart />
      {totals.value.failed === 0 && !severalRuns.value && <Slowest />}
    </div>
  )
}
