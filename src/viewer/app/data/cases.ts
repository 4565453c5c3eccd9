// Results grouped by case: with `--runs` one case has several results, and with variants each case several of those; the
// table shows the case once.
import { reaches, stabilityStatus } from '../../../model/case-status.js'
import type { ComparedCase } from '../../../model/compared-case.js'
import type { StabilityEvent } from '../../../model/event.js'
import type { CaseStatus } from '../../../model/status.js'
import { caseKey, caseTitle, type CaseKey } from '../../../model/run-key.js'
import type { ResultRow } from '../../../model/result-row.js'
import type { Case, Result } from './case.js'
import { gather } from './gather.js'

export type { Case, Result } from './case.js'

/** All cases of one run, in the order in which they first appeared. */
export class CaseList {
  /** Each variant has its own. */
  readonly cases: Case[] = []
  private readonly byTitle = new Map<string, Case>()
  private readonly groups: Case[] = []
  private readonly groupOf = new Map<CaseKey, Case>()
  /** Computed when looked at: results come by the thousand. */
  private readonly changed = new Set<Case>()
  private count = 0
  /** The pass rate (0–100) a case needs when it runs several times. */
  minPassRate = 100
  runsPerCase: number | 'auto' = 1
  /** Names, if there are several. */
  variants: readonly string[] = []

  /** What the table shows: every case once. */
  get rows(): Case[] {
    this.gatherChanged()
    return this.variants.length > 0 ? this.groups : this.cases
  }

  /** By title; with several variants by id. */
  row(title: string): Case | undefined {
    this.gatherChanged()
    return this.variants.length > 0 ? this.groupOf.get(caseKey({ id: title })) : this.byTitle.get(title)
  }

  get results(): number {
    return this.count
  }

  find(title: string): Case | undefined {
    return this.byTitle.get(title)
  }

  add(row: ResultRow, at: number): void {
    const result: Result = Object.assign(row, { at, order: this.count })
    const title = titleOf(row)
    let item = this.byTitle.get(title)
    if (!item) {
      item = emptyCase(row, title, this.cases.length)
      this.byTitle.set(title, item)
      this.cases.push(item)
      this.group(item)
    }
    const same = item.results.findIndex((other) => other.run === row.run)
    // The same run again is a resumed case: its last result counts.
    if (same >= 0) item.results[same] = result
    else {
      item.results.push(result)
      this.count += 1
    }
    this.settle(item)
  }

  addStability(event: StabilityEvent): void {
    const item = this.byTitle.get(caseTitle(event))
    if (!item) return
    item.stability = event
    this.settle(item)
  }

  /** Cases that only the earlier run has are added: they are missing here. */
  compareWith(earlier: CaseList, compared: ComparedCase[]): void {
    for (const entry of compared) {
      const before = earlier.find(entry.was ?? entry.id)
      let item = this.byTitle.get(entry.id)
      if (!item && before) {
        item = { ...before, order: this.cases.length }
        this.byTitle.set(entry.id, item)
        this.cases.push(item)
      }
      if (item) Object.assign(item, { compared: entry, before })
    }
  }

  private gatherChanged(): void {
    for (const group of this.changed) gather(group)
    this.changed.clear()
  }

  private group(item: Case): void {
    if (this.variants.length === 0) return
    const key = caseKey({ id: item.id })
    let group = this.groupOf.get(key)
    if (!group) {
      group = {
        ...item,
        title: item.id,
        variant: '',
        order: this.groups.length,
        members: this.variants.map(() => undefined),
      }
      this.groupOf.set(key, group)
      this.groups.push(group)
    }
    const at = this.variants.indexOf(item.variant)
    if (group.members && at >= 0) group.members[at] = item
  }

  private settle(item: Case): void {
    const [first] = item.results
    if (!first) return
    item.haystack = ''
    if (item.results.length === 1 && this.runsPerCase === 1 && !item.stability) takeOver(item, first)
    else this.sumUp(item, item.results.find((result) => result.status === 'failed') ?? first)
    const group = this.variants.length > 0 && this.groupOf.get(caseKey({ id: item.id }))
    if (group) this.changed.add(group)
  }

  private sumUp(item: Case, worst: Result): void {
    const { results } = item
    takeOver(item, worst)
    item.passed = results.filter((result) => result.status === 'passed').length
    const counted = results.filter(({ status }) => status !== 'skipped' && status !== 'not_shown').length
    const isNotShown = results.some(({ status }) => status === 'not_shown')
    item.status = counted > 0 ? this.statusOf(item) : isNotShown ? 'not_shown' : 'skipped'
    item.durationMs = results.reduce((sum, result) => sum + result.durationMs, 0) / results.length
    item.cost = results.every((result) => result.cost === null)
      ? null
      : results.reduce((sum, result) => sum + (result.cost ?? 0), 0)
    // As the summary counts them: what failed is not flaky.
    item.flaky = item.status === 'passed' && (item.passed < results.length || results.some((result) => result.flaky))
  }

  // With the run's own verdict if there is one. Until then a case may have failed already, but not passed: a run that
  // was cut short has shown too little.
  private statusOf(item: Case): CaseStatus {
    if (item.stability) return stabilityStatus(item.stability, this.minPassRate)
    if (this.runsPerCase === 'auto') return 'undetermined'
    if (!reaches(passRate(item), this.minPassRate)) return 'failed'
    return item.results.length >= this.runsPerCase ? 'passed' : 'undetermined'
  }
}

/** What a single result says is what the case says. */
function takeOver(item: Case, result: Result): void {
  const { status, kind, error, durationMs, cost, turns, tags, flaky } = result
  Object.assign(item, { status, kind, error, durationMs, cost, turns, tags, flaky })
  item.passed = status === 'passed' ? 1 : 0
}

/** 0–100. As in the `stability` event, a run that did not pass counts as failed. */
export function passRate(item: Case): number {
  return item.stability?.pass_rate ?? (item.passed / Math.max(1, item.results.length)) * 100
}

/** With several variants the requested one, else the first that failed: that is what people open a case for. */
export function pickMember(item: Case, variant: string | undefined): Case | undefined {
  if (!item.members) return item
  const known = item.members.filter((member) => member !== undefined)
  const failed = known.find((member) => member.status === 'failed')
  return known.find((member) => member.variant === variant) ?? failed ?? known[0]
}

export function titleOf({ id, variant }: Pick<ResultRow, 'id' | 'variant'>): string {
  return caseTitle({ id, variant: variant === '' ? undefined : variant })
}

function emptyCase(row: ResultRow, title: string, order: number): Case {
  return {
    id: row.id,
    title,
    variant: row.variant,
    name: row.name,
    order,
    results: [],
    status: row.status,
    kind: '',
    durationMs: 0,
    cost: null,
    turns: 0,
    tags: [],
    flaky: false,
    passed: 0,
    error: '',
    haystack: '',
  }
}
