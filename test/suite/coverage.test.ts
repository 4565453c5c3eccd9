// What the agent has against what the runs reached, as a user meets it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CoverageReport } from '../../src/suite/coverage/report.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

const SHOP: Files = {
  'app.yao': { name: 'Shop' },
  'assistants/desk/package.yao': { name: 'Desk', connector: 'mock', mcp: { servers: ['orders'] } },
  'assistants/desk/prompts.yml': '- role: system\n  content: You are the desk.\n',
  'assistants/desk/prompts/chat/short.yml': '- role: system\n  content: Be short.\n',
  'assistants/desk/prompts/chat/long.yml': '- role: system\n  content: Be long.\n',
  'assistants/desk/locales/en-us.yml': 'name: Desk\n',
  'assistants/desk/locales/de.yml': 'name: Theke\n',
  'assistants/desk/mock.yml': `
- trigger_pattern: "(?i)send"
  tool_calls: [{ name: orders__send, args: { number: 7, speed: fast, gift: true, to: { city: Ulm } } }]
- trigger_pattern: "(?i)order 404"
  tool_calls: [{ name: orders__find, args: { number: 404 } }]
- output: "Done."
`,
  'assistants/desk/src/index.ts': `
function Create(ctx: any, messages: any[]) {
  const said = String(messages[messages.length - 1].content)
  // return { delegate: { agent_id: 'gone' } }
  if (said.includes('refund')) return { delegate: { agent_id: 'refunds', messages } }
  if (said.includes('lawyer')) return { delegate: { agent_id: 'legal', messages } }
  return said.includes('short') ? { prompt_preset: 'chat.short' } : null
}
`,
  'assistants/desk/src/orders.ts': `
export function Find(number: number) {
  if (number === 404) throw new Exception('no such order', 404)
  return { number }
}
export function Ship(number: number) { return { sent: number } }
export function Drop(number: number) { return { dropped: number } }
`,
  'assistants/desk/mcps/orders.mcp.yao': {
    transport: 'process',
    tools: { find: 'scripts.orders.Find', send: 'scripts.orders.Ship', drop: 'scripts.orders.Drop' },
  },
  'assistants/desk/mcps/mapping/orders/schemes/find.in.yao': {
    type: 'object',
    description: 'Finds an order',
    properties: { number: { type: 'integer' } },
    'x-process-args': ['$args.number'],
  },
  'assistants/desk/mcps/mapping/orders/schemes/send.in.yao': {
    type: 'object',
    properties: {
      number: { type: 'integer' },
      speed: { enum: ['slow', 'fast'] },
      gift: { type: 'boolean' },
      to: { type: 'object', properties: { city: { type: 'string' }, zip: { type: 'string' } } },
    },
    'x-process-args': ['$args.number'],
  },
  'assistants/desk/mcps/mapping/orders/schemes/drop.in.yao': {
    type: 'object',
    properties: { number: { type: 'integer' }, force: { type: 'boolean' } },
    'x-process-args': ['$args.number'],
  },
  'assistants/refunds/package.yao': { name: 'Refunds', connector: 'mock' },
  'assistants/refunds/prompts.yml': '- role: system\n  content: You decide on refunds.\n',
  'assistants/refunds/mock.yml': '- output: "Granted."\n',
  'assistants/refunds/src/index.ts': 'function Create() { return null }\nfunction Next() { return null }\n',
  'assistants/desk/tests/cases.jsonl': [
    { id: 'sends', input: 'please send order 7', assert: { type: 'contains', value: 'Done' } },
    { id: 'misses', input: 'where is order 404?', assert: { type: 'contains', value: 'Done' } },
    { id: 'refunds', input: 'I want a refund', assert: { type: 'contains', value: 'Granted' } },
    { id: 'short', input: 'hello, be short', assert: { type: 'contains', value: 'nothing of the kind' } },
  ],
}

async function shop(): Promise<string> {
  const dir = makeFolder(SHOP)
  await viva(['test', '-i', 'assistants/desk/tests/cases.jsonl', '-o', 'run.jsonl'], { cwd: dir })
  return dir
}

