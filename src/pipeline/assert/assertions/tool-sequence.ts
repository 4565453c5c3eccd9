// `tool_sequence`: the calls as a whole, in one of five ways of comparing; arguments follow one rule in all of them.
import * as v from 'valibot'
import type { ToolCall } from '../../../model/message.js'
import { defineAssertion, SpecError, type Verdict } from '../define-assertion.js'
import {
  compileTool,
  describeCall,
  describeGap,
  explainMiss,
  isUnmade,
  isWhole,
  toolName,
  toolStep,
  unknownCalls,
  unknownSet,
  unseenCall,
  type ToolMatcher,
  type WantedTool,
} from '../tool-match.js'
import { pairUp } from '../tool-matching.js'

const MODES = ['strict', 'unordered', 'subset', 'superset', 'ordered'] as const

export const toolSequence = defineAssertion({
  type: 'tool_sequence',
  summary:
    'The calls compared with a list: ordered (in this order, others between), strict (exactly these), unordered (these in any order), ' +
    'superset (all of these and others), subset (none but these)',
  example: {
    type: 'tool_sequence',
    tools: ['search', { name: 'book', arguments: { city: 'Paris' } }],
    match: 'ordered',
  },
  on: 'actions',
  schema: v.object({ tools: v.array(v.union([toolName, toolStep])), match: v.optional(v.picklist(MODES)) }),

  compile({ tools, match = 'ordered' }, { field }) {
    if (tools.length === 0 && (match === 'ordered' || match === 'superset')) {
      throw new SpecError(
        `${field}.tools`,
        `an empty list always holds with match: ${match}; use strict for no calls at all`,
      )
    }
    const wanted = tools.map((tool, index) =>
      existing(typeof tool === 'string' || Array.isArray(tool) ? { name: tool } : tool, `${field}.tools[${index}]`),
    )
    const label = wanted.map((tool) => tool.label).join(', ')
    const isClosed = match !== 'ordered' && match !== 'superset'
    return (evidence) => {
      const { tool_calls: calls } = evidence
      const reason = COMPARE[match](wanted, calls)
      if (reason === undefined) return isClosed && !isWhole(evidence) ? unknownSet(evidence) : { passed: true }
      if (COMPARE[match](wanted.map(atBest), calls) === undefined)
        return { ...failure(match, reason, wanted, calls), absent: reason }
      const best = wanted.map(unnamedAtBest)
      const unnamed = calls.filter((call) => wanted.some((tool) => tool.mayBe(call)))
      if (COMPARE[match](best, calls) === undefined) return unknownCalls(label, unnamed, evidence)
      // Calls that were not seen may be the missing ones; they do not undo one too many.
      const isOpen = !isWhole(evidence) && !(isClosed && extraOne(best, calls) !== undefined)
      const failed = failure(match, reason, wanted, calls)
      if (isOpen) return isClosed ? unknownSet(evidence) : unseenCall(failed, label, evidence)
      return failed
    }
  },
})

/** A call to a tool that the agent does not have, or that the tool never received, is never the wanted one. */
function existing(wanted: WantedTool, field: string): ToolMatcher {
  const tool = compileTool(wanted, field)
  return { ...tool, matches: (call) => !isUnmade(call) && tool.matches(call) }
}

/** Takes a call whose arguments cannot be read or compared for the wanted one. */
function atBest(tool: ToolMatcher): ToolMatcher {
  return { ...tool, matches: (call) => tool.matches(call) || tool.mayMatch(call) }
}

/** Takes a call without a name for the wanted one as well. */
function unnamedAtBest(tool: ToolMatcher): ToolMatcher {
  return { ...tool, matches: (call) => tool.matches(call) || tool.mayMatch(call) || tool.mayBe(call) }
}

type Mode = (typeof MODES)[number]

/** Why the calls are not as wanted; undefined = they are. */
const COMPARE: Record<Mode, (wanted: ToolMatcher[], calls: ToolCall[]) => string | undefined> = {
  strict: compareStrict,
  ordered: compareOrdered,
  unordered: (wanted, calls) => missingOne(wanted, calls) ?? extraOne(wanted, calls),
  superset: missingOne,
  subset: extraOne,
}

function compareStrict(wanted: ToolMatcher[], calls: ToolCall[]): string | undefined {
  for (const [index, tool] of wanted.entries()) {
    const call = calls[index]
    if (!call) return `call ${index + 1}, '${tool.label}', is missing: there were ${calls.length} calls`
    if (!tool.matches(call)) return `call ${index + 1} is not '${tool.label}': ${explainCall(tool, call)}`
  }
  const extra = calls[wanted.length]
  return extra && `call ${wanted.length + 1} is not expected: ${describeCall(extra)}`
}

function explainCall(tool: ToolMatcher, call: ToolCall): string {
  return `it is ${describeCall(call)}${tool.hasName(call) ? `, which ${describeGap(tool, call)}` : ''}`
}

/** Taking the earliest matching call each time leaves the most for the rest, so this is never too strict. */
function compareOrdered(wanted: ToolMatcher[], calls: ToolCall[]): string | undefined {
  let next = 0
  for (const [index, tool] of wanted.entries()) {
    const found = calls.findIndex((call, position) => position >= next && tool.matches(call))
    if (found >= 0) {
      next = found + 1
      continue
    }
    const earlier = calls.findIndex((call) => tool.matches(call))
    if (earlier >= 0)
      return `'${tool.label}' (${index + 1} of ${wanted.length}) came too early: it is call ${earlier + 1}`
    return `'${tool.label}' (${index + 1} of ${wanted.length}) was not called; ${explainMiss(tool, calls)}`
  }
  return undefined
}

function missingOne(wanted: ToolMatcher[], calls: ToolCall[]): string | undefined {
  const pairs = assign(wanted, calls)
  const tool = wanted[pairs.indexOf(-1)]
  if (!tool) return undefined
  if (calls.some((call) => tool.matches(call))) return `'${tool.label}' is wanted more often than it was called`
  const taken = new Set(pairs)
  return `'${tool.label}' was not called; ${explainMiss(tool, calls, (index) => !taken.has(index))}`
}

function extraOne(wanted: ToolMatcher[], calls: ToolCall[]): string | undefined {
  const taken = new Set(assign(wanted, calls))
  const index = calls.findIndex((_, position) => !taken.has(position))
  const extra = calls[index]
  if (!extra) return undefined
  const [nearest] = wanted
    .filter((tool) => tool.hasName(extra))
    .toSorted((left, right) => left.mismatches(extra).length - right.mismatches(extra).length)
  const gap = nearest ? `; from '${nearest.label}' it ${describeGap(nearest, extra)}` : ''
  return `call ${index + 1} is not expected: ${describeCall(extra)}${gap}`
}

function assign(wanted: ToolMatcher[], calls: ToolCall[]): number[] {
  return pairUp(wanted.length, calls.length, (tool, call) => {
    const candidate = calls[call]
    return candidate !== undefined && (wanted[tool]?.matches(candidate) ?? false)
  })
}

function failure(mode: Mode, reason: string, wanted: ToolMatcher[], calls: ToolCall[]): Verdict {
  return {
    passed: false,
    message: `tool sequence (${mode}): ${reason}`,
    expected: wanted.map((tool) => tool.label),
    actual: calls.slice(0, 50).map((call) => describeCall(call)),
  }
}
