// A comparison as text for a terminal.
import { preview } from '../../../base/text.js'
import {
  behaviourLines,
  conclusion,
  describeAssertions,
  describeChange,
  describeRateChange,
  describeSide,
  describeTested,
  measures,
  overlap,
  shiftLists,
} from '../compare/describe.js'
import type { CaseList, Comparison, IdList } from '../compare/types.js'
import { paint, type Paint } from '../console/paint.js'
import type { Screen } from '../recording.js'

export function compareConsole(comparison: Comparison, screen: Screen): string {
  const color = paint(screen.color)
  // What the reader must know before the numbers comes before them.
  const lines = (comparison.cannot_compare ?? []).map((reason) => color.red(`Cannot compare: ${preview(reason, 300)}`))
  const { changed_assertions: changed } = comparison
  if (changed.count > 0) {
    const rows = changed.cases
      .slice(0, LISTED)
      .map((each) => `  ${preview(each.id, 80)} ${preview(describeAssertions(each), 300)}`)
    lines.push(color.red(`Changed assertions (${changed.count})`), ...rows, ...more(changed.count, rows.length), '')
  }
  for (const note of comparison.notes) lines.push(color.yellow(`Note: ${preview(note, 300)}`))
  lines.push(`Before: ${side(comparison.before)}`, `After:  ${side(comparison.after)}`, '')
  for (const row of measures(comparison)) {
    const sides = row.before === '' ? '' : `${row.before} → ${row.after}, `
    lines.push(`${row.name}: ${sides}${row.change}: ${row.verdict}`, color.dim(`  ${row.test}`))
  }
  lines.push(...changes('Newly failing', comparison.newly_failing, color.red('✗')))
  lines.push(...changes('Newly passing', comparison.newly_passing, color.green('✓')))
  lines.push(...rates(comparison), ...outputs(comparison, color))
  lines.push(...listed('Changed behaviour (most moved first)', behaviourLines(comparison)))
  for (const [title, items] of shiftLists(comparison)) {
    const texts = items.map(([id, text]) => `${preview(id, 80)} ${text}`)
    lines.push(...listed(`${title} (most first)`, texts))
  }
  for (const [title, list] of overlap(comparison)) lines.push(...ids(title, list))
  const last = preview(conclusion(comparison), 4_000)
  lines.push('', comparison.regression || comparison.cannot_compare ? color.red(last) : last)
  return `${lines.join('\n')}\n`
}

const LISTED = 50
const DIFFS = 10

function side(run: Comparison['before']): string {
  const { run_id, agent_id, variants, timestamp } = run
  const tested = variants ? describeTested(run) : agent_id
  return `${preview(run_id, 60)} (${preview(tested, 120)}, ${preview(timestamp, 40)}), ${describeSide(run)}`
}

function changes(title: string, list: CaseList, mark: string): string[] {
  if (list.count === 0) return []
  const rows = list.cases
    .slice(0, LISTED)
    .map((change) => `  ${mark} ${preview(change.id, 80)} ${preview(describeChange(change), 200)}`.trimEnd())
  return ['', `${title} (${list.count})`, ...rows, ...more(list.count, rows.length)]
}

function rates({ regressed, improved }: Comparison): string[] {
  const rows = [...regressed, ...improved].map((change) => `  ${preview(change.id, 80)} ${describeRateChange(change)}`)
  return rows.length === 0
    ? []
    : ['', `Changed pass rate (${rows.length})`, ...rows.slice(0, LISTED), ...more(rows.length, LISTED)]
}

function outputs({ changed_output }: Comparison, color: Paint): string[] {
  if (changed_output.count === 0) return []
  const shown = changed_output.diffs.slice(0, DIFFS)
  const lines = shown.flatMap(({ id, diff }) => [
    `  ${preview(id, 80)}`,
    ...diff
      .split('\n')
      .slice(0, 12)
      .map((line) => `  │ ${tinted(preview(line, 200), color)}`),
  ])
  return ['', `Changed output (${changed_output.count})`, ...lines, ...more(changed_output.count, shown.length)]
}

function tinted(line: string, color: Paint): string {
  if (line.startsWith('-')) return color.red(line)
  return line.startsWith('+') ? color.green(line) : line
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${preview(item, 300)}`)]
}

function ids(title: string, list: IdList): string[] {
  if (list.count === 0) return []
  const shown = list.ids.slice(0, 20).map((id) => preview(id, 60))
  return ['', `${title} (${list.count}): ${shown.join(', ')}${list.count > shown.length ? ', …' : ''}`]
}

function more(total: number, shown: number): string[] {
  return total > shown ? [`  and ${total - shown} more`] : []
}
