// A schema's issues → what a person reads, each with the path of its field.
import type { BaseIssue } from 'valibot'
import { fieldName, type FieldProblem } from '../../base/field-name.js'
import { describeFound } from '../../base/json/json-text.js'
import { parseDuration } from '../../base/duration.js'

type Issue = BaseIssue<unknown>

export function readIssues(issues: ReadonlyArray<Issue>): FieldProblem[] {
  const problems = issues.flatMap((issue) => readIssue(issue, []))
  const seen = new Set<string>()
  return problems.filter((problem) => {
    const key = `${fieldName(problem.path)}\n${problem.message}`
    return !seen.has(key) && seen.add(key)
  })
}

function readIssue(issue: Issue, base: FieldProblem['path']): FieldProblem[] {
  const path = [...base, ...(issue.path ?? []).map((item) => item.key as string | number)]
  // Among the branches of a union, the one that fits the value's outer shape says what is wrong inside it.
  const inList = Array.isArray(issue.input)
  const inner = (issue.issues ?? []).filter(
    ({ path: steps }) => steps !== undefined && (typeof steps[0].key === 'number') === inList,
  )
  if (inner.length > 0) return inner.flatMap((sub) => readIssue(sub, path))
  return [{ path, message: wording(issue, path) }]
}

function wording(issue: Issue, path: FieldProblem['path']): string {
  const last = issue.path?.at(-1)
  if (last?.origin === 'key') return `missing required field '${String(last.key)}'`
  if (issue.type === 'regex' && typeof issue.input === 'string') return durationMistake(issue.input)
  return issue.message
    .replaceAll('{field}', shortName(path))
    .replaceAll('{index}', String(path.findLast((step) => typeof step === 'number') ?? 0))
    .replaceAll('{type}', typeName(issue.input))
    .replaceAll('{found}', () => describeFound(issue.input))
}

function durationMistake(text: string): string {
  try {
    parseDuration(text)
  } catch (error) {
    if (error instanceof Error) return error.message
  }
  return `bad duration "${text}"`
}

/** The last name on the path, with its index: `tags[1]`, `owner_only`. */
function shortName(path: FieldProblem['path']): string {
  const start = path.findLastIndex((step) => typeof step === 'string')
  return fieldName(path.slice(Math.max(0, start)))
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
