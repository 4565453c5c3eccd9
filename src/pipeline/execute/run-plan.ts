// Runs what was planned: slots, repetitions, fail-fast, budget. Every result goes through one door.
import type { ResultEvent, RunEvent } from '../../model/event.js'
import type { Planned, Unit } from '../../model/plan.js'
import { runSchedule } from './scheduler.js'

export interface PlanDeps {
  parallel: number
  fail_fast: boolean
  signal: AbortSignal
  /** Runs one unit; results come through `onResult`. */
  runUnit(unit: Unit, onResult: (result: ResultEvent) => void): Promise<void> | void
  emit(event: RunEvent): void
  /** Already has a result (`--resume`). */
  isDone: ((id: string, run: number) => boolean) | undefined
  /** After each result with `--runs auto`: whether the case needs another run. */
  needsAnother(id: string): boolean
  /** Called at the first failure with `--fail-fast`. */
  stop(reason: string): void
}

export async function runPlan(planned: AsyncIterable<Planned[]>, deps: PlanDeps): Promise<void> {
  const onResult = (result: ResultEvent): void => {
    deps.emit(result)
    if (deps.fail_fast && result.status === 'failed') deps.stop('fail_fast')
  }
  await runSchedule({
    batches: expand(planned, deps),
    parallel: deps.parallel,
    signal: deps.signal,
    run: (item) => (item.runs === 'auto' ? runUntilDecided(item, deps, onResult) : deps.runUnit(item.unit, onResult)),
  })
}

/** Every run of its own, but for `auto`, whose next run depends on the last. */
async function* expand(planned: AsyncIterable<Planned[]>, deps: PlanDeps): AsyncGenerator<Planned[]> {
  for await (const batch of planned) {
    const items: Planned[] = []
    for (const item of batch) {
      if (item.runs === 'auto') {
        items.push(item)
        continue
      }
      for (let run = 1; run <= item.runs; run += 1) {
        const unit = withoutDone(runOf(item.unit, run), deps)
        if (unit) items.push({ unit, runs: 1 })
      }
    }
    yield items
  }
}

async function runUntilDecided(item: Planned, deps: PlanDeps, onResult: (result: ResultEvent) => void): Promise<void> {
  for (let run = 1; !deps.signal.aborted; run += 1) {
    const unit = withoutDone(runOf(item.unit, run), deps)
    if (unit) await deps.runUnit(unit, onResult)
    if (deps.signal.aborted || !idsOf(item.unit).some((id) => deps.needsAnother(id))) return
  }
}

function runOf(unit: Unit, run: number): Unit {
  return run === unit.run ? unit : { ...unit, run }
}

function idsOf(unit: Unit): string[] {
  return unit.kind === 'case' ? [unit.testCase.id] : unit.tests.map((test) => test.id)
}

function withoutDone(unit: Unit, deps: PlanDeps): Unit | undefined {
  if (!deps.isDone) return unit
  const { isDone } = deps
  if (unit.kind === 'case') return isDone(unit.testCase.id, unit.run) ? undefined : unit
  const tests = unit.tests.filter((test) => !isDone(test.id, unit.run))
  return tests.length === 0 ? undefined : { ...unit, tests }
}
