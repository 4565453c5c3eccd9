// Which tool calls are meant: by name, with or without the server's prefix, and by arguments as a recursive subset.
import * as v from 'valibot'
import type { Evidence } from '../../model/evidence.js'
import type { ToolCall } from '../../model/message.js'
import { compileSubset, SubsetError, type Mismatch, type SubsetMatcher, type SubsetOptions } from './subset.js'
import { preview, show } from '../../base/text.js'
import { isRecord } from '../../base/record.js'
import { jsonOrText } from '../../base/json/parse-json.js'
import { closedObject } from './closed-object.js'
import { notAvailable, SpecError, type Verdict } from './define-assertion.js'

/** No tool has a name with white space around it: it would never be called. */
export const oneToolName = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.check((name) => name === name.trim(), 'has white space around it: no tool is called that'),
)
const names = v.union([oneToolName, v.pipe(v.array(oneToolName), v.nonEmpty())])
const args = v.optional(v.unknown())

/** `{name, arguments}` as an object of its own. */
const toolEntries = { name: names, arguments: args, args }
export const toolObject = closedObject(toolEntries)
export const toolName = names

export interface WantedTool {
  name: string | string[]
  arguments?: unknown
  args?: unknown
}

export interface ToolMatcher {
  /** `create_expense`, or `a or b`, with the arguments if they are asked for. */
  label: string
  names: string[]
  hasName(call: ToolCall): boolean
  matches(call: ToolCall): boolean
  /** How far a call with that name is from what is wanted. */
  mismatches(call: ToolCall): Mismatch[]
  /** It has the name, but arguments that cannot be read or compared: it may be the wanted one. */
  mayMatch(call: ToolCall): boolean
  /** It has no name, and nothing else shows that it is not the wanted one. */
  mayBe(call: ToolCall): boolean
}

export function compileTool(wanted: WantedTool, field: string): ToolMatcher {
  if (wanted.arguments !== undefined && wanted.args !== undefined) {
    throw new SpecError(`${field}.args`, 'give arguments or args, not both')
  }
  const key = wanted.args === undefined ? 'arguments' : 'args'
  const expected = wanted.arguments ?? wanted.args
  const subset = expected === undefined ? undefined : requireSubset(expected, `${field}.${key}`)
  const list = typeof wanted.name === 'string' ? [wanted.name] : wanted.name
  const matchers = list.map(toolNameMatcher)
  const hasName = (call: ToolCall) => matchers.some((isMeant) => isMeant(call))
  const mismatches = (call: ToolCall) => (subset ? argumentMismatches(subset, expected, call) : [])
  return {
    label: list.join(' or ') + (expected === undefined ? '' : ` with ${preview(expected)}`),
    names: list,
    hasName,
    mismatches,
    matches: (call) => hasName(call) && mismatches(call).length === 0,
    mayMatch: (call) => hasName(call) && isOpen(call, mismatches(call)),
    mayBe: (call) => call.unnamed === true && !hasName(call) && (hasNoArgs(call) || fits(call, mismatches(call))),
  }
}

/** None may also mean that they were not reported. */
function hasNoArgs({ args }: ToolCall): boolean {
  return isRecord(args) && Object.keys(args).length === 0
}

function fits(call: ToolCall, mismatches: Mismatch[]): boolean {
  return mismatches.length === 0 || isOpen(call, mismatches)
}

function isOpen({ args_error }: ToolCall, mismatches: Mismatch[]): boolean {
  if (mismatches.length === 0) return false
  return args_error !== undefined || mismatches.every(({ incomparable }) => incomparable)
}

/** The whole name, or what follows a `.`, `__`, `/` or `:` in it: never a bare substring. `*` stands for any part of a name. */
export function toolNameMatcher(wanted: string): (call: Pick<ToolCall, 'name' | 'server' | 'unnamed'>) => boolean {
  const name = dotted(wanted)
  const isAny = /^\*+$/.test(name)
  const isMeant = name.includes('*') ? fitsPattern(name) : (full: string) => full === name || full.endsWith(`.${name}`)
  return (call) => {
    // Its title is not a name.
    if (call.unnamed) return isAny
    const own = dotted(call.name)
    return isMeant(own) || (call.server !== undefined && isMeant(`${dotted(call.server)}.${own}`))
  }
}

