// What fuzzing found, for a person at a terminal. Inputs and answers are foreign text.
import { formatP, plural } from '../../base/format.js'
import { visible } from '../../base/hidden.js'
import { oneLine, preview } from '../../base/text.js'
import type { FuzzReport, Unconfirmed, Weakness } from './report.js'

const MOST_LISTED = 10

export function fuzzText(report: FuzzReport): string {
  const { weaknesses, unconfirmed, budget } = report
  const made = Object.values(report.tried).reduce((sum, count) => sum + count, 0)
  const lines = [
    `${plural(made, 'changed input')} tried on ${plural(report.cases, 'case')}: ${triedText(report)}`,
    ...listed('Failing unchanged under another id, so not examined', report.failing),
    ...listed(
      'Left as they are',
      report.left_alone.map(({ id, why }) => `${id} (${why})`),
    ),
    ...listed(
      'The planted instruction never reached the agent',
      report.unreached.map(({ id, why }) => `${id}: ${preview(why, 160)}`),
    ),
    ...listed(
      'Tries that could not be judged',
      report.unknown.map(({ id, why }) => `${id}: ${preview(why, 160)}`),
    ),
    ...weaknesses.flatMap((weakness, index) => ['', ...weaknessLines(weakness, index + 1)]),
    '',
    ...unconfirmed.map(unconfirmedLine),
    ...(report.not_examined > 0
      ? [`${plural(report.not_examined, 'more failure')} not looked into: raise --most`]
      : []),
    `${weaknesses.length === 0 ? 'No weakness found' : `${plural(weaknesses.length, 'weakness', 'weaknesses')} found`} (seed ${report.seed}, ${budget.runs} of at most ${plural(budget.most_runs, 'agent run')})`,
  ]
  return `${lines.map((line) => visible(line)).join('\n')}\n`
}

function triedText({ tried, cases, failing }: FuzzReport): string {
  const parts = Object.entries(tried).map(([name, count]) => `${name} ${count}`)
  if (parts.length > 0) return parts.join(', ')
  return failing.length === cases ? 'none of them passes' : 'there is nothing in them that may be changed'
}

function listed(title: string, items: readonly string[]): string[] {
  if (items.length === 0) return []
  const shown = items.slice(0, MOST_LISTED).map((item) => `  ${oneLine(item, 240)}`)
  const more = items.length - shown.length
  return [`${title}:`, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])]
}

function weaknessLines(weakness: Weakness, number: number): string[] {
  const { from, summary, changes, minimal, text, reason, failed, runs, unchanged_failed, unchanged_runs } = weakness
  const label = minimal ? 'smallest change' : 'change'
  return [
    `${number}. ${oneLine(from, 80)} breaks when ${summary}`,
    ...changes.map((change, index) => `   ${index === 0 ? `${label}: ` : ' '.repeat(label.length + 2)}${change}`),
    `   now reads: ${JSON.stringify(preview(text, 200))}`,
    ...(reason === undefined ? [] : [`   why: ${oneLine(reason, 240)}`]),
    `   failed ${failed} of ${runs} times, unchanged ${unchanged_failed} of ${unchanged_runs} (${formatP(weakness.p_value)})`,
  ]
}

function unconfirmedLine({ from, operator, failed, runs, unchanged_failed }: Unconfirmed): string {
  return `Not confirmed: ${oneLine(from, 80)} failed once after ${operator}; repeated, ${failed} of ${runs} times, unchanged ${unchanged_failed}`
}
