import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasHidden, segments, visible } from './visible.js'

test('spells out what reorders or hides text', () => {
  expect(visible('a\u202eb')).toBe('a\\u{202e}b')
  expect(visible('\u2066x\u2069')).toBe('\\u{2066}x\\u{2069}')
  expect(visible('zero\u200bwidth\ufeff')).toBe('zero\\u{200b}width\\u{feff}')
  expect(visible('\u001b[31m\u0000\u009b')).toBe('\\e[31m\\x00\\x9b')
  expect(visible('\u{e0041}')).toBe('\\u{e0041}')
  expect(visible('\ud800')).toBe('\\u{d800}')
})

test('leaves ordinary text of any script, emoji and line breaks alone', () => {
  for (const text of ['tab\tand\nline\r\nbreak', 'مرحبا', 'नमस्ते', '👩‍👩‍👧 ✈️', 'שלום']) expect(visible(text)).toBe(text)
})

test('a lone carriage return shows, since it would overwrite the line', () => {
  expect(visible('safe\revil')).toBe('safe\\revil')
})

test('nothing hidden is left, and the pieces add up', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(hasHidden(visible(text))).toBe(false)
      expect(
        segments(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(visible(text))
    }),
  )
})
