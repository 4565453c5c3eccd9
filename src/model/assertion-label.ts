// An assertion in a few words.
import { preview, show } from '../base/text.js'
import { ECHOED, type AssertionResult } from './assertion.js'

/** `contains "submitted"`, `tool_called "create_expense"`, `$.status = "paid"`; the author's label if there is one. */
export function assertionLabel(result: AssertionResult): string {
  if (result.label !== undefined) return preview(result.label)
  const not = result['negate'] === true ? 'not ' : ''
  const subject = subjectOf(result)
  const shown = subject === undefined ? undefined : show(subject, 80)
  if (result.type === 'json_path' && result.path !== undefined) {
    return `${not}${preview(result.path)}${shown === undefined ? '' : ` = ${shown}`}`
  }
  const where = result.path === undefined ? '' : ` at ${preview(result.path)}`
  return `${not}${preview(result.type)}${shown === undefined ? '' : ` ${shown}`}${where}`
}

/** What was asked for, field by field; of a check that only says what it expected, that. */
export function checkedFields(result: AssertionResult): Array<[name: string, value: unknown]> {
  const echoed = ECHOED.flatMap((name): Array<[string, unknown]> => {
    const value = OF_AUTHOR.has(name) ? undefined : result[name]
    return value === undefined ? [] : [[name, value]]
  })
  const all = [...echoed, ...Object.entries(result.params ?? {})]
  return all.length === 0 && result.expected !== undefined ? [['expected', result.expected]] : all
}

/** These say how the check is called and counted. */
const OF_AUTHOR = new Set<string>(['label', 'weight', 'negate'])

function subjectOf(result: AssertionResult): unknown {
  for (const key of ['value', 'name', 'tool', 'tools', 'criterion', 'script', 'use'] as const) {
    if (result[key] !== undefined) return result[key]
  }
  return result.type === 'contract' ? result.params?.['rule'] : undefined
}
