// Whether what is asked is, word for word, what was kept: then nothing has to be normalised or hashed to know it.
import type { RecordedRequest } from '../model/cassette.js'
import { NOT_ASKED, shapeOf, type AskedRequest } from './normalise.js'

/** False says nothing: requests that differ in what changes from run to run are the same too. */
export function isSameRequest(asked: AskedRequest, kept: RecordedRequest): boolean {
  return isSame(shapeOf(asked), kept)
}

function isSame(asked: unknown, kept: unknown): boolean {
  if (asked === kept) return true
  if (typeof asked !== 'object' || typeof kept !== 'object' || asked === null || kept === null) return false
  if (Array.isArray(asked) || Array.isArray(kept)) return areSame(asked, kept)
  return hasSameFields(asked as Record<string, unknown>, kept as Record<string, unknown>)
}

function areSame(asked: unknown, kept: unknown): boolean {
  if (!Array.isArray(asked) || !Array.isArray(kept) || asked.length !== kept.length) return false
  for (let index = 0; index < asked.length; index++) if (!isSame(asked[index], kept[index])) return false
  return true
}

function hasSameFields(asked: Record<string, unknown>, kept: Record<string, unknown>): boolean {
  let fields = 0
  for (const key of Object.keys(asked)) {
    const value = asked[key]
    if (value === undefined || NOT_ASKED.has(key)) continue
    if (!Object.hasOwn(kept, key) || !isSame(value, kept[key])) return false
    fields++
  }
  return fields === Object.keys(kept).length
}
