import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatHash, parseHash, type Address } from './address.js'
import { FAILURES_FIRST, NO_FILTER } from './filter.js'

const plain: Address = {
  place: undefined,
  filter: NO_FILTER,
  sort: FAILURES_FIRST,
  viewed: undefined,
  earlier: undefined,
}

test('an address names a case, and a run where there are several', () => {
  expect(formatHash(plain)).toBe('')
  expect(formatHash({ ...plain, place: { id: 'T001' } })).toBe('#T001')
  expect(parseHash('#T001')).toEqual({ ...plain, place: { id: 'T001' } })
  expect(parseHash('#T001/3').place).toEqual({ id: 'T001', run: 3 })
})

test('filters and the order follow the case', () => {
  const address: Address = {
    place: { id: 'a?b', run: 2, variant: 'mini' },
    filter: {
      text: 'two words & more',
      status: 'failed',
      tag: '#tag',
      kind: 'timeout',
      cause: 'timed out after …',
      change: 'all',
      variant: 'fast',
      differ: 'verdicts',
    },
    sort: { key: 'duration', descending: true },
    viewed: 'abc',
    earlier: 'def',
  }
  const hash = formatHash(address)
  expect(hash).toBe(
    '#a%3Fb/2?q=two+words+%26+more&status=failed&tag=%23tag&kind=timeout&cause=timed+out+after+%E2%80%A6&change=all&variant=fast&differ=verdicts&show=mini&sort=-duration&view=abc&with=def',
  )
  expect(parseHash(hash)).toEqual(address)
  expect(formatHash({ ...plain, filter: { ...NO_FILTER, status: 'flaky' } })).toBe('#?status=flaky')
})

test('no address, a key, and a broken one open nothing wrong', () => {
  expect(parseHash('')).toEqual(plain)
  expect(parseHash('#key=abc')).toEqual(plain)
  expect(parseHash('#?status=nonsense&change=x&sort=constructor')).toEqual(plain)
  expect(parseHash('#%E0%A4%A').place).toEqual({ id: '%E0%A4%A' })
})

test('any id and any text find their way back', () => {
  const words = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), words, words, (id, text, tag) => {
      fc.pre(!id.startsWith('key='))
      const address = { ...plain, place: { id }, filter: { ...NO_FILTER, text, tag } }
      expect(parseHash(formatHash(address))).toEqual(address)
    }),
  )
})
