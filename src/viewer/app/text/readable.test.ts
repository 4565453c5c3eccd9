import { expect, test } from 'vitest'
import { jsonIn, readableText } from './readable.js'

test('indents like JSON, with line breaks and quotation marks as they are', () => {
  expect(readableText({ b: [1, null], a: 'say "hi"\nthere', c: {} })).toBe(
    '{\n  "b": [\n    1,\n    null\n  ],\n  "a": "say "hi"\n    there",\n  "c": {}\n}',
  )
  expect(readableText({ b: 1, a: 2 }, true)).toBe('{\n  "a": 2,\n  "b": 1\n}')
  expect(readableText('text')).toBe('text')
})

test('data of any depth is shown', () => {
  let deep: unknown = 'end'
  for (let depth = 0; depth < 500; depth += 1) deep = [deep]
  expect(readableText(deep)).toContain('"end"')
})

test('finds the JSON in a text that is nothing else', () => {
  expect(jsonIn(' {"a": 1} ')).toEqual({ a: 1 })
  for (const text of ['12', '"a"', 'null', 'see {"a": 1}', '{a}', '[link](x)']) expect(jsonIn(text)).toBeUndefined()
})
