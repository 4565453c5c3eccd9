// Attempts to make an assertion on state, or on a JSON file, pass for something wrong.
import { expect, test } from 'vitest'
import { checkOne, workspaceOf } from '../support/assertions.js'
import { doing, inShop } from '../support/shop.js'

type Attack = [what: string, assert: object, before: unknown, after: unknown]

const changed = (paths: unknown, more: object = {}): object => ({ type: 'state_changed', paths, ...more })
const equals = (path: string, value: unknown, more: object = {}): object => ({
  type: 'state_equals',
  path,
  value,
  ...more,
})
const ORDER = { orders: { o1: { status: 'paid', total: 20 }, o2: { status: 'paid', total: 5 } } }
const with1 = (order: object): object => ({ orders: { ...ORDER.orders, o1: { ...ORDER.orders.o1, ...order } } })

/** None of these may pass, and none of them negated where nothing was shown. */
const PURE: Attack[] = [
  ['nothing was done', changed(['$.orders.o1.status']), ORDER, ORDER],
  ['nothing was done, with values', changed({ '$.orders.o1.status': 'paid' }), ORDER, ORDER],
  [
    'another order was changed',
    changed(['$.orders.o1.status']),
    ORDER,
    { orders: { ...ORDER.orders, o2: { status: 'x', total: 5 } } },
  ],
  ['more was changed', changed(['$.orders.o1.status']), ORDER, with1({ status: 'x', total: 0 })],
  ['something was added', changed(['$.orders.o1.status']), ORDER, { ...with1({ status: 'x' }), extra: 1 }],
  ['something was removed', changed(['$.orders.o1.status']), ORDER, { orders: { o1: { status: 'x', total: 20 } } }],
  ['the order was removed altogether', changed(['$.orders.o1.status']), ORDER, { orders: { o2: ORDER.orders.o2 } }],
  [
    'the order was replaced by a text',
    changed(['$.orders.o1.status']),
    ORDER,
    { orders: { ...ORDER.orders, o1: 'status' } },
  ],
  ['everything was replaced', changed(['$.orders.o1.status']), ORDER, []],
  ['a path that begins alike', changed(['$.orders.o1']), { orders: { o1: 1, o11: 1 } }, { orders: { o1: 2, o11: 2 } }],
  ['a key with a dot in it', changed(['$.a.b']), { 'a.b': 1, a: { b: 1 } }, { 'a.b': 2, a: { b: 1 } }],
  ['a key of the prototype', changed(['$.constructor']), {}, {}],
  ['__proto__', changed(['$.__proto__']), JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}')],
  ['a number became text', changed({ '$.n': 2 }), { n: 1 }, { n: '2' }],
  ['null became nothing', changed([]), { n: null }, {}],
  ['nothing became null', changed([]), {}, { n: null }],
  ['an empty list became an empty object', changed([]), { n: [] }, { n: {} }],
  ['false became 0', changed([]), { n: false }, { n: 0 }],
  ['the order of a list', changed([]), { n: [1, 2] }, { n: [2, 1] }],
  ['a list was appended to', changed(['$.n[0]']), { n: [1] }, { n: [2, 3] }],
  ['a list lost its end', changed([]), { n: [1, 2] }, { n: [1] }],
  ['white space', changed([]), { n: 'a' }, { n: 'a ' }],
  ['a look-alike letter', changed([]), { n: 'a' }, { n: '\u0430' }],
  ['unicode in another form', changed([]), { n: '\u00e9' }, { n: 'e\u0301' }],
  ['a change deep inside', changed([]), nested(50, 1), nested(50, 2)],
  [
    'one of very many',
    changed([]),
    Object.fromEntries(many(5000, 1)),
    { ...Object.fromEntries(many(5000, 1)), k4999: 2 },
  ],
  ['* where one level is too many', changed(['$.orders.*']), ORDER, { orders: ORDER.orders, x: 1 }],
  ['* for what did not change', changed(['$.orders.*.status', '$.x']), { ...ORDER, x: 1 }, { ...ORDER, x: 2 }],
  ['a value that is there for another reason', changed({ '$.a': { $type: 'object' } }), { a: 1 }, { a: [1] }],
  ['a value that was removed', changed({ '$.a': { $not: 1 } }), { a: 1 }, {}],
  ['a path that is not there, as null', equals('$.no', null), ORDER, ORDER],
  ['a path that is not there, as an empty list', equals('$.no[*]', []), ORDER, ORDER],
  ['one of a list', equals('$.orders.o1.status', ['paid', 'refunded']), ORDER, ORDER],
  ['a subset', { type: 'state_equals', value: { orders: {} } }, ORDER, ORDER],
  ['JSON in a text', equals('$.n', { a: 1 }), {}, { n: '{"a":1}' }],
  ['text for a number', equals('$.n', 1), {}, { n: '1' }],
  ['the state as it was before', equals('$.n', 1), { n: 1 }, { n: 2 }],
  ['several at once', equals('$.orders.*.status', 'paid'), ORDER, ORDER],
  ['a key of the prototype, equal', equals('$.toString', { $any: true }), {}, {}],
]

