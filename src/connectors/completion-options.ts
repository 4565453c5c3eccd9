// Choices about a completion that every provider shares.
import type { CompletionRequest } from '../model/connector.js'

/** Unless told otherwise: only a stream shows the time to the first chunk, and leaves a part when the time is up. */
export function wantsStream(request: CompletionRequest, options: Record<string, unknown>): boolean {
  return (request.options['stream'] ?? options['stream']) !== false
}
