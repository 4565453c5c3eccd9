// Which case of one run is which of the other: by id, and by what they ask if ids were changed.
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
  /** Ids whose case asks something else now. */
  changed: string[]
  onlyBefore: string[]
  onlyAfter: string[]
}

type Cases = ReadonlyMap<string, CaseRecord>
/** Undefined: unknown. */
type KeyOf = (record: CaseRecord) => string | undefined

/** Whether the results say what their cases asked. Those of scripts never do. */
function isPrinted(cases: Cases): boolean {
  return [...cases.values()].every(({ asked, content }) => asked !== undefined || content === undefined)
}

export function pairUp(old: Cases, fresh: Cases): Pairing {
  const keyOf: KeyOf = isPrinted(old) && isPrinted(fresh) ? ({ asked }) => asked : ({ content }) => content
  const pairs = new Map<string, Pair>()
  const taken = new Set<string>()
  for (const [id, after] of fresh) {
    const before = old.get(id)
    if (!before || isOther(keyOf(before), keyOf(after))) continue
    pairs.set(id, { id, before, after })
    taken.add(id)
  }
  const renamed = byKey(old, taken, keyOf)
  for (const [id, after] of fresh) {
    const key = keyOf(after)
    if (pairs.has(id) || key === undefined) continue
    const was = renamed.get(key)?.shift()
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
function isOther(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && before !== after
}

/** Ids by what they ask, for those without a partner yet. */
function byKey(cases: Cases, taken: ReadonlySet<string>, keyOf: KeyOf): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const [id, record] of cases) {
    const key = keyOf(record)
    if (taken.has(id) || key === undefined) continue
    const same = ids.get(key)
    if (same) same.push(id)
    else ids.set(key, [id])
  }
  return ids
}
