// `--max-cost`: what the run has cost, and whether another case may be started.
import { formatCost } from '../base/format.js'
import type { ResultEvent, StartEvent } from '../model/event.js'
import { helpersTotal, type Spent } from '../model/helper-cost.js'
import type { Limit } from './brake.js'

export interface BudgetInit {
  max_cost: number
  /** What `prices` in the configuration calls the model or the agent. */
  priceName: string
  warn(text: string): void
}

export function createBudget({ max_cost, priceName, warn }: BudgetInit): Limit {
  let cost = 0
  let unpricedName: string | undefined
  let isWatching = true
  return {
    add: (event) => {
      if (event.type === 'stability') return
      const { helpers = [] } = event
      cost += helpersTotal(helpers) ?? 0
      unpricedName ??= helpers.find(isUnpriced)?.role
      if (event.type === 'result') {
        cost += event.cost_dollars ?? 0
        if (isUnpriced(event)) unpricedName = priceName
      }
      const silent = isWatching ? uncounted(event) : undefined
      if (silent === undefined) return
      isWatching = false
      warn(`--max-cost cannot be enforced: ${silent} reports neither cost nor usage`)
    },
    spent: (dollars) => {
      cost += dollars
    },
    isReached: () => unpricedName !== undefined || cost >= max_cost,
    why: (isRefused) => {
      if (unpricedName !== undefined) return unpriced(unpricedName)
      return isRefused ? `--max-cost ${formatCost(max_cost)} reached` : undefined
    },
  }
}

/** No tokens cost nothing, whatever the price. */
function isUnpriced({ usage, cost_dollars }: Spent): boolean {
  return (usage?.total_tokens ?? 0) > 0 && cost_dollars === undefined
}

function unpriced(name: string): string {
  // A helper has a price if its connector or its name has one.
  if (/^(?:judge|simulator|generator):/.test(name))
    return `--max-cost cannot be enforced, since ${name} reports tokens and has no price; give its connector a "price", or add it to "prices" in the configuration`
  const line = `"prices": { ${JSON.stringify(name)}: { "input": …, "output": … } }`
  return `--max-cost cannot be enforced, since ${name} reports tokens and has no price; add ${line} (dollars per million tokens) to the configuration`
}

/** Who does not report what it cost. A call that broke off may have had no chance to. */
function uncounted(event: ResultEvent | StartEvent): string | undefined {
  if (event.type === 'result') {
    const { status, error_kind, usage, cost_dollars } = event
    const isAnswer = status === 'passed' || (status === 'failed' && error_kind === 'assertion')
    if (!isAnswer) return undefined
    if (usage === undefined && cost_dollars === undefined) return 'the agent'
  }
  return event.helpers?.find(({ usage, cost_dollars }) => usage === undefined && cost_dollars === undefined)?.role
}
