// Which tool calls are meant: by name, with or without the server's prefix, and by arguments.
import * as v from 'valibot'
import type { Evidence } from '../../model/evidence.js'
import type { ToolCall } from '../../model/message.js'
import { requireMatcher } from './matchers/compile.js'
import { matcherField } from './matchers/schema.js'
import { toOutcome, type Matcher, type Mismatch } from './matchers/matcher.js'
import { describeMismatch, lackingPart } from './matchers/words.js'
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
const args = v.optional(matcherField)
/** `exact`: no arguments but these. */
export const argumentsMatch = v.optional(v.picklist(['subset', 'exact']))

/** `{name, arguments}` as an object of its own. */
const toolEntries = { name: names, arguments: args, args, arguments_match: argumentsMatch }
export const toolObject = closedObject(toolEntries)
export const toolName = names

/** Whether the call succeeded. */
const OUTCOMES = ['ok', 'error'] as const

/** One of several calls: whether it succeeded may matter as well. */
export const toolStep = closedObject({ ...toolEntries, outcome: v.optional(v.picklist(OUTCOMES)) })

const place = v.union([v.string(), v.looseObject({ path: v.string() })])
/** What some protocols say about a call beside, or in place of, the name of its tool. */
export const traitEntries = {
  kind: v.optional(names),
  title: v.optional(v.union([v.pipe(v.string(), v.nonEmpty()), v.record(v.string(), matcherField)])),
  locations: v.optional(v.pipe(v.array(place), v.nonEmpty())),
  outcome: v.optional(v.picklist(OUTCOMES)),
}

export interface WantedTraits {
  kind?: string | string[] | undefined
  title?: string | Record<string, unknown> | undefined
  locations?: Array<string | { path: string; [key: string]: unknown }> | undefined
  outcome?: 'ok' | 'error' | undefined
}

export interface WantedTool extends WantedTraits {
  /** Absent: whatever the tool is called. */
  name?: string | string[] | undefined
  arguments?: unknown
  args?: unknown
  arguments_match?: 'subset' | 'exact' | undefined
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
  const isExact = wanted.arguments_match === 'exact'
  if (isExact && expected === undefined)
    throw new SpecError(`${field}.arguments_match`, 'exact needs arguments: {} for none at all')
  const objects = isExact ? 'exact' : 'subset'
  const subset = expected === undefined ? undefined : requireMatcher(expected, `${field}.${key}`, { objects })
  const list = typeof wanted.name === 'string' ? [wanted.name] : (wanted.name ?? [])
  const matchers = list.map(toolNameMatcher)
  const isNamed = (call: ToolCall) => matchers.length === 0 || matchers.some((isMeant) => isMeant(call))
  const traits = compileTraits(wanted, field)
  const hasName = (call: ToolCall) => isNamed(call) && traits.every(({ of, fits: isFit }) => isFit(of(call)))
  const mismatches = (call: ToolCall) => (subset ? argumentMismatches(subset, expected, call) : [])
  /** What is not said about the call is all that keeps it from being the one. */
  const isUntold = (call: ToolCall) =>
    (isNamed(call) || call.unnamed === true) &&
    traits.every(({ of, fits: isFit }) => of(call) === undefined || isFit(of(call)))
  const described = [...list, ...traits.map(({ label }) => label)]
  const what = list.length > 0 ? [list.join(' or '), ...described.slice(list.length)] : described
  return {
    label: what.join(', ') + (expected === undefined ? '' : ` with ${isExact ? 'exactly ' : ''}${preview(expected)}`),
    names: list,
    hasName,
    mismatches,
    matches: (call) => hasName(call) && mismatches(call).length === 0,
    mayMatch: (call) => hasName(call) && isOpen(call, mismatches(call)),
    mayBe: (call) => isUntold(call) && !hasName(call) && (hasNoArgs(call) || fits(call, mismatches(call))),
  }
}

interface Trait {
  label: string
  of(call: ToolCall): unknown
  fits(value: unknown): boolean
}

function compileTraits({ kind, title, locations, outcome }: WantedTraits, field: string): Trait[] {
  const traits: Trait[] = []
  if (outcome !== undefined)
    traits.push({
      label: outcome === 'ok' ? 'without an error' : 'with an error',
      of: (call) => (call.error !== undefined ? 'error' : call.result !== undefined ? 'ok' : undefined),
      fits: (value) => value === outcome,
    })
  if (kind !== undefined) {
    const kinds = typeof kind === 'string' ? [kind] : kind
    traits.push({
      label: `kind ${kinds.join(' or ')}`,
      of: (call) => call.kind,
      fits: (value) => typeof value === 'string' && kinds.includes(value),
    })
  }
  if (title !== undefined) {
    const subset = requireMatcher(title, `${field}.title`)
    traits.push({
      label: `title ${preview(title)}`,
      of: (call) => call.title,
      fits: (value) => value !== undefined && subset.mismatches(value).length === 0,
    })
  }
  for (const [index, location] of (locations ?? []).entries())
    traits.push(locationTrait(location, `${field}.locations[${index}]`))
  return traits
}

