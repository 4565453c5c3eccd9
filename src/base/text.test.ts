import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { abridged, asText, clip, displayWidth, escapeControls, fitWidth, preview, show } from './text.js'

test('text is itself, null is nothing, everything else is JSON', () => {
  expect(asText('a\nb')).toBe('a\nb')
  expect(asText(null)).toBe('')
  expect(asText(undefined)).toBe('')
  expect(asText({ b: 1, a: [true] })).toBe('{"b":1,"a":[true]}')
  expect(asText(1.5)).toBe('1.5')
})

test('a value that JSON cannot hold still has a text', () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  expect(asText(circular)).toBe('[object Object]')
  expect(asText(10n)).toBe('10')
})

test('a preview is one line with control characters escaped', () => {
  expect(preview('a\n\tb\u0000\u001b[31m')).toBe('a\\n\\tb\\u0000\\u001b[31m')
  expect(preview('safe \u202e evil')).toBe('safe \\u202e evil')
  expect(preview('lone \ud83d')).toBe('lone \\ud83d')
})

test('show tells text from other values', () => {
  expect(show('5')).toBe('"5"')
  expect(show(5)).toBe('5')
  expect(show(undefined)).toBe('undefined')
})

test('a cut never breaks a character', () => {
  expect(clip('abcdef', 3)).toBe('abc…')
  expect(clip('ab👨‍👩‍👧cd', 5)).toBe('ab…')
  expect(clip('e\u0301e\u0301e\u0301', 3)).toBe('e\u0301…')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, max) => {
      const cut = clip(text, max)
      expect(cut === text || (cut.endsWith('…') && text.startsWith(cut.slice(0, -1)) && cut.length <= max + 1)).toBe(
        true,
      )
      expect(/\p{Surrogate}/u.test(cut)).toBe(false)
    }),
  )
})

test('large values are abridged, small ones kept', () => {
  expect(abridged({ a: 1 })).toEqual({ a: 1 })
  expect(abridged({ a: 'x'.repeat(3000) })).toMatch(/^\{"a":"x+…$/)
})

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

test('escaping is only done where it is needed', () => {
  expect(escapeControls('plain ünïcödé 日本')).toBe('plain ünïcödé 日本')
  expect(escapeControls('\ufeffx\u2028')).toBe('\\ufeffx\\u2028')
})
