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

/** With the interval of the pass rate: `passes mostly, 95% interval 84% to 99%`. */
export function labelText(event: Labelled): string {
  const { interval } = event
  const range =
    interval === undefined
      ? ''
      : `, ${percent(interval.confidence)} interval ${percent(interval.low)} to ${percent(interval.high)}`
  return `${labelWords(event) ?? 'no verdict'}${range}`
}

/** With how many more runs it would take: `too few runs to tell: about 11 more`. Undefined in files of older versions. */
export function labelWords({ label, runs_needed, decision, threshold }: Labelled): string | undefined {
  const shown =
    label ?? (decision === undefined || threshold === undefined ? undefined : `${decision} ${percent(threshold)}`)
  const more = runs_needed === undefined ? '' : `: about ${runs_needed} more`
  return shown === undefined ? undefined : `${shown}${more}`
}

function percent(share: number): string {
  return formatPercent(share * 100)
}
