// What a package or its Create hook asks for and Viva does not have. A value that only switches something off asks for nothing.
import { isRecord } from '../../base/record.js'

export interface Need {
  /** As `testing.without` names it. */
  feature: string
  /** The field that asks for it. */
  path: string[]
}

export function needsOf(given: Record<string, unknown>, fields: readonly string[]): Need[] {
  return fields.flatMap((field) => {
    const value = given[field]
    if (isOff(value)) return []
    // Each entry of `uses` is a switch of its own; elsewhere a `false` inside an object configures what is on.
    if (field === 'uses' && isRecord(value))
      return Object.entries(value).flatMap(([entry, by]) => (isOff(by) ? [] : [need(entry, field, entry)]))
    // Settings of a search that is switched off.
    if (field === 'search' && isSearchOff(given['uses'])) return []
    return [need(FEATURE_OF[field] ?? field, field)]
  })
}

/** Whether the project has chosen to be tested without it. */
export function isForgone({ feature, path }: Need, without: readonly string[]): boolean {
  return without.includes(feature) || (path[0] !== undefined && without.includes(path[0]))
}

export function isOff(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 'disabled') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** `force_uses` only says how `uses` is applied. */
const FEATURE_OF: Record<string, string> = { force_uses: 'uses' }

function isSearchOff(uses: unknown): boolean {
  return isRecord(uses) && (uses['search'] === 'disabled' || uses['search'] === false)
}

function need(feature: string, ...path: string[]): Need {
  return { feature, path }
}
