// How much of a state a result keeps: hashes of all of it, and what changed.
import { hash } from 'node:crypto'
import { canonicalJson } from '../base/json/canonical-json.js'
import { jsonChanges, pathText, type JsonChange } from '../base/json/json-changes.js'
import type { StateEvidence, StateResult } from './state.js'

const MOST_CHANGES = 100
const MOST_OF_VALUE = 2000
const MOST_OF_ALL = 40_000

export function describeState(state: StateEvidence): StateResult {
  const { source, claimed, before, after } = state
  const result: StateResult = { source, after_sha256: hashOf(after) }
  if (claimed) result.claimed = true
  if (before === undefined) return result
  result.before_sha256 = hashOf(before)
  const changes = jsonChanges(before, after)
  let room = MOST_OF_ALL
  const kept = (change: JsonChange, key: 'before' | 'after'): Record<string, unknown> | undefined => {
    const value = change[key]
    if (value === undefined) return undefined
    const size = JSON.stringify(value).length
    if (size > MOST_OF_VALUE || size > room) return undefined
    room -= size
    return { [nameOf(change)]: value }
  }
  result.changes = changes.slice(0, MOST_CHANGES).map((change) => {
    const shown: NonNullable<StateResult['changes']>[number] = {
      path: pathText(change.segments),
      change: change.change,
    }
    for (const key of ['before', 'after'] as const) {
      const value = kept(change, key)
      if (value) shown[key] = value
      else if (change[key] !== undefined) shown.cut = true
    }
    return shown
  })
  if (changes.length > MOST_CHANGES) result.changes_left_out = changes.length - MOST_CHANGES
  return result
}

/** Values stand under the name of their member: a secret is recognised by it. */
function nameOf({ segments }: JsonChange): string {
  return segments.findLast((segment) => typeof segment === 'string') ?? 'state'
}

function hashOf(value: unknown): string {
  return hash('sha256', canonicalJson(value))
}
