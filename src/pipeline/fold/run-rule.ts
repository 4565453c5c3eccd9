// How the runs of a case become its status: the options of a run that decide it.
import { autoStatus, minPassRateOf, reaches } from '../../model/case-status.js'
import type { StartEvent } from '../../model/event.js'
import type { CaseStatus } from '../../model/status.js'
import { decide, type AutoDecision } from './auto-runs.js'

export interface RunRule {
  /** `auto`: cases run until their rate is known to be above or below the threshold. */
  runs: number | 'auto'
  /** Percent; a case passes at this rate. Not used with `auto`. */
  min_pass_rate: number
  /** Percent, with `auto`. */
  threshold: number
  /** Percent. */
  confidence: number
}

/** Runs of one case so far. */
export interface RunCounts {
  passed: number
  /** With a verdict. */
  failed: number
  /** Without one: lost to infrastructure, simulator or judge. */
  lost: number
  skipped: number
  /** Of the skipped ones, those that the agent kept from being shown: not passed. */
  withheld?: number
}

/** From a recorded run; a file written by other tools may lack some of it. */
export function ruleOf({ runs_per_case, options }: Pick<StartEvent, 'runs_per_case' | 'options'>): RunRule {
  const read = (key: string, otherwise: number): number => {
    const value = options[key]
    return typeof value === 'number' ? value : otherwise
  }
  return {
    runs: runs_per_case,
    min_pass_rate: minPassRateOf({ options }),
    threshold: read('threshold', 80),
    confidence: read('confidence', 95),
  }
}

/** With `auto`: is another run needed, or what is known? */
export function decisionOf(counts: Pick<RunCounts, 'passed' | 'failed'>, rule: RunRule): AutoDecision {
  return decide({
    passes: counts.passed,
    fails: counts.failed,
    threshold: rule.threshold / 100,
    confidence: rule.confidence / 100,
  })
}

/** The status of a case with these runs. If cut short, it counts once it has failed; with `auto`, once it is decided. */
export function statusOfRuns(counts: RunCounts, rule: RunRule): CaseStatus | 'not_run' {
  const { passed, failed, lost, skipped, withheld = 0 } = counts
  const runs = passed + failed + lost + skipped
  if (runs > 0 && skipped === runs) return 'skipped'
  const notPassed = failed + withheld
  if (rule.runs === 'auto') return autoStatus(decisionOf({ passed, failed: notPassed }, rule), passed + notPassed)
  const enough = runs > 0 && reaches((passed / runs) * 100, rule.min_pass_rate)
  if (runs >= rule.runs) return enough ? 'passed' : 'failed'
  return enough ? 'not_run' : 'failed'
}
