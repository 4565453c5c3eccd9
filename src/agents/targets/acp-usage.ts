// What a turn over ACP cost: the protocol's counts, or those that agents put beside them.
import { isRecord } from '../../base/record.js'
import type { Usage } from '../../model/message.js'

/** These count the last message of a turn, not those that called tools before it. */
const COUNT_THE_LAST = new Set(['OpenCode'])

/** `ended`: the result of `session/prompt`. Undefined: the turn has no counts, or they are known to be too low. */
export function turnUsage(ended: unknown, agent: string | undefined, hasCalled: boolean): Usage | undefined {
  if (!isRecord(ended) || (hasCalled && agent !== undefined && COUNT_THE_LAST.has(agent))) return undefined
  const { usage, _meta: meta } = ended
  const quota = isRecord(meta) ? meta['quota'] : undefined
  return usageOf(usage) ?? usageOf(isRecord(quota) ? quota['token_count'] : undefined)
}

function usageOf(counts: unknown): Usage | undefined {
  if (!isRecord(counts)) return undefined
  const count = (...names: string[]): number | undefined => {
    const value = names.map((name) => counts[name]).find((each) => each !== undefined && each !== null)
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
  }
  const input = count('inputTokens', 'input_tokens')
  const output = count('outputTokens', 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  const cached =
    (count('cachedReadTokens', 'cachedInputTokens') ?? 0) + (count('cachedWriteTokens', 'cacheWriteInputTokens') ?? 0)
  const total = Math.max(count('totalTokens', 'total_tokens') ?? 0, input + output)
  // What is read from and written to the cache is input, whether or not it is counted there too.
  const all = Math.min(input + cached, total - output)
  return total === 0 ? undefined : { input_tokens: all, output_tokens: output, total_tokens: total }
}

/** A `usage_update`: what the session has cost so far. */
export function sessionCost(update: unknown): number | undefined {
  const cost = isRecord(update) ? update['cost'] : undefined
  if (!isRecord(cost) || cost['currency'] !== 'USD') return undefined
  const { amount } = cost
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined
}
