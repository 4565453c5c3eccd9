import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatHash, parseHash } from './address.js'

test('an address names a case, and a run where there are several', () => {
  expect(formatHash({ id: 'T001' })).toBe('#T001')
  expect(parseHash('#T001')).toEqual({ id: 'T001' })
  expect(parseHash('#T001/3')).toEqual({ id: 'T001', run: 3 })
})

test('no address, a key, and a broken one open nothing wrong', () => {
  expect(parseHash('')).toBeUndefined()
  expect(parseHash('#key=abc')).toBeUndefined()
  expect(parseHash('#%E0%A4%A')).toEqual({ id: '%E0%A4%A' })
})

test('any id finds its way back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      fc.pre(!id.startsWith('key='))
      expect(parseHash(formatHash({ id }))).toEqual({ id })
    }),
  )
})
