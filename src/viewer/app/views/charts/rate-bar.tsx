// A pass rate with its confidence interval: the bar is what was seen, the bracket what it may really be.
import type { StabilityEvent } from '../../../../model/event.js'
import { stabilityClass } from '../../../../model/stability-class.js'
import { formatPercent } from '../../../../base/format.js'

export function RateBar({ event }: { event: StabilityEvent }) {
  const interval = event.interval
  const text = interval
    ? `${formatPercent(event.pass_rate)} (${formatPercent(percent(interval.low))} to ${formatPercent(percent(interval.high))})`
    : formatPercent(event.pass_rate)
  return (
    <div class="rate-bar-row">
      <div class={`rate-bar class-${stabilityClass(event)}`} role="img" aria-label={`Pass rate ${text}`}>
        <span class="rate-fill" style={{ width: `${event.pass_rate}%` }} />
        {interval && (
          <span
            class="rate-interval"
            style={{ left: `${percent(interval.low)}%`, width: `${percent(interval.high) - percent(interval.low)}%` }}
          />
        )}
      </div>
      <span class="rate-text">{text}</span>
    </div>
  )
}

/** Interval ends are shares between 0 and 1. */
function percent(share: number): number {
  return Math.max(0, Math.min(100, share * 100))
}
