// Choices about a completion that every provider shares.
import type { CompletionRequest } from '../model/connector.js'

/** As asked; else only when somebody listens, since whole answers are cheaper. */
export function wantsStream(request: CompletionRequest, options: Record<string, unknown>): boolean {
  const given = request.options['stream'] ?? options['stream']
  return typeof given === 'boolean' ? given : request.onChunk !== undefined
}
