// Keys that a reader does not know: nothing they say is carried over, so each is listed.
import { isRecord } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import { isFreeKey } from '../model/free-key.js'

export interface UnknownKey {
  key: string
  reason: string
  /** The known key that it almost is. */
  meant?: string
}

/** `of`: what has the key, for people. */
export function unknownKeys(value: unknown, known: readonly string[], of = ''): UnknownKey[] {
  if (!isRecord(value)) return []
  return Object.keys(value)
    .filter((key) => !known.includes(key) && !isFreeKey(key))
    .map((key) => {
      const meant = suggest(key, known)
      const hint = meant === undefined ? '' : `; did you mean "${meant}"?`
      const reason = `the unknown key "${key}"${of === '' ? '' : ` of ${of}`}${hint}`
      return { key, reason, ...(meant !== undefined && { meant }) }
    })
}
