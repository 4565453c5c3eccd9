// How the same cases fared in earlier runs: a column for each, which opens it.
import { formatDuration } from '../../../../base/duration.js'
import { formatPercent, plural } from '../../../../base/format.js'
import { viewRun } from '../../data/runs.js'
import { trend, type TrendRun } from '../../data/trend.js'
import { formatTime } from '../../text/format.js'

export function RunTrend() {
  const runs = trend.value
  if (runs.length === 0) return null
  return (
    <section class="panel run-trend" aria-labelledby="trend-title">
      <h2 id="trend-title">Trend</h2>
      <ol>
        {runs.map((entry) => (
          <li key={entry.run.run_id} class={entry.isShown ? 'now' : ''}>
            <TrendColumn {...entry} />
          </li>
        ))}
      </ol>
      <p class="muted">
        Pass rate of the last {plural(runs.length, 'run')}, {formatTime(runs[0]?.run.timestamp ?? '')} to{' '}
        {formatTime(runs.at(-1)?.run.timestamp ?? '')}
      </p>
    </section>
  )
}

function TrendColumn({ run, rate, id, isShown }: TrendRun) {
  const text = [
    `${formatTime(run.timestamp)}: ${formatPercent(rate)}`,
    run.failed ? `${run.failed} failed` : '',
    run.duration_ms === undefined ? '' : formatDuration(run.duration_ms),
    isShown ? 'this run' : '',
  ]
    .filter(Boolean)
    .join(', ')
  const column = (
    <span class="trend-column" aria-hidden="true">
      <span style={{ height: `${rate}%` }} />
    </span>
  )
  if (id === undefined || isShown)
    return (
      <span role="img" aria-label={text} title={text}>
        {column}
      </span>
    )
  return (
    <button type="button" aria-label={text} title={text} onClick={() => viewRun(id)}>
      {column}
    </button>
  )
}
