// The report of `viva mutate` as a page of its own: no script, nothing loaded, everything escaped.
import type { MutationReport } from './report.js'
import { proposalText } from './report.js'
import { doesOf, scoreLine } from './text.js'
import { code, escaped, page, table } from '../page.js'

export function htmlText(report: MutationReport): string {
  const { vacuous, survivors, proposals, idle, against } = report
  return page(
    'Is the suite any good?',
    `<p class="score">${escaped(scoreLine(report))}</p>
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
${against ? `<p>Known bad runs: ${against.found} of ${against.found + against.missed} found</p>` : ''}`,
  )
}
