// The claims of an answer against what the agent was given, did and got: rules only, no model.
import { asText } from '../../base/text.js'
import type { Evidence } from '../../model/evidence.js'
import { messagesOf } from '../../model/spoken.js'
import { outcomeOf } from './calls.js'
import { LONGEST_ANSWER, type Claim, type ClaimFiles, type ClaimRecord } from './claim.js'
import { findClaims } from './find-claims.js'
import { Ground } from './ground.js'
import { en } from './languages/en.js'
import { isReadable } from './readable.js'
import { recordOf } from './record-of.js'

/** The claims of the answer that the evidence ends with. */
export function claimsIn(evidence: Evidence, files?: ClaimFiles): Claim[] {
  return claimsOfRecord(recordOf(evidence, files)).at(-1) ?? []
}

/** The language that is read, where the answer is in another one. */
export function unreadLanguage({ input, messages, output }: Evidence): string | undefined {
  const said = [...messagesOf(input), ...messages].findLast(({ role }) => role === 'user')
  return isReadable(asText(output), en, asText(said?.content ?? '')) ? undefined : en.name
}

/**
 * The claims of each answer, in order. What an agent has said itself backs nothing, except what it has calculated from what
 * was backed.
 */
export function claimsOfRecord({ entries, files, unseen }: ClaimRecord): Claim[][] {
  const ground = new Ground(en)
  const found: Claim[][] = []
  for (const entry of entries) {
    if (entry.kind === 'given') ground.give(entry.from, entry.value)
    else if (entry.kind === 'call') ground.call(entry.call)
    else {
      const missing = unseen ?? unreported(ground)
      const isRead = entry.text.length <= LONGEST_ANSWER && isReadable(entry.text, en)
      const claims = isRead ? findClaims(entry.text, ground, files) : []
      const ids = [...new Set(claims.filter(({ kind }) => kind === 'id').map(({ text }) => text))]
      if (ids.length > 1) ground.listed.push(ids)
      found.push(
        missing === undefined
          ? claims
          : claims.map((claim) => (claim.verdict === 'backed' ? claim : { ...claim, unseen: missing })),
      )
    }
  }
  return found
}

/** A call whose result is not known may have shown anything. */
function unreported({ calls }: Ground): string | undefined {
  const call = calls.find((each) => outcomeOf(each) === 'unknown')
  return call && `the agent does not report what ${call.name} returned`
}
