// Every result as a point: when it finished and how long it took. A slow patch or a wall of timeouts stands out.
import { useEffect, useRef, useState } from 'preact/hooks'
import { titleOf, type Result } from '../../data/cases.js'
import { openResult } from '../../data/navigate.js'
import { cases, totals } from '../../data/store.js'
import { theme } from '../../data/theme.js'
import { formatDuration } from '../../../../base/duration.js'
import { visible } from '../../../../base/hidden.js'
import { createPlot } from './plot.js'

/** After the first paint: the table matters more than its picture. */
const FIRST_MS = 60
const AGAIN_MS = 400

export function DurationChart() {
  const box = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState<Result>()
  const { p50, p95, max } = totals.value
  const results = cases.value
  const look = theme.value
  const latest = useRef(results)
  latest.current = results
  const plot = useRef<{ timer?: number | undefined; destroy?: () => void }>({})
  useEffect(() => {
    // What is drawn stays until the next drawing, and a steady flow of results does not postpone it.
    const { timer, destroy } = plot.current
    if (timer === undefined) plot.current.timer = window.setTimeout(draw, destroy ? AGAIN_MS : FIRST_MS)
  }, [results, look])
  useEffect(
    () => () => {
      clearTimeout(plot.current.timer)
      plot.current.destroy?.()
    },
    [],
  )

  function draw(): void {
    plot.current.timer = undefined
    plot.current.destroy?.()
    const points = latest.current.flatMap((item) => item.results).filter((result) => result.status !== 'skipped')
    points.sort((a, b) => a.order - b.order)
    if (!box.current) return
    plot.current.destroy = createPlot(box.current, points, {
      onNear: setNear,
      onPick: (result) => openResult(result, result.run > 1 ? result.run : undefined),
    })
  }

  return (
    <section class="panel chart wide" aria-labelledby="durations-title">
      <div class="chart-head">
        <h2 id="durations-title">Duration</h2>
        <span class="muted chart-note">
          {near ? (
            <bdi>
              {visible(titleOf(near))} · {formatDuration(near.durationMs)}
            </bdi>
          ) : (
            `median ${formatDuration(p50)} · p95 ${formatDuration(p95)} · longest ${formatDuration(max)}`
          )}
        </span>
      </div>
      <div
        class="plot"
        ref={box}
        role="img"
        aria-label={`Durations in the order of the results: median ${formatDuration(p50)}, 95th percentile ${formatDuration(p95)}, longest ${formatDuration(max)}`}
      />
    </section>
  )
}
