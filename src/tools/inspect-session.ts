// Records of a session, selected and summarised. Pure.
import { UserError } from '../errors.js'
import { compilePattern, PatternError, type Pattern } from '../base/regex.js'
import { matchesTopic } from '../base/topics.js'
import { hatsOf, isKind, topicsOf, type PublishedEvent, type SessionRecord } from '../model/session.js'

export interface RecordFilter {
  event_types?: string[] | undefined
  topics?: string[] | undefined
  after_iteration?: number | undefined
  before_iteration?: number | undefined
  payload_pattern?: string | undefined
}

export interface PlacedRecord {
  record: SessionRecord
  /** In which it was written; 0 before the first. */
  iteration: number
}

export function withIterations(records: readonly SessionRecord[]): PlacedRecord[] {
  let iteration = 0
  return records.map((record) => {
    if (isKind(record, '_meta.iteration')) iteration = record.data.n
    return { record, iteration }
  })
}

/** Throws a UserError for an invalid pattern. */
export function selectRecords(records: readonly PlacedRecord[], filter: RecordFilter): PlacedRecord[] {
  const { event_types, topics, after_iteration, before_iteration } = filter
  const payload = filter.payload_pattern === undefined ? undefined : requirePattern(filter.payload_pattern)
  return records.filter(({ record, iteration }) => {
    if (event_types && !event_types.includes(record.event)) return false
    if (after_iteration !== undefined && iteration <= after_iteration) return false
    if (before_iteration !== undefined && iteration >= before_iteration) return false
    if (!topics && !payload) return true
    if (!isKind(record, 'bus.publish')) return false
    const { data } = record
    return (
      (!topics || topics.some((topic) => matchesTopic(topic, data.topic))) && (!payload || payload.test(data.payload))
    )
  })
}

export interface SessionSummary {
  total_events: number
  by_type: Record<string, number>
  by_topic: Record<string, number>
  iterations: number
  hats_used: string[]
  duration_secs: number
  termination_reason?: string
}

export function summaryOf(records: readonly SessionRecord[]): SessionSummary {
  const hats = hatsOf(records)
  const end = records.findLast((record) => isKind(record, '_meta.termination'))
  return {
    total_events: records.length,
    by_type: countsOf(records.map(({ event }) => event)),
    by_topic: countsOf(topicsOf(records)),
    iterations: hats.length,
    hats_used: [...new Set(hats)],
    duration_secs: secondsBetween(records[0]?.ts, records.at(-1)?.ts),
    ...(end && isKind(end, '_meta.termination') && { termination_reason: end.data.reason }),
  }
}

export interface TimelineEntry {
  iteration: number
  hat: string
  /** What woke the hat → what it published. */
  events: string[]
  duration_ms: number
}

/** `matched`: the events to show; `isFiltered`: iterations without any of them are left out. */
export function timelineOf(
  all: readonly PlacedRecord[],
  matched: readonly PlacedRecord[],
  isFiltered: boolean,
): TimelineEntry[] {
  const shown = new Set(matched.map(({ record }) => record))
  const pending = new Map<string, string[]>()
  const entries: Array<TimelineEntry & { began: number; woken: string; isShown: boolean }> = []
  let last = 0
  for (const { record } of all) {
    last = record.ts
    const entry = entries.at(-1)
    if (isKind(record, '_meta.iteration')) {
      if (entry) entry.duration_ms = record.ts - entry.began
      const { n: iteration, hat } = record.data
      const woken = (pending.get(hat) ?? []).join(' + ')
      pending.delete(hat)
      entries.push({ iteration, hat, events: [], duration_ms: 0, began: record.ts, woken, isShown: shown.has(record) })
    } else if (isKind(record, 'bus.publish')) {
      for (const hat of recipientsOf(record.data)) pending.set(hat, [...(pending.get(hat) ?? []), record.data.topic])
      if (!entry || !shown.has(record)) continue
      entry.isShown = true
      entry.events.push(entry.woken === '' ? record.data.topic : `${entry.woken} → ${record.data.topic}`)
    }
  }
  const open = entries.at(-1)
  if (open) open.duration_ms = last - open.began
  return entries
    .filter(({ isShown }) => isShown || !isFiltered)
    .map(({ iteration, hat, events, duration_ms }) => ({ iteration, hat, events, duration_ms }))
}

/** Recordings of other programs do not say who received an event, only whom it was meant for. */
function recipientsOf({ recipients, target }: PublishedEvent): string[] {
  return recipients ?? (target === null || target === undefined ? [] : [target])
}

function countsOf(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

function secondsBetween(from = 0, to = 0): number {
  return (to - from) / 1000
}

function requirePattern(source: string): Pattern {
  try {
    return compilePattern(source)
  } catch (cause) {
    if (!(cause instanceof PatternError)) throw cause
    throw new UserError({
      code: 'BAD_PATTERN',
      message: `filter.payload_pattern is not a regular expression: ${cause.message}`,
      hint: 'see docs/write/assertions.md for what patterns may contain',
      cause,
    })
  }
}
