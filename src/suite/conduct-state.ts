// What a case changed outside the conversation, as data: as much of the state as its result describes.
import { parseMemberPath, type Segment } from '../base/json/json-changes.js'
import { isRecord } from '../base/record.js'
import type { ResultEvent } from '../model/event.js'

/** What did not change is not in it: the result does not hold it. */
export interface ConductState {
  source: 'store' | 'hook'
  before: unknown
  after: unknown
}

/** Undefined if the result does not hold all that changed. */
export function stateIn({ state }: ResultEvent): ConductState | undefined {
  if (!state || state.source === 'reply' || !state.changes || state.changes_left_out) return undefined
  let [before, after]: [unknown, unknown] = [undefined, undefined]
  for (const { path, change, cut, before: was, after: is } of state.changes) {
    const segments = parseMemberPath(path)?.filter((step) => typeof step !== 'symbol')
    if (!segments || cut) return undefined
    before = placed(before, segments, change === 'added' ? NOTHING : only(was))
    after = placed(after, segments, change === 'removed' ? NOTHING : only(is))
  }
  return { source: state.source, before: before ?? {}, after: after ?? {} }
}

const NOTHING = Symbol('nothing')

function only(named: Record<string, unknown> | undefined): unknown {
  return Object.values(named ?? {})[0]
}

/** A copy with the value at the path, and with everything that leads there. What else is in a list is not known. */
export function placed(data: unknown, [step, ...rest]: readonly Segment[], value: unknown): unknown {
  if (step === undefined) return value === NOTHING ? data : value
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(data) ? [...data] : []
    while (list.length < step) list.push(null)
    if (rest.length > 0 || value !== NOTHING) list[step] = placed(list[step] ?? undefined, rest, value)
    return list
  }
  const record = isRecord(data) ? data : {}
  if (rest.length === 0 && value === NOTHING) return record
  return { ...record, [step]: placed(record[step], rest, value) }
}
