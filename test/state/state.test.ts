// State: a store for each attempt, compared before and after, whoever the agent is.
import { expect, test } from 'vitest'
import { doing, inShop } from '../support/shop.js'

const REFUND: [string, object] = ['refund', { id: 'o1' }]
const REFUNDED = { type: 'state_changed', paths: { '$.orders.o1.status': 'refunded', '$.log[0]': 'o1' } }

const PACKAGE = {
  'desk/package.yao': '{ "name": "desk", "connector": "mock" }',
  'desk/prompts.yml': '- {role: system, content: You are a desk.}',
  'desk/mock.yml': `
- tool_calls: [{name: get_order, args: {id: o1}}, {name: refund, args: {id: o1}}]
- output: done`,
}

test.each([
  ['./agent.mjs#run', {}],
  ['exec:node program.mjs', {}],
  ['./desk', PACKAGE],
])('%s changes the store of its attempt, and nothing else', async (agent, files) => {
  const calls: Array<[string, object]> = [['get_order', { id: 'o1' }], REFUND]
  const run = await inShop(
    [
      doing(calls, [REFUNDED, { type: 'tool_called', name: 'refund', times: 1 }]),
      doing(calls, [{ type: 'state_changed', paths: ['$.orders.o1.status'] }]),
      doing(calls, [{ type: 'state_equals', path: '$.orders.o2.status', value: 'paid' }]),
    ],
    { agent, files, args: ['--parallel', '3', '--runs', '2'] },
  )
  const passed = run.results.map(({ id, status }) => `${id} ${String(status)}`).toSorted()
  expect(passed).toEqual(['c1 passed', 'c1 passed', 'c2 failed', 'c2 failed', 'c3 passed', 'c3 passed'])
  const one = run.results.find(({ id }) => id === 'c1')
  expect(one?.['state']).toEqual({
    source: 'store',
    before_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    after_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    changes: [
      { path: '$.orders.o1.status', change: 'changed', before: { status: 'paid' }, after: { status: 'refunded' } },
      { path: '$.log[0]', change: 'added', after: { log: 'o1' } },
    ],
  })
  expect(one?.['tool_calls']).toMatchObject([
    { name: 'get_order', args: { id: 'o1' }, result: { status: 'paid', total: 20 } },
    { name: 'refund', args: { id: 'o1' }, result: { ok: true } },
  ])
})

test('what a tool throws is its answer; arguments that do not fit, and tools that do not exist, are errors too', async () => {
  const { results } = await inShop([
    doing(
      [
        ['refund', { id: 'o9' }],
        ['refund', {}],
        ['steal', { id: 'o1' }],
      ],
      [{ type: 'state_changed', paths: [] }],
    ),
  ])
  expect(results[0]).toMatchObject({
    status: 'passed',
    tool_calls: [
      { name: 'refund', error: 'no order o9' },
      { name: 'refund', error: "argument validation failed: the arguments must have required property 'id'" },
      { name: 'steal', no_such_tool: true, error: 'there is no tool "steal"; there are: get_order, refund' },
    ],
  })
})

test('a retried attempt begins with a new store', async () => {
  const { results } = await inShop([
    doing([REFUND], [REFUNDED, { type: 'contains', value: 'never' }], {
      retry: { max_attempts: 3, backoff_ms: 0, retry_on: ['assertion'] },
    }),
  ])
  expect(results[0]).toMatchObject({ status: 'failed', attempts: 3 })
  expect(results[0]?.['assertions']).toMatchObject([{ passed: true }, { passed: false }])
})

test('a store lasts for the turns of a case', async () => {
  const { results } = await inShop([
    {
      testing: { tools: './tools.ts' },
      turns: [
        { input: JSON.stringify({ calls: [REFUND] }), assert: [REFUNDED] },
        {
          input: JSON.stringify({ calls: [['refund', { id: 'o2' }]] }),
          assert: [{ type: 'tool_called', name: 'refund', times: 1 }],
        },
      ],
      final_assertions: [
        { type: 'state_equals', path: '$.log', value: ['o1', 'o2'] },
        { type: 'tool_called', name: 'refund', times: 2 },
      ],
    },
  ])
  expect(results[0]).toMatchObject({ status: 'passed' })
})

