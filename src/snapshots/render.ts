// A value as the text of a snapshot: text as it is, JSON indented with sorted keys, both without what may change.
import { isRecord } from '../base/record.js'
import { unixLines } from '../base/text.js'
import { pathTexts, watchedPaths } from '../model/redacted-path.js'
import type { SnapshotRedactions } from '../model/snapshot.js'
import { createPathRedaction } from '../redact/custom.js'
import { createNormalisation } from '../redact/normalise-text.js'
import type { Redactor } from '../redact/redactor.js'
import { putHashes } from './watch.js'

export interface RenderInit {
  /** Hides only secrets: it has no patterns of its own. */
  secrets: Redactor
  /** From the configuration. */
  redactions: SnapshotRedactions
  /** Of the hashes of watched values. */
  key: string | undefined
}

export interface Rendered {
  content: string
  /** Why a watched value could not be. */
  unwatched?: string
}

/** `scope`: the name of the snapshot. */
export function renderSnapshot(
  value: unknown,
  own: SnapshotRedactions,
  { scope, ...init }: RenderInit & { scope: string },
): Rendered {
  const patterns = { ...init.redactions.patterns, ...own.patterns }
  const paths = [...(init.redactions.paths ?? []), ...(own.paths ?? [])]
  // Numbered within one snapshot: `[UUID-2]` is the second one in it, whatever ran before.
  const normalise = createNormalisation(patterns)
  const hidden = init.secrets.value(value)
  // Half a pair of surrogates cannot be written to a file: it would come back as another character.
  if (typeof hidden === 'string') return { content: Buffer.from(unixLines(normalise(hidden))).toString() }
  const copy: unknown = structuredClone(hidden ?? null)
  const cut = paths.length === 0 ? copy : createPathRedaction(pathTexts(paths))(copy)
  const shown = inOrder(cut, normalise)
  // Last, so that no pattern takes a hash for something that may change.
  const unwatched = putHashes(
    shown,
    { shown: hidden, raw: value },
    { paths: watchedPaths(paths), key: init.key, scope },
  )
  return { content: JSON.stringify(shown, null, 2), ...(unwatched !== undefined && { unwatched }) }
}

function inOrder(value: unknown, normalise: (text: string) => string): unknown {
  if (typeof value === 'string') return normalise(value)
  if (Array.isArray(value)) return value.map((item) => inOrder(item, normalise))
  if (!isRecord(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key], normalise)]))
}
