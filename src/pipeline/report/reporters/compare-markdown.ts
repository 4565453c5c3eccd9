// A comparison as Markdown, short enough for a comment on a pull request.
import {
  behaviourLines,
  conclusion,
  describeAssertions,
  describeChange,
  describeRateChange,
  measures,
  overlap,
  shiftLists,
} from '../compare/describe.js'
import type { CaseList, Comparison, IdList } from '../compare/types.js'
import { table } from '../markdown-table.js'
import { cell, fenced, inline } from '../markdown-text.js'

// A comment may have 65,536 characters; the diffs are cut first.
const LONGEST = 60_000
const LISTED = 50

export function compareMarkdown(comparison: Comparison): string {
  const { notes, newly_failing, newly_passing } = comparison
  const parts = [
    `## ${heading(comparison)}\n`,
    `${inline(conclusion(comparison), 2_000)}\n`,
    ...changedAssertions(comparison),
    ...notes.map((note) => `- ${inline(note, 300)}\n`),
    table(
      ['Measure', 'Before', 'After', 'Change', 'Verdict', 'Test'],
      measures(comparison).map((row) =>
        [row.name, row.before, row.after, row.change, row.verdict, row.test].map((text) => cell(text)),
      ),
    ),
    ...changes('Newly failing', newly_failing),
    ...changes('Newly passing', newly_passing),
    ...rates(comparison),
    ...behaviour(comparison),
    ...shiftLists(comparison).flatMap(([title, items]) => shifts(title, items)),
    ...overlap(comparison).flatMap(([title, list]) => ids(title, list)),
  ]
  return withDiffs(parts.join('\n'), comparison)
}

function heading(comparison: Comparison): string {
  const { regression, cannot_compare, no_verdict, changed_assertions, newly_failing, cases } = comparison
  if (cannot_compare) return '❌ Cannot compare'
  if (no_verdict) return '⚠️ No verdict'
  if (regression) return '❌ Regression'
  if (newly_failing.count + cases.missing.count + changed_assertions.count > 0) return '⚠️ No regression shown'
  return comparison.behaviour?.verdict === 'drift' ? '⚠️ No regression, but the behaviour changed' : '✅ No regression'
}

function withDiffs(text: string, { changed_output }: Comparison): string {
  if (changed_output.count === 0) return text
  let result = `${text}\n<details><summary>Changed output (${changed_output.count})</summary>\n`
  let shown = 0
  for (const { id, diff } of changed_output.diffs) {
    const section = `\n**${inline(id)}**\n\n${fenced(diff, 'diff', 2_000)}`
    if (result.length + section.length > LONGEST) break
    result += section
    shown++
  }
  const more = changed_output.count > shown ? `\nand ${changed_output.count - shown} more\n` : ''
  return `${result}${more}\n</details>\n`
}

function changedAssertions({ changed_assertions: { count, cases } }: Comparison): string[] {
  if (count === 0) return []
  const rows = cases.slice(0, LISTED).map((each) => [cell(each.id, 80), cell(describeAssertions(each), 300)])
  const rest = count > rows.length ? `\nand ${count - rows.length} more\n` : ''
  return [`### Changed assertions (${count})\n`, `${table(['Case', 'Assertions'], rows)}${rest}`]
}

function changes(title: string, list: CaseList): string[] {
  if (list.count === 0) return []
  const rows = list.cases.slice(0, LISTED).map((change) => [cell(change.id, 80), cell(describeChange(change), 200)])
  const rest = list.count > rows.length ? `\nand ${list.count - rows.length} more\n` : ''
  return [`### ${title} (${list.count})\n`, `${table(['Case', 'What'], rows)}${rest}`]
}

function rates({ regressed, improved }: Comparison): string[] {
  const changed = [...regressed, ...improved]
  if (changed.length === 0) return []
  const rows = changed.slice(0, LISTED).map((change) => [cell(change.id, 80), describeRateChange(change)])
  return [`### Changed pass rate (${changed.length})\n`, table(['Case', 'Change'], rows)]
}

function behaviour(comparison: Comparison): string[] {
  const lines = behaviourLines(comparison)
  return lines.length === 0 ? [] : ['### Changed behaviour\n', lines.map((line) => `- ${inline(line, 400)}\n`).join('')]
}

function shifts(title: string, items: ReadonlyArray<readonly [id: string, text: string]>): string[] {
  if (items.length === 0) return []
  return [
    `### ${title}\n`,
    table(
      ['Case', 'Change'],
      items.map(([id, text]) => [cell(id, 80), text]),
    ),
  ]
}

function ids(title: string, list: IdList): string[] {
  if (list.count === 0) return []
  const shown = list.ids.slice(0, 20).map((id) => inline(id, 60))
  return [`**${title} (${list.count}):** ${shown.join(', ')}${list.count > shown.length ? ', …' : ''}\n`]
}