test('what an agent says about its own state is claimed: it can equal something, but changes nothing', async () => {
  const reply = { content: 'done', tool_calls: [], state: { orders: { o1: { status: 'refunded' } } } }
  const claim = (assert: object[]): object => ({ input: JSON.stringify({ reply }), assert })
  const equals = { type: 'state_equals', path: '$.orders.o1.status', value: 'refunded' }
  const { results } = await inShop([
    claim([equals]),
    claim([{ type: 'any', assertions: [equals] }]),
    claim([{ type: 'state_changed', paths: ['$.orders.o1.status'] }]),
    claim([{ type: 'state_changed', paths: [], negate: true }]),
    {
      ...claim([{ type: 'state_equals', path: '$.orders.o1.status', value: 'paid' }]),
      testing: { tools: './tools.ts' },
    },
  ])
  expect(results[0]).toMatchObject({
    status: 'passed',
    state: { source: 'reply', claimed: true },
    warnings: ['state_equals passed on state that the agent reported itself (claimed): nobody has looked'],
    assertions: [{ passed: true, claimed: true, message: 'on state that the agent reported itself (claimed)' }],
  })
  expect(results[1]).toMatchObject({ status: 'passed', assertions: [{ claimed: true }] })
  for (const at of [2, 3]) {
    expect(results[at]).toMatchObject({ status: 'failed', error_kind: 'input' })
    expect(results[at]?.['error']).toContain('is what the agent says about itself (claimed)')
  }
  // The store is asked, not the agent.
  expect(results[4]).toMatchObject({ status: 'passed', state: { source: 'store', changes: [] } })
})

test('a function of the test reads the state before and after', async () => {
  const { results } = await inShop(
    [
      { input: '{}', testing: { state: 'scripts:world.read' }, assert: [{ type: 'state_changed', paths: ['$.when'] }] },
      { input: '{}', testing: { state: 'scripts:world.nothing' }, assert: [{ type: 'state_changed', paths: [] }] },
      { input: '{}', testing: { state: 'scripts:world.odd' }, assert: [{ type: 'state_changed', paths: [] }] },
      { input: '{}', testing: { state: 'scripts:world.broken' }, assert: [{ type: 'state_changed', paths: [] }] },
    ],
    {
      files: {
        'scripts/world.ts': `
export const read = (ctx, testCase, { when }) => ({ when, id: testCase.id })
export const nothing = () => undefined
export const odd = () => ({ a: new Map([[1, 2]]) })
export const broken = () => { throw new Error('gone') }`,
      },
    },
  )
  expect(results.map(({ status, error_kind, error }) => [status, error_kind, error])).toEqual([
    ['passed', undefined, undefined],
    ['failed', 'input', 'testing.state: scripts:world.nothing returned nothing'],
    [
      'failed',
      'input',
      'testing.state: scripts:world.odd returned something that is not JSON: a is an instance of Map',
    ],
    ['failed', 'input', 'testing.state: scripts:world.broken failed: gone'],
  ])
})

test.each([
  [
    'a store that is not JSON',
    'export const store = () => ({ a: { b: new Set([1]) } })',
    'the store is not JSON: a.b is an instance of Set',
  ],
  ['no store', 'export const store = () => undefined', 'the store must be an object or a list'],
  [
    'a store in a circle',
    'const a: any = {}; a.a = a; export const store = () => a',
    'more than 200 levels, or a circle',
  ],
  [
    'a store that is too large',
    'export const store = () => ({ a: "x".repeat(17_000_000) })',
    'at most 16777216 can be kept',
  ],
  ['a store that throws', 'export const store = () => { throw new Error("no database") }', 'no database'],
])('%s is an error of the case, never a verdict', async (_name, code, message) => {
  const { results } = await inShop([doing([], [{ type: 'state_changed', paths: [] }])], {
    files: { 'tools.ts': `${code}\nexport const tools = { a: () => 1 }` },
  })
  expect(results[0]).toMatchObject({ status: 'failed', error_kind: 'input' })
  expect(results[0]?.['error']).toContain(message)
})

test.each([
  ['breaks the store', 'shop.bad = new Map()', 'the store is not JSON: bad is an instance of Map'],
  ['answers what is not JSON', 'return { when: 1n }', 'its result is not JSON: when is a bigint'],
  ['ends its process', 'process.exit(0)', 'the tools of the test do not work: touch'],
  ['uses what cases share', 'Store("db").Set("a", 1)', undefined],
])('a tool that %s', async (_name, body, message) => {
  const { results } = await inShop([doing([['touch', {}]], [{ type: 'state_changed', paths: [] }])], {
    files: { 'tools.ts': `export const store = {}\nexport const tools = { touch(args, shop) { ${body} } }` },
  })
  if (message === undefined) {
    expect(results[0]).toMatchObject({ status: 'passed' })
    expect(results[0]?.['tool_calls']).toMatchObject([
      { error: 'tools keep their state in the store they are given: cases would share Store(name)' },
    ])
    return
  }
  expect(results[0]).toMatchObject({ status: 'failed', error_kind: 'input' })
  expect(results[0]?.['error']).toContain(message)
})

