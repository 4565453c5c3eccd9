import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.js'

const NOW = Date.parse('2026-01-01T00:00:00Z')

function check(headers: Record<string, string>, expected: number | undefined) {
  expect(retryAfterMs(headers, NOW)).toBe(expected)
}

test('milliseconds win over seconds', () => check({ 'retry-after-ms': '150', 'retry-after': '9' }, 150))
test('seconds', () => check({ 'retry-after': '2' }, 2000))
test('a moment in the future', () => check({ 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, 3000))
test('a moment in the past is now', () => check({ 'retry-after': 'Thu, 01 Jan 2015 00:00:03 GMT' }, 0))
test('a word says nothing', () => check({ 'retry-after': 'soon' }, undefined))
test('the longest of several resets', () =>
  check({ 'x-ratelimit-reset-requests': '500ms', 'x-ratelimit-reset-tokens': '1m30s' }, 90_000))
test('a reset as a moment', () => check({ 'anthropic-ratelimit-tokens-reset': '2026-01-01T00:00:05Z' }, 5000))
test('a reset as seconds since 1970', () => check({ 'x-ratelimit-reset': String(NOW / 1000 + 7) }, 7000))
test('no headers', () => check({}, undefined))
test('a negative number says nothing', () => check({ 'retry-after-ms': '-5' }, undefined))
