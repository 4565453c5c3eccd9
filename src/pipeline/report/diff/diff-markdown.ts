// A diff as Markdown, for a comment on a pull request. Whatever an agent said stays data.
import { capitalised } from '../../../base/text.js'
import { testedWithout } from '../../../model/without.js'
import { table } from '../markdown-table.js'
import { cell, inline } from '../markdown-text.js'
import { sideBySide } from '../side-by-side.js'
import { describeRuns, type ChangedCase } from './changed-cases.js'
import { titleOf, type DiffReport } from './diff-report.js'

const LISTED = 30

const HEADINGS: Record<DiffReport['verdict'], string> = {
  worse: '❌ Worse',
  slightly_worse: '⚠️ Slightly worse, within the margin',
  not_worse: '✅ Not worse',
  undecided: '❔ Cannot tell yet',
  cannot_compare: '❌ Cannot compare',
}

/** The first line lets a workflow find its own comment again. */
const MARK = '<!-- viva diff -->'

export function diffMarkdown(report: DiffReport): string {
  const { left, right, conclusion, changes, cases } = report
  const found = sideBySide({ variants: report.variants })
  return [
    `${MARK}\n`,
    `## ${headingOf(report)}: ${inline(titleOf(left), 100)} → ${inline(titleOf(right), 100)}\n`,
    `${inline(capitalised(conclusion), 1_000)}\n`,
    ...(changes.length > 0 ? [changes.map((line) => `- ${inline(line, 1_000)}\n`).join('')] : []),
    ...(found
      ? [
          table(
            cells(found.head),
            found.rows.map((row) => row.map((text) => cell(text))),
          ),
        ]
      : []),
    ...listed('Passed less often', cases.fell),
    ...listed('Passed more often', cases.rose),
    ...reasonsOf(report),
    ...withoutOf(report),
  ].join('\n')
}

function headingOf({ verdict, decision, changed_cases }: DiffReport): string {
  if (verdict === 'not_worse' && changed_cases !== undefined) return '⚠️ Not worse, with other cases than before'
  return verdict === 'not_worse' && decision?.fell ? '⚠️ Not worse on the whole' : HEADINGS[verdict]
}

function cells([first, second, ...rest]: readonly [string, string, ...string[]]): [string, string, ...string[]] {
  return [cell(first), cell(second), ...rest.map((text) => cell(text))]
}

function listed(title: string, changed: readonly ChangedCase[]): string[] {
  if (changed.length === 0) return []
  const rows = changed
    .slice(0, LISTED)
    .map((each) => [
      cell(each.id, 80),
      cell(describeRuns(each.before)),
      cell(describeRuns(each.after)),
      cell(each.error ?? ''),
    ])
  const more = changed.length > LISTED ? `\nand ${changed.length - LISTED} more\n` : ''
  return [`### ${title} (${changed.length})\n`, `${table(['Case', 'Before', 'After', 'First failure'], rows)}${more}`]
}

function withoutOf({ without }: DiffReport): string[] {
  const text = testedWithout(without)
  return text === undefined ? [] : [`${inline(capitalised(text), 400)}\n`]
}

function reasonsOf({ exit_code, reasons, conclusion }: DiffReport): string[] {
  const other = reasons.filter((reason) => reason !== conclusion)
  return exit_code === 0 || other.length === 0 ? [] : [other.map((reason) => `- ${inline(reason, 400)}\n`).join('')]
}
