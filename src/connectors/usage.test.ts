// Token counts in every spelling; a total is never less than its parts.
import { expect, test } from 'vitest'
import { costOf } from './price.js'
import { largerUsage, normalizeUsage } from './usage.js'

test.each([
  [{ input_tokens: 10, output_tokens: 5 }, 15],
  [{ input_tokens: 10, output_tokens: 5, total_tokens: 15 }, 15],
  // Reasoning is counted in the total alone.
  [{ promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 40 }, 40],
  [{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 3 }, 15],
  [{ prompt_tokens: 10, completion_tokens: 5, total_tokens: 0 }, 15],
  [{ inputTokens: 10, outputTokens: 5, totalTokens: -1 }, 15],
])('%j has %i tokens', (usage, total) => {
  expect(normalizeUsage(usage)).toEqual({ input_tokens: 10, output_tokens: 5, total_tokens: total })
})

test.each([
  // Anthropic counts what it cached beside the input; in the form of OpenAI it is part of it.
  [{ input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000 }, 1110],
  [{ input_tokens: 10, output_tokens: 5, cache_read_input_tokens: null }, 10],
  [{ prompt_tokens: 1110, completion_tokens: 5, cache_read_input_tokens: 1000 }, 1110],
])('%j has %i tokens of input', (usage, input) => {
  expect(normalizeUsage(usage)?.input_tokens).toBe(input)
})

test('of two reports on one call, the larger counts are right', () => {
  const first = { input_tokens: 10, output_tokens: 0, total_tokens: 10 }
  const last = { input_tokens: 0, output_tokens: 5, total_tokens: 5 }
  expect(largerUsage(first, last)).toEqual({ input_tokens: 10, output_tokens: 5, total_tokens: 15 })
})

test('what is only in the total costs as much as output', () => {
  const usage = normalizeUsage({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 40 })
  expect(costOf(usage, { input: 1e6, output: 2e6 })).toEqual({ cost_dollars: 10 + 2 * 30 })
})

const parts = { cached_input_tokens: 3, cache_write_tokens: 2, reasoning_tokens: 4 }
const { cache_write_tokens: _written, ...unwritten } = parts

test.each<[string, object, object]>([
  ['our own', { input_tokens: 10, output_tokens: 5, ...parts }, parts],
  [
    'chat completions',
    {
      prompt_tokens: 10,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
    unwritten,
  ],
  [
    'responses',
    {
      input_tokens: 10,
      output_tokens: 5,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens_details: { reasoning_tokens: 4 },
    },
    unwritten,
  ],
  [
    'Anthropic',
    { input_tokens: 5, output_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 },
    { cached_input_tokens: 3, cache_write_tokens: 2 },
  ],
  [
    'Gemini',
    { promptTokenCount: 10, candidatesTokenCount: 5, cachedContentTokenCount: 3, thoughtsTokenCount: 4 },
    unwritten,
  ],
  [
    'a provider package',
    { inputTokens: { total: 10, cacheRead: 3, cacheWrite: 2 }, outputTokens: { total: 5, reasoning: 4 } },
    parts,
  ],
  ['DeepSeek', { prompt_tokens: 10, completion_tokens: 5, prompt_cache_hit_tokens: 3 }, { cached_input_tokens: 3 }],
  ['more cached than there is', { input_tokens: 2, output_tokens: 5, cached_input_tokens: 3 }, {}],
  ['none', { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 0 } }, {}],
  ['nonsense', { prompt_tokens: 10, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 'x' } }, {}],
])('tokens apart, as in %s', (_what, usage, expected) => {
  const { input_tokens: _input, output_tokens: _output, total_tokens: _total, ...found } = normalizeUsage(usage) ?? {}
  expect(found).toEqual(expected)
})
