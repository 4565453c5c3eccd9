// Did both runs decide in the same way how often to run a case? A rate from runs that stop as soon as they show enough is
// biased, and only equal biases cancel out. Fixed numbers may differ: their rates are not.
import type { StartEvent } from '../../../model/event.js'
import { ruleOf } from '../../fold/run-rule.js'

/** What differs, in words; undefined if the rates can be compared. */
export function differentPlans(old: StartEvent, fresh: StartEvent): string | undefined {
  const [before, after] = [planOf(old), planOf(fresh)]
  const isOneRun = old.runs_per_case === 1 || fresh.runs_per_case === 1
  const isSame = before.rule === after.rule || (isOneRun && !before.isAuto && !after.isAuto)
  return isSame ? undefined : `different run plans: ${before.text}, and ${after.text}`
}

interface Plan {
  isAuto: boolean
  /** Equal for plans whose verdicts and rates can be compared. */
  rule: string
  text: string
}

function planOf(start: StartEvent): Plan {
  const { runs, threshold, confidence, min_pass_rate } = ruleOf(start)
  if (runs !== 'auto') {
    const rule = `--min-pass-rate ${min_pass_rate}`
    return { isAuto: false, rule, text: min_pass_rate === 100 ? `--runs ${runs}` : `--runs ${runs} ${rule}` }
  }
  const most = start.options['max_runs']
  const flags = [
    `--threshold ${threshold}`,
    `--confidence ${confidence}`,
    ...(typeof most === 'number' ? [`--max-runs ${most}`] : []),
    // All cases together, instead of each by itself.
    ...(start.diff ? ['of viva diff'] : []),
  ]
  const text = `--runs auto (${flags.join(', ')})`
  return { isAuto: true, rule: text, text }
}
