// How errors look: the only place that prints them.
import { UserError, type Problem } from '../errors.js'
import { escapeControls } from '../base/hidden.js'

/** The text for the person who reads it at 2 a.m. */
export function describeError(error: unknown): string {
  if (!(error instanceof UserError)) return describeBug(error)
  const lines = [`error: ${escapeControls(error.message)}`]
  for (const problem of error.problems) lines.push(`  ${describeProblem(problem)}`)
  if (error.hint !== undefined) lines.push(`  hint: ${escapeControls(error.hint)}`)
  lines.push(`  code: ${error.code}`)
  return `${lines.join('\n')}\n`
}

function describeProblem(problem: Problem): string {
  const place = [problem.file, problem.line, problem.column].filter((part) => part !== undefined).join(':')
  const field = problem.field === undefined || problem.field === '' ? '' : `${problem.field}: `
  const near = problem.suggestion === undefined ? '' : ` – did you mean "${problem.suggestion}"?`
  const hint = problem.hint === undefined ? '' : ` (${problem.hint})`
  return escapeControls(`${place === '' ? '' : `${place}: `}${field}${problem.message}${near}${hint}`)
}

function describeBug(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return `error: something went wrong inside viva; this is a bug, please report it with these lines\n${stack}\n`
}
