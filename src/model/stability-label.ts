// What the runs of a case show, in one vocabulary for console, reports and viewer.
import { formatPercent } from '../base/format.js'
import type { StabilityEvent } from './event.js'

/** In JSON as `label`. `flaky` is something else: passed after a retry. */
export const STABILITY_LABELS = [
  'passes always',
  'passes mostly',
  'passes sometimes',
  'fails mostly',
  'fails always',
  'too few runs to tell',
] as const

export type StabilityLabel = (typeof STABILITY_LABELS)[number]

type Labelled = Pick<StabilityEvent, 'label' | 'runs_needed' | 'interval' | 'decision' | 'threshold'>

/** With what more would take, and the interval of the pass rate: `passes mostly, 95% interval 84% to 99%`. */
export function labelText(event: Labelled): string {
  const { label, runs_needed, interval, decision, threshold } = event
  const shown =
    label ?? (decision === undefined || threshold === undefined ? 'no verdict' : `${decision} ${percent(threshold)}`)
  const more = runs_needed === undefined ? '' : `: about ${runs_needed} more`
  const range =
    interval === undefined
      ? ''
      : `, ${percent(interval.confidence)} interval ${percent(interval.low)} to ${percent(interval.high)}`
  return `${shown}${more}${range}`
}

function percent(share: number): string {
  return formatPercent(share * 100)
}
