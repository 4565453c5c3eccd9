// Tokens used, summed over calls, attempts and cases.
import type { Usage } from './message.js'

/** `sum` is undefined before the first call. Never mutates its arguments. */
export function addUsage(sum: Usage | undefined, usage: Usage): Usage {
  const added: Usage = {
    input_tokens: (sum?.input_tokens ?? 0) + usage.input_tokens,
    output_tokens: (sum?.output_tokens ?? 0) + usage.output_tokens,
    total_tokens: (sum?.total_tokens ?? 0) + usage.total_tokens,
  }
  for (const part of PARTS) {
    const count = (sum?.[part] ?? 0) + (usage[part] ?? 0)
    if (count > 0) added[part] = count
  }
  return added
}

// Counted apart.
const PARTS = ['cached_input_tokens', 'cache_write_tokens', 'reasoning_tokens'] as const
