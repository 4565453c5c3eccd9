// Which recorded interaction answers a call, and why none does.
import type { RecordedRequest } from '../model/cassette.js'
import type { CaseEntries, Positions, Conversation } from './case-entries.js'
import { describeMismatch } from './mismatch.js'
import { isSameButHidden, type AskedRequest, type Normaliser } from './normalise.js'
import type { WrittenInteraction } from './read-cassette.js'
import { isSameRequest } from './same-request.js'
import { missing } from './cassette-errors.js'

/** The position of the current call: the first free one, or the first of those that asks for `hash`. */
export function positionOf(
  asked: Positions,
  recorded: readonly WrittenInteraction[],
  hash: string | undefined,
  normaliser: Normaliser,
): number {
  const same = hash === undefined ? -1 : sameRequest(recorded, hash, asked, normaliser)
  if (same < 0) return asked.next()
  asked.take(same)
  return same
}

function sameRequest(
  recorded: readonly WrittenInteraction[],
  hash: string,
  asked: Positions,
  normaliser: Normaliser,
): number {
  const same = recorded.findIndex(({ prompt_hash }, index) => !asked.has(index) && prompt_hash === hash)
  if (same >= 0) return same
  return recorded.findIndex(
    ({ request }, index) => !asked.has(index) && normaliser.hash(normaliser.again(request)) === hash,
  )
}

export function isSame(
  asked: AskedRequest,
  { request, prompt_hash }: Pick<WrittenInteraction, 'request' | 'prompt_hash'>,
  normaliser: Normaliser,
): boolean {
  if (isSameRequest(asked, request) || normaliser.keyOf(asked) === prompt_hash) return true
  const { told: messages, ...rest } = asked
  return messages !== undefined && isSame({ ...rest, messages }, { request, prompt_hash }, normaliser)
}

export interface Recording {
  path: string
  strict: boolean
  normaliser: Normaliser
  recorded: readonly WrittenInteraction[]
}

/** Why the cassette has no answer; undefined if it has one. */
export function mismatchOf(
  found: WrittenInteraction | undefined,
  current: { request: RecordedRequest; prompt_hash: string },
  { conversation, hat, position }: { conversation: Conversation; hat: string; position: number },
  { path, strict, normaliser, recorded: all }: Recording,
): string | undefined {
  if (!found) return missing(path, conversation.id, hat, position, all)
  if (!strict || found.prompt_hash === current.prompt_hash) return undefined
  // Patterns may have been added since: they are applied to what was recorded.
  const recorded = normaliser.again(found.request)
  const recorded_hash = normaliser.hash(recorded)
  if (recorded_hash === current.prompt_hash || isSameButHidden(current.request, recorded)) return undefined
  return describeMismatch(
    { number: found.number, hat, recorded, recorded_hash, current: current.request, current_hash: current.prompt_hash },
    normaliser,
  )
}

/** What another of these variants was answered to exactly the same question, each answer once. */
export function answerOfAnother(
  variants: Iterable<string>,
  entries: CaseEntries,
  conversation: Conversation,
  { hat, asked }: { hat: string; asked: AskedRequest },
  normaliser: Normaliser,
): WrittenInteraction | undefined {
  const { id, borrowed = new Set() } = conversation
  const question = normaliser.exactHash(asked)
  for (const variant of variants) {
    if (variant === id.variant) continue
    const all = entries.recorded({ ...id, variant }, hat)
    const same = all.find((item) => !borrowed.has(item) && normaliser.exactHash(item.request) === question)
    if (!same) continue
    conversation.borrowed = borrowed.add(same)
    return same
  }
  return undefined
}
