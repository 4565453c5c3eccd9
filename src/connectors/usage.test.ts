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
  expect(costOf(usage, { input: 1e6, output: 2e6 })).toBe(10 + 2 * 30)
})
