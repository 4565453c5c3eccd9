// What cases name must be there: tools that are replaced or forbidden, simulators, judges and scripts.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'

const SHOP: Files = {
  'app.yao': '{}',
  'assistants/desk/package.yao': { name: 'desk', connector: 'mock', mcp: { servers: ['shop'] } },
  'assistants/desk/prompts.yml': '- { role: system, content: You sell books }',
  'assistants/desk/mcps/shop.mcp.yao': {
    transport: 'process',
    tools: { book: 'scripts.shop.Book', cancel: 'scripts.shop.Cancel' },
  },
  'assistants/desk/mock.yml': `
- { tool_calls: [{ name: shop__book, args: { title: Emma } }] }
- { output: booked }
`,
  'scripts/shop.ts': `
export function Book() { FS('system').AppendFile('called', 'x'); return { booked: 'for real' } }
export function Cancel() { return {} }
`,
  'assistants/hooked/package.yao': { name: 'hooked', connector: 'mock', mcp: { servers: ['shop'] } },
  'assistants/hooked/prompts.yml': '- { role: system, content: You sell books }',
  'assistants/hooked/mcps/shop.mcp.yao': { transport: 'process', tools: { book: 'scripts.shop.Book' } },
  'assistants/hooked/mock.yml': '- { output: hello }',
  'assistants/hooked/src/index.ts': 'export function Create(ctx, messages) { return null }',
}

async function run(cases: object[], agent: string, more: Files = {}, args: string[] = []): Promise<CliRun> {
  const cwd = makeFolder({ ...SHOP, ...more, 'cases.jsonl': cases })
  return viva(['test', '-i', 'cases.jsonl', '-n', agent, '--json', ...args], { cwd })
}

const stubbed = (tools: object): object[] => [
  { id: 'T1', input: 'a book', testing: { tools }, assert: { type: 'contains', value: 'booked' } },
]

function expectRefused({ code, stdout, stderr, dir }: CliRun, ...texts: string[]): void {
  expect([code, stdout], stderr).toEqual([2, ''])
  for (const text of texts) expect(stderr).toContain(text)
  expect(existsSync(join(dir, 'called'))).toBe(false)
}

test.each(['bok', 'shop.bok', 'refund'])('a stub for a tool that the agent lacks is an error: %s', async (name) => {
  const refused = await run(stubbed({ [name]: { ok: true } }), 'desk')
  expectRefused(refused, `testing.tools.${name}: desk has no tool "${name}"`)
})

