// Which tool calls are meant: by name, with or without the server's prefix, and by arguments as a recursive subset.
import * as v from 'valibot'
import type { ToolCall } from '../../model/message.js'
import { compileSubset, SubsetError, type Mismatch, type SubsetMatcher, type SubsetOptions } from '../../util/subset.js'
import { preview, show } from '../../util/text.js'
import { SpecError } from './define-assertion.js'

const names = v.union([
  v.pipe(v.string(), v.nonEmpty()),
  v.pipe(v.array(v.pipe(v.string(), v.nonEmpty())), v.nonEmpty()),
])
const args = v.optional(v.unknown())

/** `{name, arguments}` as an object of its own. */
export const toolEntries = { name: names, arguments: args, args }
export const toolObject = v.strictObject(toolEntries)
export const toolName = names

export interface WantedTool {
  name: string | string[]
  arguments?: unknown
  args?: unknown
}

export interface ToolMatcher {
  /** `create_expense`, or `a or b`, with the arguments where they are asked for. */
  label: string
  hasName(call: ToolCall): boolean
  matches(call: ToolCall): boolean
  /** How far a call of that name is from what is wanted. */
  mismatches(call: ToolCall): Mismatch[]
}

export function compileTool(wanted: WantedTool, field: string): ToolMatcher {
  if (wanted.arguments !== undefined && wanted.args !== undefined) {
    throw new SpecError(`${field}.args`, 'give arguments or args, not both')
  }
  const key = wanted.args === undefined ? 'arguments' : 'args'
  const expected = wanted.arguments ?? wanted.args
  const subset = expected === undefined ? undefined : requireSubset(expected, `${field}.${key}`)
  const list = typeof wanted.name === 'string' ? [wanted.name] : wanted.name
  const hasName = (call: ToolCall) => list.some((name) => isToolName(name, call))
  const mismatches = (call: ToolCall) => (subset ? argumentMismatches(subset, expected, call) : [])
  return {
    label: list.join(' or ') + (expected === undefined ? '' : ` with ${preview(expected)}`),
    hasName,
    mismatches,
    matches: (call) => hasName(call) && mismatches(call).length === 0,
  }
}

/** The whole name, or what follows a `.` or `__` in it: never a bare substring. */
export function isToolName(wanted: string, call: { name: string; server?: string }): boolean {
  const name = dotted(wanted)
  const full = call.server === undefined ? dotted(call.name) : `${dotted(call.server)}.${dotted(call.name)}`
  return full === name || full.endsWith(`.${name}`) || dotted(call.name) === name
}

export function requireSubset(expected: unknown, field: string, options: SubsetOptions = {}): SubsetMatcher {
  try {
    return compileSubset(expected, options)
  } catch (error) {
    if (error instanceof SubsetError) throw new SpecError(field + error.path.slice(1), error.message)
    throw error
  }
}

/** The call that comes nearest to what is wanted, of those that are allowed to. */
export function closestCall(
  tool: ToolMatcher,
  calls: readonly ToolCall[],
): { call: ToolCall; index: number } | undefined {
  let best: { call: ToolCall; index: number; distance: number } | undefined
  calls.forEach((call, index) => {
    if (!tool.hasName(call)) return
    const distance = tool.mismatches(call).length
    if (!best || distance < best.distance) best = { call, index, distance }
  })
  return best
}

/** Why no call is the wanted one: the closest call and its first difference, or the names that were called. */
export function explainMiss(tool: ToolMatcher, calls: readonly ToolCall[]): string {
  if (calls.length === 0) return 'no tools were called'
  const closest = closestCall(tool, calls)
  if (!closest) return `called: ${listNames(calls)}`
  const { call, index } = closest
  if (call.args_error !== undefined) {
    return `call ${index + 1}, ${call.name}, has arguments that are not JSON: ${call.args_error}`
  }
  const first = tool.mismatches(call)[0]
  return `closest is call ${index + 1}, ${describeCall(call)}${first ? `, which differs at ${describeMismatch(first)}` : ''}`
}

export function describeMismatch({ path, expected, actual, missing }: Mismatch): string {
  return missing
    ? `${path}: expected ${show(expected)}, found nothing`
    : `${path}: expected ${show(expected)}, got ${show(actual)}`
}

export function describeCall(call: ToolCall): string {
  return `${call.name}(${preview(call.args ?? {}, 120)})`
}

export function listNames(calls: readonly ToolCall[]): string {
  const shown = calls.slice(0, 20).map((call) => call.name)
  return shown.join(', ') + (calls.length > shown.length ? `, … (${calls.length} calls)` : '')
}

function dotted(name: string): string {
  return name.replaceAll('__', '.')
}

function argumentMismatches(subset: SubsetMatcher, expected: unknown, call: ToolCall): Mismatch[] {
  const actual = parsedArguments(expected, call.args)
  return subset.mismatches(actual)
}

/** Some agents report arguments as JSON text. */
function parsedArguments(expected: unknown, actual: unknown): unknown {
  if (typeof actual !== 'string' || typeof expected === 'string') return actual ?? {}
  try {
    return JSON.parse(actual) as unknown
  } catch {
    return actual
  }
}
