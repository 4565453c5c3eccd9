// The charts above the table: what went wrong, how steady, how long.
import { severalRuns, totals } from '../../data/store.js'
import { DurationChart } from './durations.js'
import { Failures } from './failures.js'
import { Slowest } from './slowest.js'
import { Stability } from './stability.js'

export function Charts() {
  if (totals.value.results < 2) return null
  return (
    <div class="charts">
      {totals.value.failed > 0 && <Failures />}
      {severalRuns.value && <Stability />}
      <DurationChart />
      {totals.value.failed === 0 && !severalRuns.value && <Slowest />}
    </div>
  )
}