async function reportOf(dir: string, ...args: string[]): Promise<CoverageReport> {
  const { stdout, stderr } = await viva(['coverage', ...args, '--format', 'json'], { cwd: dir })
  expect(stdout, stderr).not.toBe('')
  return JSON.parse(stdout) as CoverageReport
}

const counts = ({ kinds }: CoverageReport): Record<string, string> =>
  Object.fromEntries(kinds.map(({ kind, reached, total }) => [kind, `${reached}/${total ?? '?'}`]))

const holes = ({ holes: list }: CoverageReport): string[] =>
  list.map(({ kind, name, follows }) => `${kind} ${name}${follows ? ' (follows)' : ''}`)

test('a package: what it has, what was reached and by whom, and what never was', async () => {
  const dir = await shop()
  const report = await reportOf(dir, 'run.jsonl')
  expect(report).toMatchObject({ agent_id: 'desk', runs: 4, observed_only: false, surface: ['the package desk'] })
  expect(counts(report)).toEqual({
    tools: '1/3',
    delegations: '1/2',
    hooks: '1/1',
    values: '2/6',
    arguments: '6/9',
    tool_errors: '1/3',
    presets: '2/3',
    locales: '1/2',
    endings: '1/3',
  })
  expect(holes(report)).toEqual([
    'tools orders__find',
    'tools orders__drop',
    'delegations legal',
    'values orders__send.speed=slow',
    'values orders__send.gift=false',
    'values orders__drop.force=true (follows)',
    'values orders__drop.force=false (follows)',
    'arguments orders__send.to.zip',
    'arguments orders__drop.number (follows)',
    'arguments orders__drop.force (follows)',
    'tool_errors orders__send',
    'tool_errors orders__drop (follows)',
    'presets chat.long',
    'locales de',
    'endings asked back',
    'endings refused',
  ])
  const errors = report.kinds.find(({ kind }) => kind === 'tool_errors')
  expect(errors?.places).toEqual([{ name: 'orders__find', times: 1, runs: 1, passed: 1, cases: ['misses'] }])
  const presets = report.kinds.find(({ kind }) => kind === 'presets')
  expect(presets?.places).toContainEqual({ name: 'chat.short', times: 1, runs: 1, passed: 0, cases: ['short'] })
  const again = await reportOf(dir, 'run.jsonl')
  expect(again).toEqual(report)
})

test('for people: counts by kind, the holes, and what follows from them only counted', async () => {
  const dir = await shop()
  const { stdout, code, stderr } = await viva(
    ['coverage', 'latest', '-o', 'c.html', '-o', 'c.md', '--format', 'console'],
    {
      cwd: dir,
    },
  )
  expect([code, stderr]).toEqual([0, 'Report: c.html\nReport: c.md\n'])
  expect(stdout).toContain('Coverage of desk: 50% (16 of 32 places reached in 4 runs)\nSurface: the package desk\n')
  expect(stdout).toMatch(/^ {2}Tools +1 of 3$/m)
  expect(stdout).toContain('  tool orders__drop: never called with success, nor the 5 places that depend on it\n')
  expect(stdout).toContain('  locale de: no run was in it (run the cases with --locale de)\n')
  expect(stdout).not.toContain('orders__drop.force')
  expect(readFileSync(join(dir, 'c.html'), 'utf8')).toContain('<code>orders__drop.force=true</code>')
  expect(readFileSync(join(dir, 'c.md'), 'utf8')).toContain('| agent | ` legal ` | never delegated to |')
})

test('several runs count together, and --min is a gate', async () => {
  const dir = await shop()
  await viva(['test', '-i', 'assistants/desk/tests/cases.jsonl', '-o', 'de.jsonl', '--locale', 'de-AT'], { cwd: dir })
  const report = await reportOf(dir, 'run.jsonl', 'de.jsonl')
  expect(report.runs).toBe(8)
  expect(counts(report)['locales']).toBe('2/2')
  const low = await viva(['coverage', 'run.jsonl', 'de.jsonl', '--min', '90'], { cwd: dir })
  expect([low.code, low.stderr]).toEqual([1, '--min 90%: the coverage is 53.1%\n'])
  expect((await viva(['coverage', 'run.jsonl', 'de.jsonl', '--min', '53.1'], { cwd: dir })).code).toBe(0)
})

