// Answers that say themselves that they did not end well, or promise tool calls that were lost.
import { show } from '../../base/text.js'
import type { AgentReply } from '../../model/agent.js'
import { isBadEnding, readFinishReason } from '../../connectors/finish-reason.js'

/** What is wrong with it, with the word that came. */
export function missingCalls(finishReason: unknown, calls: readonly unknown[]): string | undefined {
  if (calls.length > 0 || readFinishReason(finishReason) !== 'tool_calls') return undefined
  return `finish reason ${show(finishReason)} without tool calls`
}

/** For an answer that ended in an error, by its own word. An orchestrator has reasons of its own. */
export function badEndingOf({
  finish_reason,
  session,
}: Pick<AgentReply, 'finish_reason' | 'session'>): string | undefined {
  return session === undefined && isBadEnding(finish_reason) ? `finish reason ${show(finish_reason)}` : undefined
}
