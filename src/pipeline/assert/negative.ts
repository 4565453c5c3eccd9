// Assertions that hold while nothing happens: "never says", "does not call". Their moment is the end, not the first turn.
import type { AssertionSpec } from '../../model/assertion.js'
import { isRecord } from '../../base/record.js'
import { parseSpec } from './compile.js'

export function isNegative(spec: AssertionSpec): boolean {
  return holdsOnNothing(spec) !== (spec.negate === true)
}

/** Reads what was said as text, or which tools were called: both can be checked turn by turn. */
export function isAboutEachTurn(spec: AssertionSpec): boolean {
  const members = membersOf(spec)
  if (members.length > 0) return members.every(isAboutEachTurn)
  return EACH_TURN.has(spec.type) && spec.path === undefined
}

const EACH_TURN = new Set(['contains', 'not_contains', 'regex', 'tool_called', 'tool_not_called', 'tool_sequence'])

/** Whether it holds, without its `negate`, if nothing was said or done. */
function holdsOnNothing(spec: AssertionSpec): boolean {
  switch (spec.type) {
    case 'not_contains':
    case 'tool_not_called':
    case 'file_not_contains':
    case 'no_event':
    case 'injection':
      return true
    case 'tool_called':
      return takesNone(spec['times'])
    case 'event_count':
    case 'iteration_count':
    case 'iterations':
      return takesNone(spec)
    case 'tool_sequence':
      return spec['match'] === 'subset' || (Array.isArray(spec['tools']) && spec['tools'].length === 0)
    case 'json_path':
    case 'state_equals':
      return spec['exists'] === false
    case 'state_changed':
      return Array.isArray(spec['paths']) && spec['paths'].length === 0
    case 'all':
      return membersOf(spec).every(isNegative)
    case 'any':
      return membersOf(spec).some(isNegative)
    case 'none':
      return !membersOf(spec).some(isNegative)
    default:
      return false
  }
}

function takesNone(times: unknown): boolean {
  if (typeof times === 'number') return times === 0
  if (!isRecord(times)) return false
  const { min = 0, exact = 0 } = times
  return min === 0 && exact === 0
}

function membersOf(spec: AssertionSpec): AssertionSpec[] {
  const { assertions } = spec
  return Array.isArray(assertions) ? assertions.map((member) => parseSpec(member)) : []
}
