// Token counts in every spelling → one form. A count that makes no sense is unknown, never a number.
import type { Usage } from '../model/message.js'
import { isAmount, isRecord } from '../base/record.js'

export function normalizeUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined
  const given = readCount(value, ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount'])
  const output = readCount(value, [
    'output_tokens',
    'completion_tokens',
    'outputTokens',
    'completionTokens',
    'candidatesTokenCount',
  ])
  if (given === undefined || output === undefined) return undefined
  const input = given + cachedBeside(value)
  const parts = partsOf(value, input)
  const total = readCount(value, ['total_tokens', 'totalTokens', 'totalTokenCount'])
  // Some count reasoning only in the total; no total is less than its parts.
  return { input_tokens: input, output_tokens: output, total_tokens: Math.max(total ?? 0, input + output), ...parts }
}

/** Tokens that are priced or counted apart; none is the same as not reported. */
function partsOf(value: Record<string, unknown>, input: number): Partial<Usage> {
  const found = Object.entries(PARTS).map(([name, places]) => [name, readPart(value, places)] as const)
  const parts: Partial<Usage> = Object.fromEntries(found.filter(([, count]) => count !== undefined && count > 0))
  const { cached_input_tokens = 0, cache_write_tokens = 0, ...rest } = parts
  return cached_input_tokens + cache_write_tokens > input ? rest : parts
}

/** Where each is: a key, or a key within another. */
const PARTS = {
  cached_input_tokens: [
    'cached_input_tokens',
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'prompt_cache_hit_tokens',
    'cache_read_input_tokens',
    'cachedContentTokenCount',
    'inputTokens.cacheRead',
    'inputTokenDetails.cacheReadTokens',
    'cachedInputTokens',
  ],
  cache_write_tokens: [
    'cache_write_tokens',
    'cache_creation_input_tokens',
    'inputTokens.cacheWrite',
    'inputTokenDetails.cacheWriteTokens',
  ],
  reasoning_tokens: [
    'reasoning_tokens',
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'output_tokens_details.thinking_tokens',
    'thoughtsTokenCount',
    'outputTokens.reasoning',
    'outputTokenDetails.reasoningTokens',
    'reasoningTokens',
  ],
} satisfies Partial<Record<keyof Usage, string[]>>

function readPart(value: Record<string, unknown>, places: string[]): number | undefined {
  for (const place of places) {
    const [outer = '', inner] = place.split('.')
    const holder = value[outer]
    const count = inner === undefined ? holder : isRecord(holder) ? holder[inner] : undefined
    if (isAmount(count)) return count
  }
  return undefined
}

/** The larger of two reports on one call: servers count up, and some end with a report of zeros. */
export function largerUsage(a: Usage | undefined, b: Usage): Usage {
  if (!a) return b
  const input_tokens = Math.max(a.input_tokens, b.input_tokens)
  const output_tokens = Math.max(a.output_tokens, b.output_tokens)
  const total_tokens = Math.max(a.total_tokens, b.total_tokens, input_tokens + output_tokens)
  return { ...a, ...b, input_tokens, output_tokens, total_tokens }
}

/** Anthropic's `input_tokens` leaves out what was read from or written to its cache; others include it. */
function cachedBeside(value: Record<string, unknown>): number {
  if (value['input_tokens'] === undefined || value['prompt_tokens'] !== undefined) return 0
  const names = ['cache_creation_input_tokens', 'cache_read_input_tokens']
  return names.reduce((sum, name) => sum + (readCount(value, [name]) ?? 0), 0)
}

function readCount(record: Record<string, unknown>, names: string[]): number | undefined {
  for (const name of names) {
    const value = record[name]
    // The AI SDK's providers return `{ total, … }` per direction.
    const count = isRecord(value) ? value['total'] : value
    if (count === undefined) continue
    return isAmount(count) ? count : undefined
  }
  return undefined
}
