import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCost, formatCount, formatPercent, plural } from './format.js'

test.each([
  [100, '100%'],
  [99.999, '>99.9%'],
  [99.95, '>99.9%'],
  [99.94, '99.9%'],
  [66.666, '66.7%'],
  [50, '50%'],
  [0.06, '0.1%'],
  [0.04, '<0.1%'],
  [0, '0%'],
])('%d percent is %s', (percent, text) => expect(formatPercent(percent)).toBe(text))

test('only 100 is shown as 100, only 0 as 0', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (percent) => {
      expect(formatPercent(percent) === '100%').toBe(percent === 100)
      expect(formatPercent(percent) === '0%').toBe(percent === 0)
    }),
  )
})

test.each([
  [0, '$0'],
  [0.0000001, '<$0.000001'],
  [0.000123, '$0.00012'],
  [0.005, '$0.0050'],
  [0.5, '$0.50'],
  [0.999, '$1.00'],
  [1.5, '$1.50'],
  [1234.5, '$1,234.50'],
])('%d dollars are %s', (dollars, text) => expect(formatCost(dollars)).toBe(text))

test('counts', () => {
  expect(formatCount(12_345)).toBe('12,345')
  expect([plural(0, 'case'), plural(1, 'case'), plural(1200, 'case')]).toEqual(['0 cases', '1 case', '1,200 cases'])
  expect(plural(2, 'match', 'matches')).toBe('2 matches')
})
