// Values that are never written, and whose change must be seen: a snapshot keeps a keyed hash of each. Without the key it says
// nothing about a value, however short that is; so the key must not be where the snapshots are.
import { createHmac } from 'node:crypto'
import { isEqual } from '../base/equal.js'
import { isRecord } from '../base/record.js'
import { compilePaths, getAt, REDACTED, setAt, type Location } from '../redact/custom.js'

export const KEY_NAME = 'VIVA_SNAPSHOT_KEY'
const SHORTEST_KEY = 32

export interface Watch {
  paths: readonly string[]
  key: string | undefined
  /** The snapshot: equal values in two of them have different hashes. */
  scope: string
}

/** `root`: what the snapshot will contain, changed in place. Returns why a value cannot be watched. */
export function putHashes(
  root: unknown,
  { shown, raw }: { shown: unknown; raw: unknown },
  watch: Watch,
): string | undefined {
  const { paths, key } = watch
  for (const [index, query] of compilePaths(paths).entries())
    for (const location of query(shown)) {
      const path = paths[index] ?? ''
      const value = getAt(raw, location)
      // A detected secret leaves no trace.
      if (!isEqual(value, getAt(shown, location))) continue
      if (value === REDACTED)
        return `${path} is hidden where this answer was recorded: run the case live to see a change`
      if (location.length === 0) return `${path} is the whole of it: nothing would be left to review`
      if (getAt(root, location) === undefined) return `${path} is watched, but another path hides it with all around it`
      const trouble = troubleWith(key)
      if (trouble !== undefined || key === undefined) return `${path} is watched, and ${trouble}`
      setAt(root, location, hashOf(value, location, { ...watch, key }))
    }
  return undefined
}

/** Whether it has hashes of another key: then nobody can say what changed. */
export function hasOtherKey(saved: string, key: string | undefined): boolean {
  const own = key === undefined ? undefined : nameOf(key)
  return Array.from(saved.matchAll(HASH), ([, name]) => name).some((name) => name !== own)
}

const HASH = /\[REDACTED ([0-9a-f]{8}):[0-9a-f]{32}\]/g

function troubleWith(key: string | undefined): string | undefined {
  if (key === undefined || key === '') return `${KEY_NAME} is not set: without it a change cannot be seen`
  if (key.length >= SHORTEST_KEY) return undefined
  return `${KEY_NAME} is too short: ${key.length} characters, at least ${SHORTEST_KEY} are needed`
}

function hashOf(value: unknown, location: Location, { key, scope }: { key: string; scope: string }): string {
  const hash = digest(key, JSON.stringify([scope, location, sorted(value)])).slice(0, 32)
  return `[REDACTED ${nameOf(key)}:${hash}]`
}

/** Tells keys apart without telling them. */
function nameOf(key: string): string {
  return digest(key, 'the name of this key').slice(0, 8)
}

function digest(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  )
}
