// Planned units × runs × variants → jobs, lazily. Pure.
import { BARRIER, type GoOn, type IsDone, type Job, type Planned, type Unit } from '../../model/plan.js'
import type { TestCase } from '../../model/case.js'
import { caseKey, runKey, type CaseKey } from '../../model/run-key.js'

export interface Expansion {
  runs: number | 'auto'
  /** Their names, the baseline first; a single one has none. */
  variants: ReadonlyArray<string | undefined>
  isDone?: IsDone | undefined
  /** The case is not for this variant. */
  isLeftOut?: ((testCase: TestCase, variant: string | undefined) => boolean) | undefined
}

/**
 * Every run is its own job, except with `auto`, where each run depends on the ones before. The variants of a case
 * follow each other, so that a slow hour affects all of them.
 */
export async function* expandRuns(batches: AsyncIterable<Planned[]>, expansion: Expansion): AsyncGenerator<Job[]> {
  for await (const batch of batches) {
    const jobs: Job[] = []
    for (const planned of batch) addJobs(jobs, planned, expansion)
    yield jobs
  }
}

export interface Looks extends Omit<Expansion, 'runs'> {
  /** Run counts after which to ask whether there should be more. */
  looks: readonly number[]
  goOn: GoOn
}

/** Round by round instead of case by case: after each look either all cases get more runs or none. */
export async function* expandLooks(
  planned: () => AsyncIterable<Planned[]>,
  { looks, goOn, ...expansion }: Looks,
): AsyncGenerator<Job[] | typeof BARRIER> {
  let done = 0
  for (const look of looks) {
    for await (const batch of planned()) {
      const jobs: Job[] = []
      for (const each of batch) if (done === 0 || !isSkipped(each.unit)) addRuns(jobs, each, expansion, done + 1, look)
      yield jobs
    }
    yield BARRIER
    done = look
    if (!goOn(look)) return
  }
}

/** However often it is skipped, nothing more is learnt. */
function isSkipped(unit: Unit): boolean {
  return unit.kind === 'case' && unit.testCase.skip === true
}

function addJobs(jobs: Job[], planned: Planned, expansion: Expansion): void {
  const { unit, checks } = planned
  const { runs, variants, isDone } = expansion
  const times = isSkipped(unit) ? 1 : runs
  if (times === 'auto') {
    for (const variant of variants) {
      const own = ofVariant(unit, variant)
      jobs.push({ kind: 'until_decided', units: endlessRuns(own, isDone), keys: keysOf(own), checks })
    }
    return
  }
  addRuns(jobs, planned, expansion, 1, times)
}

function addRuns(
  jobs: Job[],
  { unit, checks }: Planned,
  { variants, isDone, isLeftOut }: Omit<Expansion, 'runs'>,
  from: number,
  to: number,
): void {
  const last = isSkipped(unit) ? from : to
  for (let run = from; run <= last; run += 1) {
    for (const variant of variants) {
      // It is said once: each further result would count as another case that was left out.
      if (run > 1 && unit.kind === 'case' && isLeftOut?.(unit.testCase, variant)) continue
      const open = openPart(ofVariant(unit, variant), run, isDone)
      if (open) jobs.push({ kind: 'run', unit: open, checks })
    }
  }
}

function ofVariant(unit: Unit, variant: string | undefined): Unit {
  return variant === undefined || unit.kind !== 'case' ? unit : { ...unit, variant }
}

function* endlessRuns(unit: Unit, isDone: IsDone | undefined): Generator<Unit | undefined> {
  for (let run = 1; ; run += 1) yield openPart(unit, run, isDone)
}

/** Which of this run's variants have no result yet. */
function openPart(unit: Unit, run: number, isDone: IsDone | undefined): Unit | undefined {
  const ofRun = run === unit.run ? unit : { ...unit, run }
  if (!isDone) return ofRun
  if (ofRun.kind === 'case') {
    const { testCase, variant } = ofRun
    return isDone(runKey({ id: testCase.id, variant, run })) ? undefined : ofRun
  }
  const tests = ofRun.tests.filter((test) => !isDone(runKey({ id: test.id, run })))
  return tests.length === 0 ? undefined : { ...ofRun, tests }
}

function keysOf(unit: Unit): CaseKey[] {
  if (unit.kind === 'case') return [caseKey({ id: unit.testCase.id, variant: unit.variant })]
  return unit.tests.map((test) => caseKey(test))
}
