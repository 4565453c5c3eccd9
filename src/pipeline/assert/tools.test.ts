// Which calls are meant, how often, and with what result: at the edges.
import { expect, test } from 'vitest'
import { checkOne } from '../../../test/support/assertions.js'
import type { ToolCall } from '../../model/message.js'
import { toolNameMatcher } from './tool-match.js'

const calls = (...names: string[]) => ({ tool_calls: names.map((name) => ({ name, args: {} })) })
const passes = async (spec: object, evidence: object): Promise<boolean> => (await checkOne(spec, evidence)).passed

test.each([
  ['create_*', { name: 'create_user' }, true],
  ['create_*', { name: 'create_' }, true],
  ['create_*', { name: 'recreate_user' }, false],
  ['*_user', { name: 'db__create_user' }, true],
  ['*', { name: 'anything' }, true],
  ['db.*', { name: 'create', server: 'db' }, true],
  ['db.*', { name: 'db__create' }, true],
  ['db.*', { name: 'create', server: 'mail' }, false],
  ['db.*', { name: 'mydb__create' }, false],
  ['a*c', { name: 'abbc' }, true],
  ['a*c', { name: 'ab.c' }, false],
  ['get(*)', { name: 'get(x)' }, true],
  ['user', { name: 'create_user' }, false],
  ['create_user', { name: 'db/create_user' }, true],
  ['create_user', { name: 'mcp:db:create_user' }, true],
  ['db__create_user', { name: 'db/create_user' }, true],
  ['create_user', { name: 'db/recreate_user' }, false],
])('%s and %j: %s', (wanted, call, expected) => expect(toolNameMatcher(wanted)(call)).toBe(expected))

test('patterns work wherever a tool is named', async () => {
  const evidence = { tool_calls: [{ name: 'db__delete_user', args: {}, result: { ok: true } }] }
  expect(await passes({ type: 'tool_called', name: ['create_*', 'delete_*'] }, evidence)).toBe(true)
  expect(await passes({ type: 'tool_not_called', name: 'delete_*' }, evidence)).toBe(false)
  expect(await passes({ type: 'tool_not_called', name: '*' }, evidence)).toBe(false)
  expect(await passes({ type: 'tool_not_called', name: '*' }, calls())).toBe(true)
  expect(await passes({ type: 'tool_result', tool: 'delete_*', result: { ok: true } }, evidence)).toBe(true)
  expect(await passes({ type: 'tool_sequence', tools: ['db.*'], match: 'strict' }, evidence)).toBe(true)
})

test('a count exactly at its limit is within it, one more is not', async () => {
  const times = (bounds: object | number) => ({ type: 'tool_called', name: 'f', times: bounds })
  expect(await passes(times({ max: 2 }), calls('f', 'f'))).toBe(true)
  expect(await passes(times({ max: 2 }), calls('f', 'f', 'f'))).toBe(false)
  expect(await passes(times({ min: 2 }), calls('f', 'f'))).toBe(true)
  expect(await passes(times({ min: 2 }), calls('f'))).toBe(false)
  expect(await passes(times({ min: 2, max: 2 }), calls('f', 'f'))).toBe(true)
  expect(await passes(times({ exact: 1 }), calls('f', 'g'))).toBe(true)
  expect(await passes(times({ exact: 1 }), calls('f', 'f'))).toBe(false)
  expect(await passes(times(0), calls('g'))).toBe(true)
  expect(await passes(times(0), calls('f'))).toBe(false)
  expect(await passes({ type: 'tokens', max: 10 }, { usage: { total_tokens: 10 } })).toBe(true)
  expect(await passes({ type: 'tokens', max: 10 }, { usage: { total_tokens: 11 } })).toBe(false)
  expect(await passes({ type: 'cost', max_dollars: 0.1 }, { cost_dollars: 0.1 })).toBe(true)
  expect(await passes({ type: 'words', max: 2 }, { output: 'one two' })).toBe(true)
  expect(await passes({ type: 'words', max: 2 }, { output: 'one two three' })).toBe(false)
})

test('the same tool wanted twice and called once is not enough, in any way of comparing', async () => {
  for (const match of ['ordered', 'strict', 'unordered', 'superset']) {
    const spec = { type: 'tool_sequence', tools: ['f', 'f'], match }
    expect(await passes(spec, calls('f')), match).toBe(false)
    expect(await passes(spec, calls('f', 'f')), match).toBe(true)
  }
  const subset = { type: 'tool_sequence', tools: ['f'], match: 'subset' }
  expect(await passes(subset, calls('f'))).toBe(true)
  expect(await passes(subset, calls('f', 'f'))).toBe(false)
})

