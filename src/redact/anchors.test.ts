import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnchorScan } from './anchors.js'

test('finds the owners of exactly those anchors that occur, whatever their case', () => {
  const letters = fc.constantFrom('a', 'b', 'B', 'c', '-', '"')
  const anchor = fc.string({ unit: letters, minLength: 1, maxLength: 5 })
  const text = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'c', 'C', '-', '"', 'x', ' '), maxLength: 40 })
  fc.assert(
    fc.property(fc.array(fc.array(anchor, { maxLength: 4 }), { maxLength: 6 }), text, (anchors, input) => {
      const occurs = (part: string): boolean => input.toLowerCase().includes(part.toLowerCase())
      const owners = anchors.flatMap((parts, owner) => (parts.some(occurs) ? [owner] : []))
      expect(createAnchorScan(anchors).find(input) ?? []).toEqual(owners)
    }),
    { numRuns: 1000 },
  )
})

test('beyond ASCII all characters are one', () => {
  const scan = createAnchorScan([['kéy']])
  expect(scan.find('a KÉY')).toEqual([0])
  expect(scan.find('a key')).toBeUndefined()
})