test.each(PURE)('%s', async (_what, assert, before, after) => {
  const result = await checkOne(assert, { state: { source: 'store', before, after } })
  expect(result.passed).toBe(false)
})

test.each([
  ['a path that is not there', changed(['$.ordres.o1'], { negate: true }), ORDER, with1({ status: 'x' })],
  ['a path that is not there, equal', equals('$.ordres.o1', 1, { negate: true }), ORDER, ORDER],
  ['a value that cannot be compared', equals('$.orders.o1.status', { $gt: 1 }, { negate: true }), ORDER, ORDER],
  [
    'a new value that cannot be compared',
    changed({ '$.orders.o1.status': { $gt: 1 } }, { negate: true }),
    ORDER,
    with1({ status: 'x' }),
  ],
  ['none of something that is not there', { type: 'none', assertions: [equals('$.no', 1)] }, ORDER, ORDER],
] as Attack[])('%s shows nothing, negated', async (_what, assert, before, after) => {
  const result = await checkOne(assert, { state: { source: 'store', before, after } })
  expect(result.passed).toBe(false)
})

test.each([
  ['claimed', { source: 'reply', claimed: true, before: { a: 1 }, after: { a: 2 } }],
  ['without a before', { source: 'hook', after: { a: 2 } }],
] as const)('state that is %s shows no change, negated or not', async (_what, state) => {
  for (const negate of [false, true])
    for (const paths of [[], ['$.a'], { '$.a': 2 }]) {
      const result = await checkOne(changed(paths, { negate }), { state })
      expect(result).toMatchObject({ passed: false, error_kind: 'input' })
    }
})

test.each([
  ['a: 1', 'a.json is not JSON'],
  ['', 'a.json is not JSON'],
  ['{"a": 1} trailing', 'a.json is not JSON'],
  ['{"a": 1, "a": 2}', undefined],
  ['{"b": 1}', undefined],
  ['[{"a": 1}]', undefined],
  ['{"a": "1"}', undefined],
  ['{"a": [1]}', undefined],
  ['{"a": {"$gte": 1}}', undefined],
  ['"{\\"a\\": 1}"', undefined],
])('file_json: %j is not {"a": 1}', async (text, message) => {
  const workspace = workspaceOf({ 'a.json': text })
  for (const assert of [
    { type: 'file_json', path: 'a.json', value: { a: 1 } },
    { type: 'file_json', path: 'a.json', json_path: '$.a', value: 1, exists: true },
  ]) {
    if (text === '{"a": [1]}' && 'json_path' in assert) continue
    const result = await checkOne(assert, {}, { workspace })
    expect([text, result.passed]).toEqual([text, false])
    if (message !== undefined) expect(result.message).toContain(message)
  }
})

