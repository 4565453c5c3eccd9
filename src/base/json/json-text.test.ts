import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { countKeys, dropProtoKeys, isFaithful, mayHaveProtoKey, numberProblem, scanJson } from './json-text.js'

test('in valid JSON the colons outside strings are the keys', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, pretty) => {
      const parsed = JSON.parse(JSON.stringify(value)) as unknown
      const scan = scanJson(JSON.stringify(value, null, pretty ? 2 : 0))
      expect(scan).toMatchObject({ depth: 0, openString: false, colons: countKeys(parsed) })
    }),
  )
})

test('any text can be scanned', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ':', '1', 'e', 'x') }),
      (text) => void scanJson(text),
    ),
  )
})

test('repeated keys leave fewer keys than colons', () => {
  const text = '{"a":1,"b":{"a":2,"a":3}}'
  expect(scanJson(text).colons).toBe(4)
  expect(countKeys(JSON.parse(text))).toBe(3)
})

test.each([
  ['1e400', 'out of range'],
  ['1e-400', 'out of range'],
  ['9007199254740993', 'loses precision'],
  ['123456789012345678901234567890', 'loses precision'],
])('%s: %s', (literal, message) => {
  expect(numberProblem(literal)).toContain(message)
  expect(scanJson(`{"a":[1,${literal}]}`).badNumbers).toEqual([{ offset: 8, message: numberProblem(literal) }])
})

test.each(['9007199254740992', '100000000000000000000', '0.30000000000000004', '1e20', '0e0', '0', '1e-5', '-12'])(
  '%s survives',
  (literal) => expect(scanJson(`[${literal}]`).badNumbers).toBeUndefined(),
)

test('__proto__ keys are dropped at every level, also when spelled with escapes', () => {
  const text = String.raw`{"a":[{"\u005f_proto__":{"x":1},"b":1}],"__proto__":2}`
  expect(mayHaveProtoKey(text)).toBe(true)
  const value = JSON.parse(text) as unknown
  expect(dropProtoKeys(value)).toBe(true)
  expect(JSON.stringify(value)).toBe('{"a":[{"b":1}]}')
  expect(dropProtoKeys(value)).toBe(false)
})

test('a value is faithful to its text only when nothing was lost on the way', () => {
  const check = (text: string) => isFaithful(JSON.parse(text), text)
  expect(check('{"a":1,"b":[{"c":"x:y"}]}')).toBe(true)
  expect(check('{ "a" : 1, "b": [ { "c": "x:y" } ] }')).toBe(true)
  expect(check('{"a":1,"a":1}')).toBe(false)
  expect(check('{"a":9007199254740993}')).toBe(false)
  expect(check('{"a":1e400}')).toBe(false)
  expect(check(`${'['.repeat(100)}${']'.repeat(100)}`)).toBe(true)
  expect(check(`${'['.repeat(101)}${']'.repeat(101)}`)).toBe(false)
})
