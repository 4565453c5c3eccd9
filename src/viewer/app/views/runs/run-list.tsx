// The runs of a folder: for each agent and input the trend of its pass rate, and every run to open or to compare.
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { RunEntry } from '../../../../model/run-entry.js'
import { formatDuration } from '../../../../base/duration.js'
import { formatCost, formatPercent, plural } from '../../../../base/format.js'
import { visible } from '../../../../base/hidden.js'
import { groupRuns, rateOf, type RunGroup } from '../../data/run-groups.js'
import { compareTwo, comparisonError, offered, trouble, viewComparison, viewRun } from '../../data/runs.js'
import { formatTime } from '../../text/format.js'
import { KeyForm } from '../key-form.js'
import { StatusPill } from '../icons.js'
import { Text } from '../text.js'
import { Sparkline } from './sparkline.js'

export function RunList() {
  const runs = offered.value?.runs
  if (trouble.value === 'refused') return <KeyForm />
  if (trouble.value === 'lost') return <p class="notice">The viewer’s server is gone. Start viva view again.</p>
  if (!runs) return <p class="loading">Looking for runs…</p>
  if (runs.length === 0) return <p class="loading">No runs here yet. This page shows them as they start.</p>
  return (
    <>
      {comparisonError.value && (
        <p class="notice" role="status">
          Not compared: <Text value={comparisonError.value} />
        </p>
      )}
      {groupRuns(runs).map((group) => (
        <Group key={group.key} group={group} />
      ))}
      <PickedRuns />
    </>
  )
}

/** At most two, in the order in which they were picked. */
const picked = signal<RunEntry[]>([])

function togglePicked(run: RunEntry): void {
  const rest = picked.value.filter(({ id }) => id !== run.id)
  picked.value = rest.length < picked.value.length ? rest : [...rest, run].slice(-2)
}

function PickedRuns() {
  const [one, other] = picked.value
  if (!one) return null
  return (
    <div class="picked-runs" role="region" aria-label="Picked runs">
      <span role="status">
        {other ? `${nameOf(one)} and ${nameOf(other)}` : `${nameOf(one)}: pick another run to compare it with`}
      </span>
      {other && (
        <button type="button" class="ghost framed" onClick={() => compareTwo(one, other)}>
          Compare these two
        </button>
      )}
      <button type="button" class="link" onClick={() => (picked.value = [])}>
        Clear
      </button>
    </div>
  )
}

function nameOf(run: RunEntry): string {
  return visible(`${run.agent_id || run.input}, ${formatTime(run.timestamp)}`)
}

const SHOWN = 10

function Group({ group }: { group: RunGroup }) {
  const [all, setAll] = useState(false)
  const { runs } = group
  // Some of the cases, often those that failed, say nothing about the rate.
  const rates = runs.flatMap((run) => (run.part ? [] : (rateOf(run) ?? []))).toReversed()
  const [last, previous] = [rates.at(-1), rates.at(-2)]
  return (
    <section class="run-group" aria-label={visible(group.agent || group.input)}>
      <header class="run-group-head">
        <div class="run-group-title">
          <h2>
            <bdi>{visible(group.agent || group.input)}</bdi>
          </h2>
          <p class="muted">
            {group.agent && <bdi>{visible(group.input)} · </bdi>}
            {plural(runs.length, 'run')}
          </p>
        </div>
        <Sparkline rates={rates} />
        {last !== undefined && (
          <p class="run-group-rate">
            <strong>{formatPercent(last)}</strong>
            {previous !== undefined && <span class="muted">{trendWords(last - previous)}</span>}
          </p>
        )}
      </header>
      <ul class="run-list">
        {(all ? runs : runs.slice(0, SHOWN)).map((run, index) => (
          <Run key={run.id} run={run} earlier={runs[index + 1]} />
        ))}
      </ul>
      {runs.length > SHOWN && (
        <button type="button" class="link" onClick={() => setAll(!all)}>
          {all ? 'Show the newest only' : `Show all ${runs.length} runs`}
        </button>
      )}
    </section>
  )
}

function trendWords(points: number): string {
  if (Math.abs(points) < 0.05) return 'as before'
  return `${points > 0 ? '▲ +' : '▼ −'}${Math.abs(points).toFixed(1)} points`
}

function Run({ run, earlier }: { run: RunEntry; earlier: RunEntry | undefined }) {
  const rate = rateOf(run)
  const facts = [
    run.total === undefined ? undefined : casesOf(run.total, run.variants),
    run.duration_ms === undefined ? undefined : formatDuration(run.duration_ms),
    run.cost_dollars === undefined ? undefined : formatCost(run.cost_dollars),
    run.connector,
    run.file,
  ]
  return (
    <li class="run-row">
      <label class="run-pick">
        <input
          type="checkbox"
          checked={picked.value.some(({ id }) => id === run.id)}
          disabled={run.total === undefined}
          onChange={() => togglePicked(run)}
        />
        <span class="sr-only">Pick the run of {formatTime(run.timestamp)} for a comparison</span>
      </label>
      <button type="button" class="run-card" onClick={() => viewRun(run.id)}>
        <Verdict run={run} />
        <span class="run-rate">
          {rate === undefined ? '–' : formatPercent(rate)}
          {rate !== undefined && (
            <span class="run-rate-bar" aria-hidden="true">
              <span style={{ width: `${rate}%` }} />
            </span>
          )}
        </span>
        <span class="run-time">
          {formatTime(run.timestamp)}
          {run.part && <span class="muted"> some cases</span>}
        </span>
        <span class="run-card-facts">{visible(facts.filter(Boolean).join(' · '))}</span>
      </button>
      {earlier && run.total !== undefined && earlier.total !== undefined && (
        <button type="button" class="ghost run-compare" onClick={() => void viewComparison(earlier.id, run.id)}>
          Compare<span class="sr-only"> with the run before</span>
        </button>
      )}
    </li>
  )
}

function casesOf(total: number, variants: number | undefined): string {
  return variants === undefined ? plural(total, 'case') : `${plural(total / variants, 'case')} × ${variants} variants`
}

function Verdict({ run }: { run: RunEntry }) {
  if (run.exit_code === undefined) return <StatusPill mark="running" text="Running" />
  if ((run.failed ?? 0) > 0) return <StatusPill mark="failed" text={`${run.failed} failed`} />
  if (run.not_shown) return <StatusPill mark="not_shown" text={`${run.not_shown} not shown`} />
  if (run.undetermined) return <StatusPill mark="undetermined" text={`${run.undetermined} undetermined`} />
  if (run.exit_code > 1) return <StatusPill mark="error" text="Run error" />
  if (run.exit_code === 1) return <StatusPill mark="error" text="Not green" />
  return <StatusPill mark="passed" text="Passed" />
}
