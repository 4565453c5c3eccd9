import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { explainJson, findRepeatedKeys, locateField } from './json-error.js'

test.each([
  ['{"a":1,}', 6, 'trailing comma before "}"'],
  ['{"a":[1,]}', 7, 'trailing comma before "]"'],
  ["{'a':1}", 1, 'JSON needs double quotes, found single quotes'],
  ['{“a”:1}', 1, 'curly quotes'],
  ['{a:1}', 1, 'key without quotes'],
  ['{"a":NaN}', 5, 'NaN is not JSON'],
  ['{"a":-Infinity}', 5, '-Infinity is not JSON'],
  ['{"a":None}', 5, 'None is not JSON'],
  ['{"a":1} // why', 8, 'comment beside JSON'],
  ['{"a":1} # why', 8, 'comment beside JSON'],
  ['{"a":"x\ty"}', 7, 'raw tab in text: control characters must be escaped, write \\t'],
  ['{"a":"x\u0001"}', 7, 'U+0001 in text: control characters must be escaped, write \\u0001'],
  ['{"a":"x', 5, 'text is not closed'],
  ['{"a":', 5, 'unexpected end'],
  ['{"a":1', 6, 'unexpected end'],
  ['{"a" 1}', 5, 'missing ":" after the key'],
  ['{"a":1 "b":2}', 7, 'missing ","'],
  ['{"a":01}', 5, 'must not begin with 0'],
  ['{"a":1.}', 5, 'incomplete number'],
  [String.raw`{"a":"C:\xy"}`, 8, 'bad escape'],
  [String.raw`{"a":"\\\u12"}`, 8, 'bad escape'],
  ['{"a":1}{"b":2}', 7, 'a second value on this line'],
  ['{"a":1},', 7, 'comma after the value'],
  ['{"a":1}}', 7, 'nothing is open here'],
  ['\uFEFF{"a":1}', 0, 'BOM'],
  ['{"a":}', 5, 'missing value after ":"'],
  ['{"a":1}\r{"b":2}\r', 7, 'CR line endings'],
  ['{"a":1,,"b":2}', 7, 'unexpected ","'],
  ['{1:2}', 1, 'expected a key in double quotes'],
  ['\0\0', 0, 'NUL byte'],
  ['['.repeat(200), 0, 'nesting deeper than 100 levels'],
])('%j → offset %d, %s', (text, offset, message) => {
  const mistake = explainJson(text)
  expect(mistake.message).toContain(message)
  expect(mistake.offset).toBe(offset)
})

test('None and bare keys have a suggestion', () => {
  expect(explainJson('{"a":None}').suggestion).toBe('null')
  expect(explainJson('{id:1}').suggestion).toBe('id')
})

test('whatever JSON.parse refuses has an explanation inside the text', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    '"',
    ',',
    ':',
    '1',
    'true',
    ' ',
    '\n',
    '\\',
    'x',
    "'",
    '\t',
    '-',
    '.',
    '"a"',
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      try {
        JSON.parse(text)
      } catch {
        const { offset, message } = explainJson(text)
        expect(message).not.toMatch(/^not JSON$/)
        expect(offset).toBeGreaterThanOrEqual(0)
        expect(offset).toBeLessThanOrEqual(text.length)
      }
    }),
    { numRuns: 3000 },
  )
})

test('repeated keys are found with both places', () => {
  expect(findRepeatedKeys('{"a":1,"b":[{"c":1,"c":2}],"a":3}')).toEqual([
    { key: 'c', path: 'b[0].c', offset: 19, first: 13 },
    { key: 'a', path: 'a', offset: 27, first: 1 },
  ])
})

test('a field is found by its key, a missing one by what is around it', () => {
  const text = '{"a":{"b":[1,{"c":2}]}}'
  expect(text.slice(locateField(text, 'a.b[1].c'))).toMatch(/^"c"/)
  expect(text.slice(locateField(text, 'a.b[1].missing'))).toMatch(/^\{"c"/)
  expect(locateField(text, 'nothing')).toBe(0)
  expect(locateField(text, '')).toBe(0)
})