function locationTrait(location: string | { path: string; [key: string]: unknown }, field: string): Trait {
  const { path, ...rest } = typeof location === 'string' ? { path: location } : location
  const subset = requireMatcher(rest, field)
  const isThere = (given: unknown): boolean =>
    isRecord(given) &&
    typeof given['path'] === 'string' &&
    (given['path'] === path || given['path'].endsWith(`/${path}`)) &&
    subset.mismatches(given).length === 0
  return {
    label: `location ${preview(location)}`,
    of: (call) => call.locations,
    fits: (value) => Array.isArray(value) && value.some(isThere),
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
  return args_error !== undefined || toOutcome(mismatches) === 'unknown'
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

/** Whether every call was seen; of tools that the test provides (`names`), each one is. */
export function isWhole(known: Known, names: string[] = []): boolean {
  return isRecorded(known, names) || (!known.unreported_hats?.length && known.tool_evidence === undefined)
}

/** The test provides them, so that no call of theirs goes by another name, or unseen. */
export function isRecorded({ recorded_tools = [] }: Known, names: string[]): boolean {
  return names.length > 0 && names.every((name) => recorded_tools.includes(name))
}

type Known = Pick<Evidence, 'unreported_hats' | 'tool_evidence' | 'recorded_tools'>

/** It was tried, or is only said to have been made: not called, and not "not called" either. */
export function isUnmade({ no_such_tool, claimed }: ToolCall): boolean {
  return no_such_tool === true || claimed === true
}

/** What was called is not known in full: neither a pass nor a failure. `unnamed`: the calls that may be the wanted one. */
export function unknownCalls(
  label: string,
  [unnamed]: readonly ToolCall[],
  { tool_calls: calls, ...known }: Known & Pick<Evidence, 'tool_calls'>,
): Verdict {
  const why = unnamed ? untold(unnamed, calls.indexOf(unnamed) + 1) : missingReport(known)
  return notAvailable(`whether '${label}' was called is not known: ${why}`)
}

/** Calls as a whole, of which some may not have been seen. */
export function unknownSet(evidence: Known): Verdict {
  return notAvailable(`which tools were called is not known: ${missingReport(evidence)}`)
}

/** A call that was looked for and not seen: a failure, but none that shows that it was not made. */
export function unseenCall(failure: Verdict, label: string, evidence: Known & Pick<Evidence, 'tool_calls'>): Verdict {
  if (evidence.unreported_hats !== undefined) return unknownCalls(label, [], evidence)
  return { ...failure, incomplete: missingReport(evidence) }
}

function untold({ name, unnamed }: ToolCall, position: number): string {
  return unnamed
    ? `call ${position}, "${name}", has a title but no tool name. Assert on its kind, title or locations instead`
    : `the agent does not say enough about call ${position}, ${name}`
}

/** Why what was called is not known in full. */
export function missingReport({ unreported_hats: hats = [], tool_evidence }: Known): string {
  if (hats.length > 0)
    return `${hats.length === 1 ? 'the backend of the hat' : 'the backends of the hats'} ${hats.join(', ')} ${hats.length === 1 ? 'does' : 'do'} not report tool calls. Assert on the answer, events or files instead`
  if (tool_evidence === 'partial') return 'the stream that reports calls was cut off, so there may have been more'
  return 'the reply says nothing about tool calls. Let it have "tool_calls" (an empty list if there were none), or declare that all are reported: agents.NAME.tool_calls: "complete" in viva.config'
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

/** `refund was called, never with amount below 20`: what none of its calls had. */
export function neverWith(tool: ToolMatcher, calls: readonly ToolCall[]): string | undefined {
  const named = [...calls.keys()].filter((index) => tool.hasName(callAt(calls, index)))
  const closest = nearest(tool, calls, named)
  if (closest === undefined || named.some((index) => callAt(calls, index).args_error !== undefined)) return undefined
  const call = callAt(calls, closest)
  const [first] = tool.mismatches(call)
  const lacks = (index: number): boolean =>
    tool.mismatches(callAt(calls, index)).some(({ path, extra }) => path === first?.path && extra === first.extra)
  if (!first || !named.every(lacks)) return undefined
  const found = first.missing ? 'it is missing' : `it is ${show(first.actual)}`
  return `${call.name} was called, never ${lackingPart(first)}: in call ${closest + 1}, ${describeCall(call)}, ${found}`
}

/** What keeps a call with the right name from being the wanted one. */
export function describeGap(tool: ToolMatcher, call: ToolCall): string {
  if (call.args_error !== undefined) return `has arguments that cannot be read: ${call.args_error}`
  const first = tool.mismatches(call)[0]
  return first ? `differs at ${describeMismatch(first)}` : 'is taken already'
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

function argumentMismatches(subset: Matcher, expected: unknown, call: ToolCall): Mismatch[] {
  const actual = parsedArguments(expected, call.args)
  return subset.mismatches(actual)
}

/** Some agents report arguments as JSON text. */
function parsedArguments(expected: unknown, actual: unknown): unknown {
  if (typeof actual !== 'string' || typeof expected === 'string') return actual ?? {}
  return jsonOrText(actual)
}
