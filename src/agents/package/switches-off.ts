// Fields that Viva does not act on are fine where they only switch something off.
import { isRecord } from '../../base/record.js'

export function switchesOff(field: string, value: unknown): boolean {
  // Each entry of `uses` is a switch of its own; elsewhere a `false` inside an object configures what is on.
  if (field === 'uses' && isRecord(value)) return Object.values(value).every(isOff)
  return isOff(value)
}

function isOff(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 'disabled') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
