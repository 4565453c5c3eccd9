// What was not compared between a request and the recorded one that answers it, in words: the user asked for the tolerance,
// or the cassette was made with a rule that has it.
import { firstDifference } from './mismatch.js'
import type { AskedRequest, Normaliser } from './normalise.js'
import type { WrittenInteraction } from './read-cassette.js'
import { isSameRequest } from './same-request.js'

export interface CurrentCall {
  asked: AskedRequest
  hat: string
  position: number
  /** By the rule that the cassette was recorded with. */
  normaliser: Normaliser
}

/** Undefined: the requests are the same, letter by letter. */
export function toleratedOf(
  { request: recorded, prompt_hash }: WrittenInteraction,
  { asked, hat, position, normaliser }: CurrentCall,
): string | undefined {
  if (isSameRequest(asked, recorded)) return undefined
  const where = `call ${position + 1} of ${hat}`
  const now = normaliser.request(asked)
  const again = normaliser.again(recorded)
  const hash = normaliser.hash(now)
  if (hash !== prompt_hash && hash !== normaliser.hash(again) && !isTold(asked, prompt_hash, normaliser))
    return `replayed although ${where} is not the recorded one: ${firstDifference(again, now)}`
  const names = normaliser.replacedIn(asked)
  const exact = normaliser.by('exact')
  if (normaliser !== exact && exact.hash(now) !== exact.hash(again)) names.push('white space')
  return names.length === 0 ? undefined : `not compared with the recording in ${where}: ${names.join(', ')}`
}

/** An old recording states the time in its prompts. */
function isTold({ told: messages, ...rest }: AskedRequest, hash: string, normaliser: Normaliser): boolean {
  return messages !== undefined && normaliser.keyOf({ ...rest, messages }) === hash
}
