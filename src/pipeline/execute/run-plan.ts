// Runs what was planned: slots, repetitions, fail-fast, budget. Every result goes through one door.
import type { ResultEvent, RunEvent } from '../../model/event.js'
import type { PlannedCase, Unit } from '../../model/plan.js'
import { runSchedule } from './scheduler.js'

export interface PlanDeps {
  parallel: number
  fail_fast: boolean
  signal: AbortSignal
  /** Runs one unit; results come through `onResult`. */
  runUnit(unit: Unit, onResult: (result: ResultEvent) => void): Promise<void> | void
  emit(event: RunEvent): void
  /** Already has a result (`--resume`). */
  isDone(id: string, run: number): boolean
  /** After each result with `--runs auto`: whether the case needs another run. */
  needsAnother(id: string): boolean
  /** Called at the first failure with `--fail-fast`. */
  stop(reason: string): void
}

export async function runPlan(planned: AsyncIterable<PlannedCase>, deps: PlanDeps): Promise<void> {
  const onResult = (result: ResultEvent): void => {
    deps.emit(result)
    if (deps.fail_fast && result.status === 'failed') deps.stop('fail_fast')
  }
  await runSchedule({
    items: expand(planned, deps),
    parallel: deps.parallel,
    signal: deps.signal,
    run: (job) => job(onResult),
  })
}

type Job = (onResult: (result: ResultEvent) => void) => Promise<void> | void

async function* expand(planned: AsyncIterable<PlannedCase>, deps: PlanDeps): AsyncGenerator<Job> {
  for await (const item of planned) {
    if (item.runs === 'auto') {
      yield (onResult) => runUntilDecided(item, deps, onResult)
      continue
    }
    for (let run = 1; run <= item.runs; run += 1) {
      const unit = run === 1 ? item.first : item.unit(run)
      const rest = withoutDone(unit, deps)
      if (rest) yield (onResult) => deps.runUnit(rest, onResult)
    }
  }
}

async function runUntilDecided(
  item: PlannedCase,
  deps: PlanDeps,
  onResult: (result: ResultEvent) => void,
): Promise<void> {
  for (let run = 1; !deps.signal.aborted; run += 1) {
    const unit = withoutDone(run === 1 ? item.first : item.unit(run), deps)
    if (unit) await deps.runUnit(unit, onResult)
    if (deps.signal.aborted || !idsOf(item.first).some((id) => deps.needsAnother(id))) return
  }
}

function idsOf(unit: Unit): string[] {
  return unit.kind === 'case' ? [unit.testCase.id] : unit.tests.map((test) => test.id)
}

function withoutDone(unit: Unit, deps: PlanDeps): Unit | undefined {
  if (unit.kind === 'case') return deps.isDone(unit.testCase.id, unit.run) ? undefined : unit
  const tests = unit.tests.filter((test) => !deps.isDone(test.id, unit.run))
  return tests.length === 0 ? undefined : { ...unit, tests }
}
