// What judges, simulators and generators cost: kept beside the agent's own cost, never part of it.
import type { InferOutput } from 'valibot'
import { formatCost, plural } from '../base/format.js'
import { defined } from '../base/defined.js'
import type { Usage } from './message.js'
import type { ModelCall } from './model-call.js'
import type { helperCost } from './result-schema.js'
import { addUsage } from './usage.js'

export interface HelperCost extends InferOutput<typeof helperCost> {}

/** What is known of one answer. */
export interface Spent {
  usage?: Usage
  cost_dollars?: number
  cost_estimated?: true
}

/** The calls of one case, or of what happens outside cases. */
export class HelperLedger {
  /** Created for every case, though few call a helper. */
  #rows: Map<string, Row> | undefined

  /** `spent` is undefined if no answer came. */
  add({ lane, role }: ModelCall, spent: Spent | undefined): void {
    const key = `${lane} ${role}`
    this.#rows ??= new Map()
    const row = this.#rows.get(key) ?? { lane, role, calls: 0, usage: undefined, cost: 0 }
    this.#rows.set(key, row)
    row.calls++
    if (!spent) return
    if (spent.usage) row.usage = addUsage(row.usage, spent.usage)
    // One answer without a price makes the sum unknown, which is not the same as less.
    row.cost = row.cost === undefined || spent.cost_dollars === undefined ? undefined : row.cost + spent.cost_dollars
    if (spent.cost_estimated) row.isEstimated = true
    row.isAnswered = true
  }

  /** Undefined if no helper was called. */
  rows(): HelperCost[] | undefined {
    if (!this.#rows) return undefined
    return Array.from(this.#rows.values(), ({ lane, role, calls, usage, cost, isAnswered, isEstimated }) => ({
      lane,
      role,
      calls,
      ...defined({ usage, cost_dollars: isAnswered ? cost : undefined }),
      ...(isEstimated && cost !== undefined && { cost_estimated: true }),
    }))
  }
}

interface Row {
  lane: HelperCost['lane']
  role: string
  calls: number
  usage: Usage | undefined
  cost: number | undefined
  isAnswered?: boolean
  isEstimated?: boolean
}

/** Over cases: as with the agent's cost, the sum of what is known. */
export function addHelperCosts(sum: readonly HelperCost[] | undefined, more: readonly HelperCost[]): HelperCost[] {
  const rows = (sum ?? []).map((row) => ({ ...row }))
  for (const each of more) {
    const row = rows.find(({ lane, role }) => lane === each.lane && role === each.role)
    if (!row) rows.push({ ...each })
    else {
      row.calls += each.calls
      if (each.usage) row.usage = addUsage(row.usage, each.usage)
      if (each.cost_dollars !== undefined) row.cost_dollars = (row.cost_dollars ?? 0) + each.cost_dollars
      if (each.cost_estimated) row.cost_estimated = true
    }
  }
  return rows
}

/** Undefined if no cost is known. */
export function helpersTotal(rows: readonly HelperCost[] | undefined): number | undefined {
  const known = (rows ?? []).flatMap(({ cost_dollars }) => cost_dollars ?? [])
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0)
}

/** `$0.0012 (judge:viva.judge, 2 calls)`, where a cost is known. */
export function helpersText(rows: readonly HelperCost[] | undefined): string | undefined {
  const total = helpersTotal(rows)
  if (total === undefined) return undefined
  const list = (rows ?? []).map(({ role, calls }) => `${role}, ${plural(calls, 'call')}`)
  const isEstimated = rows?.some((row) => row.cost_estimated)
  return `${formatCost(total)} (${isEstimated ? 'estimated; ' : ''}${list.join('; ')})`
}
