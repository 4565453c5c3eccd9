// The report of `viva mutate` as a page of its own: no script, nothing loaded, everything escaped.
import type { MutationReport } from './report.js'
import { proposalText } from './report.js'
import { doesOf, scoreLine } from './text.js'

export function htmlText(report: MutationReport): string {
  const { vacuous, survivors, proposals, idle, against } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Is the suite any good?</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Is the suite any good?</h1>
<p class="score">${escaped(scoreLine(report))}</p>
<p class="about">${escaped(`${report.input} · ${report.agent_id} · ${report.cases} cases`)}</p>
${table(
  'Passed by an agent that does nothing',
  ['case', 'an agent that', 'caught by'],
  vacuous.map(({ id, agents, catch: assertion, accepted }) => [
    escaped(id),
    escaped(agents.map(doesOf).join(', ')),
    accepted === undefined ? (assertion ? code(proposalText(assertion)) : '') : escaped(`accepted: ${accepted}`),
  ]),
)}
${table(
  'What could happen without a failing test',
  ['for users', 'mutants', 'cases', 'for example'],
  survivors.map(({ meaning, survived, cases, examples: [example] }) => [
    escaped(meaning),
    String(survived),
    String(cases),
    example
      ? `${escaped(`${example.id}: ${example.what}`)}${example.assertion ? `<br>${code(proposalText(example.assertion))}` : ''}`
      : '',
  ]),
)}
${table(
  'Proposed assertions',
  ['case', 'where', 'assertion', 'kills', 'good runs'],
  proposals.map(({ id, place, assertion, kills, support }) => [
    escaped(id),
    code(place),
    code(proposalText(assertion)),
    String(kills.length),
    String(support),
  ]),
)}
${table(
  'No mutant failed these assertions',
  ['case', 'where', 'assertion'],
  idle.map(({ id, place, assertion }) => [escaped(id), code(place), code(proposalText(assertion))]),
)}
${against ? `<p>Known bad runs: ${against.found} of ${against.found + against.missed} found</p>` : ''}
</main>
</body>
</html>
`
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882 }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.6rem; margin: 0 0 .5rem } h2 { font-size: 1.1rem; margin: 2.5rem 0 .75rem }
.score { font-size: 1.2rem; margin: 0 } .about { opacity: .7; margin: .25rem 0 0 }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line) }
th { font-weight: 600; white-space: nowrap }
code { font: 13px/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 3px; padding: .1em .3em; overflow-wrap: anywhere }
`

function table(title: string, head: string[], rows: string[][]): string {
  if (rows.length === 0) return ''
  const cells = (tag: string, row: string[]): string =>
    `<tr>${row.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
  return `<h2>${escaped(title)}</h2>
<div class="wide"><table>
<thead>${cells('th', head.map(escaped))}</thead>
<tbody>
${rows.map((row) => cells('td', row)).join('\n')}
</tbody>
</table></div>`
}

function code(text: string): string {
  return `<code>${escaped(text)}</code>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
