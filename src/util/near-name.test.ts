import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance, nearName } from './near-name.js'

test('a slip of the finger is recognised, another word is not', () => {
  expect(nearName('contians', ['contains', 'equals'])).toBe('contains')
  expect(nearName('tool-called', ['tool_called'])).toBe('tool_called')
  expect(nearName('negat', ['negate', 'label'])).toBe('negate')
  expect(nearName('comment', ['negate', 'label', 'value'])).toBeUndefined()
})

test('edit distance is a metric', () => {
  expect(editDistance('kitten', 'sitting')).toBe(3)
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b) === 0).toBe(a === b)
      expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c))
    }),
  )
})
