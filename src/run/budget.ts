// `--max-cost`: what the run has cost, and whether another case may be started.
import { formatCost } from '../base/format.js'
import { IdTable } from '../base/id-table.js'
import { caseKey } from '../model/run-key.js'
import type { ResultEvent, StartEvent } from '../model/event.js'
import { helpersTotal, type Spent } from '../model/helper-cost.js'

export interface Budget {
  add(event: ResultEvent | StartEvent): void
  /** Asked before a run of a case is started: all variants end after the same case. */
  isSpent(id: string): boolean
  /** Why no more cases were started, or why nobody can know what they cost. */
  stopped(): string | undefined
}

export interface BudgetInit {
  max_cost: number | undefined
  /** What `prices` in the configuration calls the model or the agent. */
  priceName: string
  /** There are several variants. */
  several: boolean
  warn(text: string): void
}

export function createBudget({ max_cost, priceName, several, warn }: BudgetInit): Budget {
  if (max_cost === undefined) return UNLIMITED
  let cost = 0
  /** Cases that one variant has begun, so that the others follow. */
  const begun = several ? new IdTable() : undefined
  let unpricedName: string | undefined
  let isRefused = false
  let isWatching = true
  return {
    add: (event) => {
      const { helpers = [] } = event
      cost += helpersTotal(helpers) ?? 0
      unpricedName ??= helpers.find(isUnpriced)?.role
      if (event.type === 'result') {
        begun?.add(caseKey({ id: event.id }), 1)
        cost += event.cost_dollars ?? 0
        if (isUnpriced(event)) unpricedName = priceName
      }
      const silent = isWatching ? uncounted(event) : undefined
      if (silent === undefined) return
      isWatching = false
      warn(`--max-cost cannot be held: ${silent} reports neither cost nor usage`)
    },
    isSpent: (id) => {
      const key = caseKey({ id })
      if (begun?.has(key)) return false
      const spent = unpricedName !== undefined || cost >= max_cost
      if (spent) isRefused = true
      else begun?.add(key, 1)
      return spent
    },
    stopped: () => {
      if (unpricedName !== undefined) return unpriced(unpricedName)
      return isRefused ? `--max-cost ${formatCost(max_cost)} reached` : undefined
    },
  }
}

const UNLIMITED: Budget = { add: () => {}, isSpent: () => false, stopped: () => undefined }

/** No tokens cost nothing, whatever the price. */
function isUnpriced({ usage, cost_dollars }: Spent): boolean {
  return (usage?.total_tokens ?? 0) > 0 && cost_dollars === undefined
}

function unpriced(name: string): string {
  // A helper has its price where its connector or its name has one.
  if (/^(?:judge|simulator|generator):/.test(name))
    return `--max-cost cannot be held, since ${name} reports tokens and has no price; give its connector a "price", or add it to "prices" in the configuration`
  const line = `"prices": { ${JSON.stringify(name)}: { "input": …, "output": … } }`
  return `--max-cost cannot be held, since ${name} reports tokens and has no price; add ${line} (dollars per million tokens) to the configuration`
}

/** Who says nothing of what it cost. A call that broke off may have had no chance to. */
function uncounted(event: ResultEvent | StartEvent): string | undefined {
  if (event.type === 'result') {
    const { status, error_kind, usage, cost_dollars } = event
    const isAnswer = status === 'passed' || (status === 'failed' && error_kind === 'assertion')
    if (!isAnswer) return undefined
    if (usage === undefined && cost_dollars === undefined) return 'the agent'
  }
  return event.helpers?.find(({ usage, cost_dollars }) => usage === undefined && cost_dollars === undefined)?.role
}
