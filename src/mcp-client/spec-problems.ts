// What the protocol's own schema says about a value.
import { specTypeSchemas } from '@modelcontextprotocol/client'
import { isRecord } from '../base/record.js'

export type SpecType = keyof typeof specTypeSchemas

/** One line each: where, and what. Empty: it fits. */
export function specProblems(type: SpecType, value: unknown): string[] {
  const checked = specTypeSchemas[type]['~standard'].validate(value)
  if (checked instanceof Promise) throw new Error(`the schema of ${type} is checked asynchronously`)
  const problems = (checked.issues ?? []).map(({ path, message }) => {
    const where = (path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
    return where === '' ? message : `${where}: ${message}`
  })
  return lacksContent(type, value) ? ['content: is missing', ...problems] : problems
}

/** The official client fills it in; the protocol requires it, and others refuse a result without. */
function lacksContent(type: SpecType, value: unknown): boolean {
  return type === 'CallToolResult' && isRecord(value) && value['content'] === undefined
}
