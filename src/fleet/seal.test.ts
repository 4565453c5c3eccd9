// A sealed text opens with the same key, for the same thing, unchanged; or not at all.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeal } from './seal.js'

const seal = createSeal({ VIVA_QUEUE_KEY: 'sixteen letters!' })

test('opens for what it was closed for, and for nothing else', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (about, text) => {
      const closed = seal.close(about, text)
      expect(seal.open(about, closed)).toBe(text)
      expect(seal.open(`${about} `, closed)).toBeUndefined()
      expect(seal.open(about, `${closed}x`)).toBeUndefined()
      expect(seal.open(about, `A${closed}`)).toBeUndefined()
      expect(createSeal({ VIVA_QUEUE_KEY: 'sixteen letters?' }).open(about, closed)).toBeUndefined()
    }),
  )
  for (const text of ['', 'x', 'A'.repeat(44)]) expect(seal.open('a', text)).toBeUndefined()
})
