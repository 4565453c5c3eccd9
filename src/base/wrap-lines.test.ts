import fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth } from './width.js'
import { wrapLines } from './wrap-lines.js'

test('what fits stays as it is', () => expect(wrapLines('a line\n\n  another', 20)).toBe('a line\n\n  another'))

test('a long line is broken between its words, with the bars of the tree', () =>
  expect(wrapLines('  │  Error: the model is gone and nobody knows why', 30)).toBe(
    '  │  Error: the model is gone\n  │    and nobody knows why',
  ))

test('a branch does not begin again', () => {
  expect(wrapLines('  ├─ Turn 1: "one two" → PASSED', 24)).toBe('  ├─ Turn 1: "one two" →\n  │    PASSED')
  expect(wrapLines('  └─ Turn 1: "one two" → PASSED', 24)).toBe('  └─ Turn 1: "one two" →\n       PASSED')
})

test('a word longer than the line is broken, wide characters never', () => {
  expect(wrapLines('see /a/very/long/path/to/a/file', 16)).toBe('see /a/very/long\n  /path/to/a/fil\n  e')
  expect(wrapLines('│ 経費を申請したいのですが', 16)).toBe('│ 経費を申請した\n│   いのですが')
})

test('a rule is cut', () => expect(wrapLines('─'.repeat(63), 40)).toBe('─'.repeat(40)))

test('colours take no room and are not broken', () =>
  expect(wrapLines('  ├─ Turn 1: → \u001b[32mPASSED\u001b[39m', 24)).toBe('  ├─ Turn 1: → \u001b[32mPASSED\u001b[39m'))

test('no line is wider than the terminal, and nothing but blanks and bars is added or lost', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '経', '👩‍👧', 'é', '-'), maxLength: 200 })
  const lead = fc.constantFrom('', '  ', '  │          ', '  ├─ ')
  fc.assert(
    fc.property(lead, text, fc.integer({ min: 16, max: 80 }), (before, words, columns) => {
      const wrapped = wrapLines(`${before}${words}`, columns).split('\n')
      for (const line of wrapped) expect(displayWidth(line.trimEnd())).toBeLessThanOrEqual(columns)
      expect(wrapped.join('').replaceAll(/[ │├─]/g, '')).toBe(words.replaceAll(/[ │├─]/g, ''))
    }),
  )
})
