// Why a model stopped, in its provider's words → the few words that we read.
import { readString } from '../base/record.js'

/** An unknown word stays as it is, and so does one that promises calls where `calls` has none: an error will quote it. */
export function readFinishReason(value: unknown, calls?: readonly unknown[]): string | undefined {
  const word = readString(value)
  if (word === undefined) return undefined
  const read = KNOWN.get(word.toLowerCase().replaceAll('-', '_')) ?? word
  return read === 'tool_calls' && calls?.length === 0 ? word : read
}

const KNOWN = new Map(
  Object.entries({
    stop: ['stop', 'end_turn', 'stop_sequence', 'eos'],
    length: ['length', 'max_tokens', 'max_output_tokens', 'model_context_window_exceeded'],
    tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
    content_filter: [
      'content_filter',
      'content_filtered',
      'guardrail_intervened',
      'safety',
      'image_safety',
      'recitation',
      'blocklist',
      'prohibited_content',
      'spii',
      'language',
      'sensitive',
    ],
    refusal: ['refusal'],
    // A call that was meant and lost, an answer that was given up: neither is an answer.
    error: [
      'error',
      'malformed_function_call',
      'unexpected_tool_call',
      'too_many_tool_calls',
      'abort',
      'aborted',
      'cancelled',
      'network_error',
      'insufficient_system_resource',
    ],
  }).flatMap(([read, words]) => words.map((word) => [word, read] as const)),
)
