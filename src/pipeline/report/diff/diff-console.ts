// The end of a diff on the console: the answer, and the cases behind it.
import { preview } from '../../../base/text.js'
import { paint, type Paint } from '../console/paint.js'
import type { Screen } from '../recording.js'
import { describeRuns, type ChangedCase } from './changed-cases.js'
import { titleOf, type DiffReport } from './diff-report.js'

const LISTED = 10

export function diffConsole(report: DiffReport, { color, columns }: Screen): string {
  const { left, right, headline, cases } = report
  const shown = markOf(report, paint(color))
  return [
    '',
    `Diff: ${preview(titleOf(left), 120)} → ${preview(titleOf(right), 120)}`,
    `${shown} ${preview(headline, 600)}`,
    ...listed('Passed less often', cases.fell, columns),
    ...listed('Passed more often', cases.rose, columns),
    ...otherReasons(report),
    '',
  ].join('\n')
}

/** A case that broke, or that checks less than before, is not green, whatever the whole is. */
function markOf({ verdict, decision, changed_cases }: DiffReport, color: Paint): string {
  switch (verdict) {
    case 'worse':
      return color.red('✗')
    case 'slightly_worse':
      return color.yellow('!')
    case 'not_worse':
      return decision?.fell || changed_cases !== undefined ? color.yellow('!') : color.green('✓')
    case 'undecided':
    case 'cannot_compare':
      return color.yellow('?')
  }
}

function listed(title: string, cases: readonly ChangedCase[], columns: number): string[] {
  if (cases.length === 0) return []
  const lines = cases.slice(0, LISTED).map((each) => {
    const error = each.error === undefined ? '' : `: ${each.error}`
    const text = `[${each.id}] ${describeRuns(each.before)} → ${describeRuns(each.after)}${error}`
    return `    ${preview(text, Math.max(60, columns - 4))}`
  })
  const more = cases.length > LISTED ? [`    and ${cases.length - LISTED} more`] : []
  return [`  ${title} (${cases.length}):`, ...lines, ...more]
}

/** Why the exit code is not 0, if the conclusion does not say it. */
function otherReasons({ reasons, conclusion }: DiffReport): string[] {
  return reasons
    .filter((reason) => !conclusion.includes(reason) && !reason.startsWith('cannot compare'))
    .map((reason) => `  ${preview(reason, 400)}`)
}
