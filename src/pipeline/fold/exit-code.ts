// The exit code, computed once, last, from the records.
import { plural } from '../../base/format.js'

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface RunEnd {
  failed: number
  /** Selected cases without a result. */
  not_run: number
  /** Something a script did outside any test, e.g. a rejection after a test's end. */
  late_errors: number
  flaky: number
  fail_on_flaky?: boolean
  /** What went wrong with the run itself: a report, the disk, an exhausted quota. */
  errors: readonly string[]
  interrupted?: StopSignal
}

export interface ExitVerdict {
  exit_code: number
  reasons: string[]
}

const SIGNAL_CODES: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** A signal beats everything; a failed case beats trouble of our own, which beats success. */
export function exitCodeOf(end: RunEnd): ExitVerdict {
  const failures = failuresOf(end)
  const troubles = [...end.errors]
  if (end.interrupted) {
    const reasons = [`interrupted (${end.interrupted})`, ...failures, ...troubles]
    return { exit_code: SIGNAL_CODES[end.interrupted], reasons }
  }
  if (failures.length > 0) return { exit_code: 1, reasons: [...failures, ...troubles] }
  // Nothing failed, yet something was left out for no reason anyone gave: that is not a success.
  if (end.not_run > 0 && troubles.length === 0) troubles.push(`${plural(end.not_run, 'case')} not run`)
  return { exit_code: troubles.length > 0 ? 3 : 0, reasons: troubles }
}

function failuresOf(end: RunEnd): string[] {
  const reasons: string[] = []
  if (end.failed > 0) reasons.push(`${plural(end.failed, 'case')} failed`)
  if (end.late_errors > 0) reasons.push(`${plural(end.late_errors, 'error')} outside any case`)
  if (end.fail_on_flaky && end.flaky > 0) reasons.push(plural(end.flaky, 'flaky case'))
  return reasons
}
