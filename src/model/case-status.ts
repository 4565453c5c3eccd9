// What becomes of a case over its runs. Run, reports, history and viewer must agree on it.
import type { StabilityEvent, StartEvent } from './event.js'
import type { CaseStatus } from './status.js'

/** Undetermined is not a pass, and skipped in every run is skipped. */
export function stabilityStatus(event: StabilityEvent, minPassRate: number): CaseStatus {
  const allSkipped = event.run_details.length > 0 && event.run_details.every((detail) => detail.status === 'skipped')
  if (allSkipped || event.status === 'skipped') return 'skipped'
  if (event.decision !== undefined) return autoStatus(event.decision, event.verdict_runs ?? event.runs)
  return reaches(event.pass_rate, minPassRate) ? 'passed' : 'failed'
}

/** Runs that never reached a verdict leave nothing open: the case failed for the same reason they did. */
export function autoStatus(decision: 'above' | 'below' | 'continue' | 'undetermined', verdicts: number): CaseStatus {
  if (decision === 'above') return 'passed'
  return decision === 'below' || verdicts === 0 ? 'failed' : 'undetermined'
}

/** Two of three is not quite 66.67%, and 80% of them is 80%. */
export function reaches(passRate: number, needed: number): boolean {
  return passRate >= needed - 1e-9
}

/** Percent; the pass rate that a case with several runs needs. */
export function minPassRateOf({ options }: Pick<StartEvent, 'options'>): number {
  const given = options['min_pass_rate']
  return typeof given === 'number' ? given : 100
}
