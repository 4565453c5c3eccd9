// Token counts in every spelling; a total is never less than its parts.
import { expect, test } from 'vitest'
import { normalizeUsage } from './usage.js'

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
