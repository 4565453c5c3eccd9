// The arguments of a call → what the tool takes, or every mistake in them.
import * as v from 'valibot'
import { fieldName } from '../base/field-name.js'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord, ownValue } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import { show } from '../base/text.js'
import { UserError, type Problem } from '../errors.js'
import { readIssues } from '../pipeline/sources/schema-issues.js'
import { findUnknownKeys } from '../pipeline/sources/unknown-keys.js'
import type { Tool } from './define-tool.js'

/** Throws a UserError that lists every mistake. */
export function checkInput({ name, input: schema }: Pick<Tool, 'name' | 'input'>, given: unknown): unknown {
  const args = given === undefined || given === null ? {} : given
  if (!isRecord(args)) throw badInput(name, [{ message: `expected an object of parameters, found ${show(args, 80)}` }])
  const value = unpacked(schema, args)
  const problems: Problem[] = findUnknownKeys(schema, value).map(({ path, name: key, known }) => {
    const suggestion = suggest(key, known)
    const message = `unknown parameter; known: ${known.join(', ')}`
    return { field: fieldName([...path, key]), message, ...(suggestion !== undefined && { suggestion }) }
  })
  const parsed = v.safeParse(schema, value)
  if (!parsed.success)
    problems.push(
      ...readIssues(parsed.issues).map(({ path, message }) => ({ ...fieldOf(path), message: plain(message) })),
    )
  if (problems.length > 0 || !parsed.success) throw badInput(name, problems)
  return parsed.output
}

interface Shape {
  type: string
  entries?: Record<string, Shape>
  wrapped?: Shape
  pipe?: Shape[]
}

/** Some clients send objects and lists as JSON text. A parameter that is text stays text. */
function unpacked(schema: v.GenericSchema, args: Record<string, unknown>): Record<string, unknown> {
  const { entries = {} } = schema as unknown as Shape
  const items = Object.entries(args).map(([key, value]) => {
    const entry = ownValue(entries, key)
    if (typeof value !== 'string' || !entry || !takesStructure(entry)) return [key, value]
    const json = parseJson(value)
    return [key, json && typeof json.value === 'object' && json.value !== null ? json.value : value]
  })
  return Object.fromEntries(items) as Record<string, unknown>
}

function takesStructure({ type, wrapped }: Shape): boolean {
  return wrapped ? takesStructure(wrapped) : ['object', 'loose_object', 'record', 'array'].includes(type)
}

function fieldOf(path: Array<string | number>): { field?: string } {
  return path.length === 0 ? {} : { field: fieldName(path) }
}

function plain(message: string): string {
  return message.replace(/^missing required field '(.+)'$/, 'is missing')
}

function badInput(tool: string, problems: Problem[]): UserError {
  const [first] = problems
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  const did = first?.suggestion === undefined ? '' : `; did you mean "${first.suggestion}"?`
  const field = first?.field === undefined || first.message.startsWith(first.field) ? '' : `${first.field}: `
  return new UserError({
    code: 'BAD_ARGUMENTS',
    message: `${tool}: ${field}${first?.message ?? ''}${did}${more}`,
    hint: `the parameters of ${tool} are in docs/reference/tools.md`,
    problems,
  })
}
