// How steady a case is over its runs, with the uncertainty that few runs leave.
import type { StabilityEvent } from '../../../../model/event.js'
import { labelWords } from '../../../../model/stability-label.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatCost, formatPercent } from '../../../../base/format.js'
import { RateBar } from '../charts/rate-bar.js'
import { Section } from './section.js'

export function StabilityFacts({ event }: { event: StabilityEvent }) {
  const facts: [string, string | undefined][] = [
    ['Verdict', labelWords(event)],
    ['Decision', decisionText(event)],
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

/** Of `--runs auto`; without a label, the verdict says it. */
function decisionText({ decision, threshold = 0, label }: StabilityEvent): string | undefined {
  if (decision === undefined || label === undefined) return undefined
  return `${decision} ${formatPercent(threshold * 100)}`.replace('undetermined', 'undetermined against')
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
