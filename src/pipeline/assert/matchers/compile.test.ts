import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileMatcher } from './compile.js'
import { MatcherError } from './matcher.js'

const matches = (expected: unknown, actual: unknown) => compileMatcher(expected).mismatches(actual).length === 0

test('objects may have more keys, lists must have the same length', () => {
  expect(matches({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 })).toBe(true)
  expect(matches({ a: 1 }, {})).toBe(false)
  expect(matches([{ a: 1 }], [{ a: 1, b: 2 }])).toBe(true)
  expect(matches([1], [1, 2])).toBe(false)
  expect(matches([1], { 0: 1 })).toBe(false)
  expect(matches({ 0: 1 }, [1])).toBe(false)
})

test('operators in the leaves', () => {
  expect(matches({ a: { $regex: '^x\\d' } }, { a: 'x1' })).toBe(true)
  expect(matches({ a: { $regex: '^x' } }, { a: { b: 'x' } })).toBe(false)
  expect(matches({ n: { $gt: 1, $lte: 5 } }, { n: 5 })).toBe(true)
  expect(matches({ n: { $gt: 1 } }, { n: '2' })).toBe(false)
  expect(matches({ n: { $gte: 2, $lt: 3 } }, { n: 3 })).toBe(false)
  expect(matches({ d: { $gt: '2024-01-01' } }, { d: '2024-06-01' })).toBe(true)
  expect(matches({ a: { $any: true } }, { a: null })).toBe(true)
  expect(matches({ a: { $any: true } }, {})).toBe(false)
  expect(matches({ a: { $in: ['x', 'y'] } }, { a: 'y' })).toBe(true)
  expect(matches({ a: { $ne: 'x' } }, { a: 'x' })).toBe(false)
})

test('regex: strings only where asked for', () => {
  expect(matches('regex:^a', 'abc')).toBe(false)
  expect(compileMatcher({ id: 'regex: ^a' }, { regexStrings: true }).mismatches({ id: 'abc' })).toEqual([])
})

test('mismatches have a path', () => {
  expect(compileMatcher({ a: [{ b: 1 }], c: 2 }).mismatches({ a: [{ b: 5 }] })).toEqual([
    { path: '$.a[0].b', expected: 1, actual: 5, missing: false },
    { path: '$.c', expected: 2, actual: undefined, missing: true },
  ])
})

test('what cannot be built is refused', () => {
  for (const bad of [
    { a: { $regx: 'x' } },
    { a: { $regex: '(' } },
    { a: { $gt: null } },
    { a: { $any: false } },
    { a: { $in: 1 } },
  ]) {
    expect(() => compileMatcher(bad)).toThrow(MatcherError)
  }
})

test('inherited properties are not there', () => {
  expect(matches({ constructor: { $any: true } }, {})).toBe(false)
  expect(matches({ toString: { $any: true } }, { toString: 1 })).toBe(true)
})

test('every value is a subset of itself, and an object of itself with more', () => {
  const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('"$'))
  fc.assert(
    fc.property(value, (json) => {
      expect(matches(json, JSON.parse(JSON.stringify(json)))).toBe(true)
    }),
  )
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer()),
      fc.dictionary(fc.constantFrom('d', 'e'), fc.integer()),
      (some, more) => {
        expect(matches(some, { ...more, ...some })).toBe(true)
      },
    ),
  )
})
