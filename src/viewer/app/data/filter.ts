// Which cases the table shows, and in which order. Pure, and fast enough for every key stroke over 50,000 cases.
import { CASE_CHANGES, type CaseChangeKind } from '../../../model/compared-case.js'
import { failureCause } from '../../../model/failure-cause.js'
import type { ListedStatus } from '../../../model/status.js'
import { passRate, type Case } from './cases.js'

const STATUSES = ['all', 'failed', 'passed', 'skipped', 'not_shown', 'undetermined', 'flaky'] as const
export type StatusFilter = (typeof STATUSES)[number]
export type ChangeFilter = 'changed' | 'all' | CaseChangeKind
/** With several variants. */
export type DifferFilter = '' | 'verdicts' | 'answers'
export type SortKey = keyof typeof SORT_VALUES

export interface Filter {
  text: string
  status: StatusFilter
  tag: string
  kind: string
  /** As `failureCause` names it. */
  cause: string
  /** In a comparison. */
  change: ChangeFilter
  /** With several: whose status and error is meant; empty for any of them. */
  variant: string
  differ: DifferFilter
}

export interface Sort {
  key: SortKey
  descending: boolean
}

export function isStatusFilter(text: string): text is StatusFilter {
  return STATUSES.some((status) => status === text)
}

export function isChangeFilter(text: string): text is ChangeFilter {
  return text === 'changed' || text === 'all' || CASE_CHANGES.some((change) => change === text)
}

export function isDifferFilter(text: string): text is DifferFilter {
  return text === '' || text === 'verdicts' || text === 'answers'
}

export function isSortKey(text: string): text is SortKey {
  return Object.hasOwn(SORT_VALUES, text)
}

export const NO_FILTER: Filter = {
  text: '',
  status: 'all',
  tag: '',
  kind: '',
  cause: '',
  change: 'changed',
  variant: '',
  differ: '',
}
export const FAILURES_FIRST: Sort = { key: 'status', descending: false }

export function filterCases(cases: readonly Case[], filter: Filter): Case[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return cases.filter((item) => matches(item, filter, words))
}

export function sortCases(cases: Case[], sort: Sort): Case[] {
  // Keys once, and indexes instead of pairs: this runs while someone types.
  const keys = cases.map<string | number>(SORT_VALUES[sort.key])
  const sign = sort.descending ? -1 : 1
  const indexes = Uint32Array.from(keys, (_key, index) => index)
  indexes.sort((a, b) => compare(keys[a], keys[b]) * sign || a - b)
  return Array.from(indexes, (index) => cases[index]).filter((item) => item !== undefined)
}

// Numbers are first shown largest first: that is what people look for.
export function nextSort(current: Sort, key: SortKey): Sort {
  if (current.key === key) return { key, descending: !current.descending }
  return { key, descending: key === 'duration' || key === 'cost' || key === 'turns' }
}

function compare(a: string | number | undefined, b: string | number | undefined): number {
  if (a === b || a === undefined || b === undefined) return 0
  return a < b ? -1 : 1
}

/** What can be chosen, with how often it occurs, most frequent first. */
export function countBy(cases: readonly Case[], values: (item: Case) => readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const item of cases) for (const value of values(item)) if (value) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

function matches(item: Case, filter: Filter, words: string[]): boolean {
  if (filter.variant ? !hasMember(item, filter) : !hasStatus(item, filter.status)) return false
  if (filter.differ && !item.differs?.[filter.differ]) return false
  if (item.compared && !isChanged(item.compared.change, filter.change)) return false
  if (filter.kind && !filter.variant && !hasKind(item, filter.kind)) return false
  if (filter.cause && !hasCause(item, filter)) return false
  if (filter.tag && !item.tags.includes(filter.tag)) return false
  if (words.length === 0) return true
  const haystack = (item.haystack ||= haystackOf(item))
  return words.every((word) => haystack.includes(word))
}

function hasStatus(item: Case, status: StatusFilter): boolean {
  return status === 'flaky' ? item.flaky : status === 'all' || item.status === status
}

function hasKind(item: Case, kind: string): boolean {
  return item.members ? item.members.some((member) => member?.kind === kind) : item.kind === kind
}

function hasCause(item: Case, { cause, variant }: Filter): boolean {
  const members = item.members?.filter((member) => !variant || member?.variant === variant) ?? [item]
  return members.some((member) => member?.status === 'failed' && causeOf(member) === cause)
}

/** What its failure has in common with others. */
export function causeOf(item: Pick<Case, 'error' | 'kind'>): string {
  let known = causes.get(item.error)
  if (known === undefined) {
    known = failureCause(item.error) || item.kind || 'failed'
    if (causes.size >= MOST_CAUSES) causes.clear()
    causes.set(item.error, known)
  }
  return known
}

/** By message: there may be fifty thousand failures, and a filter looks at all of them at every key stroke. */
const causes = new Map<string, string>()
const MOST_CAUSES = 100_000

/** One particular variant is requested. */
function hasMember(item: Case, { variant, status, kind }: Filter): boolean {
  return (item.members ?? [item]).some(
    (member) =>
      member !== undefined &&
      member.variant === variant &&
      hasStatus(member, status) &&
      (!kind || hasKind(member, kind)),
  )
}

function isChanged(change: CaseChangeKind, wanted: ChangeFilter): boolean {
  return wanted === 'all' || (wanted === 'changed' ? change !== 'same' : change === wanted)
}

function haystackOf(item: Case): string {
  const parts = [item.id, item.variant, item.name, ...item.tags]
  for (const result of item.results) parts.push(result.error, result.kind, result.input, result.output, result.search)
  return parts.join('\n').toLowerCase()
}

const STATUS_RANK: Record<ListedStatus, number> = { failed: 0, not_shown: 1, undetermined: 1, passed: 3, skipped: 4 }

const SORT_VALUES = {
  status: (item: Case) =>
    item.compared
      ? CASE_CHANGES.indexOf(item.compared.change)
      : item.flaky && item.status === 'passed'
        ? 2
        : STATUS_RANK[item.status],
  id: (item: Case) => naturalKey(item.title),
  name: (item: Case) => (item.name || item.results[0]?.input || '').toLowerCase(),
  kind: (item: Case) => item.compared?.change ?? (item.kind || '\uffff'),
  turns: (item: Case) => item.turns,
  duration: (item: Case) => item.durationMs,
  cost: (item: Case) => item.cost ?? -1,
  rate: passRate,
} satisfies Record<string, (item: Case) => string | number>

// T2 before T10, without a collator: 50,000 of those take a second.
function naturalKey(id: string): string {
  return id.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(12, '0'))
}
