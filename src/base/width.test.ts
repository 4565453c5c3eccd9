import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth, fitWidth } from './width.js'

test('width: wide characters take two columns, marks none, colours none', () => {
  expect(displayWidth('abc')).toBe(3)
  expect(displayWidth('日本')).toBe(4)
  expect(displayWidth('é'.normalize('NFD'))).toBe(1)
  expect(displayWidth('👨‍👩‍👧')).toBe(2)
  expect(displayWidth('❤️')).toBe(2)
  expect(displayWidth('\u001b[31mred\u001b[0m')).toBe(3)
  expect(displayWidth('한글')).toBe(4)
})

test('fitting a text keeps it within the columns', () => {
  expect(fitWidth('日本語', 5)).toBe('日本…')
  expect(fitWidth('short', 10)).toBe('short')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, columns) => {
      expect(displayWidth(fitWidth(text, columns))).toBeLessThanOrEqual(Math.max(columns, 0))
    }),
  )
})
