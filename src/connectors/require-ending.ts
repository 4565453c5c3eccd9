// A model's answer counts only if it ended with a word that its protocol has for that.
import { AgentError } from '../errors.js'
import { show } from '../base/text.js'
import type { Completion } from '../model/connector.js'
import { readEnding, type FinishReasons, type Protocol } from './finish-reason.js'

/** What the word means; the word itself where it promises calls that are not there. Throws AgentError for any other word. */
export function requireEnding(
  protocol: Protocol,
  word: string,
  completion: Completion,
  own: FinishReasons | undefined,
): string {
  const read = readEnding(protocol, word, own)
  if (read === undefined) throw badEnding(`finish reason ${show(word)}`, { ...completion, finish_reason: word })
  return read === 'tool_calls' && completion.tool_calls.length === 0 ? word : read
}

export function badEnding(why: string, partial: { content: unknown; finish_reason: string }): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the answer did not end well: ${why}: ${show(partial.content)}`,
    hint: 'if that is how a finished answer ends, list the word in finish_reasons of the connector or agent',
    partial,
    retry: false,
  })
}
