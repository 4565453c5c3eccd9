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

test.each([
  ['records', { truncated: true, next_offset: 300 }],
  ['records', { truncated: false }],
  ['timeline', { truncated: false }],
])('a shortened page of %s with %j continues after the last one shown', (key, counts) => {
  const total_matched = counts.truncated ? 1000 : 300
  // From the 51st to the 300th.
  const page = Array.from({ length: 250 }, (_, index) => ({ at: 50 + index, text: 'm'.repeat(500) }))
  const shorter = shorten({ [key]: page, total_matched, ...counts }, (cut) => sizeOf(cut) <= 20_000)
  const last = (shorter[key] as typeof page).at(-1)
  expect(shorter).toMatchObject({ total_matched, truncated: true, next_offset: Number(last?.at) + 1 })
  expect(sizeOf(shorter)).toBeLessThanOrEqual(20_000)
})

test('a page of which only texts were cut continues where it did', () => {
  const whole = { records: [{ text: 'm'.repeat(9_000) }], total_matched: 1, truncated: false }
  const shorter = shorten(whole, (cut) => sizeOf(cut) <= 5_000)
  expect(shorter).toMatchObject({ truncated: false })
  expect(shorter).not.toHaveProperty('next_offset')
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
