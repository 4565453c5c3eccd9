import { expect, test } from 'vitest'
import { checkAssertion } from './compile.js'

const isRefused = (spec: object): boolean => Array.isArray(checkAssertion(spec, 'assert'))

test.each([
  'z*',
  '.*',
  'a?',
  '(?i)x*',
  'a|',
  '^',
  '$',
  '\\s*',
  '(?s)^.*$',
  '[\\s\\S]*',
  '(abc)*',
  '(?:)',
  'x{0,3}',
  '\\d*?',
])('every text matches %s: refused', (value) => {
  expect(isRefused({ type: 'regex', value })).toBe(true)
  expect(isRefused({ type: 'regex', pattern: value })).toBe(true)
  expect(isRefused({ type: 'stdout_contains', pattern: value })).toBe(true)
  expect(isRefused({ type: 'all', assertions: [{ type: 'regex', value }] })).toBe(true)
  expect(isRefused({ type: 'regex', value, negate: true })).toBe(false)
  expect(isRefused({ type: 'regex', value, path: '$.a' })).toBe(false)
})

test.each([
  '^$',
  '^[a-z ]*$',
  '^\\s*$',
  '^.*$',
  '^[^<>]*$',
  '^[^`]*$',
  '(?s)^.{0,280}$',
  '(?s)^.{0,1000}$',
  '^(?:[^e]|e[^r])*$',
  '^(?:[^x]|x[^y])*x?$',
  '^(?:[^e]|e[^r]|er[^r])*$',
  'a',
  'z+',
  '\\d{3}-\\d{4}',
  '^(yes|no)?$',
  '\\A\\z',
])('some text does not match %s: taken', (value) => expect(isRefused({ type: 'regex', value })).toBe(false))

test.each([
  ['z*', true],
  ['(?=)', true],
  ['(?:(?=x)x)?', true],
  ['^(?!.*sorry)', false],
  ['^(?!.*\\d{3}-\\d{2})', false],
  ['^[^<>]*$', false],
  ['^[\\s\\S]{0,5000}$', false],
  ['(?<!a)', false],
  ['^(\\w+\\s?)*$', false],
  ['^((a+)+)*$', false],
])('with the JavaScript engine: %s', (value, refused) =>
  expect(isRefused({ type: 'regex', value, engine: 'js' })).toBe(refused),
)

test.each([
  { type: 'tool_called', name: 'f', times: { min: 0 } },
  { type: 'length', min: 0 },
  { type: 'words', min: 0 },
  { type: 'equals', value: { $any: true } },
  { type: 'rubric', criterion: 'x', threshold: 1 },
  { type: 'contains', value: [] },
  { type: 'not_contains', value: [] },
  { type: 'contains', value: ['a', ''] },
])('%j cannot fail, or checks nothing: refused', (spec) => expect(isRefused(spec)).toBe(true))

test.each([
  { type: 'tool_called', name: 'f', times: { min: 0, max: 2 } },
  { type: 'tool_called', name: 'f', times: 0 },
  { type: 'tool_called', name: 'f', times: { max: 0 } },
  { type: 'length', min: 0, max: 5 },
  { type: 'equals', value: { a: { $any: true } } },
  { type: 'json_path', path: '$.a', value: { $any: true } },
  { type: 'rubric', criterion: 'x', threshold: 2 },
])('%j can fail: taken', (spec) => expect(isRefused(spec)).toBe(false))
