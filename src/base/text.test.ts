import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { abridged, asText, clip, clipStart, cutAt, oneLine, preview, show } from './text.js'

test('text is itself, null is nothing, everything else is JSON', () => {
  expect(asText('a\nb')).toBe('a\nb')
  expect(asText(null)).toBe('')
  expect(asText(undefined)).toBe('')
  expect(asText({ b: 1, a: [true] })).toBe('{"b":1,"a":[true]}')
  expect(asText(1.5)).toBe('1.5')
})

test('a value that JSON cannot hold can still be shown', () => {
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  expect(asText(circular)).toBe('[object Object]')
  expect(asText(10n)).toBe('10')
  expect(asText(Object.assign(Object.create(null), { self: circular }))).toBe('[object Object]')
})

test('a preview is one line with control characters escaped', () => {
  expect(preview('a\n\tb\u0000\u001b[31m')).toBe('a\\n\\tb\\x00\\x1b[31m')
  expect(preview('safe \u202e evil')).toBe('safe \\u{202e} evil')
  expect(preview('lone \ud83d')).toBe('lone \\u{d83d}')
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

test('a cut in a long text looks only at its end', () => {
  const long = '😀'.repeat(50_000)
  expect(cutAt(long, 65_535)).toBe(65_534)
  expect(cutAt(`${long}x`, 65_536)).toBe(65_536)
  // Longer than any window: cut somewhere inside, but never inside a surrogate pair.
  const flood = `a${'\u{e0100}'.repeat(500)}`
  for (const max of [200, 201]) expect(flood.slice(0, cutAt(flood, max))).not.toMatch(/\p{Surrogate}/u)
})

test('one line: white space collapsed, and what is missing is said', () => {
  expect(oneLine('  a \n\n b\tc ')).toBe('a b c')
  expect(oneLine('abcdef', 3)).toBe('abc…')
  expect(oneLine('abc', 3)).toBe('abc')
  expect(oneLine(`a${' '.repeat(100)}b`, 5)).toBe('a…')
})

test('a cut does not go through what may be a key', () => {
  const key = 'sk-ab12cd34ef56gh78ij90'
  expect(clip(`see ${key} there`, 12)).toBe('see …')
  expect(clip(`see ${key} there`, 4 + key.length)).toBe(`see ${key}…`)
  expect(clipStart(`see ${key} there`, 12)).toBe('… there')
  expect(clipStart(`see ${key} there`, 6 + key.length)).toBe(`…${key} there`)
  // Words, and runs that are longer than any key, are cut anywhere.
  expect(clip('see internationalisation there', 12)).toBe('see internat…')
  expect(clip('0x'.repeat(300), 12)).toBe(`${'0x'.repeat(6)}…`)
  expect(clip(`a ${'0x'.repeat(300)}`, 12)).toBe(`a ${'0x'.repeat(5)}…`)
})