test('a tool that never ends is ended with its case', async () => {
  const { results } = await inShop(
    [doing([['touch', {}]], [{ type: 'state_changed', paths: [] }], { timeout: '2s' })],
    {
      files: { 'tools.ts': 'export const store = {}\nexport const tools = { touch() { for (;;) {} } }' },
    },
  )
  expect(results[0]).toMatchObject({ status: 'failed', error_kind: 'timeout' })
})

test('a store that never comes is ended with its case', async () => {
  const { results } = await inShop([doing([], [{ type: 'state_changed', paths: [] }], { timeout: '2s' })], {
    files: { 'tools.ts': 'export const store = () => { for (;;) {} }\nexport const tools = { touch() {} }' },
  })
  expect(results[0]).toMatchObject({ status: 'failed', error_kind: 'timeout' })
})

test('what an agent does after its answer is not passed over', async () => {
  const late = `import { call } from './caller.mjs'
export async function run(messages, ctx) {
  setTimeout(() => void call(ctx.mock_mcp, 'refund', { id: 'o1' }).catch(() => {}), 5)
  return 'done'
}`
  const slow =
    'export async function Check() { await new Promise((resolve) => setTimeout(resolve, 1500)); return true }'
  const { results } = await inShop(
    [
      doing(
        [],
        [
          { type: 'state_changed', paths: [] },
          { type: 'script', script: 'scripts.slow.Check' },
        ],
      ),
    ],
    { files: { 'agent.mjs': late, 'scripts/slow.ts': slow } },
  )
  expect(results[0]).toMatchObject({ status: 'failed', error_kind: 'agent' })
  expect(results[0]?.['error']).toContain('called refund after it had answered')
})

test('tools of the configuration are for every case; a case has the last word', async () => {
  const config = { testing: { tools: './tools.ts' } }
  const call = (testing: object, assert: object[]): object => ({ input: 'x', testing, assert })
  const { results } = await inShop(
    [
      call({}, [REFUNDED]),
      call({ tools: { refund: { ok: 'fixed' } } }, [
        { type: 'state_changed', paths: [] },
        { type: 'tool_result', tool: 'refund', result: { ok: 'fixed' } },
      ]),
      call({ tools: './other.ts' }, [{ type: 'state_equals', value: { n: 1 } }]),
    ],
    {
      agent: './desk',
      files: {
        ...PACKAGE,
        'viva.config.json': JSON.stringify(config),
        'other.ts':
          'export const store = { n: 0 }\nexport const tools = { refund: (args, shop) => { shop.n = 1 }, get_order: () => ({}) }',
      },
    },
  )
  expect(results.map(({ status, error }) => [status, error])).toEqual([
    ['passed', undefined],
    ['passed', undefined],
    ['passed', undefined],
  ])
})

test('a file of tools is checked before the first case', async () => {
  const { code, stderr } = await inShop([
    { ...doing([], []), testing: { tools: './tols.ts' } },
    { ...doing([], []), testing: { tools: './tools.ts', state: 'scripts:no.where' } },
    { ...doing([], []), testing: { tools: '../outside.ts' } },
  ])
  expect(code).toBe(2)
  expect(stderr).toContain('cases.jsonl:1:')
  expect(stderr).toContain('testing.tools: ./tols.ts does not exist')
  expect(stderr).toContain('testing.state: no script for scripts:no.where')
})

test('secrets in a state are not written', async () => {
  const secret = 'hunter2-very-long-and-random-8f3k'
  const { results, stdout } = await inShop([doing([['set', { to: secret }]], [{ type: 'state_changed', paths: [] }])], {
    files: {
      'tools.ts': `export const store = () => ({ user: { name: 'ann', password: 'old-password-of-ann' } })
export const tools = { set({ to }, shop) { shop.user.password = to } }`,
    },
  })
  expect(results[0]).toMatchObject({ status: 'failed', error_kind: 'assertion' })
  expect(JSON.stringify(results[0]?.['state'])).not.toContain('old-password-of-ann')
  expect(JSON.stringify(results[0]?.['state'])).not.toContain(secret)
  expect(stdout).not.toContain('old-password-of-ann')
})
