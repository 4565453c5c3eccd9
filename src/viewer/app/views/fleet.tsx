// The state of the fleet: workers, queue, rate, estimate, and what is stuck. For one run while it is going on, or for all.
import { formatDuration } from '../../../base/duration.js'
import { formatCount, plural } from '../../../base/format.js'
import { estimateText, type FleetRun, type FleetStatus, type WorkerState } from '../../../model/fleet-status.js'
import { fleet } from '../data/fleet.js'
import { start, summary } from '../data/store.js'
import { Figure } from './figure.js'
import { StatusIcon } from './icons.js'
import { Text } from './text.js'

/** For the run that is shown, until it has ended. */
export function FleetOfRun() {
  const runId = start.value?.run_id
  return runId === undefined || summary.value ? null : <Fleet runId={runId} />
}

export function Fleet({ runId }: { runId?: string }) {
  const known = fleet.value
  if (!known) return null
  const { place, status, error } = known
  const runs = status?.runs.filter(({ run_id }) => runId === undefined || run_id === runId) ?? []
  return (
    <section class="panel fleet" aria-label="Fleet">
      <h2 class="fleet-title">
        Fleet{' '}
        <bdi class="muted">
          <Text value={place} />
        </bdi>
      </h2>
      {error !== undefined && <Stuck what={error} />}
      {status && (
        <>
          <Figures status={status} runs={runs} />
          {runId !== undefined && runs.length === 0 && (
            <p class="fleet-note muted">It does not know this run: it has not been handed over, or it has ended.</p>
          )}
          {runs.map((run) => (
            <Run key={run.run_id} run={run} isNamed={runId === undefined} />
          ))}
          {status.workers.length > 0 && <Workers workers={status.workers} runId={runId} />}
        </>
      )}
    </section>
  )
}

function Figures({ status: { workers, redis_bytes }, runs }: { status: FleetStatus; runs: FleetRun[] }) {
  const sum = (of: (run: FleetRun) => number): number => runs.reduce((all, run) => all + of(run), 0)
  const slots = workers.reduce((all, worker) => all + worker.slots, 0)
  const busy = workers.reduce((all, worker) => all + worker.busy, 0)
  const rate = sum(({ per_second = 0 }) => per_second)
  const left = runs.map((run) => run.left)
  return (
    <dl class="numbers">
      <Figure label="Workers" value={formatCount(workers.length)} note={`${busy} of ${slots} slots busy`} />
      <Figure
        label="Queue"
        value={plural(
          sum(({ waiting }) => waiting),
          'job',
        )}
        note={`${formatCount(sum(({ active }) => active))} more with workers`}
      />
      <Figure
        label="Unread"
        value={plural(
          sum(({ unread }) => unread),
          'report',
        )}
        note="not yet on disk"
      />
      <Figure
        label="Rate"
        value={`${formatCount(Number(rate.toFixed(rate < 10 ? 1 : 0)))}/s`}
        note="results, of late"
      />
      <Figure
        label="Left"
        value={
          left.length === 0 || left.includes(undefined) ? '–' : estimateText(Math.max(...left.map((each) => each ?? 0)))
        }
        note="at the recent rate"
      />
      <Figure label="Redis" value={`${(redis_bytes / 1024 / 1024).toFixed(1)} MB`} note="in use" />
    </dl>
  )
}

function Run({ run, isNamed }: { run: FleetRun; isNamed: boolean }) {
  const { run_id, done = 0, units, failed = 0, stuck } = run
  return (
    <>
      {isNamed && (
        <p class="fleet-note">
          <bdi>
            <Text value={run_id} />
          </bdi>
          : {units === undefined ? `${formatCount(done)} done` : `${formatCount(done)} of ${formatCount(units)} done`},{' '}
          {formatCount(failed)} failed
        </p>
      )}
      {stuck.map((what) => (
        <Stuck key={what} what={what} />
      ))}
    </>
  )
}

function Stuck({ what }: { what: string }) {
  return (
    <p class="fleet-stuck" role="status">
      <StatusIcon mark="error" label="Stuck" />
      <span>
        <Text value={what} />
      </span>
    </p>
  )
}

const SHOWN = 50

function Workers({ workers, runId }: { workers: WorkerState[]; runId: string | undefined }) {
  return (
    <details class="fleet-workers" open={workers.length <= 8}>
      <summary>{plural(workers.length, 'worker')}</summary>
      <ul>
        {workers.slice(0, SHOWN).map((worker) => (
          <Worker key={worker.id} worker={worker} runId={runId} />
        ))}
      </ul>
      {workers.length > SHOWN && <p class="muted">and {workers.length - SHOWN} more</p>}
    </details>
  )
}

function Worker({
  worker: { id, slots, busy, done, version, running, runs },
  runId,
}: {
  worker: WorkerState
  runId: string | undefined
}) {
  const oldest = running.find(({ run_id }) => runId === undefined || run_id === runId)
  return (
    <li>
      <bdi class="fleet-worker">
        <Text value={id} />
      </bdi>
      <progress max={slots} value={Math.min(busy, slots)} aria-label={`Busy slots of ${id}`}>
        {busy}
      </progress>
      <span>
        {busy} of {slots} busy
      </span>
      <span class="muted">
        {formatCount(done)} done · Viva <Text value={version} />
        {runId !== undefined && !runs.includes(runId) && ' · not in this run'}
      </span>
      {oldest && (
        <span class="muted">
          at{' '}
          <bdi>
            <Text value={oldest.id} />
          </bdi>{' '}
          for {formatDuration(oldest.ms)}
        </span>
      )}
    </li>
  )
}
