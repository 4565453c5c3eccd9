// Tokens → dollars. An unknown price or an unknown count is an unknown cost, which is not the same as 0.
import type { Usage } from '../model/message.js'
import type { Price } from '../model/config.js'

/** What a connector's answers are priced by. */
export interface KnownPrice extends Price {
  /** From the built-in table. */
  isEstimated?: true
}

/** The fields that a priced answer has. */
export interface Cost {
  cost_dollars?: number
  cost_estimated?: true
}

export function costOf(usage: Usage | undefined, price: KnownPrice | undefined): Cost {
  if (!usage || !price) return {}
  const { cached_input_tokens: cached = 0, cache_write_tokens: written = 0 } = usage
  // What is written to a cache costs more than other input: without its price the sum would be too low.
  if (written > 0 && price.cache_write === undefined) return {}
  // What is only in the total is reasoning, which is paid for as output.
  const output = Math.max(usage.output_tokens, usage.total_tokens - usage.input_tokens)
  const cost =
    ((usage.input_tokens - cached - written) * price.input +
      cached * (price.cached_input ?? price.input) +
      written * (price.cache_write ?? price.input) +
      output * price.output) /
    1_000_000
  if (!Number.isFinite(cost) || cost < 0) return {}
  return { cost_dollars: cost, ...(price.isEstimated && { cost_estimated: true }) }
}
