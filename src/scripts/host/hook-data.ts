// What a `before` hook passes to its `after` hook.
import { isRecord } from '../../base/record.js'

/** The `data` of what it returned, if there is such a key, else all of it; null for nothing. */
export function hookData(returned: unknown): unknown {
  if (isRecord(returned) && 'data' in returned) return returned['data'] ?? null
  return returned ?? null
}
