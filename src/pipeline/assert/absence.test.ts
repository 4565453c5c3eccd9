// What is not there shows nothing: no assertion passes because the path it reads, or the JSON, is missing.
import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'

const READS_PATH = [
  { type: 'json_path', path: '$.a', value: 1 },
  { type: 'json_path', path: '$.a', value: [1, 2] },
  { type: 'json_path', path: '$.a', value: { $ne: 1 } },
  { type: 'json_path', path: '$.a', value: { $any: true } },
  { type: 'json_path', path: '$.a[*]', value: [1] },
  { type: 'json_path', path: '$.a', value: 1, exists: true },
  { type: 'json_path', path: '$.a', value: null, exists: true },
  { type: 'equals', path: '$.a', value: 1 },
  { type: 'equals', path: '$.a', value: { $ne: 1 } },
  { type: 'contains', path: '$.a', value: 'x' },
  { type: 'regex', path: '$.a', value: 'x' },
  { type: 'regex', path: '$.a', value: '(?=x)x', engine: 'js' },
  { type: 'type', path: '$.a', value: 'string' },
  { type: 'length', path: '$.a', max: 3 },
  { type: 'words', path: '$.a', max: 3 },
  { type: 'similar', path: '$.a', value: 'x' },
  { type: 'schema', path: '$.a', value: { type: 'string' } },
]

test.each(READS_PATH)('%j', async (spec) => {
  for (const output of [{ b: 1 }, '{"b": 1}', 'only prose', '', null]) {
    for (const each of [
      spec,
      { ...spec, negate: true },
      { type: 'none', assertions: [spec] },
      { type: 'any', assertions: [spec, { ...spec, negate: true }] },
      { type: 'any', assertions: [spec], negate: true },
      { type: 'all', assertions: [spec], negate: true },
      { type: 'none', assertions: [{ type: 'none', assertions: [spec] }] },
    ]) {
      const result = await checkOne(each, { output })
      expect([result.passed, result.error], JSON.stringify({ each, output })).toEqual([false, undefined])
    }
  }
})

test('not_contains with a path is no different, and without one it passes on prose', async () => {
  const spec = { type: 'not_contains', path: '$.a', value: 'x' }
  expect((await checkOne(spec, { output: { b: 1 } })).passed).toBe(false)
  expect((await checkOne(spec, { output: 'prose' })).passed).toBe(false)
  expect((await checkOne({ ...spec, negate: true }, { output: { b: 1 } })).passed).toBe(false)
  expect((await checkOne(spec, { output: { a: 'y' } })).passed).toBe(true)
  expect((await checkOne({ type: 'not_contains', value: 'x' }, { output: 'prose' })).passed).toBe(true)
})

test('that a string is not greater than a number shows nothing', async () => {
  for (const spec of [
    { type: 'json_path', path: '$.price', value: { $gt: 100 } },
    { type: 'equals', path: '$.price', value: { $gte: 100 } },
    { type: 'equals', value: { price: { $lt: 100 } } },
    { type: 'tool_called', name: 'pay', arguments: { amount: { $gt: 100 } } },
  ]) {
    const negated = { ...spec, negate: true }
    const tool_calls = (amount: unknown) => [{ name: 'pay', args: { amount } }]
    const told = await checkOne(negated, { output: { price: 'EUR 150' }, tool_calls: tool_calls('150') })
    expect([spec, told.passed, told.message]).toEqual([spec, false, expect.stringContaining('nothing was shown')])
    const low = 'name' in spec || 'path' in spec ? 50 : 150
    expect((await checkOne(negated, { output: { price: low }, tool_calls: tool_calls(low) })).passed).toBe(true)
  }
})

test('a call whose arguments cannot be read or compared may be the one that must not be', async () => {
  const spec = { type: 'tool_not_called', name: 'pay', arguments: { amount: { $gt: 100 } } }
  const passes = async (given: object, call: object) =>
    (await checkOne(given, { tool_calls: [{ name: 'pay', args: {}, ...call }] })).passed
  const broken = { args: '{"amount": 15', args_error: 'the arguments are not JSON' }
  for (const given of [spec, { ...spec, type: 'tool_called', times: { max: 0 } }, { ...spec, negate: true }]) {
    expect([given, await passes(given, broken)]).toEqual([given, false])
    expect([given, await passes(given, { args: { amount: '150' } })]).toEqual([given, false])
  }
  for (const given of [spec, { ...spec, type: 'tool_called', times: { max: 0 } }]) {
    expect([given, await passes(given, { args: { amount: 50 } })]).toEqual([given, true])
    expect([given, await passes(given, { ...broken, name: 'refund' })]).toEqual([given, true])
  }
})

test('a number or data that a call gives as text may be what must not be', async () => {
  const passes = async (spec: object, args: unknown) =>
    (await checkOne({ name: 'pay', ...spec }, { tool_calls: [{ name: 'pay', args }] })).passed
  for (const [wanted, given, other] of [
    [{ amount: 500 }, { amount: '500' }, { amount: '501' }],
    [{ amount: '500' }, { amount: 500 }, { amount: 501 }],
    [{ to: { id: 5 } }, { to: '{"id": 5, "name": "x"}' }, { to: '{"id": 6}' }],
    [{ ids: [1, 2] }, { ids: '[1, 2]' }, { ids: '[1]' }],
    [{ to: { id: { $gt: 4 } } }, { to: '{"id": "5"}' }, { to: '{"id": 3}' }],
    [{ id: { $in: [5, 6] } }, { id: '5' }, { id: '7' }],
  ]) {
    for (const spec of [
      { type: 'tool_not_called', arguments: wanted },
      { type: 'tool_called', arguments: wanted, negate: true },
    ]) {
      expect([spec, await passes(spec, given)]).toEqual([spec, false])
      expect([spec, await passes(spec, other)]).toEqual([spec, true])
    }
    expect(await passes({ type: 'tool_called', arguments: wanted }, given)).toBe(false)
  }
})