const FUNCTION = `
export function run(messages) {
  const said = messages.at(-1).content
  if (said.includes('quiet')) return 'I say nothing about tools.'
  return {
    content: 'ok',
    tool_calls: [
      { name: 'get_user', args: { id: 1, detail: 'full' }, result: {} },
      { name: 'addNote', args: { text: '<b>&' }, error: 'locked' },
      { name: '<i>odd</i>', args: {}, result: 1 },
    ],
  }
}
`
const OPENAPI = `
openapi: 3.0.0
info: { title: Notes, version: "1" }
paths:
  /users/{id}:
    parameters: [{ $ref: '#/components/parameters/Id' }]
    get:
      operationId: getUser
      parameters: [{ name: detail, in: query, schema: { enum: [brief, full] } }]
    delete: { operationId: dropUser }
  /notes:
    post:
      operationId: addNote
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
components:
  parameters: { Id: { name: id, in: path, schema: { type: integer } } }
  schemas: { Note: { type: object, properties: { text: { type: string }, pinned: { type: boolean } } } }
`

async function functionRun(cases: object[], more: Files = {}): Promise<string> {
  const dir = makeFolder({ 'agent.mjs': FUNCTION, 'cases.jsonl': cases, 'api.yaml': OPENAPI, ...more })
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'run.jsonl'], { cwd: dir })
  return dir
}

test('where nothing says what the agent has, only what was seen is counted, and no gate passes', async () => {
  const dir = await functionRun([{ id: 'a', input: 'hi' }])
  const { stdout } = await viva(['coverage', 'run.jsonl'], { cwd: dir })
  expect(stdout).toContain('Coverage of ./agent.mjs#run: not known, in 1 run\nSurface: observed only.')
  expect(stdout).toMatch(/^ {2}Tools +2 seen$/m)
  const gate = await viva(['coverage', 'run.jsonl', '--min', '0'], { cwd: dir })
  expect([gate.code, gate.stderr]).toEqual([1, '--min 0%: the coverage is not known\n'])
})

test('an OpenAPI file is a surface; a call that failed is no success', async () => {
  const dir = await functionRun([{ id: 'a', input: 'hi' }])
  const report = await reportOf(dir, 'run.jsonl', '--openapi', 'api.yaml')
  expect(report.surface).toEqual(['the OpenAPI file api.yaml'])
  expect(holes(report).filter((hole) => !hole.startsWith('endings'))).toEqual([
    'tools dropUser',
    'tools addNote',
    'values getUser.detail=brief',
    'values addNote.pinned=true (follows)',
    'values addNote.pinned=false (follows)',
    'arguments dropUser.id (follows)',
    'arguments addNote.pinned (follows)',
    'tool_errors getUser',
    'tool_errors dropUser (follows)',
  ])
  expect(report.kinds[0]?.undeclared.map(({ name }) => name)).toEqual(['<i>odd</i>'])
  const html = await viva(['coverage', 'run.jsonl', '--openapi', 'api.yaml', '--format', 'html'], { cwd: dir })
  expect(html.stdout).toContain('&lt;i&gt;odd&lt;/i&gt;')
  expect(html.stdout).not.toContain('<i>')
})