test.each(['book', 'shop.book', 'shop__book'])('a stub for a tool that it has is taken: %s', async (name) => {
  const taken = await run(stubbed({ [name]: { ok: true } }), 'desk')
  expect([taken.code, taken.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  expect(existsSync(join(taken.dir, 'called'))).toBe(false)
})

test('a script that replaces a tool must exist', async () => {
  const lacking = await run(stubbed({ book: { script: 'scripts.shop.Bok' } }), 'desk')
  expectRefused(lacking, 'testing.tools.book', 'function Bok is not defined in scripts/shop.ts')
  const there = await run(stubbed({ book: 'scripts.shop.Cancel' }), 'desk')
  expect([there.code, existsSync(join(there.dir, 'called'))]).toEqual([0, false])
})

test('some tools may be replaced and others not', async () => {
  const some = await run(stubbed({ cancel: {} }), 'desk')
  expect([some.code, existsSync(join(some.dir, 'called'))]).toEqual([0, true])
})

test('where hooks may add tools a near miss is an error, and an unknown name a warning', async () => {
  const cases = (name: string): object[] => [
    { id: 'T1', input: 'x', testing: { tools: { [name]: {} } }, assert: { type: 'contains', value: 'hello' } },
  ]
  expectRefused(await run(cases('bok'), 'hooked'), 'hooked has no tool "bok"; did you mean "book"?')
  const unknown = await run(cases('refund'), 'hooked')
  expect([unknown.code, unknown.stderr]).toEqual([
    0,
    expect.stringContaining('testing.tools.refund: hooked is not known to have a tool "refund"; it has shop__book'),
  ])
})

/** Just enough of a tool server: one tool, fetch. */
const FAR_SERVER = `
let text = ''
process.stdin.on('data', (data) => {
  text += data
  for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
    const { id, method, params } = JSON.parse(text.slice(0, end))
    text = text.slice(end + 1)
    const result = method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } }
      : method === 'tools/list' ? { tools: [{ name: 'fetch', inputSchema: { type: 'object' } }] } : undefined
    if (id !== undefined) console.log(JSON.stringify(result ? { jsonrpc: '2.0', id, result } : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }))
  }
})`

test('the tools of a server are known when it is asked: then a stub for another is the error of the case', async () => {
  const refused = await run(
    [{ id: 'T1', input: 'x', testing: { tools: { zzz: {} } }, assert: { type: 'contains', value: 'hello' } }],
    'remote',
    {
      'assistants/remote/package.yao': { name: 'remote', connector: 'mock', mcp: { servers: ['far'] } },
      'assistants/remote/prompts.yml': '- { role: system, content: x }',
      'assistants/remote/mock.yml': '- { output: hello }',
      'assistants/remote/mcps/far.mcp.yao': { transport: 'stdio', command: process.execPath, args: ['-e', FAR_SERVER] },
    },
  )
  const result = parseEvents(refused.stdout).find((event) => event.type === 'result')
  expect([refused.code, result?.['error']], refused.stderr).toEqual([
    1,
    expect.stringContaining('testing.tools.zzz: there is no tool "zzz"; there are: far__fetch'),
  ])
})

test('where stubs cannot act they are refused, those of the configuration with a warning', async () => {
  const server = createServer((_request, response) => response.end(JSON.stringify({ content: 'booked' })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  expectRefused(await run(stubbed({ book: {} }), url), 'testing.tools.book: the tools of', 'cannot be replaced')
  expectRefused(await run(stubbed({ book: {} }), 'exec:touch called'), 'cannot be replaced')
  const plain = [{ id: 'T1', input: 'a book', assert: { type: 'contains', value: 'booked' } }]
  const configured = await run(plain, url, { 'viva.config.json': { testing: { tools: { book: {} } } } })
  expect([configured.code, configured.stderr]).toEqual([
    0,
    expect.stringContaining('warning: testing.tools of the configuration: the tools of'),
  ])
})

test('tool_not_called names a tool that the agent has, or almost one that was called', async () => {
  const not = (name: string): object[] => [{ id: 'T1', input: 'x', assert: { type: 'tool_not_called', name } }]
  const unknown = await run(not('cancle'), 'desk')
  expect([unknown.code, unknown.stderr]).toEqual([
    0,
    expect.stringContaining('assert.name: the agent has no tool "cancle", so it is never called; did you mean cancel?'),
  ])
  const known = await run(not('cancel'), 'desk')
  expect([known.code, known.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  const agent = {
    'agent.mjs': `export const run = () => ({ content: 'x', tool_calls: [{ name: 'delete_user', args: {} }] })`,
  }
  const near = await run(not('delete_usr'), './agent.mjs#run', agent)
  expect([near.code, near.stderr]).toEqual([
    0,
    expect.stringContaining(`warning: T1: tool 'delete_usr' was not called, but 'delete_user' was`),
  ])
  const other = await run(not('send_mail'), './agent.mjs#run', agent)
  expect([other.code, other.stderr]).toEqual([0, expect.not.stringContaining('warning')])
})

test('a script of a mock may call tools that the package does not declare', async () => {
  const cases = [
    { id: 'T1', input: 'go', assert: { type: 'tool_called', name: 'create' } },
    { id: 'T2', input: 'stop', assert: { type: 'tool_not_called', name: 'create' } },
  ]
  const files = (connector: string): Files => ({
    'assistants/bare/package.yao': { name: 'bare', connector },
    'assistants/bare/prompts.yml': '- { role: system, content: x }',
    'assistants/bare/mock.yml':
      '- { trigger_pattern: go, output: done, tool_calls: [{ name: create, args: {} }] }\n- output: no',
  })
  const scripted = await run(cases, 'bare', files('mock'))
  expect([scripted.code, scripted.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  const model = await run(cases.slice(1), 'bare', files('echo'))
  expect(model.stderr).toContain('the agent has no tool "create", so it is never called; it has none')
})

test('that no tool was called says little about a finished run that shows no call at all', async () => {
  const cases = [
    { id: 'T1', input: 'x', assert: { type: 'tool_not_called', name: 'pay' } },
    { id: 'T2', input: 'x', assert: { type: 'none', assertions: [{ type: 'tool_called', name: 'pay' }] } },
    { id: 'T3', input: 'call', assert: { type: 'contains', value: 'x' } },
  ]
  const agent = {
    'agent.mjs': `
export const silent = () => ({ content: 'x', tool_calls: [] })
export const telling = ([{ content }]) => ({ content: 'x', tool_calls: content === 'call' ? [{ name: 'find', args: {} }] : [] })
`,
  }
  const silent = await run(cases, './agent.mjs#silent', agent, ['-o', 'events.jsonl'])
  expect([silent.code, silent.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  const events = { ...agent, 'events.jsonl': readFileSync(join(silent.dir, 'events.jsonl')) }
  const again = await run(cases, 'recorded:events.jsonl', events)
  const said = 'warning: 2 results rest on tools not being called, but recorded:events.jsonl has reported no tool call'
  expect([again.code, again.stderr.split(said).length]).toEqual([0, 2])
  for (const [name, given] of [
    ['telling', cases],
    ['silent', cases.slice(2)],
  ] as const) {
    const fine = await run(given, `./agent.mjs#${name}`, agent)
    expect([fine.code, fine.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  }
})

const AGENT: Files = { 'agent.mjs': `export const run = () => 'What else?'` }
const ends = [{ id: 'ends', assertion: { type: 'contains', value: 'bye' } }]

test.each<[string, object, string]>([
  [
    'a simulator, dynamic',
    { simulator: { use: 'agents:no.body' }, checkpoints: ends },
    'simulator.use: no agent called "no.body"',
  ],
  [
    'a simulator, in turns',
    { turns: [{ input: 'x' }], simulator: { use: './nobody.mjs#run' }, final_assertions: { value: 'x' } },
    'simulator.use: no file',
  ],
  [
    'a simulator that is a script',
    { simulator: { use: 'scripts:no.body' }, checkpoints: ends },
    'simulator.use: no script for scripts:no.body',
  ],
  [
    'a judge',
    { input: 'x', assert: { type: 'agent', use: 'agents:no.body', value: 'fine' } },
    'assert.use: no agent called',
  ],
  [
    'a judge in a group',
    { input: 'x', assert: [{ type: 'any', assertions: [{ type: 'rubric', use: './no.mjs', criterion: 'x' }] }] },
    'assert[0].assertions[0].use: no file',
  ],
  [
    'a judge of a turn',
    { turns: [{ input: 'x', assert: { type: 'agent', use: 'agents:no.body', value: 'fine' } }] },
    'turns[0].assert.use: no agent called',
  ],
  [
    'a judge of a checkpoint',
    { simulator: {}, checkpoints: [{ id: 'c', assertion: { type: 'agent', use: 'agents:no.body', value: 'fine' } }] },
    'checkpoints[0].assertion.use: no agent called',
  ],
  [
    'a script',
    { input: 'x', assert: { type: 'script', script: 'scripts.shop.Bok' } },
    'function Bok is not defined in scripts/shop.ts',
  ],
])('%s that does not exist is found before the first case', async (_, fields, problem) => {
  expectRefused(await run([{ id: 'T1', ...fields }], './agent.mjs#run', AGENT), problem)
})

test('a judge that cannot be asked fails the case in turns, too', async () => {
  const assert = { type: 'agent', use: './judge.mjs#run', value: 'x' }
  const files = { ...AGENT, 'judge.mjs': `export const run = () => { throw new Error('gone') }` }
  const judged = await run([{ id: 'T1', turns: [{ input: 'x', assert }] }], './agent.mjs#run', files)
  expect(parseEvents(judged.stdout).find((event) => event.type === 'result')).toMatchObject({
    status: 'failed',
    error_kind: 'validator',
  })
})

test('those of a case that is skipped are not looked for', async () => {
  const cases = [
    { id: 'T1', input: 'x', skip: true, assert: { type: 'agent', use: 'agents:no.body', value: 'fine' } },
    { id: 'T2', input: 'x', assert: { type: 'contains', value: 'What' } },
  ]
  expect((await run(cases, './agent.mjs#run', AGENT)).code).toBe(0)
})
