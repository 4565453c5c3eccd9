// `expect_tool`: the model made exactly one call, the right one; or none.
import * as v from 'valibot'
import { isRecord } from '../../../base/record.js'
import { suggest } from '../../../base/suggest.js'
import { show } from '../../../base/text.js'
import type { Choice } from '../../../model/result-schema.js'
import type { Evidence } from '../../../model/evidence.js'
import type { ToolCall } from '../../../model/message.js'
import { defineAssertion, notAvailable, SpecError, type CompileContext, type Verdict } from '../define-assertion.js'
import { requireMatcher } from '../matchers/compile.js'
import type { Matcher } from '../matchers/matcher.js'
import { matcherField } from '../matchers/schema.js'
import { describeMismatch } from '../matchers/words.js'
import {
  argumentsMatch,
  describeCall,
  isWhole,
  listNames,
  oneToolName,
  toolNameMatcher,
  unknownSet,
} from '../tool-match.js'
import { writtenCall } from '../written-call.js'

export const expectTool = defineAssertion({
  type: 'expect_tool',
  summary:
    'Exactly one tool was called, this one, with exactly these arguments (matchers; `$optional` for what may be left out); `name: null`: none was called',
  example: { type: 'expect_tool', name: 'create_expense', arguments: { amount: { $gt: 100 } } },
  on: 'actions',
  schema: v.object({
    name: v.nullable(oneToolName),
    arguments: v.optional(matcherField),
    arguments_match: argumentsMatch,
  }),

  choiceOf: ({ name, negate }) =>
    negate === true || (name !== null && typeof name !== 'string') ? undefined : { of: 'tool', expected: name },

  compile({ name, arguments: wanted, arguments_match = 'exact' }, context) {
    if (name === null) {
      if (wanted !== undefined) throw new SpecError(`${context.field}.arguments`, 'no call has no arguments')
      return (evidence) => unclear(evidence) ?? noCall(evidence)
    }
    requireKnown(name, context)
    const matcher =
      wanted === undefined
        ? undefined
        : requireMatcher(wanted, `${context.field}.arguments`, { objects: arguments_match })
    return (evidence) => unclear(evidence) ?? oneCall(evidence, { name, matcher })
  },
})

interface Wanted {
  name: string
  /** Absent: any arguments, as long as they can be read. */
  matcher: Matcher | undefined
}

/** A tool that is not there is never called, whatever the model does. */
function requireKnown(name: string, { field, tools }: CompileContext): void {
  if (tools === undefined || tools.some((known) => isMeant(name, { name: known }))) return
  const near = suggest(name, tools)
  const hint = tools.length === 0 ? '; it has none' : near === undefined ? `; it has ${tools.join(', ')}` : ''
  throw new SpecError(`${field}.name`, `the agent has no tool "${name}", so it cannot call it${hint}`, near)
}

/** Where calls may be missing, neither one call nor none has been shown. */
function unclear(evidence: Evidence): Verdict | undefined {
  const { tool_calls: calls, finish_reason: ending } = evidence
  if (!isWhole(evidence)) return unknownSet(evidence)
  const unnamed = calls.find((call) => call.unnamed)
  if (unnamed) return notAvailable(`which tool was called is not known: "${unnamed.name}" is only a title`)
  if (calls.length === 0 && ending === 'length')
    return notAvailable('which tool would have been called is not known: the answer was cut off at its longest')
  return undefined
}

function noCall({ tool_calls: calls, output }: Evidence): Verdict {
  const [first] = calls
  const written = first ? undefined : writtenCall(output)
  if (written !== undefined)
    return notAvailable(`whether a tool was called is not known: the answer has a call in its text, ${written}`)
  if (!first) return { passed: true, chosen: { taken: null } }
  return failed(calls, 'no call', `no tool should have been called; called: ${listCalls(calls)}`, undefined)
}

function oneCall({ tool_calls: calls, finish_reason: ending }: Evidence, { name, matcher }: Wanted): Verdict {
  const [call] = calls
  if (!call) return failed(calls, name, `${name} should have been called; no tool was`, undefined)
  const right = calls.find((each) => isMeant(name, each))
  if (calls.length > 1) {
    const near = right && `${calls.length} calls instead of one: ${listNames(calls)}`
    return failed(
      calls,
      name,
      `one call of ${name} was expected, found ${calls.length}: ${listCalls(calls)}`,
      near,
      name,
    )
  }
  if (!right) return failed(calls, name, wrongTool(name, call), undefined)
  if (call.no_such_tool) return failed(calls, name, `${call.name} was called, which was not offered`, undefined)
  const gap = gapOf(call, matcher)
  if (gap === undefined && ending === 'length')
    return notAvailable(
      `whether ${name} would have been the only call is not known: the answer was cut off at its longest`,
    )
  if (gap === undefined) return { passed: true, chosen: { taken: name } }
  return failed(calls, name, `${describeCall(call)} ${gap}`, `${name} ${gap}`, name)
}

function wrongTool(name: string, call: ToolCall): string {
  const unknown = call.no_such_tool ? ', which was not offered' : ''
  return `${name} should have been called; called: ${describeCall(call)}${unknown}`
}

/** Why the call of the right tool is not the right call. Arguments that cannot be read are never right. */
function gapOf({ args, args_error }: ToolCall, matcher: Matcher | undefined): string | undefined {
  if (args_error !== undefined) return `has arguments that cannot be read: ${args_error}`
  if (!isRecord(args)) return `has arguments that are not an object: ${show(args)}`
  const [first] = matcher?.mismatches(args) ?? []
  return first && `differs at ${describeMismatch(first)}`
}

/** The name as it was offered, never a part of it: `math.add` is not `add`. Of a server's tool, also with the server. */
function isMeant(name: string, call: Pick<ToolCall, 'name' | 'server'>): boolean {
  return call.name === name || (call.server !== undefined && toolNameMatcher(name)(call))
}

/** `taken`: the name by which the first call is counted; default: its own. */
function failed(
  calls: readonly ToolCall[],
  expected: string,
  message: string,
  near: string | undefined,
  meant?: string,
): Verdict {
  const [first] = calls
  const taken = first === undefined ? null : meant !== undefined && isMeant(meant, first) ? meant : first.name
  const chosen: Pick<Choice, 'near'> & { taken: string | null } = near === undefined ? { taken } : { taken, near }
  return { passed: false, message, expected, actual: calls.slice(0, 50).map((call) => call.name), chosen }
}

function listCalls(calls: readonly ToolCall[]): string {
  const shown = calls.slice(0, 5).map(describeCall)
  return shown.join(', ') + (calls.length > shown.length ? `, … (${calls.length} calls)` : '')
}
