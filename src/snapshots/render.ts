// A value as the text of a snapshot: text as it is, JSON indented with sorted keys, both without what may change.
import { isRecord } from '../base/record.js'
import { unixLines } from '../base/text.js'
import type { SnapshotRedactions } from '../model/snapshot.js'
import { createPathRedaction } from '../redact/custom.js'
import { createNormalisation } from '../redact/normalise-text.js'
import type { Redactor } from '../redact/redactor.js'

export interface RenderInit {
  /** Hides only secrets: it has no patterns of its own. */
  secrets: Redactor
  /** From the configuration. */
  redactions: SnapshotRedactions
}

export function renderSnapshot(value: unknown, own: SnapshotRedactions, init: RenderInit): string {
  const patterns = { ...init.redactions.patterns, ...own.patterns }
  const paths = [...(init.redactions.paths ?? []), ...(own.paths ?? [])]
  // Numbered within one snapshot: `[UUID-2]` is the second one in it, whatever ran before.
  const normalise = createNormalisation(patterns)
  const hidden = init.secrets.value(value)
  // Half a pair of surrogates cannot be written to a file: it would come back as another character.
  if (typeof hidden === 'string') return Buffer.from(unixLines(normalise(hidden))).toString()
  const copy: unknown = structuredClone(hidden ?? null)
  const cut = paths.length === 0 ? copy : createPathRedaction(paths)(copy)
  return JSON.stringify(inOrder(cut, normalise), null, 2)
}

function inOrder(value: unknown, normalise: (text: string) => string): unknown {
  if (typeof value === 'string') return normalise(value)
  if (Array.isArray(value)) return value.map((item) => inOrder(item, normalise))
  if (!isRecord(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, inOrder(value[key], normalise)]))
}
