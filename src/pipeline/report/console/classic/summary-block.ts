// The summary at the end of the console output and of the `.txt` report.
import type { StartEvent, SummaryEvent } from '../../../../model/event.js'
import { helpersText } from '../../../../model/helper-cost.js'
import { formatDuration } from '../../../../base/duration.js'
import { passRateText } from '../../../../model/pass-rate.js'
import { testedWithout } from '../../../../model/without.js'
import { capitalised, preview } from '../../../../base/text.js'
import { formatSpent, formatCount, plural } from '../../../../base/format.js'
import type { Screen } from '../../recording.js'
import { paint } from '../paint.js'
import { variantTable } from '../variant-lines.js'
import { AGENT_WIDTH, double, SCRIPT_WIDTH, single } from './rules.js'

export function summaryBlock(summary: SummaryEvent, start: StartEvent, screen: Screen): string {
  return start.mode === 'script_test' ? scriptSummary(summary, start) : agentSummary(summary, start, screen)
}

const LISTED = 20

function agentSummary(summary: SummaryEvent, start: StartEvent, screen: Screen): string {
  const color = paint(screen.color)
  const lines = [single(AGENT_WIDTH), '  Summary', single(AGENT_WIDTH), `  Total:   ${plural(summary.total, 'test')}`]
  lines.push(`  Passed:  ${color.green(formatCount(summary.passed))}`)
  lines.push(`  Failed:  ${summary.failed > 0 ? color.red(formatCount(summary.failed)) : '0'}`)
  if (summary.skipped > 0 || start.multi_turn) lines.push(`  Skipped: ${formatCount(summary.skipped)}`)
  if (summary.not_shown) {
    const ids = listedIds(summary.not_shown_ids ?? [], summary.not_shown)
    lines.push(`  Not shown: ${color.yellow(formatCount(summary.not_shown))} (${ids})`)
  }
  if (summary.undetermined) {
    const ids = listedIds(summary.undetermined_ids ?? [], summary.undetermined)
    lines.push(`  Undetermined: ${color.yellow(formatCount(summary.undetermined))} (${ids})`)
  }
  if (summary.not_run > 0) lines.push(`  Not run: ${formatCount(summary.not_run)}${notRunIds(summary)}`)
  if (summary.flaky) lines.push(`  Flaky:   ${summary.flaky} (${listedIds(summary.flaky_ids ?? [], summary.flaky)})`)
  if (summary.retried && start.options['fail_on_flaky'] === 'transport')
    lines.push(`  Retried: ${summary.retried} (${listedIds(summary.retried_ids ?? [], summary.retried)})`)
  lines.push(...repetition(summary))
  if (summary.cost_dollars !== undefined)
    lines.push(`  Cost:    ${formatSpent(summary.cost_dollars, summary.cost_estimated)}`)
  const helpers = helpersText(summary.helpers)
  if (helpers !== undefined) lines.push(`  Helpers: ${preview(helpers, 200)}`)
  if (start.multi_turn) {
    const turns = summary.total_turns ?? 0
    const tests = summary.total_runs ?? summary.total
    lines.push('', `  Total turns: ${turns}`, `  Avg turns/test: ${(tests === 0 ? 0 : turns / tests).toFixed(1)}`)
    lines.push(`  Total time: ${formatDuration(summary.duration_ms)}`)
  } else {
    lines.push(`  Time:    ${formatDuration(summary.duration_ms)}`)
  }
  lines.push(
    ...variantTable(summary),
    ...snapshotLine(summary),
    ...recordingLine(summary),
    ...faultLine(summary),
    ...withoutLine(summary),
    ...emptyShard(summary, start),
    ...trouble(summary),
  )
  return `${lines.join('\n')}\n`
}

function notRunIds({ not_run, not_run_ids: ids = [] }: SummaryEvent): string {
  return ids.length === 0 ? '' : ` (${listedIds(ids, not_run)})`
}

function repetition(summary: SummaryEvent): string[] {
  if (summary.total_runs === undefined) return []
  const lines = [`  Runs:    ${summary.total_runs}${summary.runs_saved ? ` (${summary.runs_saved} saved)` : ''}`]
  lines.push(
    `  Stable:  ${summary.stable_cases ?? 0} of ${(summary.stable_cases ?? 0) + (summary.unstable_cases ?? 0)} cases`,
  )
  lines.push(`  Rate:    ${passRateText(summary)}`)
  return lines
}

