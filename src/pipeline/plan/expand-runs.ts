// Planned units × runs → jobs, lazily. Pure.
import type { IsDone, Job, Planned, Unit } from '../../model/plan.js'

export interface Expansion {
  runs: number | 'auto'
  isDone?: IsDone | undefined
}

/** Every run is a job of its own, except with `auto`, where each run depends on the ones before. */
export async function* expandRuns(batches: AsyncIterable<Planned[]>, expansion: Expansion): AsyncGenerator<Job[]> {
  for await (const batch of batches) {
    const jobs: Job[] = []
    for (const planned of batch) addJobs(jobs, planned, expansion)
    yield jobs
  }
}

function addJobs(jobs: Job[], { unit, checks }: Planned, { runs, isDone }: Expansion): void {
  // However often it is skipped, nothing more is learnt.
  const times = unit.kind === 'case' && unit.testCase.skip ? 1 : runs
  if (times === 'auto') {
    jobs.push({ kind: 'until_decided', units: endlessRuns(unit, isDone), ids: idsOf(unit), checks })
    return
  }
  for (let run = 1; run <= times; run += 1) {
    const open = openPart(unit, run, isDone)
    if (open) jobs.push({ kind: 'run', unit: open, checks })
  }
}

function* endlessRuns(unit: Unit, isDone: IsDone | undefined): Generator<Unit | undefined> {
  for (let run = 1; ; run += 1) yield openPart(unit, run, isDone)
}

/** What of this run has no result yet. */
function openPart(unit: Unit, run: number, isDone: IsDone | undefined): Unit | undefined {
  const ofRun = run === unit.run ? unit : { ...unit, run }
  if (!isDone) return ofRun
  if (ofRun.kind === 'case') return isDone(ofRun.testCase.id, run) ? undefined : ofRun
  const tests = ofRun.tests.filter((test) => !isDone(test.id, run))
  return tests.length === 0 ? undefined : { ...ofRun, tests }
}

function idsOf(unit: Unit): string[] {
  return unit.kind === 'case' ? [unit.testCase.id] : unit.tests.map((test) => test.id)
}
