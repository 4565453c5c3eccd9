// `tool_called` and `tool_not_called`: which tools the agent used, and with what.
import * as v from 'valibot'
import type { Evidence } from '../../../model/evidence.js'
import type { ToolCall } from '../../../model/message.js'
import { boundEntries, describeBounds, isSettled, isWithin, requireBounds, type Bounds } from '../bounds.js'
import { closedObject } from '../closed-object.js'
import { defined } from '../../../base/defined.js'
import { suggest } from '../../../base/suggest.js'
import {
  defineAssertion,
  SpecError,
  type AssertServices,
  type CompileContext,
  type Verdict,
} from '../define-assertion.js'
import { matcherField } from '../matchers/schema.js'
import {
  argumentsMatch,
  compileTool,
  describeCall,
  describeGap,
  explainMiss,
  isRecorded,
  isUnmade,
  isWhole,
  listNames,
  neverWith,
  toolName,
  toolObject,
  traitEntries,
  unknownCalls,
  unseenCall,
  type ToolMatcher,
} from '../tool-match.js'

const anything = v.optional(matcherField)
const entries = {
  name: v.optional(toolName),
  value: v.optional(v.union([toolName, toolObject])),
  arguments: anything,
  args: anything,
  arguments_match: argumentsMatch,
  ...traitEntries,
}
const times = v.optional(v.union([v.pipe(v.number(), v.integer(), v.minValue(0)), closedObject(boundEntries)]))

type ToolSpec = v.InferOutput<v.ObjectSchema<typeof entries, undefined>>

export const toolCalled = defineAssertion({
  type: 'tool_called',
  summary:
    'A tool was called, with these arguments (matchers; others may be there unless `arguments_match` is exact), this many times; a list of names means any of them',
  example: { type: 'tool_called', name: 'create_expense', arguments: { amount: { $gt: 100 } } },
  on: 'actions',
  schema: v.object({ ...entries, times }),

  compile(spec, context) {
    const { field } = context
    const tool = wantedTool(spec, field)
    const bounds = requireTimes(spec.times, `${field}.times`)
    if (isWithin(0, bounds) !== (spec.negate === true)) doubtUnknown(tool, context)
    return (evidence) => {
      const { tool_calls: calls } = evidence
      const meant = calls.filter((call) => tool.matches(call))
      const missing = meant.filter(isUnmade)
      const count = meant.length - missing.length
      if (!isSettled(count, meant.length, bounds)) return noSuchTool(tool, missing, calls)
      const step = stepOf(tool, evidence)
      const open = step ? [step] : calls.filter((call) => tool.mayMatch(call))
      const holds = isWithin(count, bounds)
      if (isSettled(count, count + open.length, bounds)) {
        const unnamed = isRecorded(evidence, tool.names) ? [] : calls.filter((call) => tool.mayBe(call))
        const most = isWhole(evidence, tool.names) ? count + open.length + unnamed.length : Infinity
        if (!isSettled(count, most, bounds)) {
          const isSought = unnamed.length === 0 && bounds.max === undefined && bounds.exact === undefined
          if (!isSought) return unknownCalls(tool.label, unnamed, evidence)
          return unseenCall(wrongCount(tool, bounds, count, calls), tool.label, evidence)
        }
        return holds ? { passed: true } : wrongCount(tool, bounds, count, calls)
      }
      const doubt = step ? onlyStep(step) : undecided(tool, open, calls)
      return { ...wrongCount(tool, bounds, count, calls), absent: doubt.absent, ...(holds && doubt) }
    }
  },
})

export const toolNotCalled = defineAssertion({
  type: 'tool_not_called',
  summary: 'No call of a tool, or none with these arguments',
  example: { type: 'tool_not_called', name: 'delete_account' },
  on: 'actions',
  schema: v.object(entries),

  compile(spec, context) {
    const tool = wantedTool(spec, context.field)
    if (spec.negate !== true) doubtUnknown(tool, context)
    return (evidence, services) => {
      const { tool_calls: calls, case_id } = evidence
      const step = stepOf(tool, evidence)
      if (step) return { passed: false, ...onlyStep(step), actual: callNames(calls) }
      const index = calls.findIndex((call) => tool.matches(call))
      const call = calls[index]
      const open = call ? [] : calls.filter((each) => tool.mayMatch(each))
      if (open.length > 0) return { passed: false, ...undecided(tool, open, calls), actual: callNames(calls) }
      const unnamed = call || isRecorded(evidence, tool.names) ? [] : calls.filter((each) => tool.mayBe(each))
      if (unnamed.length > 0 || (!call && !isWhole(evidence, tool.names)))
        return unknownCalls(tool.label, unnamed, evidence)
      if (!call) return notCalled(tool, calls, case_id, services)
      const message = `tool '${tool.label}' was called: call ${index + 1}, ${describeCall(call)}`
      return { passed: false, message, actual: callNames(calls) }
    }
  },
})

