// A request to a model with everything a test does not care about filled in.
import type { CompletionRequest } from '../../src/model/connector.js'

export function completionRequest(over: Partial<CompletionRequest> = {}): CompletionRequest {
  return {
    messages: [{ role: 'user', content: 'hi' }],
    options: {},
    call: { lane: 'agent', role: 'a' },
    conversation: 'c',
    signal: new AbortController().signal,
    ...over,
  }
}
