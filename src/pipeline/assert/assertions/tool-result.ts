// `tool_result`: what a tool returned.
import * as v from 'valibot'
import type { ToolCall } from '../../../model/message.js'
import { findJson } from '../../../base/json/find-json.js'
import { requireMatcher } from '../matchers/compile.js'
import { matcherField } from '../matchers/schema.js'
import type { Matcher } from '../matchers/matcher.js'
import { describeMismatch } from '../matchers/words.js'
import { abridged, preview } from '../../../base/text.js'
import { closedObject } from '../closed-object.js'
import { defineAssertion, notAvailable, SpecError, type Verdict } from '../define-assertion.js'
import { isWhole, listNames, oneToolName, toolNameMatcher, unknownCalls, unseenCall } from '../tool-match.js'

const anything = v.optional(matcherField)

export const toolResult = defineAssertion({
  type: 'tool_result',
  summary:
    'A call of the tool succeeded with this result (matchers, and `regex:` strings are patterns); without one, none failed',
  example: { type: 'tool_result', tool: 'setup', result: { success: true } },
  on: 'actions',
  schema: v.object({
    tool: v.optional(oneToolName),
    result: anything,
    value: v.optional(closedObject({ tool: oneToolName, result: anything })),
  }),

  compile(spec, { field }) {
    if ((spec.tool === undefined) === (spec.value === undefined)) {
      throw new SpecError(
        `${field}.tool`,
        spec.tool === undefined ? 'is missing: the tool to look for' : 'give tool or value, not both',
      )
    }
    const inner = spec.value ?? { tool: spec.tool ?? '', result: spec.result }
    const place = spec.value === undefined ? field : `${field}.value`
    const expected = inner.result
    const subset =
      expected === undefined ? undefined : requireMatcher(expected, `${place}.result`, { regexStrings: true })
    const isMeant = toolNameMatcher(inner.tool)
    return (evidence) => {
      const { tool_calls: calls } = evidence
      const own = calls.filter((call) => isMeant(call) && !call.claimed)
      const verdict =
        own.length === 0
          ? notCalled(inner.tool, calls)
          : subset
            ? someMatches(inner.tool, own, expected, subset)
            : noneFailed(inner.tool, own)
      // One call that fits is enough, and so is one that failed where none may.
      const isSettled = verdict.passed === (subset !== undefined) && own.length > 0
      const others = calls.filter(
        (call) => call.unnamed && !isMeant(call) && (!verdict.passed || call.error !== undefined),
      )
      if (isSettled || (others.length === 0 && isWhole(evidence, [inner.tool]))) return verdict
      if (others.length === 0 && !verdict.passed) return unseenCall(verdict, inner.tool, evidence)
      return unknownCalls(inner.tool, others, evidence)
    }
  },
})

function notCalled(tool: string, calls: ToolCall[]): Verdict {
  const actual = calls.length === 0 ? 'no tools were called' : `called: ${listNames(calls)}`
  const message = `tool '${tool}' was not called`
  return { passed: false, message, absent: message, expected: tool, actual }
}

function noneFailed(tool: string, calls: ToolCall[]): Verdict {
  const failed = calls.find((call) => call.error !== undefined)
  if (failed) return toolFailed(tool, failed)
  return calls.every(isUnknown) ? unknownResult(tool) : { passed: true }
}

function someMatches(tool: string, calls: ToolCall[], expected: unknown, subset: Matcher): Verdict {
  const done = calls.filter((call) => call.error === undefined && call.result !== undefined)
  const attempts = done.map((call) => ({ call, mismatches: subset.mismatches(comparable(expected, call.result)) }))
  if (attempts.some(({ mismatches }) => mismatches.length === 0)) return { passed: true }
  const [closest] = attempts.toSorted((a, b) => a.mismatches.length - b.mismatches.length)
  if (!closest) {
    const failed = calls.find((call) => call.error !== undefined)
    return failed ? toolFailed(tool, failed) : unknownResult(tool)
  }
  const first = closest.mismatches[0]
  const message = `tool '${tool}' result does not match${first ? ` at ${describeMismatch(first)}` : ''}`
  return {
    passed: false,
    message,
    expected: abridged(expected),
    actual: abridged(closest.call.result),
    ...(calls.some(isUnknown) && { absent: `the agent does not report what every call of tool '${tool}' returned` }),
  }
}

function isUnknown(call: ToolCall): boolean {
  return call.error === undefined && call.result === undefined
}

/** Tool servers often return JSON as text. */
function comparable(expected: unknown, result: unknown): unknown {
  if (typeof result !== 'string' || typeof expected !== 'object' || expected === null) return result
  return findJson(result)?.value ?? result
}

function toolFailed(tool: string, call: ToolCall): Verdict {
  return {
    passed: false,
    message: `tool '${tool}' returned an error: ${preview(call.error)}`,
    actual: call.error ?? '',
  }
}

function unknownResult(tool: string): Verdict {
  return notAvailable(`the agent does not report what tool '${tool}' returned, so its result cannot be checked`)
}
