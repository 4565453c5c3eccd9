// The report of `viva mutate` for people: console and Markdown.
import { formatCount, formatPercent, plural } from '../../base/format.js'
import { preview } from '../../base/text.js'
import type { AssertionSpec } from '../../model/assertion.js'
import { TRIVIAL_AGENTS } from '../trivial/agents.js'
import { cell, code, section } from '../markdown.js'
import { proposalText, type MutationReport } from './report.js'

const SHOWN = 10

export function consoleText(report: MutationReport): string {
  const lines: string[] = []
  const open = report.vacuous.filter(({ accepted }) => accepted === undefined)
  if (open.length > 0) {
    lines.push(
      `${plural(open.length, 'case')} of ${formatCount(report.cases)} would be passed by an agent that does nothing:`,
    )
    for (const { id, agents, catch: assertion } of open.slice(0, SHOWN))
      lines.push(
        `  ${preview(id, 60)}: ${agents.map(doesOf).join(', ')}${assertion ? `; caught by ${one(assertion)}` : ''}`,
      )
    if (open.length > SHOWN) lines.push(`  and ${open.length - SHOWN} more`)
    lines.push('')
  }
  lines.push(scoreLine(report))
  if (report.open > 0)
    lines.push(`${formatCount(report.open)} more could be killed only by a judge, a script or a snapshot`)
  lines.push(...notExamined(report), '')
  if (report.survivors.length > 0) {
    lines.push('What could happen without a failing test:')
    for (const group of report.survivors) {
      lines.push(
        `  ${group.meaning}: ${plural(group.survived, 'mutant')} in ${plural(group.cases, 'case')} (${group.operator})`,
      )
      for (const { id, what, assertion } of group.examples.slice(0, 2)) {
        lines.push(`    ${preview(id, 40)}: ${preview(what, 90)}`)
        if (assertion) lines.push(`      ${one(assertion)}`)
      }
    }
    lines.push('')
  }
  lines.push(...proposalLines(report), ...idleLines(report), ...subsumedLines(report), ...againstLines(report))
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`
}

export function scoreLine({ score, killed, survived, examined }: MutationReport): string {
  if (score === undefined) return `No mutants of ${plural(examined, 'case')} were decided`
  return `Mutation score: ${formatPercent(score)} (${formatCount(killed)} of ${formatCount(killed + survived)} mutants of ${plural(examined, 'case')} killed)`
}

export function doesOf(name: string): string {
  return TRIVIAL_AGENTS.find((agent) => agent.name === name)?.does ?? name
}

function one(spec: AssertionSpec): string {
  return preview(proposalText(spec), 200)
}

function notExamined({ not_examined: list }: MutationReport): string[] {
  if (list.length === 0) return []
  const [first] = list
  const example = first ? ` (${preview(first.id, 40)}: ${preview(first.reason, 120)})` : ''
  return [`${plural(list.length, 'case')} not examined${example}`]
}

function proposalLines({ proposals, left_out }: MutationReport): string[] {
  if (proposals.length === 0) return []
  const kills = proposals.reduce((sum, proposal) => sum + proposal.kills.length, 0)
  const cases = new Set(proposals.map(({ id }) => id)).size
  const fewest = proposals.reduce((least, { support }) => Math.min(least, support), Infinity)
  return [
    `${plural(proposals.length, 'assertion')} for ${plural(cases, 'case')} would kill ${plural(kills, 'survivor')}; each holds on every good run.`,
    ...(fewest < 3
      ? [
          `Some rest on ${fewest === 1 ? 'one good run' : 'two good runs'}: read them, or run the cases again first (--runs 3).`,
        ]
      : []),
    'Write them for review with --write FILE.',
    ...(left_out > 0 ? [`${formatCount(left_out)} more are not listed`] : []),
    '',
  ]
}

function idleLines({ idle }: MutationReport): string[] {
  if (idle.length === 0) return []
  const lines = idle
    .slice(0, SHOWN)
    .map(({ id, place, assertion }) => `  ${preview(id, 40)} ${place}: ${one(assertion)}`)
  if (idle.length > SHOWN) lines.push(`  and ${idle.length - SHOWN} more`)
  return ['No mutant failed these assertions:', ...lines, '']
}

function subsumedLines({ subsumed }: MutationReport): string[] {
  if (subsumed.length === 0) return []
  const lines = subsumed.slice(0, SHOWN).map(({ id, by }) => `  ${preview(id, 40)} by ${preview(by, 40)}`)
  if (subsumed.length > SHOWN) lines.push(`  and ${subsumed.length - SHOWN} more`)
  return ['These cases ask what another one asks and check no more:', ...lines, '']
}

function againstLines({ against }: MutationReport): string[] {
  if (!against) return []
  const { found, missed, missed_ids } = against
  const which =
    missed > 0
      ? `; missed in ${missed_ids
          .slice(0, SHOWN)
          .map((id) => preview(id, 40))
          .join(', ')}`
      : ''
  return [`Known bad runs: ${formatCount(found)} of ${formatCount(found + missed)} found${which}`]
}

export function markdownText(report: MutationReport): string {
  const rows = report.survivors.map(
    ({ meaning, operator, survived, cases }) => `| ${cell(meaning)} | ${cell(operator)} | ${survived} | ${cases} |`,
  )
  const vacuous = report.vacuous.map(
    ({ id, agents, catch: assertion, accepted }) =>
      `| ${code(id)} | ${agents.map(doesOf).join(', ')} | ${accepted === undefined ? (assertion ? code(proposalText(assertion)) : '') : `accepted: ${cell(accepted)}`} |`,
  )
  const proposals = report.proposals.map(
    ({ id, place, assertion, kills, support }) =>
      `| ${code(id)} | ${place} | ${code(proposalText(assertion))} | ${kills.length} | ${support} |`,
  )
  return [
    '# Is the suite any good?',
    '',
    scoreLine(report),
    '',
    ...section(
      'Passed by an agent that does nothing',
      '| case | an agent that | caught by |\n| --- | --- | --- |',
      vacuous,
    ),
    ...section(
      'What could happen without a failing test',
      '| for users | operator | mutants | cases |\n| --- | --- | --: | --: |',
      rows,
    ),
    ...section(
      'Proposed assertions',
      '| case | where | assertion | kills | good runs |\n| --- | --- | --- | --: | --: |',
      proposals,
    ),
    ...againstLines(report),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}
