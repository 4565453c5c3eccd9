// The runs of one case on the console: how many passed, what that shows, and why the first one failed.
import { caseTitle } from '../../../../model/run-key.js'
import type { StabilityEvent } from '../../../../model/event.js'
import { isNotShown } from '../../../../model/status.js'
import { classWords } from '../../../../model/stability-class.js'
import { preview } from '../../../../base/text.js'
import { formatPercent, plural } from '../../../../base/format.js'
import type { Screen } from '../../recording.js'
import { paint } from '../paint.js'

export function stabilityBlock(event: StabilityEvent, screen: Screen): string {
  const color = paint(screen.color)
  const name = event.name === undefined ? '' : ` ${preview(event.name, 100)}`
  const title = `[${preview(caseTitle(event), 100)}]${name}`
  if (event.status === 'skipped')
    return `${color.yellow('○')} ${title} ${isNotShown(event) ? 'not shown' : 'skipped'}: ${preview(event.skip_reason ?? '', 200)}\n`
  const mark =
    event.status === 'passed' ? color.green('✓') : event.status === 'undetermined' ? color.yellow('?') : color.red('✗')
  const rate = `${event.passed}/${event.runs} passed (${formatPercent(event.pass_rate)}, ${classWords(event)})`
  return `${mark} ${title} ${rate}${known(event)}\n${firstFailure(event)}`
}

/** What that many runs say about the next one. */
function known(event: StabilityEvent): string {
  const lost = event.runs - (event.verdict_runs ?? event.runs)
  const errors = lost === 0 ? '' : ` · ${plural(lost, 'run')} without a verdict`
  if (!event.interval) return errors
  const { low, high, confidence } = event.interval
  const interval = ` · ${percent(confidence)} interval ${percent(low)} to ${percent(high)}`
  return `${interval}${conclusion(event)}${errors}`
}

function conclusion({ decision, threshold = 0, label, runs_needed }: StabilityEvent): string {
  if (decision !== undefined) {
    return decision === 'undetermined'
      ? `, undetermined against ${percent(threshold)}`
      : `, ${decision} ${percent(threshold)}`
  }
  if (runs_needed !== undefined) return `: about ${runs_needed} more runs to be sure`
  return label === undefined ? '' : `, ${label.replace('always', 'mostly')}`
}

function firstFailure(event: StabilityEvent): string {
  const bad = event.run_details.find((detail) => detail.status === 'failed')
  if (event.status === 'passed' || bad?.error === undefined) return ''
  const [line = ''] = bad.error.split('\n')
  return `    run ${bad.run}: ${preview(line, 300)}\n`
}

function percent(share: number): string {
  return formatPercent(share * 100)
}
