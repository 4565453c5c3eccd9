// The summary at the end of the console output and of the `.txt` report.
import type { StartEvent, SummaryEvent } from '../../../../model/event.js'
import { helpersText } from '../../../../model/helper-cost.js'
import { formatDuration } from '../../../../base/duration.js'
import { passRateText } from '../../../../model/pass-rate.js'
import { preview } from '../../../../base/text.js'
import { formatSpent, formatCount, plural } from '../../../../base/format.js'
import type { Screen } from '../../recording.js'
import { choiceLines } from '../choice-lines.js'
import {
  adviceText,
  contractText,
  correctedLines,
  emptyShardText,
  listedIds,
  reasonText,
  recordingText,
  snapshotText,
  withoutText,
} from '../notices.js'
import { paint } from '../paint.js'
import { variantTable } from '../variant-lines.js'
import { AGENT_WIDTH, double, SCRIPT_WIDTH, single } from './rules.js'

export function summaryBlock(summary: SummaryEvent, start: StartEvent, screen: Screen): string {
  return start.mode === 'script_test' ? scriptSummary(summary, start) : agentSummary(summary, start, screen)
}

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
    ...line(contractText(summary)),
    ...line(adviceText(summary)),
    ...correctedLines(summary).map((text) => `  ${text}`),
    ...variantTable(summary),
    ...choiceLines(summary, screen),
    ...line(snapshotText(summary)),
    ...line(recordingText(summary)),
    ...faultLine(summary),
    ...line(withoutText(summary)),
    ...apart(emptyShardText(summary, start)),
    ...trouble(summary),
  )
  return `${lines.join('\n')}\n`
}

function notRunIds({ not_run, not_run_ids: ids = [] }: SummaryEvent): string {
  return ids.length === 0 ? '' : ` (${listedIds(ids, not_run)})`
}

function faultLine({ faults }: SummaryEvent): string[] {
  return faults === undefined ? [] : [`  Chaos:   ${plural(faults, 'fault')} injected into calls`]
}

function line(text: string | undefined): string[] {
  return text === undefined ? [] : [`  ${text}`]
}

function apart(text: string | undefined): string[] {
  return text === undefined ? [] : ['', `  ${text}`]
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

function trouble(summary: SummaryEvent): string[] {
  const lines: string[] = []
  for (const { label, failed, ids } of failedLists(summary))
    lines.push('', `  Failed${label}: ${listedIds(ids, failed)}`)
  if (summary.interrupted) lines.push('', '  Interrupted: the cases without a verdict run on --resume')
  else lines.push(...apart(reasonText(summary)))
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

function scriptSummary(summary: SummaryEvent, start: StartEvent): string {
  const { passed, failed, skipped } = summary
  const open = summary.undetermined ? `, ${summary.undetermined} undetermined` : ''
  const notRun = summary.not_run > 0 ? `, ${summary.not_run} not run${notRunIds(summary)}` : ''
  return [
    double(SCRIPT_WIDTH),
    `  Summary: ${passed} passed, ${failed} failed, ${skipped} skipped${open}${notRun} (${formatDuration(summary.duration_ms)})`,
    double(SCRIPT_WIDTH),
    ...line(recordingText(summary)),
    ...faultLine(summary),
    ...line(withoutText(summary)),
    ...apart(emptyShardText(summary, start)),
    ...(summary.interrupted ? [] : apart(reasonText(summary))),
    '',
  ].join('\n')
}
