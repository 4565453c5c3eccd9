// The exit code, computed once, last, from the records.
import { plural } from '../../base/format.js'
import type { Gate } from '../../model/variant.js'

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export interface RunEnd {
  passed: number
  failed: number
  /** With `--runs auto`: cases with too few runs to decide. */
  undetermined: number
  skipped: number
  /** Of those, the ones that nobody chose to skip. */
  not_shown?: number
  /** Selected cases without a result. */
  not_run: number
  /** Something a script did outside any test, e.g. a rejection after a test's end. */
  late_errors: number
  flaky: number
  /** Passed, and a call had to be repeated on the way. */
  retried?: number
  /** Cases that an agent which does nothing useful would pass. */
  vacuous?: number
  /** Cases that passed on the advice of judges without a licence, and on nothing else. */
  advice_only?: number
  /** Variants without a single verdict, while others have some. */
  silent?: readonly string[]
  /** Why the run stopped short although nothing went wrong: the budget. */
  stopped?: string
  /** Why the second variant does not pass its comparison with the first. */
  change?: readonly string[]
  /** What went wrong with the run itself: a report, the disk, an exhausted quota. */
  errors: readonly string[]
  /** What happened to the event file, so that its results prove nothing. */
  damage?: string
  interrupted?: StopSignal
}

/** What the user wants the exit code to depend on. */
export interface Gates {
  fail_on_flaky?: boolean | 'transport'
  fail_on_vacuous?: boolean
  /** Skipped cases fail the run. */
  strict?: boolean
  /** A run in which no case reached a verdict is green. */
  pass_with_no_tests?: boolean
  /** With several variants: whose failures count. */
  gate?: Gate
  /** For a comparison: what counts besides *worse*. */
  fail_on?: readonly FailOn[]
  /** Why its cases are not those of before: with `regression`, that counts too. */
  changed_cases?: string
}

export const FAIL_ON = ['undecided', 'regression', 'drift'] as const
export type FailOn = (typeof FAIL_ON)[number]

export interface ExitVerdict {
  exit_code: number
  reasons: string[]
}

export const SIGNAL_CODES: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

/** A signal beats everything, then results that prove nothing; a failed case beats other trouble, which beats success. */
export function exitCodeOf(ending: RunEnd, gates: Gates = {}): ExitVerdict {
  const failures = failuresOf(ending, gates)
  const damage = ending.damage === undefined ? [] : [ending.damage]
  const troubles = [...damage, ...ending.errors]
  if (ending.interrupted) {
    const reasons = [`interrupted (${ending.interrupted})`, ...failures, ...troubles]
    return { exit_code: SIGNAL_CODES[ending.interrupted], reasons }
  }
  if (damage.length > 0) return { exit_code: 3, reasons: [...damage, ...failures, ...ending.errors] }
  if (failures.length > 0) return { exit_code: 1, reasons: [...failures, ...troubles] }
  // Nothing failed, yet something was left out without a stated reason: that is not a success.
  if (ending.not_run > 0 && troubles.length === 0) troubles.push(`${plural(ending.not_run, 'case')} not run`)
  if (troubles.length > 0) return { exit_code: 3, reasons: troubles }
  const nothing = nothingShown(ending, gates)
  return nothing === undefined ? { exit_code: 0, reasons: [] } : { exit_code: 1, reasons: [nothing] }
}

function failuresOf(ending: RunEnd, gates: Gates): string[] {
  const reasons: string[] = [...(ending.change ?? [])]
  if (ending.failed > 0) reasons.push(`${plural(ending.failed, 'case')} failed`)
  if (ending.not_shown) reasons.push(`${plural(ending.not_shown, 'case')} not shown: assertions were not reached`)
  if (ending.undetermined > 0) reasons.push(`${plural(ending.undetermined, 'case')} undetermined`)
  if (ending.stopped !== undefined)
    reasons.push(ending.not_run > 0 ? `${plural(ending.not_run, 'case')} not run: ${ending.stopped}` : ending.stopped)
  if (ending.late_errors > 0) reasons.push(`${plural(ending.late_errors, 'error')} outside any case`)
  if (gates.fail_on_flaky && ending.flaky > 0) reasons.push(`${plural(ending.flaky, 'flaky case')} (--fail-on-flaky)`)
  if (gates.fail_on_flaky === 'transport' && ending.retried)
    reasons.push(`${plural(ending.retried, 'case')} with retried HTTP calls (--fail-on-flaky=transport)`)
  if (gates.fail_on_vacuous && ending.vacuous)
    reasons.push(`${plural(ending.vacuous, 'vacuous case')} (--fail-on-vacuous)`)
  if (gates.fail_on_vacuous && ending.advice_only)
    reasons.push(`${plural(ending.advice_only, 'case')} passed on advice alone (--fail-on-vacuous)`)
  if (gates.strict && ending.skipped > 0) reasons.push(`${plural(ending.skipped, 'case')} skipped (--strict)`)
  return reasons
}

/** A shard may be empty; a run whose every case was skipped has shown nothing. */
function nothingShown({ passed, skipped, silent = [] }: RunEnd, gates: Gates): string | undefined {
  if (gates.pass_with_no_tests) return undefined
  if (passed > 0 && silent.length > 0)
    return `no case of ${silent.join(', ')} reached a verdict: all were skipped (--pass-with-no-tests if that is meant)`
  if (passed > 0 || skipped === 0) return undefined
  const all = skipped === 1 ? 'the only case was skipped' : `all ${skipped} cases were skipped`
  return `no case reached a verdict: ${all} (--pass-with-no-tests if that is meant)`
}
