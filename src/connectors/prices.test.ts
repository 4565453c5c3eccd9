// The built-in prices: by exact name, at the vendor's own place.
import { expect, test } from 'vitest'
import { listPrice } from './prices.js'

test.each([
  ['api.openai.com', 'gpt-5-mini', { input: 0.25, cached_input: 0.025, output: 2 }],
  ['@ai-sdk/openai', 'gpt-5-mini-2025-08-07', { input: 0.25, cached_input: 0.025, output: 2 }],
  ['api.anthropic.com', 'claude-sonnet-4-5', { input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 }],
  ['generativelanguage.googleapis.com', 'gemini-2.5-flash', { input: 0.3, cached_input: 0.03, output: 2.5 }],
])('%s: %s', (place, model, price) => {
  const found = listPrice(place, model)
  for (const [name, dollars] of Object.entries(price))
    expect(found?.[name as keyof typeof found], name).toBeCloseTo(dollars, 9)
})

test.each([
  ['api.openai.com', 'gpt-5-mini-2026-01-01'],
  ['api.openai.com', 'gpt-5-minis'],
  ['api.openai.com', 'claude-sonnet-4-5'],
  ['api.openai.com', '__proto__'],
  ['api.openai.com', 'constructor'],
  ['api.openai.com', ''],
  ['__proto__', 'gpt-5-mini'],
  ['openrouter.ai', 'gpt-5-mini'],
  ['generativelanguage.googleapis.com', 'gemini-2.5-pro'],
])('nothing is guessed: %s has no price for "%s"', (place, model) => {
  expect(listPrice(place, model)).toBeUndefined()
})
