import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shorten } from './shorten.js'

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

test('what fits a step is cut no further; numbers and verdicts stay', () => {
  const value = {
    passed: false,
    failed_count: 250,
    results: Array.from({ length: 250 }, (_, index) => ({ index, message: 'm'.repeat(500) })),
  }
  const shorter = shorten(value, (cut) => sizeOf(cut) <= 20_000)
  expect(shorter).toMatchObject({ passed: false, failed_count: 250 })
  expect(sizeOf(shorter)).toBeLessThanOrEqual(20_000)
  expect((shorter['results'] as unknown[]).length).toBe(25)
})

test('a long text says how much is missing, and is not cut within a character', () => {
  const { text } = shorten({ text: '😀'.repeat(5_000) }, (cut) => sizeOf(cut) < 8_000)
  expect(text).toMatch(/^(?:😀)+… \(\d+ more characters\)$/u)
})

test('any answer keeps its keys and scalars', () => {
  const scalars = fc.oneof(fc.integer(), fc.boolean(), fc.constant(null))
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(scalars, fc.jsonValue()), { maxKeys: 10 }), (value) => {
      const shorter = shorten(value, () => false)
      expect(Object.keys(shorter)).toEqual(Object.keys(value))
      for (const [key, item] of Object.entries(value))
        if (typeof item !== 'object' && typeof item !== 'string') expect(shorter[key]).toEqual(item)
    }),
  )
})
