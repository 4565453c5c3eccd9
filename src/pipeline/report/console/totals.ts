// The first line of the console, and the totals at its end.
import { formatDuration } from '../../../base/duration.js'
import { formatCount, formatSpent, plural } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import type { StartEvent, SummaryEvent } from '../../../model/event.js'
import { passRateText } from '../../../model/pass-rate.js'
import type { Screen } from '../recording.js'
import { paint } from './paint.js'

export function headerLine(start: StartEvent, screen: Screen): string {
  const { mode, agent_id, input, script_path, total_cases, runs_per_case, variants, connector, options } = start
  const unit = mode === 'script_test' ? 'test' : 'case'
  const many = total_cases === undefined ? `${unit}s as they come` : plural(total_cases, unit)
  const isConnectorTold = connector !== undefined && !variants && (options['connector'] !== undefined || screen.verbose)
  // What workers recognise as our own output, wherever a shell wrote it: fleet/manifest.ts.
  const parts = [
    'viva',
    mode === 'script_test' || variants ? undefined : preview(agent_id, 200),
    isConnectorTold ? `with ${preview(connector, 100)}` : undefined,
    many,
    runs_per_case === 1
      ? undefined
      : runs_per_case === 'auto'
        ? 'as many runs as it takes'
        : `${runs_per_case} runs each`,
    preview(input, 200),
    mode === 'script_test' && script_path !== undefined && !script_path.includes(', ')
      ? preview(script_path, 200)
      : undefined,
    options['last_failed'] === true ? 'only what did not pass last time' : undefined,
    typeof options['order'] === 'string' && options['order'] !== 'file'
      ? `order ${preview(options['order'], 100)}`
      : undefined,
  ]
  return paint(screen.color).dim(parts.filter((part) => part !== undefined).join(' · '))
}

export function totalsLines(summary: SummaryEvent, start: StartEvent, screen: Screen): string[] {
  const color = paint(screen.color)
  const { passed, failed, skipped, not_shown = 0, undetermined = 0, not_run, exit_code } = summary
  const counts = [
    failed > 0 && color.red(`${formatCount(failed)} failed`),
    not_shown > 0 && color.yellow(`${formatCount(not_shown)} not shown`),
    undetermined > 0 && color.yellow(`${formatCount(undetermined)} undetermined`),
    (passed > 0 || failed === 0) && color.green(`${formatCount(passed)} passed`),
    skipped - not_shown > 0 && color.yellow(`${formatCount(skipped - not_shown)} skipped`),
    not_run > 0 && color.yellow(`${formatCount(not_run)} not run`),
  ].filter((part) => part !== false)
  const cost =
    summary.cost_dollars === undefined ? '' : `, ${formatSpent(summary.cost_dollars, summary.cost_estimated)}`
  const mark = exit_code === 0 ? color.green('✓') : color.red('✗')
  const turns = start.multi_turn && summary.total_turns ? `, ${plural(summary.total_turns, 'turn')}` : ''
  const lines = [`${mark} ${counts.join(', ')} in ${formatDuration(summary.duration_ms)}${turns}${cost}`]
  if (summary.total_runs !== undefined) {
    const saved = summary.runs_saved ? ` (${formatCount(summary.runs_saved)} saved)` : ''
    lines.push(`  ${plural(summary.total_runs, 'run')}${saved}; pass rate ${passRateText(summary)}`)
  }
  return lines
}
