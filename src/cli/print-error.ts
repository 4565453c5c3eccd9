// How errors look: the only place that prints them.
import { UserError } from '../errors.js'
import { escapeControls } from '../base/hidden.js'
import { adviceAsTyped } from '../pipeline/report/recording.js'
import { problemLine, problemLines } from './problem-lines.js'

interface Described {
  /** As `viva agent test` has always printed it. */
  classic?: boolean
  program?: string | undefined
}

/** The text for the person who reads it at 2 a.m. */
export function describeError(error: unknown, { classic = false, program = 'viva' }: Described = {}): string {
  if (!(error instanceof UserError)) return describeBug(error)
  const problems = classic ? error.problems.map(problemLine) : problemLines(error.problems)
  const lines = [`error: ${escapeControls(error.message)}`, ...problems.map((line) => `  ${line}`)]
  if (error.hint !== undefined)
    lines.push(`  hint: ${escapeControls(classic ? error.hint : adviceAsTyped(error.hint, { program }))}`)
  lines.push(`  code: ${error.code}${classic ? '' : ` (more: ${program} explain ${error.code})`}`)
  return `${lines.join('\n')}\n`
}

function describeBug(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `error: something went wrong inside viva; this is a bug, please report it with these lines\n${stack}\n`
}