test('operations of an OpenAPI file that share an id, have no content or refer to another file are not lost', async () => {
  const get = (operationId: string, more = {}): object => ({ get: { operationId, ...more }, post: { operationId } })
  const paths = { '/a': get('getUser'), '/b': { get: {} }, '/c%': get('x', { parameters: [{ $ref: '#/p%ZZ' }] }) }
  const dir = await functionRun([{ id: 'a', input: 'hi' }], {
    'twice.json': { openapi: '3.1.0', paths, 'p%ZZ': { name: 'q', in: 'query' } },
    'split.json': { openapi: '3.1.0', paths: { '/a': get('getUser'), '/d': { $ref: 'other.json#/d' } } },
    'deep.json': {
      openapi: '3.1.0',
      paths: { '/a': { post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/S' } } } } } } },
      S: { properties: { x: { $ref: 'x.json' } } },
    },
  })
  const report = await reportOf(dir, 'run.jsonl', '--openapi', 'twice.json')
  expect(holes(report).filter((hole) => hole.startsWith('tools'))).toEqual([
    'tools POST /a',
    'tools GET /b',
    'tools x',
    'tools POST /c%',
  ])
  for (const [file, ref] of [
    ['split.json', 'other.json#/d'],
    ['deep.json', 'x.json'],
  ] as const) {
    const { code, stderr } = await viva(['coverage', 'run.jsonl', '--openapi', file], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} refers to ${ref}, which is not in it`)])
  }
})

test('a call without an outcome counts, and it says so', async () => {
  const agent = "export const run = () => ({ content: 'ok', tool_calls: [{ name: 'getUser', args: {} }] })"
  const dir = await functionRun([{ id: 'a', input: 'hi' }], { 'agent.mjs': agent })
  const { notes } = await reportOf(dir, 'run.jsonl', '--openapi', 'api.yaml')
  expect(notes).toEqual(['1 run does not say what came of every tool call: such calls count as if they had succeeded'])
})

test('no gate passes where neither the tools nor the calls are known', async () => {
  const dir = await functionRun([{ id: 'a', input: 'quiet' }], {
    'viva.config.json': { surface: { endings: ['answered'] } },
  })
  const { code, stderr } = await viva(['coverage', 'run.jsonl', '--min', '50'], { cwd: dir })
  expect([code, stderr]).toEqual([
    1,
    '--min 50%: the coverage is not known, since nothing says which tools the agent has\n',
  ])
})

test('names can neither paint a terminal nor be a part of a page', async () => {
  const name = '\u001b[31m<b>\u202e|`x'
  const dir = await functionRun([{ id: '<i>|`a', input: 'hi' }], {
    'viva.config.json': { surface: { tools: [name], locales: [name], endings: [name] } },
    'agent.mjs': `export const run = () => ({ content: 'ok', tool_calls: [{ name: ${JSON.stringify(name)}, args: {}, result: 1 }] })`,
  })
  const files = ['o.html', 'o.md', 'o.txt', 'o.json']
  await viva(['coverage', 'run.jsonl', ...files.flatMap((file) => ['-o', file])], { cwd: dir })
  for (const file of files) {
    const text = readFileSync(join(dir, file), 'utf8')
    expect(text, file).not.toContain('\u001b')
    if (file !== 'o.json') expect(text, file).not.toContain('\u202e')
    if (file === 'o.html') expect(text).not.toMatch(/<[bi]>/)
  }
})

test('an answer that reports no calls leaves holes in doubt, and it says so', async () => {
  const dir = await functionRun([{ id: 'a', input: 'quiet' }])
  const { notes } = await reportOf(dir, 'run.jsonl', '--openapi', 'api.yaml')
  expect(notes).toEqual([
    '1 run does not report every tool call: a tool listed as never called may have been called there',
  ])
})

test('a list in the configuration counts instead of what is found', async () => {
  const surface = { tools: ['getUser', 'forget'], endings: ['answered', 'timed out'] }
  const dir = await functionRun([{ id: 'a', input: 'hi' }], { 'viva.config.json': { surface } })
  const report = await reportOf(dir, 'run.jsonl')
  expect(report.surface).toEqual(['"surface" of the configuration'])
  expect(holes(report)).toEqual([
    'tools forget',
    'tool_errors getUser',
    'tool_errors forget (follows)',
    'endings timed out',
  ])
  const bad = await functionRun([{ id: 'a', input: 'hi' }], {})
  const typo = makeFolder({
    'viva.config.json': { surface: { tols: [] } },
    'run.jsonl': readFileSync(join(bad, 'run.jsonl')),
  })
  const { code, stderr } = await viva(['coverage', 'run.jsonl'], { cwd: typo })
  expect([code, stderr]).toEqual([2, expect.stringContaining('tools')])
})

const SERVER = `
import { createInterface } from 'node:readline'
const tool = (name, properties) => ({ name, description: 'A tool', inputSchema: { type: 'object', properties } })
const tools = [tool('count', { article: { type: 'string' }, unit: { enum: ['box', 'piece'] } }), tool('burn', {})]
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'stock', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: args }) =>
    name === 'burn' ? { isError: true, content: [{ type: 'text', text: 'no' }] } : { content: [{ type: 'text', text: JSON.stringify(args) }] },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }) + '\\n')
}
`
const WITH_SERVER: Files = {
  'stock/package.yao': { name: 'Stock', connector: 'mock', mcp: { servers: ['store'] } },
  'stock/prompts.yml': '- role: system\n  content: You count.\n',
  'stock/mcps/store.mcp.yao': { transport: 'stdio', command: 'node', args: ['../server.mjs'] },
  'stock/mock.yml':
    '- trigger_pattern: "(?i)tea"\n  tool_calls: [{ name: store__count, args: { article: tea, unit: box } }]\n- output: "Three."\n',
  'server.mjs': SERVER,
  'cases.jsonl': [{ id: 'tea', input: 'how much tea?', assert: { type: 'contains', value: 'Three' } }],
}

test('the tools of an MCP server are known by name from the runs, with their arguments once it may be started', async () => {
  const dir = makeFolder(WITH_SERVER)
  await viva(['test', '-i', 'cases.jsonl', '-n', './stock', '-o', 'run.jsonl'], { cwd: dir })
  const names = await reportOf(dir, 'run.jsonl')
  expect(names.surface).toEqual(['the package stock', 'the tools that models were offered in the runs'])
  expect(names.notes).toEqual(['the tool server store was not started: what it has is not known (--start-servers)'])
  expect(holes(names).slice(0, 2)).toEqual(['tools store__burn', 'tool_errors store__count'])
  expect(counts(names)['arguments']).toBe('2/?')
  const whole = await reportOf(dir, 'run.jsonl', '--start-servers')
  expect(whole.notes).toEqual([])
  expect(holes(whole).slice(0, 2)).toEqual(['tools store__burn', 'values store__count.unit=piece'])
  const given = await reportOf(dir, 'run.jsonl', '-n', './agent.mjs', '--mcp', 'node server.mjs')
  expect(given.surface[0]).toBe('the MCP server node server.mjs')
  expect(holes(given)).toContain('values count.unit=piece')
  const bare = await reportOf(dir, 'run.jsonl', '--mcp', 'node server.mjs')
  expect(counts(bare)).toMatchObject({ tools: '1/2', values: '1/2' })
  const twice = await reportOf(
    dir,
    'run.jsonl',
    '-n',
    './x.mjs',
    '--mcp',
    'node server.mjs',
    '--mcp',
    'node ./server.mjs',
  )
  expect(counts(twice)['tools']).toBe('1/4')
  expect(twice.notes[0]).toBe(
    'count, burn of node ./server.mjs have the names of tools listed before: calls count for that one',
  )
  const broken = await viva(['coverage', 'run.jsonl', '--mcp', 'node nothing.mjs'], { cwd: dir })
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('NO_TOOL_LIST')])
})

test('tools that nothing has listed: a gate does not pass', async () => {
  const dir = makeFolder({
    ...WITH_SERVER,
    'cases.jsonl': [{ id: 'x', input: 'hi', assert: { type: 'contains', value: 'x' } }],
  })
  await viva(['test', '-i', 'cases.jsonl', '-n', './stock', '-o', 'run.jsonl'], { cwd: dir })
  // As a run that failed before any model was asked.
  const lines = readFileSync(join(dir, 'run.jsonl'), 'utf8').replaceAll('"tools":["store__count","store__burn"],', '')
  const bare = makeFolder({ ...WITH_SERVER, 'bare.jsonl': lines })
  const { code, stderr } = await viva(['coverage', 'bare.jsonl', '-n', './stock', '--min', '1'], { cwd: bare })
  expect([code, stderr]).toEqual([
    1,
    '--min 1%: the coverage is not known, since the tools of store are not (--start-servers)\n',
  ])
})

test('an orchestrator: hats, topics, transitions and ways to end', async () => {
  const dir = makeFolder({
    'hats.yml': `
hats:
  writer: { triggers: [task.start, review.rejected], publishes: [text.written] }
  reviewer: { triggers: [text.written], publishes: [review.accepted, review.rejected] }
  publisher: { triggers: [review.accepted] }
  lawyer: { triggers: [legal.asked] }
event_loop: { completion_promise: PUBLISHED, max_iterations: 4 }
`,
    'cases.jsonl': [
      {
        id: 'straight',
        input: 'Write',
        options: {
          mock_responses: [
            { hat: 'writer', output: '<event topic="text.written">Draft</event>' },
            { hat: 'reviewer', output: '<event topic="review.accepted">ok</event>' },
            { hat: 'publisher', output: 'PUBLISHED' },
          ],
        },
        assert: { type: 'exit_code', expected: 0 },
      },
    ],
  })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:hats.yml', '-o', 'run.jsonl'], { cwd: dir })
  const report = await reportOf(dir, 'run.jsonl')
  expect(counts(report)).toMatchObject({ hats: '3/4', topics: '3/5', transitions: '3/4' })
  expect(holes(report).filter((hole) => !hole.startsWith('endings'))).toEqual([
    'hats lawyer',
    'transitions reviewer → writer by review.rejected',
    'topics review.rejected',
    'topics legal.asked',
  ])
  expect(holes(report)).toContain('endings MaxIterations')
})

test('cases are generated for the holes, written, run, and looked at', async () => {
  const dir = await shop()
  const generator = `
export function run(messages) {
  const { holes, count } = JSON.parse(messages.at(-1).content)
  if (holes.length !== count) throw new Error('count')
  return { cases: holes.map(({ hole, agent, tool }) => ({
    id: 'G1',
    input: agent ? 'I want to see a lawyer' : tool ? 'please send order 7' : 'hello',
    metadata: { hole },
  })) }
}
`
  const legal = {
    'assistants/legal/package.yao': { name: 'Legal', connector: 'mock' },
    'assistants/legal/mock.yml': '- output: "See you in court."\n',
    'assistants/legal/prompts.yml': '- role: system\n  content: Law.\n',
  }
  const { writeFiles } = await import('../support/run-cli.js')
  writeFiles(dir, { 'gen.mjs': generator, ...legal })
  const args = ['coverage', 'run.jsonl', '--generate', 'new.jsonl', '--generator', './gen.mjs#run', '--format', 'json']
  const { stdout, code, stderr } = await viva(args, { cwd: dir })
  expect(code, stderr).toBe(0)
  const { generated } = JSON.parse(stdout) as CoverageReport
  const reached = generated?.cases.filter((each) => each.reached).map(({ name }) => name)
  expect(reached).toEqual(['legal'])
  expect(generated).toMatchObject({ file: 'new.jsonl', aimed: 10, reached: 1, not_aimed: 6 })
  const written = readFileSync(join(dir, 'new.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(written[2] ?? '')).toMatchObject({ id: 'hole-003', metadata: { aims_at: 'delegations: legal' } })
  const twice = await viva(args, { cwd: dir })
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('new.jsonl exists and would be lost')])
})

test('what is wrong is said with the next step', async () => {
  const dir = await functionRun([{ id: 'a', input: 'hi' }])
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'echo.jsonl'], { cwd: dir })
  const fails = async (args: string[], text: string): Promise<void> => {
    const { code, stderr } = await viva(['coverage', ...args], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringContaining(text)])
  }
  await fails(['run.jsonl', 'echo.jsonl'], 'has the answers of builtin:echo and ./agent.mjs#run')
  await fails(['none.jsonl'], 'no such file: none.jsonl')
  await fails(['cases.jsonl'], 'cases.jsonl')
  await fails(['run.jsonl', '--min', 'much'], '--min')
  await fails(['run.jsonl', '--generator', 'x'], 'has an effect only with --generate')
  await fails(['run.jsonl', '--pass-env', 'X'], 'has an effect only with --start-servers or --mcp')
  await fails(['run.jsonl', '--openapi', 'agent.mjs'], 'is not an OpenAPI file')
  await fails(['run.jsonl', '--openapi', 'none.yaml'], 'none.yaml is not an OpenAPI file')
  await fails(['run.jsonl', '-o', 'run.jsonl'], 'cannot tell the format')
  await fails(['run.jsonl', '-o', 'x.pdf'], 'cannot tell the format')
  expect(existsSync(join(dir, 'x.pdf'))).toBe(false)
  await fails(['run.jsonl', '-n', 'dsk'], 'no agent called "dsk"')
  expect((await viva(['coverage', 'run.jsonl', 'echo.jsonl', '-n', './agent.mjs#run'], { cwd: dir })).code).toBe(0)
})
