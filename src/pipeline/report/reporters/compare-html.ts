// A comparison as one small page: no script, nothing loaded, every value inert text.
import { createHash } from 'node:crypto'
import { formatDuration } from '../../../base/duration.js'
import {
  conclusion,
  describeChange,
  describeRateChange,
  describeShift,
  measures,
  overlap,
} from '../compare/describe.js'
import type { CaseList, CaseShift, Comparison, IdList } from '../compare/types.js'
import { formatCost } from '../../../base/format.js'
import { visible } from '../../../base/hidden.js'

export function compareHtml(comparison: Comparison): string {
  const { before, after, notes, duration, cost, newly_failing, newly_passing } = comparison
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
<p class="verdict ${verdictClass(comparison)}">${text(conclusion(comparison))}</p>
${notes.map((note) => `<p class="verdict note">${text(note)}</p>`).join('\n')}
${rows(['', 'Run', 'Agent', 'Started', 'Cases', 'Passed', 'Failed', 'Skipped', 'Undetermined', 'Not run'], [sideRow('Before', before), sideRow('After', after)])}
<div class="measures">
${measures(comparison).map(measure).join('\n')}
</div>
${changes('Newly failing', newly_failing)}${changes('Newly passing', newly_passing)}${rates(comparison)}${shifts('Slower', duration.up, formatDuration)}${shifts('Faster', duration.down, formatDuration)}${shifts('Dearer', cost?.up ?? [], formatCost)}${shifts('Cheaper', cost?.down ?? [], formatCost)}${overlap(
    comparison,
  )
    .map(([title, list]) => ids(title, list))
    .join('')}${outputs(comparison)}</main>
</body>
</html>
`
}

// The colours of the report's page.
const STYLE = `:root{color-scheme:light dark;--bg:light-dark(#f5f6f4,#0d1112);--panel:light-dark(#fff,#14191b);--line:light-dark(#dfe4e0,#283033);--text:light-dark(#14201c,#e7edeb);--muted:light-dark(#56635e,#9caaa6);--good:light-dark(#116241,#63d8a0);--good-ground:light-dark(#e0f4e9,#11291f);--bad:light-dark(#a3152f,#ff97a3);--bad-ground:light-dark(#fdeaec,#34181d);--note:light-dark(#754c00,#f2c364);--note-ground:light-dark(#fcf0d4,#30250e)}
body{font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif;margin:0;background:var(--bg);color:var(--text)}
main{max-width:72rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}h3{font-size:.95rem;margin:1rem 0 .3rem;overflow-wrap:anywhere}
.verdict{margin:.5rem 0;padding:.6rem .8rem;border-radius:8px;overflow-wrap:anywhere}
.bad{background:var(--bad-ground);color:var(--bad)}.good{background:var(--good-ground);color:var(--good)}.note{background:var(--note-ground);color:var(--note)}
.table{overflow-x:auto;margin:1rem 0;background:var(--panel);border:1px solid var(--line);border-radius:10px}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.45rem .8rem;border-bottom:1px solid var(--line);vertical-align:top}
tbody tr:last-child td{border-bottom:0}th{color:var(--muted);font-size:.85rem;white-space:nowrap}td{min-width:2.5rem}td:last-child{overflow-wrap:anywhere}
.measures{display:grid;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));gap:.8rem;margin:1rem 0}
.measure{background:var(--panel);border:1px solid var(--line);border-radius:10px;padding:.8rem 1rem}
.measure h2{margin:0;font-size:.85rem;font-weight:600;color:var(--muted)}.measure p{margin:.15rem 0}.measure .values{font-size:1.25rem;font-weight:700}
.measure .test{color:var(--muted);font-size:.85rem}.measure .call{font-weight:600;font-size:.85rem}.measure .call:is(.bad,.good){display:inline-block;border-radius:99px;padding:0 .6rem}
pre{overflow-x:auto;background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:.5rem .7rem;margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.85rem}
del{background:var(--bad-ground);color:var(--bad);text-decoration:none}ins{background:var(--good-ground);color:var(--good);text-decoration:none}
@media print{body{background:none}.table,.measure,pre{break-inside:avoid}}`

function verdictClass({ regression, cannot_compare, newly_failing, cases }: Comparison): string {
  if (regression || cannot_compare) return 'bad'
  return newly_failing.count + cases.missing.count > 0 ? 'note' : 'good'
}

const CALLS: Record<string, string> = {
  worse: 'bad',
  slower: 'bad',
  dearer: 'bad',
  better: 'good',
  faster: 'good',
  cheaper: 'good',
}

function measure(row: ReturnType<typeof measures>[number]): string {
  const values = `${row.before} → ${row.after}`
  return `<section class="measure"><h2>${text(row.name)}</h2><p class="values">${text(values)}</p><p><span class="call ${CALLS[row.verdict] ?? ''}">${text(row.verdict)}</span> ${text(row.change)}</p><p class="test">${text(row.test)}</p></section>`
}

function sideRow(name: string, run: Comparison['before']): string[] {
  return [
    name,
    run.run_id,
    run.agent_id,
    run.timestamp.slice(0, 19).replace('T', ' '),
    String(run.total),
    String(run.passed),
    String(run.failed),
    String(run.skipped),
    String(run.undetermined),
    String(run.not_run),
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
  const cells = changed.map((change) => [change.id, describeRateChange(change)])
  return `<h2>Changed pass rate (${changed.length})</h2>\n${rows(['Case', 'Change'], cells)}\n`
}

function shifts(title: string, items: CaseShift[], format: (value: number) => string): string {
  if (items.length === 0) return ''
  return `<h2>${title}</h2>\n${rows(
    ['Case', 'Change'],
    items.map((item) => [item.id, describeShift(item, format)]),
  )}\n`
}

function ids(title: string, list: IdList): string {
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
  return `<div class="table" tabindex="0"><table>\n<thead><tr>${headers}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table></div>`
}

function text(value: string): string {
  return visible(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
