import { expect, test } from 'vitest'
import { jsonOrText, parseJson } from './parse-json.js'

test.each([
  ['{"a":1}', { a: 1 }],
  ['null', null],
  [' 1 ', 1],
])('%j is JSON', (text, value) => {
  expect(parseJson(text)).toEqual({ value })
  expect(jsonOrText(text)).toEqual(value)
})

test.each(['', '{', 'undefined', "{'a':1}"])('%j is not', (text) => {
  expect(parseJson(text)).toBeUndefined()
  expect(jsonOrText(text)).toBe(text)
})