function snapshotLine({ snapshots }: SummaryEvent): string[] {
  if (!snapshots) return []
  const { written, pending, obsolete } = snapshots
  const parts = [
    written !== undefined && `${formatCount(written)} written`,
    pending !== undefined && `${formatCount(pending)} to review (viva snapshot review)`,
    obsolete !== undefined &&
      `${formatCount(obsolete.length)} no longer used (${listedIds(obsolete, obsolete.length)})`,
  ]
  return [`  Snapshots: ${parts.filter((part) => part !== false).join(', ')}`]
}

function recordingLine({ recording }: SummaryEvent): string[] {
  if (!recording) return []
  const { replayed, recorded, passed_through, unused, unused_at = [], stale = 0 } = recording
  const parts = [
    replayed > 0 && `${formatCount(replayed)} replayed`,
    recorded > 0 && `${formatCount(recorded)} recorded`,
    passed_through > 0 && `${formatCount(passed_through)} passed through`,
    unused > 0 && `${formatCount(unused)} unused${unusedSources(unused, unused_at)}`,
    stale > 0 && `${formatCount(stale)} older than max_age`,
  ].filter((part) => part !== false)
  return [`  Recording: ${parts.length > 0 ? parts.join(', ') : 'nothing was asked'}`]
}

function faultLine({ faults }: SummaryEvent): string[] {
  return faults === undefined ? [] : [`  Chaos:   ${plural(faults, 'fault')} injected into calls`]
}

function withoutLine({ without }: SummaryEvent): string[] {
  const text = testedWithout(without)
  return text === undefined ? [] : [`  ${capitalised(text)}`]
}

function unusedSources(unused: number, places: string[]): string {
  const shown = places.slice(0, 3)
  if (shown.length === 0) return ''
  return ` (${shown.join(', ')}${unused > shown.length ? ', …' : ''})`
}

/** Green, but not because anything passed. */
function emptyShard({ total }: SummaryEvent, { options }: StartEvent): string[] {
  const { shard } = options
  return total === 0 && typeof shard === 'string' ? ['', `  Shard ${shard} has no cases: all are in other shards`] : []
}

function trouble(summary: SummaryEvent): string[] {
  const lines: string[] = []
  for (const { label, failed, ids } of failedLists(summary))
    lines.push('', `  Failed${label}: ${listedIds(ids, failed)}`)
  if (summary.interrupted) lines.push('', '  Interrupted: the cases without a verdict run on --resume')
  else lines.push(...reasonLines(summary))
  if (summary.suggestion !== undefined) lines.push('', `  ${summary.suggestion}`)
  return lines
}

function failedLists({
  variants,
  failed,
  failed_ids,
}: SummaryEvent): Array<{ label: string; failed: number; ids: string[] }> {
  const lists = variants
    ? variants.map((each) => ({ label: ` (${preview(each.name, 60)})`, failed: each.failed, ids: each.failed_ids }))
    : [{ label: '', failed, ids: failed_ids }]
  return lists.filter((list) => list.failed > 0)
}

/** Why the exit code is not 0, if failed cases do not explain it: that must not be a riddle. */
function reasonLines({ exit_code, failed, reasons = [], variants, decision }: SummaryEvent): string[] {
  if (exit_code === 0 && failed > 0 && variants && !decision)
    return ['', '  Exit code 0: the failures are of variants that --gate leaves out']
  const told = exit_code === 0 || (failed > 0 && reasons.length <= 1)
  return told ? [] : ['', `  Exit code ${exit_code}: ${preview(reasons.join('; '), 1_000)}`]
}

function listedIds(ids: string[], total: number): string {
  const shown = ids.slice(0, LISTED).map((id) => preview(id, 60))
  return total > shown.length ? `${shown.join(', ')} and ${total - shown.length} more` : shown.join(', ')
}

function scriptSummary(summary: SummaryEvent, start: StartEvent): string {
  const { passed, failed, skipped } = summary
  const open = summary.undetermined ? `, ${summary.undetermined} undetermined` : ''
  const notRun = summary.not_run > 0 ? `, ${summary.not_run} not run${notRunIds(summary)}` : ''
  return [
    double(SCRIPT_WIDTH),
    `  Summary: ${passed} passed, ${failed} failed, ${skipped} skipped${open}${notRun} (${formatDuration(summary.duration_ms)})`,
    double(SCRIPT_WIDTH),
    ...recordingLine(summary),
    ...faultLine(summary),
    ...withoutLine(summary),
    ...emptyShard(summary, start),
    ...(summary.interrupted ? [] : reasonLines(summary)),
    '',
  ].join('\n')
}
