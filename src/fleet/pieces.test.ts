// Payloads come back as they went, whatever characters they are cut between.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { piecesOf } from './pieces.js'

test('pieces are small, and together are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.integer({ min: 4, max: 40 }), (text, bytes) => {
      const pieces = piecesOf(text, bytes)
      expect(pieces.join('')).toBe(text)
      for (const piece of pieces) expect(Buffer.byteLength(piece)).toBeLessThanOrEqual(bytes)
      expect(pieces.length).toBeGreaterThan(0)
    }),
  )
})
