import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance } from './edit-distance.js'
import { suggest } from './suggest.js'

const KEYS = [
  'id',
  'input',
  'assert',
  'assertions',
  'timeout',
  'tags',
  'user',
  'name',
  'max_turns',
  'skip_reason',
  'expected',
]

test.each([
  ['asert', 'assert'],
  ['asserts', 'assert'],
  ['assertion', 'assertions'],
  ['aseert', 'assert'],
  ['inptu', 'input'],
  ['Input', 'input'],
  ['maxTurns', 'max_turns'],
  ['skipReason', 'skip_reason'],
  ['tag', 'tags'],
  ['expect', 'expected'],
  ['ids', 'id'],
])('%s → %s', (word, meant) => expect(suggest(word, KEYS)).toBe(meant))

test.each(['x', 'it', 'note', 'date', 'category', 'priority', '', 'owner', '__proto__'])(
  '%s is nobody’s near miss',
  (word) => expect(suggest(word, KEYS)).toBeUndefined(),
)

test('how words are joined does not matter', () => expect(suggest('tool-called', ['tool_called'])).toBe('tool_called'))

test('the distance of different words', () => expect(editDistance('kitten', 'sitting')).toBe(3))

test('a swap of neighbours is one slip', () => expect(editDistance('ab', 'ba')).toBe(1))

test('the distance is symmetric, and zero only for equal words', () => {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b) === 0).toBe(a === b)
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
    }),
  )
})
