// One text per value, whatever the order of its keys.
import { isRecord } from '../record.js'

export function canonicalJson(value: unknown): string {
  if (isFlat(value)) return JSON.stringify(sortKeys(value))
  return JSON.stringify(value, (_key, item: unknown) => (isRecord(item) ? sortKeys(item) : item)) ?? 'null'
}

/** Nothing in it has keys of its own: no replacer needed, which costs most. */
function isFlat(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !('toJSON' in value) && Object.values(value).every((item) => typeof item !== 'object')
}

function sortKeys(value: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(entries)
}
