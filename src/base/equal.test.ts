import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstDifference, isEqual, isSameAnswer, joinPath } from './equal.js'

test('key order does not matter, list order does', () => {
  expect(isEqual({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true)
  expect(isEqual([1, 2], [2, 1])).toBe(false)
})

test('a list is not an object with the same indexes', () => {
  expect(isEqual([1], { 0: 1 })).toBe(false)
  expect(isEqual({ 0: 1 }, [1])).toBe(false)
})

test('null, missing and false are three things', () => {
  expect(isEqual({ a: null }, {})).toBe(false)
  expect(isEqual(null, false)).toBe(false)
  expect(isEqual({ a: undefined }, {})).toBe(true)
})

test('inherited properties are not there', () => {
  expect(isEqual({ constructor: 1 }, {})).toBe(false)
  expect(isEqual({}, JSON.parse('{"__proto__": 1}'))).toBe(false)
  expect(isEqual(JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}'))).toBe(true)
})

test('text that is JSON for the other side is the same answer, text against text is compared as text', () => {
  expect(isSameAnswer({ a: 1 }, '{"a": 1.0}')).toBe(true)
  expect(isSameAnswer('{"a": 1}', { a: 1 })).toBe(true)
  expect(isSameAnswer('{"a": 1}', '{"a":1}')).toBe(false)
  expect(isSameAnswer({ a: 1 }, 'the answer is {"a": 1}')).toBe(false)
})

test('the first difference has a path', () => {
  expect(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).toEqual({
    path: '$.a[1].b',
    expected: 2,
    actual: 3,
  })
  expect(firstDifference({ a: 1 }, {})).toMatchObject({ path: '$.a', missing: 'actual' })
  expect(firstDifference([], [1])).toMatchObject({ path: '$[0]', missing: 'expected' })
  expect(firstDifference({ 'a b': 1 }, { 'a b': 2 })).toMatchObject({ path: '$["a b"]' })
  expect(firstDifference(1, 1)).toBeUndefined()
  expect(joinPath('$', '日本')).toBe('$.日本')
})

test('equality is symmetric and agrees with the difference', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      expect(isEqual(left, right)).toBe(isEqual(right, left))
      expect(isSameAnswer(left, right)).toBe(isSameAnswer(right, left))
      expect(firstDifference(left, right) === undefined).toBe(isEqual(left, right))
    }),
  )
})

test('a copy is equal, and JSON for it is the same answer', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value)
      const copy: unknown = JSON.parse(text)
      expect(isEqual(copy, JSON.parse(text))).toBe(true)
      if (typeof copy !== 'string') expect(isSameAnswer(copy, text)).toBe(true)
    }),
  )
})
