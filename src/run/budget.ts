// `--max-cost`: what the run has cost, and whether another case may be started.
import { formatCost } from '../base/format.js'
import type { ResultEvent } from '../model/event.js'

export interface Budget {
  add(result: ResultEvent): void
  /** Asked before a case is started. */
  isSpent(): boolean
  /** Why no more cases were started, or why nobody can know what they cost. */
  stopped(): string | undefined
}

export interface BudgetInit {
  max_cost: number | undefined
  /** What `prices` in the configuration calls the model or the agent. */
  priceName: string
  warn(text: string): void
}

export function createBudget({ max_cost, priceName, warn }: BudgetInit): Budget {
  if (max_cost === undefined) return UNLIMITED
  let cost = 0
  let isUnpriced = false
  let isRefused = false
  let isWatching = true
  return {
    add: (result) => {
      cost += result.cost_dollars ?? 0
      // No tokens cost nothing, whatever the price.
      if ((result.usage?.total_tokens ?? 0) > 0 && result.cost_dollars === undefined) isUnpriced = true
      if (!isWatching || !isUncounted(result)) return
      isWatching = false
      warn('--max-cost cannot be held: the agent reports neither cost nor usage')
    },
    isSpent: () => {
      const spent = isUnpriced || cost >= max_cost
      if (spent) isRefused = true
      return spent
    },
    stopped: () => {
      if (isUnpriced) return unpriced(priceName)
      return isRefused ? `--max-cost ${formatCost(max_cost)} reached` : undefined
    },
  }
}

const UNLIMITED: Budget = { add: () => {}, isSpent: () => false, stopped: () => undefined }

function unpriced(name: string): string {
  const line = `"prices": { ${JSON.stringify(name)}: { "input": …, "output": … } }`
  return `--max-cost cannot be held, since ${name} reports tokens and has no price; add ${line} (dollars per million tokens) to the configuration`
}

/** A call that broke off may have had no chance to say what it cost. */
function isUncounted({ status, error_kind, usage, cost_dollars }: ResultEvent): boolean {
  const isAnswer = status === 'passed' || (status === 'failed' && error_kind === 'assertion')
  return isAnswer && usage === undefined && cost_dollars === undefined
}
