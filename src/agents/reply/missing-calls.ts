// An answer that says it ended with tool calls, and has none: something of it was lost.
import { show } from '../../base/text.js'
import { readFinishReason } from '../../connectors/finish-reason.js'

/** What is wrong with it, with the word that came. */
export function missingCalls(finishReason: unknown, calls: readonly unknown[]): string | undefined {
  if (calls.length > 0 || readFinishReason(finishReason) !== 'tool_calls') return undefined
  return `finish reason ${show(finishReason)} without tool calls`
}