function fitsPattern(name: string): (full: string) => boolean {
  const parts = name.split('*').map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  const pattern = new RegExp(`^(?:.*\\.)?${parts.join('[^.]*')}$`, 's')
  return (full) => pattern.test(full)
}

export function requireSubset(expected: unknown, field: string, options: SubsetOptions = {}): SubsetMatcher {
  try {
    return compileSubset(expected, options)
  } catch (error) {
    if (error instanceof SubsetError) throw new SpecError(field + error.path.slice(1), error.message)
    throw error
  }
}

/** Whether every call was seen. */
export function isWhole({ unreported_hats = [] }: Pick<Evidence, 'unreported_hats'>): boolean {
  return unreported_hats.length === 0
}

/** What was called is not known in full: neither a pass nor a failure. `unnamed`: the calls that may be the wanted one. */
export function unknownCalls(
  label: string,
  [unnamed]: readonly ToolCall[],
  { tool_calls: calls, unreported_hats: hats = [] }: Pick<Evidence, 'tool_calls' | 'unreported_hats'>,
): Verdict {
  const why = unnamed
    ? `call ${calls.indexOf(unnamed) + 1}, "${unnamed.name}", has a title but no tool name`
    : `${hats.length === 1 ? 'the backend of the hat' : 'the backends of the hats'} ${hats.join(', ')} ${hats.length === 1 ? 'does' : 'do'} not report tool calls`
  return notAvailable(
    `whether '${label}' was called is not known: ${why}. Assert on the answer, events or files instead`,
  )
}

/** Why no call is the wanted one: the closest call and its first difference, or the names that were called. */
export function explainMiss(
  tool: ToolMatcher,
  calls: readonly ToolCall[],
  isFree: (index: number) => boolean = () => true,
): string {
  if (calls.length === 0) return 'no tools were called'
  const named = [...calls.keys()].filter((index) => tool.hasName(callAt(calls, index)))
  const free = named.filter(isFree)
  const closest = nearest(tool, calls, free.length > 0 ? free : named)
  if (closest === undefined) return `called: ${listNames(calls)}`
  const call = callAt(calls, closest)
  return `closest is call ${closest + 1}, ${describeCall(call)}, which ${describeGap(tool, call)}`
}

/** What keeps a call with the right name from being the wanted one. */
export function describeGap(tool: ToolMatcher, call: ToolCall): string {
  if (call.args_error !== undefined) return `has arguments that cannot be read: ${call.args_error}`
  const first = tool.mismatches(call)[0]
  return first ? `differs at ${describeMismatch(first)}` : 'is taken already'
}

export function describeMismatch({ path, expected, actual, missing, extra }: Mismatch): string {
  if (extra) return `${path}: not expected, found ${show(actual)}`
  return missing
    ? `${path}: expected ${show(expected)}, found nothing`
    : `${path}: expected ${show(expected)}, got ${show(actual)}`
}

export function describeCall(call: ToolCall): string {
  return `${call.unnamed ? `"${call.name}"` : call.name}(${show(call.args ?? {}, 120)})`
}

export function listNames(calls: readonly ToolCall[]): string {
  const shown = calls.slice(0, 20).map((call) => call.name)
  return shown.join(', ') + (calls.length > shown.length ? `, … (${calls.length} calls)` : '')
}

function nearest(tool: ToolMatcher, calls: readonly ToolCall[], indexes: number[]): number | undefined {
  const distance = (index: number) => tool.mismatches(callAt(calls, index)).length
  return indexes.toSorted((left, right) => distance(left) - distance(right))[0]
}

function callAt(calls: readonly ToolCall[], index: number): ToolCall {
  return calls[index] ?? { name: '', args: undefined }
}

function dotted(name: string): string {
  return name.replaceAll(/__|[/:]/g, '.')
}

function argumentMismatches(subset: SubsetMatcher, expected: unknown, call: ToolCall): Mismatch[] {
  const actual = parsedArguments(expected, call.args)
  return subset.mismatches(actual)
}

/** Some agents report arguments as JSON text. */
function parsedArguments(expected: unknown, actual: unknown): unknown {
  if (typeof actual !== 'string' || typeof expected === 'string') return actual ?? {}
  return jsonOrText(actual)
}
