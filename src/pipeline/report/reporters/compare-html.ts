// A comparison as one small page: no script, nothing loaded, every value inert text.
import { createHash } from 'node:crypto'
import { formatDuration } from '../../../util/duration.js'
import { conclusion, describeChange, describeShift, measures } from '../compare/describe.js'
import type { CaseList, CaseShift, Comparison } from '../compare/types.js'
import { formatCost, formatPercent, visible } from '../text.js'

export function compareHtml(comparison: Comparison): string {
  const { before, after, notes, duration, cost, newly_failing, newly_passing, regression } = comparison
  const style = createHash('sha256').update(STYLE).digest('base64')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${style}'">
<title>Comparison of two runs</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Comparison of two runs</h1>
<p class="${regression ? 'bad' : 'good'}">${text(conclusion(comparison))}</p>
${notes.map((note) => `<p class="note">${text(note)}</p>`).join('\n')}
${rows(['', 'Run', 'Agent', 'Started', 'Cases', 'Passed', 'Failed', 'Skipped'], [sideRow('Before', before), sideRow('After', after)])}
${rows(
  ['Measure', 'Before', 'After', 'Change', 'Verdict', 'Test'],
  measures(comparison).map((row) => [row.name, row.before, row.after, row.change, row.verdict, row.test]),
)}
${changes('Newly failing', newly_failing)}${changes('Newly passing', newly_passing)}${rates(comparison)}${shifts('Slower', duration.up, formatDuration)}${shifts('Faster', duration.down, formatDuration)}${shifts('Dearer', cost?.up ?? [], formatCost)}${shifts('Cheaper', cost?.down ?? [], formatCost)}${onlyIn('Only before', comparison.cases.only_before)}${onlyIn('Only after', comparison.cases.only_after)}${outputs(comparison)}</main>
</body>
</html>
`
}

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0}main{max-width:70rem;margin:0 auto;padding:1rem}table{border-collapse:collapse;width:100%;margin:1rem 0}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #8886;vertical-align:top;overflow-wrap:anywhere}pre{overflow-x:auto;border:1px solid #8886;border-radius:4px;padding:.5rem;white-space:pre-wrap;overflow-wrap:anywhere}.bad{border-left:.4rem solid #c62828;padding-left:.6rem}.good{border-left:.4rem solid #2e7d32;padding-left:.6rem}.note{border-left:.4rem solid #b26a00;padding-left:.6rem}del{background:#c6282833;text-decoration:none}ins{background:#2e7d3233;text-decoration:none}`

function sideRow(name: string, run: Comparison['before']): string[] {
  return [
    name,
    run.run_id,
    run.agent_id,
    run.timestamp,
    String(run.total),
    String(run.passed),
    String(run.failed),
    String(run.skipped),
  ]
}

function changes(title: string, list: CaseList): string {
  if (list.count === 0) return ''
  return `<h2>${title} (${list.count})</h2>\n${rows(
    ['Case', 'What'],
    list.cases.map((change) => [change.id, describeChange(change)]),
  )}\n`
}

function rates({ regressed, improved }: Comparison): string {
  const changed = [...regressed, ...improved]
  if (changed.length === 0) return ''
  const cells = changed.map(({ id, before, after, p_value }) => [
    id,
    formatPercent(before),
    formatPercent(after),
    p_value.toFixed(4),
  ])
  return `<h2>Changed pass rate (Fisher, Holm-corrected)</h2>\n${rows(['Case', 'Before', 'After', 'p'], cells)}\n`
}

function shifts(title: string, items: CaseShift[], format: (value: number) => string): string {
  if (items.length === 0) return ''
  return `<h2>${title}</h2>\n${rows(
    ['Case', 'Change'],
    items.map((item) => [item.id, describeShift(item, format)]),
  )}\n`
}

function onlyIn(title: string, list: { count: number; ids: string[] }): string {
  if (list.count === 0) return ''
  return `<h2>${title} (${list.count})</h2>\n<p>${list.ids.slice(0, 100).map(text).join(', ')}${list.count > 100 ? ', …' : ''}</p>\n`
}

function outputs({ changed_output }: Comparison): string {
  if (changed_output.count === 0) return ''
  const sections = changed_output.diffs.map(
    ({ id, diff }) => `<h3>${text(id)}</h3>\n<pre>${diff.split('\n').map(marked).join('\n')}</pre>\n`,
  )
  const left = changed_output.count - changed_output.diffs.length
  return `<h2>Changed output (${changed_output.count})</h2>\n${sections.join('')}${left > 0 ? `<p>and ${left} more</p>\n` : ''}`
}

function marked(line: string): string {
  if (line.startsWith('-')) return `<del>${text(line)}</del>`
  return line.startsWith('+') ? `<ins>${text(line)}</ins>` : text(line)
}

function rows(head: string[], body: string[][]): string {
  const headers = head.map((title) => `<th scope="col">${text(title)}</th>`).join('')
  const lines = body.map((row) => `<tr>${row.map((value) => `<td>${text(value)}</td>`).join('')}</tr>`)
  return `<table>\n<thead><tr>${headers}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table>`
}

function text(value: string): string {
  return visible(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
