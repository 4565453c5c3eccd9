// `.md`: the seeds' Markdown report, failures first.
import { choiceMatrix, choicesOf, choiceSections, choiceSentence } from '../../../model/choices-text.js'
import { contractSentence } from '../../../model/contract-text.js'
import { correctedText } from '../../../model/corrected-text.js'
import { SEE_DETAILS } from '../../../model/see-details.js'
import { helpersText } from '../../../model/helper-cost.js'
import { passRateText } from '../../../model/pass-rate.js'
import { failuresFirst } from '../cases.js'
import { formatDuration } from '../../../base/duration.js'
import { formatSpent, plural } from '../../../base/format.js'
import { markdownCase } from '../markdown-case.js'
import { table } from '../markdown-table.js'
import { cell, fenced, inline } from '../markdown-text.js'
import { sideBySide } from '../side-by-side.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'

export async function* markdown(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  yield markdownHead(overview)
  if (overview.listed.total === 0) yield 'No results.\n'
  for await (const event of failuresFirst(recording, overview)) yield `${markdownCase(event, overview)}\n`
}

export function markdownHead(overview: Overview): string {
  const { start, summary } = overview
  const environment = Object.entries({
    User: start.environment.user_id,
    Team: start.environment.team_id,
    Locale: start.environment.locale,
  })
  return [
    start.mode === 'script_test' ? '# Script Test Report\n' : '# Agent Test Report\n',
    '## Summary\n',
    table(
      ['Metric', 'Value'],
      summaryRows(overview).map(([name, value]) => [name, cell(value)]),
    ),
    ...variantSection(overview),
    ...choiceSection(overview),
    ...(overview.complete ? [] : ['The run was cut off: these are the results it had written.\n']),
    ...(summary.exit_code !== 0 && (summary.reasons?.length ?? 0) > (summary.failed > 0 ? 1 : 0)
      ? [`Exit code ${summary.exit_code}: ${inline(summary.reasons?.join('; ') ?? '', 1_000)}\n`]
      : []),
    ...(summary.suggestion === undefined || summary.suggestion === SEE_DETAILS
      ? []
      : [`${inline(summary.suggestion)}\n`]),
    '## Environment\n',
    table(
      ['Setting', 'Value'],
      environment.map(([name, value]) => [name, cell(value)]),
    ),
    ...flakySection(overview),
    ...errorSection(overview),
    '## Results\n\n',
  ].join('\n')
}

function summaryRows({ start, summary, repeated }: Overview): Array<[string, string]> {
  const rows: Array<[string, string | undefined]> = [
    [
      start.mode === 'script_test' ? 'Script' : 'Agent',
      start.mode === 'script_test' ? (start.script ?? start.input) : start.agent_id,
    ],
    ['Connector', start.connector],
    ['Total', String(summary.total)],
    ['Passed', String(summary.passed)],
    ['Failed', String(summary.failed)],
    ['Skipped', positive(summary.skipped)],
    ['Not shown', positive(summary.not_shown)],
    ['Undetermined', positive(summary.undetermined)],
    ['Not run', positive(summary.not_run)],
    ['Flaky', positive(summary.flaky)],
    ['Pass Rate', passRateText(summary)],
    ['Corrected for the judge', summary.corrected && correctedText(summary.corrected)],
    ['Runs', repeated ? `${summary.total_runs ?? 0} (${runsText(start.runs_per_case)})` : undefined],
    [
      'Passed every run',
      repeated
        ? `${summary.stable_cases ?? 0} of ${plural((summary.stable_cases ?? 0) + (summary.unstable_cases ?? 0), 'case')}`
        : undefined,
    ],
    ['Runs saved', positive(summary.runs_saved)],
    ['Duration', formatDuration(summary.duration_ms)],
    ['Turns', positive(summary.total_turns)],
    ['Tokens', positive(summary.usage?.total_tokens)],
    [
      'Cost',
      summary.cost_dollars === undefined ? undefined : formatSpent(summary.cost_dollars, summary.cost_estimated),
    ],
    ['Contract', summary.contract && contractSentence(summary.contract)],
    ['Helpers', helpersText(summary.helpers)],
    ['Tested without', summary.without?.join(', ')],
    ['Failures by kind', kinds(summary.by_error_kind)],
  ]
  return rows.filter((row): row is [string, string] => row[1] !== undefined)
}

function variantSection({ summary }: Overview): string[] {
  const found = sideBySide(summary)
  if (!found) return []
  const rows = found.rows.map((row) => row.map((text) => cell(text, 120)))
  return ['## Variants\n', table(found.head, rows), found.sentences.map((text) => `- ${inline(text, 400)}\n`).join('')]
}

/** A wider matrix cannot be read: its wrong cells are listed. */
const MOST_COLUMNS = 12
const MOST_ROWS = 50

function choiceSection({ summary }: Overview): string[] {
  return choicesOf(summary).flatMap(({ variant, choices }) => {
    const title = choices.of === 'tool' ? 'Tools chosen' : 'Skills chosen'
    const matrix = choiceMatrix(choices, MOST_COLUMNS)
    const sections = [...(matrix ? [matrix] : []), ...choiceSections(choices, MOST_ROWS)]
    return [
      `## ${title}${variant === undefined ? '' : `: ${inline(variant, 60)}`}\n`,
      `${inline(choiceSentence(choices), 400)}\n`,
      ...sections.flatMap(({ title: of, head: [first = '', second = '', ...more], rows, more: left }) => [
        `${of}:\n`,
        table(
          [cell(first, 120), cell(second, 120), ...more.map((name) => cell(name, 120))],
          rows.map((row) => row.map((text) => cell(text, 200))),
        ),
        ...(left > 0 ? [`and ${left} more\n`] : []),
      ]),
    ]
  })
}

function flakySection({ summary }: Overview): string[] {
  if (!summary.flaky_ids || summary.flaky_ids.length === 0) return []
  const more = (summary.flaky ?? 0) - summary.flaky_ids.length
  const ids = summary.flaky_ids.map((id) => `- ${inline(id)}\n`).join('')
  return ['## Flaky (passed after a retry)\n', `${ids}${more > 0 ? `- and ${more} more\n` : ''}`]
}

function errorSection({ errors, summary }: Overview): string[] {
  if (errors.length === 0) return []
  const more = (summary.errors ?? errors.length) - errors.length
  const parts = errors.map(({ where, message }) => `- ${inline(where)}\n\n${fenced(message, '', 2_000)}\n`)
  return ['## Errors outside any test\n', `${parts.join('')}${more > 0 ? `- and ${more} more\n` : ''}`]
}

function runsText(runs: number | 'auto'): string {
  return runs === 'auto' ? 'as many as each case needs' : `${runs} per case`
}

function kinds(byKind: Record<string, number>): string | undefined {
  const entries = Object.entries(byKind).filter(([, count]) => count > 0)
  return entries.length === 0 ? undefined : entries.map(([kind, count]) => `${kind} ${count}`).join(', ')
}

function positive(count: number | undefined): string | undefined {
  return count !== undefined && count > 0 ? String(count) : undefined
}
