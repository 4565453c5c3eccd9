// Whether a request is exactly what was kept: then nothing has to be normalised or hashed to know it.
import type { RecordedRequest } from '../model/cassette.js'
import { NOT_ASKED, shapeOf, TRANSPORT, type AskedRequest } from './normalise.js'

/** False is inconclusive: requests that differ only in what changes from run to run are the same too. */
export function isSameRequest(asked: AskedRequest, kept: RecordedRequest): boolean {
  if (asked.tools || kept.tools) return isSame(shapeOf(asked), kept)
  const { connector, messages, parameters } = asked
  if (connector !== kept.connector || messages.length !== kept.messages.length) return false
  for (let index = 0; index < messages.length; index++)
    if (!isSame(messages[index], kept.messages[index], NOT_ASKED_IN_PART)) return false
  if (!parameters || Object.keys(parameters).length === 0) return kept.parameters === undefined
  return isSame(parameters, kept.parameters, NOT_ASKED_IN_PART)
}

/** Of a message and of the parameters, but not of anything nested deeper. */
const NOT_ASKED_IN_PART: ReadonlySet<string> = new Set([...NOT_ASKED, ...TRANSPORT])

function isSame(asked: unknown, kept: unknown, skipped = NOT_ASKED): boolean {
  if (asked === kept) return true
  if (typeof asked !== 'object' || typeof kept !== 'object' || asked === null || kept === null) return false
  if (Array.isArray(asked) || Array.isArray(kept)) return areSame(asked, kept)
  return hasSameFields(asked as Record<string, unknown>, kept as Record<string, unknown>, skipped)
}

function areSame(asked: unknown, kept: unknown): boolean {
  if (!Array.isArray(asked) || !Array.isArray(kept) || asked.length !== kept.length) return false
  for (let index = 0; index < asked.length; index++) if (!isSame(asked[index], kept[index])) return false
  return true
}

function hasSameFields(
  asked: Record<string, unknown>,
  kept: Record<string, unknown>,
  skipped: ReadonlySet<string>,
): boolean {
  let more = 0
  for (const key of Object.keys(asked)) {
    const value = asked[key]
    if (value === undefined || skipped.has(key)) continue
    if (!Object.hasOwn(kept, key) || !isSame(value, kept[key])) return false
    more++
  }
  for (const _key in kept) more--
  return more === 0
}
