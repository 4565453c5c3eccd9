// The report of `viva mutate` for the viewer's page.
import type { SuiteOverview, SuiteSection } from '../../model/suite-overview.js'
import { proposalText, type MutationReport } from './report.js'
import { doesOf, scoreLine } from './text.js'

const LISTED = 100

export function suiteOverview(report: MutationReport): SuiteOverview {
  const { vacuous, survivors, proposals, idle, not_examined } = report
  const sections: SuiteSection[] = []
  const add = (title: string, head: string[], rows: string[][]): void => {
    if (rows.length > 0)
      sections.push({ title, head, rows: rows.slice(0, LISTED), more: Math.max(0, rows.length - LISTED) })
  }
  add(
    'Passed by an agent that does nothing',
    ['case', 'an agent that', 'caught by'],
    vacuous.map(({ id, agents, catch: assertion, accepted }) => [
      id,
      agents.map(doesOf).join(', '),
      accepted === undefined ? (assertion ? proposalText(assertion) : '') : `accepted: ${accepted}`,
    ]),
  )
  add(
    'What could happen without a failing test',
    ['for users', 'mutants', 'for example', 'caught by'],
    survivors.map(({ meaning, survived, examples: [example] }) => [
      meaning,
      String(survived),
      example ? `${example.id}: ${example.what}` : '',
      example?.assertion ? proposalText(example.assertion) : '',
    ]),
  )
  add(
    'Proposed assertions',
    ['case', 'where', 'assertion', 'kills'],
    proposals.map(({ id, place, assertion, kills }) => [id, place, proposalText(assertion), String(kills.length)]),
  )
  add(
    'No mutant failed these assertions',
    ['case', 'where', 'assertion'],
    idle.map(({ id, place, assertion }) => [id, place, proposalText(assertion)]),
  )
  add(
    'Not examined',
    ['case', 'because'],
    not_examined.map(({ id, reason }) => [id, reason]),
  )
  return { score: scoreLine(report), sections }
}
