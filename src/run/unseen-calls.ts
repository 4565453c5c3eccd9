// Checks that hold because no tool was called say little about an older run that shows no call at all.
import { plural } from '../base/format.js'
import type { AssertionResult } from '../model/assertion.js'
import type { ResultEvent } from '../model/event.js'
import type { Tested } from './unit/tested.js'

export interface UnseenCalls {
  add(result: ResultEvent): void
  /** One for each agent that it is about. */
  warnings(): string[]
}

export function createUnseenCalls(tested: readonly Tested[]): UnseenCalls {
  // Of an older run it is not known which calls could be seen.
  const unsure = new Map(
    tested.filter(({ agent }) => agent.recorded !== undefined).map(({ variant, agent }) => [variant, agent.id]),
  )
  const quiet = new Map<string | undefined, number>()
  return {
    add(result) {
      if (!unsure.has(result.variant)) return
      if (showsCalls(result)) unsure.delete(result.variant)
      else if (hasCheckOfNoCall(result)) quiet.set(result.variant, (quiet.get(result.variant) ?? 0) + 1)
    },
    warnings: () =>
      [...unsure].flatMap(([variant, id]) => {
        const count = quiet.get(variant)
        if (count === undefined) return []
        return `${plural(count, 'result')} ${count === 1 ? 'rests' : 'rest'} on tools not being called, but ${id} has reported no tool call in the whole run: if it cannot report them, those checks show nothing. It reports them as tool_calls of its reply`
      }),
  }
}

// Looked at for every result: nothing is gathered.
function showsCalls({ tool_calls, turns, spans }: ResultEvent): boolean {
  return (
    isFilled(tool_calls) ||
    turns?.some((turn) => isFilled(turn.tool_calls)) === true ||
    spans?.some(({ kind }) => kind === 'tool') === true
  )
}

function hasCheckOfNoCall({ assertions, final_assertions, turns, checkpoints }: ResultEvent): boolean {
  return (
    assertions?.some(restsOnNoCall) === true ||
    final_assertions?.some(restsOnNoCall) === true ||
    turns?.some((turn) => turn.assertions?.some(restsOnNoCall)) === true ||
    checkpoints?.some(({ assertion }) => assertion !== undefined && restsOnNoCall(assertion)) === true
  )
}

function isFilled(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0
}

const ABOUT_CALLS = new Set(['tool_called', 'tool_not_called', 'tool_sequence'])

/** Of a result without a single call: whatever holds about calls holds because there were none. */
function restsOnNoCall({ type, passed, negate, parts }: AssertionResult): boolean {
  if (!passed) return false
  if (ABOUT_CALLS.has(type)) return true
  if (!parts) return false
  const members = (type === 'none') === (negate === true) ? parts.filter((part) => part.passed) : parts
  return members.some((part) => restsOnNoCall({ ...part, passed: true }))
}
