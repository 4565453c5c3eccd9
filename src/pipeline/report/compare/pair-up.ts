// Which case of one run is which of the other: by id, and by content if ids were changed.
import type { CaseRecord } from './records.js'

export interface Pair {
  id: string
  /** The earlier id, if it was a different one. */
  was?: string
  before: CaseRecord
  after: CaseRecord
}

export interface Pairing {
  pairs: Pair[]
  /** Ids whose case has a different input now. */
  changed: string[]
  onlyBefore: string[]
  onlyAfter: string[]
}

type Cases = ReadonlyMap<string, CaseRecord>

export function pairUp(old: Cases, fresh: Cases): Pairing {
  const pairs = new Map<string, Pair>()
  const taken = new Set<string>()
  for (const [id, after] of fresh) {
    const before = old.get(id)
    if (!before || isOther(before, after)) continue
    pairs.set(id, { id, before, after })
    taken.add(id)
  }
  const renamed = byContent(old, taken)
  for (const [id, after] of fresh) {
    if (pairs.has(id) || after.content === undefined) continue
    const was = renamed.get(after.content)?.shift()
    const before = was === undefined ? undefined : old.get(was)
    if (was === undefined || !before) continue
    pairs.set(id, { id, was, before, after })
    taken.add(was)
  }
  const left = [...old.keys()].filter((id) => !taken.has(id))
  const added = [...fresh.keys()].filter((id) => !pairs.has(id))
  const isChanged = new Set(left.filter((id) => fresh.has(id) && !pairs.has(id)))
  return {
    pairs: [...fresh.keys()].flatMap((id) => pairs.get(id) ?? []),
    changed: [...isChanged],
    onlyBefore: left.filter((id) => !isChanged.has(id)),
    onlyAfter: added.filter((id) => !isChanged.has(id)),
  }
}

/** What is not known to be different is the same: script tests have no input, simulated users make up theirs. */
function isOther(before: CaseRecord, after: CaseRecord): boolean {
  return before.content !== undefined && after.content !== undefined && before.content !== after.content
}

/** Ids by content, for those without a partner yet. */
function byContent(cases: Cases, taken: ReadonlySet<string>): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const [id, { content }] of cases) {
    if (taken.has(id) || content === undefined) continue
    const same = ids.get(content)
    if (same) same.push(id)
    else ids.set(content, [id])
  }
  return ids
}
