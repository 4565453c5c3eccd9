import { expect, test } from 'vitest'
import { formatCost, formatDuration, formatPercent, formatShort } from './format.js'

test.each([
  [0, '0ms'],
  [0.4, '<1ms'],
  [840, '840ms'],
  [1240, '1.24s'],
  [41_300, '41.3s'],
  [125_000, '2m 5s'],
  [7_500_000, '2h 5m'],
])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

test('a percentage never claims more than it is', () => {
  expect(formatPercent(100)).toBe('100%')
  expect(formatPercent(99.998)).toBe('>99.9%')
  expect(formatPercent(0.001)).toBe('<0.1%')
  expect(formatPercent(66.666)).toBe('66.7%')
})

test('small costs keep their digits', () => {
  expect(formatCost(0)).toBe('$0')
  expect(formatCost(0.000123)).toBe('$0.00012')
  expect(formatCost(1234.5)).toBe('$1,235')
})

test('large counts are short', () => {
  expect(formatShort(9999)).toBe('9,999')
  expect(formatShort(24_510)).toBe('24.5k')
  expect(formatShort(3_200_000)).toBe('3.2M')
})
