// Runs what was planned: slots, repetitions, fail-fast. Every result goes through one door.
import type { ResultEvent, RunEvent } from '../../model/event.js'
import type { Job, Planned } from '../../model/plan.js'
import { runSchedule } from './scheduler.js'

export interface PlanDeps {
  parallel: number
  fail_fast: boolean
  signal: AbortSignal
  /** Runs one unit; results come through `onResult`. */
  runUnit(planned: Planned, onResult: (result: ResultEvent) => void): Promise<void> | void
  emit(event: RunEvent): void
  /** After each result with `--runs auto`: whether the case needs another run. */
  needsAnother(id: string): boolean
  /** Called at the first failure with `--fail-fast`. */
  stop(reason: string): void
}

export async function runPlan(jobs: AsyncIterable<Job[]>, deps: PlanDeps): Promise<void> {
  const onResult = (result: ResultEvent): void => {
    deps.emit(result)
    if (deps.fail_fast && result.status === 'failed') deps.stop('fail_fast')
  }
  await runSchedule({
    batches: jobs,
    parallel: deps.parallel,
    signal: deps.signal,
    run: (job) => (job.kind === 'run' ? deps.runUnit(job, onResult) : runUntilDecided(job, deps, onResult)),
  })
}

async function runUntilDecided(
  { units, ids, checks }: Extract<Job, { kind: 'until_decided' }>,
  deps: PlanDeps,
  onResult: (result: ResultEvent) => void,
): Promise<void> {
  for (const unit of units) {
    if (unit) await deps.runUnit({ unit, checks }, onResult)
    if (deps.signal.aborted || !ids.some((id) => deps.needsAnother(id))) return
  }
}
