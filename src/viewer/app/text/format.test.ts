import { expect, test } from 'vitest'
import { formatShort } from './format.js'

test('large counts are short', () => {
  expect(formatShort(9999)).toBe('9,999')
  expect(formatShort(24_510)).toBe('24.5k')
  expect(formatShort(3_200_000)).toBe('3.2M')
})