/** A step of the agent's own report that calls the tool, where none of its calls does. */
function stepOf(tool: ToolMatcher, { tool_calls: calls, spans = [] }: Evidence): ToolCall | undefined {
  if (calls.some((call) => tool.hasName(call))) return undefined
  return spans
    .filter(({ kind }) => kind === 'tool')
    .flatMap(({ name, attributes }) => [name, name.replace(/^execute_tool /, ''), attributes?.['gen_ai.tool.name']])
    .flatMap((name) => (typeof name === 'string' ? [{ name, args: {} }] : []))
    .find((call) => tool.hasName(call))
}

function onlyStep({ name }: ToolCall): { message: string; absent: string } {
  const message = `'${name}' is a step in the spans of the agent, but not one of its tool_calls`
  return { message, absent: message }
}

/** The call was tried, so it is not "not called"; the agent has no such tool, so it is not "called" either. */
function noSuchTool(tool: ToolMatcher, [call]: ToolCall[], calls: ToolCall[]): Verdict {
  const name = call?.name ?? tool.label
  const message = call?.claimed
    ? notReceived(tool, name)
    : `tool '${tool.label}' does not exist: the agent tried to call ${name}, which it does not have`
  return { passed: false, message, absent: message, actual: callNames(calls) }
}

/** The test provides the tool, and knows who called it. */
function notReceived(tool: ToolMatcher, name: string): string {
  return `tool '${tool.label}' was not called: the agent reports a call of ${name}, but the tool of the test received none`
}

/** A tool that the agent does not have is never called, whatever it does. */
function doubtUnknown(tool: ToolMatcher, context: CompileContext): void {
  const { field, tools } = context
  if (tool.names.length === 0 || tools === undefined || tools.some((name) => tool.hasName({ name, args: {} }))) return
  const near = suggest(
    tool.names[0] ?? '',
    tools.flatMap((name) => [name, name.split('__').at(-1) ?? name]),
  )
  const hint =
    near === undefined ? (tools.length > 0 ? `it has ${tools.join(', ')}` : 'it has none') : `did you mean ${near}?`
  context.doubt(`${field}.name`, `the agent has no tool "${tool.names.join(' or ')}", so it is never called; ${hint}`)
}

/** A pass; but a call with a similar name may be the one that was meant. */
function notCalled(tool: ToolMatcher, calls: ToolCall[], caseId: string, services: AssertServices): Verdict {
  if (calls.length === 0 || calls.some((call) => tool.hasName(call))) return { passed: true }
  const called = calls.map((call) => call.name)
  const near = tool.names.flatMap((name) => suggest(name, called) ?? [])[0]
  if (near === undefined) return { passed: true }
  const message = `tool '${tool.names.join(' or ')}' was not called, but '${near}' was: did you mean that one?`
  services.warn?.(`${caseId}: ${message}`)
  return { passed: true, message }
}

function wantedTool(spec: ToolSpec, field: string): ToolMatcher {
  const { kind, title, locations, outcome } = spec
  const traits = { kind, title, locations, outcome }
  const hasTraits = Object.values(traits).some((trait) => trait !== undefined)
  if ((spec.name === undefined) === (spec.value === undefined) && !(hasTraits && spec.name === undefined)) {
    throw new SpecError(
      `${field}.name`,
      spec.name === undefined ? 'is missing: the tool to look for' : 'give name or value, not both',
    )
  }
  const wanted = spec.name ?? spec.value
  const { arguments: outer, args, arguments_match } = spec
  if (wanted === undefined || typeof wanted === 'string' || Array.isArray(wanted))
    return compileTool({ name: wanted, arguments: outer, args, arguments_match, ...traits }, field)
  if (outer !== undefined || args !== undefined) {
    throw new SpecError(`${field}.arguments`, 'are given both in value and next to it: give them once')
  }
  return compileTool({ ...wanted, ...defined({ arguments_match }), ...traits }, `${field}.value`)
}

function requireTimes(value: ToolTimes, field: string): Bounds {
  if (value === undefined) return { min: 1 }
  return typeof value === 'number' ? { exact: value } : requireBounds(value, field)
}

type ToolTimes = v.InferOutput<typeof times>

function wrongCount(tool: ToolMatcher, bounds: Bounds, count: number, calls: ToolCall[]): Verdict {
  const isPlain = bounds.min === 1 && bounds.max === undefined
  const details = {
    expected: isPlain ? tool.label : `${tool.label}, ${describeBounds(bounds)} times`,
    actual: callNames(calls),
  }
  if (count === 0 && calls.length === 0) return { passed: false, message: 'no tools were called', ...details }
  const never = isPlain ? neverWith(tool, calls) : undefined
  const message = isPlain
    ? (never ?? `tool '${tool.label}' was not called; ${explainMiss(tool, calls)}`)
    : `tool '${tool.label}' was called ${count} times, expected ${describeBounds(bounds)}; called: ${listNames(calls)}`
  return { passed: false, message, ...details }
}

/** Neither that it was the wanted call nor that it was not has been shown. */
function undecided(tool: ToolMatcher, [call]: ToolCall[], calls: ToolCall[]): { message: string; absent: string } {
  if (!call) throw new Error('nothing is undecided')
  const message = `call ${calls.indexOf(call) + 1}, ${describeCall(call)}, ${describeGap(tool, call)}`
  return { message, absent: message }
}

function callNames(calls: ToolCall[]): string[] {
  return calls.slice(0, 50).map((call) => call.name)
}