test.each([
  [{ type: 'state_changed' }, 'paths'],
  [changed(['orders.o1']), 'is not a path of names and indexes'],
  [changed(['$..status']), 'is not a path of names and indexes'],
  [changed(['$.orders', '$.orders.o1']), 'includes'],
  [changed(['$.a', '$.a']), 'includes'],
  [changed({ '$.orders.*': 1 }), 'with * there is no single value'],
  [changed([''], {}), 'paths'],
  [{ type: 'state_equals' }, 'value'],
  [{ type: 'state_equals', value: { $any: true } }, 'cannot fail'],
  [{ type: 'state_equals', exists: true }, 'needs path'],
  [{ type: 'state_equals', path: '$.a', value: 1, exists: false }, 'cannot be combined'],
  [{ type: 'state_equals', path: '$.a[', value: 1 }, 'invalid path'],
  [{ type: 'state_chnged', paths: [] }, 'state_changed'],
])('%j is refused when it is loaded', async (assert, message) => {
  const { code, stderr } = await inShop([{ input: '{}', assert: [assert] }])
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

const LOG = `
import { appendFileSync } from 'node:fs'
export const store = () => ({ n: 0 })
export const tools = {
  add(args, shop) { shop.n += 1; return shop.n },
  reset(args, shop) { for (const key of Object.keys(shop)) delete shop[key]; Object.assign(shop, { n: 0 }) },
  swap(args, shop) { shop = { n: 0 }; return 'swapped' },
  later(args, shop) { Promise.resolve().then(() => { shop.n = 99 }); return 'now' },
}
`

test('an agent does not get around the record of its calls', async () => {
  const { results } = await inShop(
    [
      // Undone: the store is as it was, the calls are not.
      doing(
        [
          ['add', {}],
          ['reset', {}],
        ],
        [changed([]), { type: 'tool_not_called', name: 'add' }],
      ),
      // A new object in a variable of the tool is not the store.
      doing(
        [
          ['add', {}],
          ['swap', {}],
        ],
        [changed([])],
      ),
      // What it reports is not what was received.
      {
        input: JSON.stringify({
          reply: { content: 'done', tool_calls: [{ name: 'add', args: {}, result: 1 }], state: { n: 1 } },
        }),
        testing: { tools: './tools.ts' },
        assert: [
          {
            type: 'any',
            assertions: [
              changed(['$.n']),
              { type: 'tool_called', name: 'add' },
              { type: 'tool_result', tool: 'add', result: 1 },
              equals('$.n', 1),
            ],
          },
        ],
      },
      // A report that leaves out a call does not hide it.
      {
        input: JSON.stringify({ calls: [['add', {}]], reply: { content: 'done', tool_calls: [] } }),
        testing: { tools: './tools.ts' },
        assert: [{ type: 'tool_not_called', name: 'add' }],
      },
      {
        input: JSON.stringify({ calls: [['add', {}]], reply: { content: 'done', tool_calls: [] } }),
        testing: { tools: './tools.ts' },
        assert: [{ type: 'tool_sequence', tools: [], match: 'strict' }],
      },
    ],
    { files: { 'tools.ts': LOG } },
  )
  expect(results.map(({ id, status }) => `${id} ${String(status)}`)).toEqual(
    ['c1', 'c2', 'c3', 'c4', 'c5'].map((id) => `${id} failed`),
  )
})

test('no attempt reaches the tools of another, nor of one that is over', async () => {
  const spy = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { call } from './caller.mjs'
export async function run(messages, ctx) {
  const known = existsSync('address') ? readFileSync('address', 'utf8') : ''
  if (known === '') { writeFileSync('address', ctx.mock_mcp); return 'first' }
  const response = await fetch(known, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: '{}' })
  const browser = await fetch(ctx.mock_mcp, { method: 'POST', headers: { origin: 'http://evil.example', 'content-type': 'application/json' }, body: '{}' })
  return known === ctx.mock_mcp ? 'the same' : response.status + ' ' + browser.status
}`
  const { results } = await inShop(
    [doing([], [changed([])]), doing([], [changed([]), { type: 'equals', value: '404 403' }])],
    {
      files: { 'agent.mjs': spy },
    },
  )
  expect(results.map(({ status }) => status)).toEqual(['passed', 'passed'])
})

function nested(depth: number, value: unknown): unknown {
  return depth === 0 ? value : { a: nested(depth - 1, value) }
}

function many(count: number, value: unknown): Array<[string, unknown]> {
  return Array.from({ length: count }, (_each, index) => [`k${index}`, value])
}
