import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortened, wordDiff, type Piece } from './word-diff.js'

const marked = (pieces: Piece[] | undefined) =>
  pieces?.map((piece) => (piece.changed ? `[${piece.text}]` : piece.text)).join('')

test('marks the words that differ, on both sides', () => {
  const columns = wordDiff('The total is 39.90 euros.', 'The total is 41.90 euros.')
  expect(marked(columns?.before)).toBe('The total is [39].90 euros.')
  expect(marked(columns?.after)).toBe('The total is [41].90 euros.')
})

test('keeps lines beside their counterparts', () => {
  const columns = wordDiff('Hello\n- Carrier: UPS\n- Day: Monday\n', 'Hello\n- Carrier: DHL\n- Day: Monday\n- More\n')
  expect(marked(columns?.before)).toBe('Hello\n- Carrier: [UPS]\n- Day: Monday\n')
  expect(marked(columns?.after)).toBe('Hello\n- Carrier: [DHL]\n- Day: Monday\n[- More\n]')
})

test('texts with nothing in common, and very long ones, are not marked', () => {
  expect(wordDiff('Yes, of course.', 'I cannot help with this matter')).toBeUndefined()
  expect(wordDiff(`${'a '.repeat(40_000)}b`, `${'a '.repeat(40_000)}c`)).toBeUndefined()
})

test('each side stays what it was, whatever the texts', () => {
  const text = fc.array(fc.constantFrom('the ', 'cat', ' sat', '\n', 'on', ', ', '日本', '42'), { maxLength: 30 })
  fc.assert(
    fc.property(text, text, (one, other) => {
      const [before, after] = [one.join(''), other.join('')]
      const columns = wordDiff(before, after)
      if (!columns) return
      expect(columns.before.map((piece) => piece.text).join('')).toBe(before)
      expect(columns.after.map((piece) => piece.text).join('')).toBe(after)
      const same = (pieces: Piece[]) =>
        pieces
          .filter((piece) => !piece.changed)
          .map((piece) => piece.text)
          .join('')
      expect(same(columns.before)).toBe(same(columns.after))
    }),
    { numRuns: 1000 },
  )
})

test('long stretches that are the same are cut, those that differ never', () => {
  const long = 'word '.repeat(1000)
  const pieces = shortened([
    { text: long },
    { text: long, changed: true },
    { text: long },
    { text: 'x', changed: true },
  ])
  expect(pieces.map((piece) => piece.skipped ?? piece.text.length)).toEqual([0, 4700, 300, 5000, 300, 4400, 300, 1])
})