test('a call with an error and a result has failed', async () => {
  const both = { tool_calls: [{ name: 'f', args: {}, result: { ok: true }, error: 'disk full' }] }
  const spec = { type: 'tool_result', tool: 'f' }
  expect(await checkOne(spec, both)).toMatchObject({ passed: false, message: "tool 'f' returned an error: disk full" })
  expect(await passes({ ...spec, result: { ok: true } }, both)).toBe(false)
  const fine = { tool_calls: [{ name: 'f', args: {}, result: { ok: true } }] }
  expect(await passes(spec, fine)).toBe(true)
  expect(await passes({ ...spec, result: { ok: true } }, fine)).toBe(true)
})

test('without a result to compare, one call whose result is known is enough, and none is an error', async () => {
  const known = { name: 'f', args: {}, result: { ok: true } }
  const unknown = { name: 'f', args: {} }
  const spec = { type: 'tool_result', tool: 'f' }
  expect(await passes(spec, { tool_calls: [known, unknown] })).toBe(true)
  expect(await checkOne(spec, { tool_calls: [unknown, unknown] })).toMatchObject({
    passed: false,
    error: expect.stringContaining('does not report what tool') as unknown,
  })
})

test('a tool that only the spans of the agent name was not shown to be left alone', async () => {
  const otel = { 'gen_ai.tool.name': 'pay' }
  for (const span of [
    { name: 'pay' },
    { name: 'shop__pay' },
    { name: 'execute_tool pay' },
    { name: 'x', attributes: otel },
  ]) {
    const spans = [{ kind: 'tool' as const, ...span }]
    const passes = async (spec: object, tool_calls: ToolCall[] = []) =>
      (await checkOne({ name: 'pay', ...spec }, { spans, tool_calls })).passed
    for (const spec of [
      { type: 'tool_not_called' },
      { type: 'tool_not_called', arguments: { amount: 5 } },
      { type: 'tool_called', negate: true },
      { type: 'tool_called', times: 0 },
      { type: 'tool_called' },
    ])
      expect([span, spec, await passes(spec)]).toEqual([span, spec, false])
    expect(await passes({ type: 'tool_not_called', name: 'find' })).toBe(true)
    expect(await passes({ type: 'tool_called', times: 1 }, [{ name: 'pay', args: {} }])).toBe(true)
  }
  const { passed } = await checkOne(
    { type: 'tool_not_called', name: 'pay' },
    { spans: [{ kind: 'other', name: 'pay' }] },
  )
  expect(passed).toBe(true)
})

test('outcome: whether a call succeeded; where that is not reported, nothing is shown', async () => {
  const booked = { name: 'book', args: { city: 'Rome' }, result: 'B1' }
  const failed = { name: 'book', args: { city: 'Rome' }, error: 'full' }
  const untold = { name: 'book', args: { city: 'Rome' } }
  const once = { type: 'tool_called', name: 'book', outcome: 'ok', times: { exact: 1 } }
  expect(await passes(once, { tool_calls: [failed, booked] })).toBe(true)
  expect(await passes(once, { tool_calls: [failed, failed] })).toBe(false)
  expect(await passes(once, { tool_calls: [booked, booked] })).toBe(false)
  expect(await passes({ type: 'tool_called', name: 'book', outcome: 'error' }, { tool_calls: [failed] })).toBe(true)
  expect(await passes({ type: 'tool_not_called', name: 'book', outcome: 'error' }, { tool_calls: [booked] })).toBe(true)
  for (const spec of [once, { ...once, times: { exact: 0 } }, { type: 'tool_not_called', name: 'book', outcome: 'ok' }])
    expect(await checkOne(spec, { tool_calls: [untold] })).toMatchObject({ passed: false, error: expect.any(String) })
})

test.each([
  [
    { amount: { $lt: 20 } },
    {},
    'refund was called, never with amount below 20: in call 1, refund({"amount":25,"to":"x"}), it is 25',
  ],
  [
    { to: { $absent: true } },
    {},
    'refund was called, never without to: in call 1, refund({"amount":25,"to":"x"}), it is "x"',
  ],
  [
    { amount: 25 },
    { arguments_match: 'exact' },
    'refund was called, never without to: in call 1, refund({"amount":25,"to":"x"}), it is "x"',
  ],
  [
    { note: 'y' },
    {},
    'refund was called, never with note "y": in call 1, refund({"amount":25,"to":"x"}), it is missing',
  ],
])('what no call had, in words: %j', async (args, more, message) => {
  const evidence = { tool_calls: [{ name: 'refund', args: { amount: 25, to: 'x' } }] }
  const spec = { type: 'tool_called', name: 'refund', arguments: args, ...more }
  expect((await checkOne(spec, evidence)).message).toBe(message)
})
