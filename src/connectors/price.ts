// Tokens → dollars. An unknown price or an unknown count is an unknown cost, which is not the same as 0.
import type { Usage } from '../model/message.js'
import type { Price } from '../model/config.js'

export function costOf(usage: Usage | undefined, price: Price | undefined): number | undefined {
  if (!usage || !price) return undefined
  // What is only in the total is reasoning, which is paid for as output.
  const output = Math.max(usage.output_tokens, usage.total_tokens - usage.input_tokens)
  const cost = (usage.input_tokens * price.input + output * price.output) / 1_000_000
  return Number.isFinite(cost) && cost >= 0 ? cost : undefined
}
