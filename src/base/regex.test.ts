import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compilePattern, PatternError } from './regex.js'

function matches(pattern: string, text: string) {
  expect(compilePattern(pattern).test(text), `${pattern} on ${text.slice(0, 40)}`).toBe(true)
}

function refused(pattern: string, message: string, position?: number) {
  try {
    compilePattern(pattern)
  } catch (error) {
    expect(error).toBeInstanceOf(PatternError)
    expect((error as PatternError).message).toContain(message)
    expect((error as PatternError).position).toBe(position)
    return error as PatternError
  }
  throw new Error(`${pattern} was accepted`)
}

test("Go's spellings", () => {
  matches('(?i)hello', 'HELLO there')
  matches('(?s)a.b', 'a\nb')
  matches('\\Aabc\\z', 'abc')
  matches('(?P<year>\\d{4})', 'in 2024')
  matches('\\x{65e5}', '日')
  matches('[[:digit:]]+', 'a1')
  matches('\\Qa.b\\E', 'a.b')
  matches('\\p{Han}', '日')
  expect(compilePattern('\\Qa.b\\E').test('axb')).toBe(false)
  expect(compilePattern('\\Aabc\\z').test('xabc')).toBe(false)
})

test("JavaScript's spellings", () => {
  matches('(?<year>\\d{4})', 'in 2024')
  matches('\\u65e5', '日')
  matches('\\u{1F600}', '😀')
  matches('[\\u0041-\\u0043]', 'B')
  matches('\\cJ', '\n')
  matches('a[^]b', 'a\nb')
  matches('\\/path\\/', '/path/')
  matches('{"a"', 'x {"a": 1}')
})

test('a plain pattern is a plain search', () => {
  matches('TestSystem', 'TestSystemReady')
  expect(compilePattern('TestSystem').find('my TestSystem')).toEqual({ index: 3, text: 'TestSystem' })
  expect(compilePattern('order-\\d+').find('an order-17 here')).toEqual({ index: 3, text: 'order-17' })
  expect(compilePattern('order-\\d+').find('none')).toBeUndefined()
})

test('what cannot be compiled is refused with its place', () => {
  refused('(unclosed', 'missing closing )', 0)
  refused('ab(c(d)', 'missing closing )', 2)
  refused('a)b', 'unexpected )', 1)
  refused('[abc', 'missing closing ]', 0)
  refused('x**', 'nested repetition', 1)
  refused('*a', 'repetition operator', 0)
  refused('a{1001}', 'repeat count', 1)
  refused('a\\', 'trailing backslash', 1)
  refused('end\\Z', '\\z', 3)
  refused('\\h+', 'unknown escape', 0)
})

test('look-around and back-references point to the js engine', () => {
  for (const [pattern, position] of [
    ['a(?=b)', 1],
    ['(?!x)y', 0],
    ['(?<=a)b', 0],
    ['(?<!a)b', 0],
    ['(a)\\1', 3],
    ['(?<n>a)\\k<n>', 7],
  ] as const) {
    expect(refused(pattern, '"engine": "js"', position).needsJs).toBe(true)
  }
})

test('the same characters in a class or quoted are not look-around', () => {
  matches('[(?=]', '=')
  matches('\\(\\?=', '(?=')
  matches('\\Q(?=\\E', '(?=')
})

test('a pattern of more than 100,000 characters is refused, and one that is larger once written out', () => {
  refused('a'.repeat(100_001), '100001 characters')
  refused('(?:abc|def){900}'.repeat(80), 'too large')
  matches('a'.repeat(1000), 'a'.repeat(1000))
})

test('text beyond 1 MB is not searched', () => {
  expect(compilePattern('needle\\d').test(`${'x'.repeat(1024 * 1024)}needle1`)).toBe(false)
  expect(compilePattern('needle').test(`${'x'.repeat(1024 * 1024)}needle`)).toBe(false)
})

const HOSTILE = [
  '(a+)+$',
  '([a-zA-Z]+)*$',
  '(a|aa)+$',
  '(a|a?)+$',
  '(.*a){20}$',
  '(x+x+)+y',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(?:a{0,30}){0,30}b',
  '(\\w+\\s?)+$',
  '.*.*.*.*.*=',
]

test('hostile patterns end, whatever the text', () => {
  for (const pattern of HOSTILE) {
    for (const unit of ['a', 'x', 'a ', 'ab'])
      expect(typeof compilePattern(pattern).test(`${unit.repeat(50_000)}!`)).toBe('boolean')
  }
})

test('patterns that would grow without bound are refused', () => {
  for (const pattern of ['((a{100}){100}){100}', '(((((a{10}){10}){10}){10}){10})'])
    expect(() => compilePattern(pattern)).toThrow(PatternError)
})

test('any pattern is compiled or refused, never anything else', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ab\\()[\]{}|*+?.^$1,kuxQE<>=!P:i-]{0,30}$/), fc.string(), (pattern, text) => {
      try {
        compilePattern(pattern).test(text)
      } catch (error) {
        expect(error).toBeInstanceOf(PatternError)
      }
    }),
    { numRuns: 2000 },
  )
})

test('patterns both engines know mean the same', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '\\w', '\\bfoo', '(?:ab)', '(a|b)')
  const piece = fc.tuple(atom, fc.constantFrom('', '*', '+', '?', '{1,2}')).map(([left, right]) => left + right)
  const pattern = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(pattern, fc.stringMatching(/^[ab1 foo]{0,20}$/), (source, text) => {
      expect(compilePattern(source).test(text)).toBe(new RegExp(source).test(text))
    }),
  )
})
