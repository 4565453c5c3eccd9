// Runs the plan: slots, repetitions, fail-fast. Every result passes through one place.
import type { ResultEvent, RunEvent } from '../../model/event.js'
import type { Job, Jobs, Planned } from '../../model/plan.js'
import type { CaseKey } from '../../model/run-key.js'
import { isNotShown } from '../../model/status.js'
import { runSchedule } from './scheduler.js'

export interface PlanDeps {
  parallel: number
  fail_fast: boolean
  signal: AbortSignal
  /** Runs one unit; results come through `onResult`. */
  runUnit(planned: Planned, onResult: (result: ResultEvent) => void): Promise<void> | void
  emit(event: RunEvent): void
  /** After each result with `--runs auto`: whether the case needs another run. */
  needsAnother(key: CaseKey): boolean
  /** Called at the first failure of a variant with `--fail-fast`: it ends there. */
  end(variant: string | undefined, reason: string): void
}

export async function runPlan(jobs: Jobs, deps: PlanDeps): Promise<void> {
  const onResult = (result: ResultEvent): void => {
    deps.emit(result)
    if (deps.fail_fast && (result.status === 'failed' || isNotShown(result))) deps.end(result.variant, 'fail_fast')
  }
  await runSchedule({
    batches: jobs,
    parallel: deps.parallel,
    signal: deps.signal,
    run: (job) => (job.kind === 'run' ? deps.runUnit(job, onResult) : runUntilDecided(job, deps, onResult)),
  })
}

async function runUntilDecided(
  { units, keys, checks }: Extract<Job, { kind: 'until_decided' }>,
  deps: PlanDeps,
  onResult: (result: ResultEvent) => void,
): Promise<void> {
  for (const unit of units) {
    let results = 0
    const counted = (result: ResultEvent): void => {
      results += 1
      onResult(result)
    }
    if (unit) await deps.runUnit({ unit, checks }, counted)
    // Without a result nothing was learnt, and another run would bring none: the run or the variant has ended.
    if (unit && results === 0) return
    if (deps.signal.aborted || !keys.some((key) => deps.needsAnother(key))) return
  }
}
