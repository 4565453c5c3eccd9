// How steady a case is over its runs, with the uncertainty that few runs leave.
import type { StabilityEvent } from '../../../../model/event.js'
import { classWords } from '../../../../model/stability-class.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatCost, formatPercent } from '../../../../base/format.js'
import { RateBar } from '../charts/rate-bar.js'
import { Section } from './section.js'

export function StabilityFacts({ event }: { event: StabilityEvent }) {
  const facts: [string, string | undefined][] = [
    ['Class', classWords(event)],
    ['So far', soFar(event)],
    ['Consistency', share(event.consistency)],
    ['Same output', share(event.output_agreement)],
    ['Mean ± deviation', `${formatDuration(event.avg_duration_ms)} ± ${formatDuration(event.std_deviation_ms)}`],
    ['Shortest, longest', `${formatDuration(event.min_duration_ms)}, ${formatDuration(event.max_duration_ms)}`],
    ['Cost per run', event.cost_per_run === undefined ? undefined : formatCost(event.cost_per_run)],
    ['Runs without a verdict', lostRuns(event)],
    ['Runs saved', event.runs_saved ? String(event.runs_saved) : undefined],
    ...estimates('pass@', event.pass_at_k),
    ...estimates('pass^', event.pass_hat_k),
  ]
  return (
    <Section title="Stability" note={`${event.passed} of ${event.runs} runs passed`}>
      <RateBar event={event} />
      <dl class="fact-grid">
        {facts.map(([label, value]) =>
          value === undefined ? null : (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </Section>
  )
}

/** What the runs so far allow us to say. */
function soFar({ decision, threshold = 0, label, runs_needed }: StabilityEvent): string | undefined {
  if (decision !== undefined)
    return decision === 'undetermined'
      ? `not known against ${formatPercent(threshold * 100)}`
      : `${decision} ${formatPercent(threshold * 100)}`
  return runs_needed === undefined ? label : `about ${runs_needed} more runs to be sure`
}

function lostRuns({ runs, verdict_runs = runs }: StabilityEvent): string | undefined {
  return runs === verdict_runs ? undefined : `${runs - verdict_runs} of ${runs}`
}

function estimates(prefix: string, values: Record<string, number | null> | undefined): [string, string | undefined][] {
  return Object.entries(values ?? {}).map(([k, value]) => [`${prefix}${k}`, share(value)])
}

/** Shares between 0 and 1 in the event. */
function share(value: number | null | undefined): string | undefined {
  return value === null || value === undefined ? undefined : formatPercent(value * 100)
}