test('a sequence is not shown to be another by a call that cannot be read or compared', async () => {
  const tools = ['find', { name: 'pay', arguments: { amount: { $gt: 100 } } }]
  const find = { name: 'find', args: {} }
  const broken = { name: 'pay', args: '{"amount": 15', args_error: 'the arguments are not JSON' }
  for (const match of ['ordered', 'strict', 'unordered', 'superset', 'subset']) {
    const spec = { type: 'tool_sequence', tools, match, negate: true }
    const passes = async (pay: object) => (await checkOne(spec, { tool_calls: [find, pay as typeof broken] })).passed
    expect([match, await passes(broken)]).toEqual([match, false])
    expect([match, await passes({ name: 'pay', args: { amount: '150' } })]).toEqual([match, false])
    expect([match, await passes({ name: 'pay', args: { amount: 50 } })]).toEqual([match, true])
  }
})

test('what a tool returned is not shown to be another where it was not called or is not known', async () => {
  const spec = { type: 'tool_result', tool: 'pay', result: { ok: false }, negate: true }
  const passes = async (...tool_calls: object[]) =>
    (await checkOne(spec, { tool_calls: tool_calls as Array<{ name: string; args: unknown }> })).passed
  const known = { name: 'pay', args: {}, result: { ok: true } }
  expect(await passes()).toBe(false)
  expect(await passes({ name: 'find', args: {}, result: 1 })).toBe(false)
  expect(await passes(known, { name: 'pay', args: {} })).toBe(false)
  expect(await passes(known)).toBe(true)
})

test('a text in structured data is not absent because JSON escapes it', async () => {
  for (const [pattern, output] of [
    ['say "hi"', { note: 'say "hi"' }],
    ['foo\\sbar', { notes: ['foo\nbar'] }],
    ['^password$', { password: 'x' }],
  ] as const)
    for (const engine of ['re2', 'js']) {
      const spec = { type: 'regex', value: pattern, engine }
      for (const each of [
        { ...spec, negate: true },
        { type: 'none', assertions: [spec] },
      ])
        expect([each, (await checkOne(each, { output })).passed]).toEqual([each, false])
      expect((await checkOne({ ...spec, negate: true }, { output: { note: 'say hi' } })).passed).toBe(true)
    }
})

test('what stands in an object in a list is not absent because it equals no element', async () => {
  const spec = { type: 'not_contains', value: 'password' }
  const negated = { type: 'contains', value: 'password', negate: true }
  for (const each of [spec, negated, { ...spec, value: ['x', 'password'] }, { ...spec, path: '$[*]' }]) {
    expect((await checkOne(each, { output: [{ note: 'my password' }, { note: 'b' }] })).passed).toBe(false)
    expect((await checkOne(each, { output: [{ note: 'a' }, { note: 'b' }] })).passed).toBe(true)
  }
  expect((await checkOne(spec, { output: [[{ note: 'my password' }]] })).passed).toBe(false)
  expect((await checkOne(spec, { output: ['passwordless', 'b'] })).passed).toBe(true)
  expect((await checkOne({ type: 'contains', value: 'my' }, { output: [{ note: 'my' }] })).passed).toBe(false)
})

test('the negation says that nothing was shown', async () => {
  const result = await checkOne({ type: 'json_path', path: '$.a', value: 1, negate: true }, { output: { b: 1 } })
  expect(result.message).toBe('nothing was shown: nothing at path $.a in {"b":1}')
})

test('what is there and different can be negated', async () => {
  const spec = { type: 'json_path', path: '$.a', value: 1 }
  expect((await checkOne({ ...spec, negate: true }, { output: { a: 2 } })).passed).toBe(true)
  expect((await checkOne({ type: 'none', assertions: [spec] }, { output: { a: 2 } })).passed).toBe(true)
  expect((await checkOne({ type: 'none', assertions: [spec] }, { output: { a: 1 } })).passed).toBe(false)
})

test('exists is about absence itself', async () => {
  const spec = { type: 'json_path', path: '$.a', exists: true }
  expect((await checkOne({ ...spec, negate: true }, { output: { b: 1 } })).passed).toBe(true)
  expect((await checkOne({ ...spec, exists: false }, { output: { b: 1 } })).passed).toBe(true)
  expect((await checkOne({ type: 'none', assertions: [spec] }, { output: { b: 1 } })).passed).toBe(true)
  expect((await checkOne({ ...spec, exists: false }, { output: { a: null } })).passed).toBe(false)
})

test('null against nothing: what is missing counts as null, unless it must exist', async () => {
  const spec = { type: 'json_path', path: '$.a', value: null }
  expect((await checkOne(spec, { output: { b: 1 } })).passed).toBe(true)
  expect((await checkOne(spec, { output: { a: null } })).passed).toBe(true)
  expect((await checkOne(spec, { output: { a: 0 } })).passed).toBe(false)
  expect((await checkOne({ ...spec, exists: true }, { output: { b: 1 } })).passed).toBe(false)
  expect((await checkOne({ ...spec, exists: true }, { output: { a: null } })).passed).toBe(true)
  expect((await checkOne({ ...spec, negate: true }, { output: { b: 1 } })).passed).toBe(false)
  expect((await checkOne({ ...spec, value: [null, 1] }, { output: { b: 1 } })).passed).toBe(true)
  expect((await checkOne({ type: 'equals', path: '$.a', value: null }, { output: { b: 1 } })).passed).toBe(true)
  expect((await checkOne({ type: 'type', path: '$.a', value: 'null' }, { output: { b: 1 } })).passed).toBe(true)
})
