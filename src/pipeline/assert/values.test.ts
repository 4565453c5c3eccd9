// What it means that a value is contained, equal, or matched by an operator.
import { expectedAssertion } from '../../model/expected-assertion.js'
import { describe, expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { Problem } from '../../errors.js'
import { checkAssertion } from './compile.js'

const passes = async (spec: object, output: unknown): Promise<boolean> => (await checkOne(spec, { output })).passed

test('contains with a list: all of them', async () => {
  const spec = { type: 'contains', value: ['refund', 'credit'] }
  expect(await passes(spec, 'a refund or credit')).toBe(true)
  expect(await passes(spec, 'a refund')).toBe(false)
  expect(await passes(spec, '["refund","credit"]')).toBe(true)
  expect(await passes(spec, ['credit', 'refund', 'x'])).toBe(true)
  expect(await passes(spec, ['credit'])).toBe(false)
  expect((await checkOne(spec, { output: 'a refund' })).message).toContain('does not contain "credit"')
  expect(await passes({ type: 'contains', value: [1, 2] }, [[1, 2], [3]])).toBe(true)
})

test('not_contains with a list: none of them', async () => {
  const spec = { type: 'not_contains', value: ['error', 'sorry'] }
  expect(await passes(spec, 'all is well')).toBe(true)
  expect(await passes(spec, 'sorry, no')).toBe(false)
  expect(await passes(spec, 'an error')).toBe(false)
  expect(await passes(spec, ['error'])).toBe(false)
  expect(await passes({ type: 'not_contains', value: [1, 2] }, [[1, 2]])).toBe(false)
  expect(await passes({ ...spec, ignore_case: true }, 'ERROR')).toBe(false)
})

test('data knows 1.0 only as 1', async () => {
  for (const output of [[1, 2], { n: 1 }, { list: [{ n: 1 }] }]) {
    expect(await passes({ type: 'contains', value: '1.0' }, output), JSON.stringify(output)).toBe(true)
    expect(await passes({ type: 'not_contains', value: '1.0' }, output), JSON.stringify(output)).toBe(false)
  }
  expect(await passes({ type: 'contains', value: '1.0' }, [10, '1'])).toBe(false)
})

test('objects are searched by their values, not only as escaped JSON', async () => {
  for (const [value, output] of [
    ['say "no"', { a: { b: ['they say "no"'] } }],
    ['line one\nline two', { text: 'line one\nline two' }],
    ['C:\\temp', { path: 'C:\\temp\\x' }],
    [{ b: 2, a: 1 }, { x: { a: 1, b: 2 } }],
    ['secret "key"', { 'secret "key"': 1 }],
    ['"a":1', { a: 1 }],
    [5, { n: 5 }],
  ] as const) {
    expect(await passes({ type: 'not_contains', value }, output), JSON.stringify(value)).toBe(false)
    expect(await passes({ type: 'contains', value }, output), JSON.stringify(value)).toBe(true)
  }
  expect(await passes({ type: 'not_contains', value: 'maybe "no"' }, { a: 'they say "no"' })).toBe(true)
})

test.each([
  [{ $gt: 5 }, 6, true],
  [{ $gt: 5 }, 5, false],
  [{ $gte: 5, $lt: 7 }, 5, true],
  [{ $regex: '^A-\\d+$' }, 'A-12', true],
  [{ $regex: '^A-\\d+$' }, 'B-12', false],
  [{ $in: ['a', 'b'] }, 'b', true],
  [{ $ne: 'a' }, 'a', false],
  [{ total: { $gt: 10 }, unit: 'EUR' }, { total: 11, unit: 'EUR' }, true],
  [{ total: { $gt: 10 }, unit: 'EUR' }, { total: 11, unit: 'EUR', more: 1 }, false],
  [{ total: { $gt: 10 } }, { total: 9 }, false],
  [[{ $gt: 1 }, { $any: true }], [2, null], true],
  [[{ $gt: 1 }], [2, 3], false],
  [{ $gt: 5 }, { $gt: 5 }, false],
  [{ $$gt: 5 }, { $gt: 5 }, true],
  [{ $$gt: 5 }, { $$gt: 5 }, false],
  [{ $ref: '#/a' }, { $ref: '#/a' }, true],
  [{ $ref: '#/a' }, { $ref: '#/b' }, false],
])('%j against %j: %s, in equals and json_path', async (value, actual, expected) => {
  expect(await passes({ type: 'equals', value }, actual)).toBe(expected)
  expect(await passes({ type: 'json_path', path: '$.x', value }, { x: actual })).toBe(expected)
  expect(await passes({ type: 'equals', path: '$.x', value }, { x: actual })).toBe(expected)
  if (typeof actual === 'object') expect(await passes({ type: 'equals', value }, JSON.stringify(actual))).toBe(expected)
})

test('operators in a list are alternatives against a single value, and a mistyped one is refused', async () => {
  const spec = { type: 'json_path', path: '$.x', value: [{ $lt: 0 }, { $gt: 10 }] }
  expect(await passes(spec, { x: 11 })).toBe(true)
  expect(await passes(spec, { x: 5 })).toBe(false)
  for (const value of [{ $gtt: 5 }, { a: { $regx: 'x' } }, { $gt: 5, $foo: 1 }, { $in: 5 }, { $regex: '(' }]) {
    expect(Array.isArray(checkAssertion({ type: 'equals', value }, 'assert')), JSON.stringify(value)).toBe(true)
  }
  const doubts: Problem[] = []
  checkAssertion({ type: 'equals', value: { a: { $price: 5 } } }, 'assert', doubts)
  expect(doubts).toEqual([{ field: 'assert.value', message: '"$price" is not an operator and is compared as it is' }])
})

test('an operator that fails says where', async () => {
  const result = await checkOne({ type: 'equals', value: { total: { $gt: 10 } } }, { output: '{"total": 9}' })
  expect(result.message).toBe('output does not match at $.total: expected above 10, got 9')
  const extra = await checkOne({ type: 'equals', value: { total: { $gt: 10 } } }, { output: { total: 11, x: 1 } })
  expect(extra.message).toBe('output does not match at $.x: not expected, found 1')
})

test('whole numbers are compared exactly', async () => {
  const near = 2 ** 53
  expect(await passes({ type: 'equals', value: near }, '9007199254740993')).toBe(false)
  expect(await passes({ type: 'equals', value: near }, '9007199254740992')).toBe(true)
  expect(await passes({ type: 'equals', value: -near }, '-9007199254740993')).toBe(false)
  expect(await passes({ type: 'equals', value: near }, '9007199254740993.0')).toBe(false)
  expect(await passes({ type: 'equals', value: { id: near } }, '{"id": 9007199254740993}')).toBe(false)
  expect(await passes({ type: 'json_path', path: '$.id', value: near }, '{"id": 9007199254740993}')).toBe(false)
  expect(await passes({ type: 'json_path', path: '$.id', value: [1, near] }, '{"id": 9007199254740993}')).toBe(false)
  expect(await passes({ type: 'json_path', path: '$.n', value: 1 }, '{"n": 1, "id": 9007199254740993}')).toBe(true)
  expect(await passes({ type: 'equals', value: { id: '9007199254740993' } }, '{"id": "9007199254740993"}')).toBe(true)
  expect(await passes({ type: 'equals', value: near, negate: true }, '9007199254740993')).toBe(true)
  expect(await passes({ type: 'equals', value: 0.1 }, '0.1000000000000000055511151231257827')).toBe(true)
  const { message } = await checkOne(
    { type: 'json_path', path: '$.id', value: near },
    { output: '{"id": 9007199254740993}' },
  )
  expect(message).toContain('too large to be compared exactly')
})

test('lists of lists in json_path: list against list is equality, never any of', async () => {
  const at = (value: unknown) => ({ type: 'json_path', path: '$.x', value })
  expect(await passes(at([[1, 2], [3]]), { x: [[1, 2], [3]] })).toBe(true)
  expect(await passes(at([[1, 2], [3]]), { x: [[3], [1, 2]] })).toBe(false)
  expect(await passes(at([[1, 2], [3]]), { x: [1, 2] })).toBe(false)
  expect(await passes(at([1, 2]), { x: [[1, 2]] })).toBe(false)
  expect(await passes(at([1, 2]), { x: 2 })).toBe(true)
  expect(await passes({ type: 'json_path', path: '$.x[*]', value: [[1], [2]] }, { x: [[1], [2]] })).toBe(true)
  expect(await passes({ type: 'json_path', path: '$.x[*]', value: [1] }, { x: [[1]] })).toBe(true)
})

test('json_path: what a query for several finds is a list, also where it finds one', async () => {
  const spec = { type: 'json_path', path: '$.items[*].name', value: ['a', 'b'] }
  const items = (...names: string[]) => ({ items: names.map((name) => ({ name })) })
  expect(await passes(spec, items('a', 'b'))).toBe(true)
  expect(await passes(spec, items('a'))).toBe(false)
  expect(await passes({ ...spec, path: '$.items[?@.name == "a"].name' }, items('a', 'c'))).toBe(false)
  expect(await passes({ ...spec, value: [null, 'a'] }, { items: [] })).toBe(false)
  expect(await passes({ ...spec, value: ['a'] }, items('a'))).toBe(true)
  expect(await passes({ ...spec, value: 'a' }, items('a'))).toBe(true)
  expect(await passes({ ...spec, negate: true }, items('a'))).toBe(false)
  expect(await passes({ ...spec, negate: true }, items('c'))).toBe(true)
})

describe('what a query for several finds is checked alike, be it one or two', () => {
  const at = (spec: object, ...values: unknown[]) =>
    passes({ path: '$.items[*].n', ...spec }, { items: values.map((n) => ({ n })) })

  test('length counts the values', async () => {
    expect(await at({ type: 'length', exact: 3 }, 'abc')).toBe(false)
    expect(await at({ type: 'length', exact: 1 }, 'abc')).toBe(true)
    expect(await at({ type: 'length', exact: 2 }, 'abc', 'de')).toBe(true)
    expect(await at({ type: 'length', min: 2 }, { a: 1, b: 2 })).toBe(false)
  })

  test('contains looks for an equal value, not_contains into each', async () => {
    for (const more of [[], ['x']]) {
      expect(await at({ type: 'contains', value: 'admin' }, 'admin', ...more)).toBe(true)
      expect(await at({ type: 'contains', value: 'admin' }, 'non-admin', ...more)).toBe(false)
      expect(await at({ type: 'contains', value: 'error', negate: true }, 'an error', ...more)).toBe(false)
      expect(await at({ type: 'not_contains', value: 'error' }, 'an error', ...more)).toBe(false)
      expect(await at({ type: 'not_contains', value: 'error' }, 'fine', ...more)).toBe(true)
      expect(await at({ type: 'not_contains', value: 5 }, 15, ...more)).toBe(true)
      expect(await at({ type: 'not_contains', value: 5 }, '5', ...more)).toBe(false)
    }
  })

  test('equals takes the list, or the only value', async () => {
    expect(await at({ type: 'equals', value: ['a'] }, 'a')).toBe(true)
    expect(await at({ type: 'equals', value: 'a' }, 'a')).toBe(true)
    expect(await at({ type: 'equals', value: ['a'], negate: true }, 'a')).toBe(false)
    expect(await at({ type: 'equals', value: ['a', 'b'] }, 'a', 'b')).toBe(true)
    expect(await at({ type: 'equals', value: ['a', 'b'] }, 'a')).toBe(false)
    expect(await at({ type: 'equals', value: [] })).toBe(true)
  })

  test.each([
    [{ type: 'type', value: 'number' }, 1, 'x'],
    [{ type: 'type', value: 'array' }, [1], 1],
    [{ type: 'schema', value: { required: ['a'] } }, { a: 1 }, { b: 1 }],
    [{ type: 'schema', value: { type: 'array', minItems: 1 } }, [1], []],
    [{ type: 'regex', value: '^[0-9]+$' }, '12', 'a12'],
    [{ type: 'regex', value: '^[0-9]+$', engine: 'js' }, '12', 'a12'],
    [{ type: 'words', max: 2 }, 'one two', 'one two three'],
    [{ type: 'similar', value: 'good morning' }, 'Good morning', 'no'],
  ])('%j holds if it does for each', async (spec, good, bad) => {
    const negated = { ...spec, negate: true }
    expect([await at(spec, good), await at(spec, good, good)]).toEqual([true, true])
    expect([await at(spec, bad), await at(spec, good, bad), await at(spec, bad, good)]).toEqual([false, false, false])
    expect([await at(negated, bad), await at(negated, bad, bad)]).toEqual([true, true])
    expect([await at(negated, good, bad), await at(negated, bad, good)]).toEqual([false, false])
  })
})

test('json_path: nothing at a single place is not the empty list; of a query for several it is', async () => {
  expect(await passes({ type: 'json_path', path: '$.x', value: [] }, {})).toBe(false)
  expect(await passes({ type: 'json_path', path: '$.x', value: [] }, { x: [] })).toBe(true)
  expect(await passes({ type: 'json_path', path: '$.x[*]', value: [] }, { x: [] })).toBe(true)
})

test('equals: what $ne rules out is ruled out as text, too', async () => {
  const spec = (ruledOut: unknown) => ({ type: 'equals', value: { $ne: ruledOut } })
  expect(await passes(spec(42), '42')).toBe(false)
  expect(await passes(spec({ a: 1 }), '{"a": 1}')).toBe(false)
  expect(await passes(spec('42'), 42)).toBe(false)
  expect(await passes({ ...spec(42), negate: true }, '42')).toBe(true)
  expect(await passes(spec(42), '43')).toBe(true)
  expect(await passes(spec(42), 'none')).toBe(true)
})

test('schema: a text may be one of those that a schema lists', async () => {
  const passesSchema = (value: object, output: unknown, more = {}) => passes({ type: 'schema', value, ...more }, output)
  expect(await passesSchema({ enum: ['yes', 'no'] }, 'yes')).toBe(true)
  expect(await passesSchema({ enum: ['yes', 'no'] }, '"yes"')).toBe(true)
  expect(await passesSchema({ const: 'yes' }, 'yes')).toBe(true)
  expect(await passesSchema({ enum: ['yes', 'no'] }, 'maybe')).toBe(false)
  expect(await passesSchema({ enum: ['yes', 'no'] }, 'maybe', { negate: true })).toBe(true)
  expect(await passesSchema({ enum: ['yes', 1] }, 'yes')).toBe(false)
  expect(await passesSchema({ required: ['a'] }, 'a sentence')).toBe(false)
})

test('contains: a letter with its mark is the same letter as one character and as two', async () => {
  const [one, two] = ['Việt Nam café'.normalize('NFC'), 'Việt Nam café'.normalize('NFD')]
  expect(one).not.toBe(two)
  for (const [value, output] of [
    [one, two],
    [two, one],
  ])
    for (const answer of [output, [output], { text: output }]) {
      expect(await passes({ type: 'contains', value }, answer)).toBe(true)
      expect(await passes({ type: 'not_contains', value }, answer)).toBe(false)
      expect(await passes({ type: 'not_contains', value, ignore_case: true }, answer)).toBe(false)
    }
  expect(await passes({ type: 'contains', value: 'cafe' }, two)).toBe(true)
  expect(await passes({ type: 'not_contains', value: 'cafè' }, two)).toBe(true)
})

test('similar: a text exactly at the threshold passes, one edit more does not', async () => {
  const spec = { type: 'similar', value: 'abcdefghij', threshold: 0.8 }
  expect(await passes(spec, 'abcdefghxx')).toBe(true)
  expect(await passes(spec, 'abcdefgxxx')).toBe(false)
})

test('sets of different size are not equal, in either direction', async () => {
  for (const [value, output] of [
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [[1], [1, 2]],
    [[1, 2], [1]],
    [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
    [{}, { a: 1 }],
    [[], [1]],
  ]) {
    expect(await passes({ type: 'equals', value }, output), JSON.stringify([value, output])).toBe(false)
    expect(await passes({ type: 'json_path', path: '$.x', value }, { x: output })).toBe(false)
  }
})

test('regex: slashes with flags around a pattern are a doubt, since they are looked for as they are', () => {
  const doubts = (value: string): string[] => {
    const found: Problem[] = []
    checkAssertion({ type: 'regex', value, negate: true }, 'assert', found)
    return found.map(({ message }) => message)
  }
  expect(doubts('/error/gi')).toEqual([expect.stringMatching(/write \(\?i\)error$/)])
  for (const value of ['/api/v1/', '/etc/passwd', 'a/b/i', '(?i)error']) expect(doubts(value)).toEqual([])
})

test('contains and not_contains: matchers look at the elements of a list', async () => {
  const large = { $gt: 5 }
  expect(await passes({ type: 'contains', value: large }, [1, 6])).toBe(true)
  expect(await passes({ type: 'contains', value: [large, 1] }, '[1, 6]')).toBe(true)
  expect(await passes({ type: 'contains', value: large }, [1, 2])).toBe(false)
  expect(await passes({ type: 'not_contains', value: large }, [1, 2])).toBe(true)
  expect(await passes({ type: 'not_contains', value: large }, [1, 6])).toBe(false)
  // What cannot be compared shows nothing, either way.
  for (const answer of [['6'], 'no list', { a: 6 }]) {
    expect(await passes({ type: 'not_contains', value: large }, answer)).toBe(false)
    expect(await passes({ type: 'contains', value: large, negate: true }, answer)).toBe(false)
  }
})

test('expected is never read as a matcher', async () => {
  expect(await passes(expectedAssertion({ $gt: 5 }), 6)).toBe(false)
  expect(await passes(expectedAssertion({ $gt: 5 }), { $gt: 5 })).toBe(true)
})
