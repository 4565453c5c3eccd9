// `-n mcp:… -c CONNECTOR`: a model is offered the tools of a server, in their own words or in others, and none is called.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles, type CliRun, type Files } from '../support/run-cli.js'

/** Notes which methods it is asked for. */
const SERVER = `
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const tools = JSON.parse(readFileSync(new URL('tools.json', import.meta.url), 'utf8'))
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }),
  'tools/list': ({ cursor } = {}) => (cursor ? { tools: tools.slice(1) } : { tools: tools.slice(0, 1), nextCursor: 'rest' }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'called' }] }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  appendFileSync(new URL('methods.log', import.meta.url), method + '\\n')
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.(params) ?? {} }))
}
`

const TOOLS = [
  {
    name: 'orders.find',
    description: 'Search',
    inputSchema: { type: 'object', properties: { number: { type: 'integer', description: 'n' } } },
  },
  {
    name: 'orders.cancel',
    description: 'Stop',
    inputSchema: { type: 'object', properties: { number: { type: 'integer' } } },
  },
]

/** A model that goes by the words of the descriptions. */
const MODEL = `
export function Answer({ tools = [], messages }) {
  const task = String(messages.at(-1).content)
  const word = /cancel/i.test(task) ? 'cancel' : /where/i.test(task) ? 'search' : 'nothing'
  const tool = tools.find(({ description }) => description.toLowerCase().includes(word))
  return tool ? { tool_calls: [{ name: tool.name, args: { number: 7 } }] } : { output: 'No tool fits.' }
}
`

const CASES = [
  { id: 'find', input: 'Where is order 7?', expect_tool: { name: 'orders.find', arguments: { number: 7 } } },
  { id: 'cancel', input: 'Cancel order 7', expect_tool: { name: 'orders.cancel', arguments: { number: 7 } } },
  { id: 'none', input: 'Sing a song', expect_tool: null },
]

function project(rest: Files = {}): string {
  return makeFolder({
    'server.mjs': SERVER,
    'tools.json': TOOLS,
    'scripts/model.ts': MODEL,
    'connectors/scripted.conn.json': { type: 'mock', options: { script: 'scripts.model.Answer' } },
    'cases.jsonl': CASES,
    ...rest,
  })
}

function run(dir: string, ...args: string[]): Promise<CliRun> {
  const common = ['test', '-n', 'mcp:node server.mjs', '-i', 'cases.jsonl', '-o', 'out.jsonl', '--force']
  return viva([...common, ...args], { cwd: dir })
}

function statuses(dir: string): Record<string, unknown> {
  const results = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
  return Object.fromEntries(results.map(({ id, variant, status }) => [[id, variant].filter(Boolean).join(' '), status]))
}

function methods(dir: string): string[] {
  const log = join(dir, 'methods.log')
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

test('the tools of all pages are offered, the call is judged, and nothing is called', async () => {
  const dir = project()
  const ran = await run(dir, '-c', 'scripted')
  expect(statuses(dir), ran.stderr).toEqual({ find: 'passed', cancel: 'failed', none: 'passed' })
  expect(new Set(methods(dir))).toEqual(new Set(['initialize', 'notifications/initialized', 'tools/list']))
  // One session for the whole run.
  expect(methods(dir).filter((method) => method === 'initialize')).toHaveLength(1)
})

test('recorded once, it is replayed with neither the server nor its list', async () => {
  const dir = project()
  await run(dir, '-c', 'scripted', '--record', 'tape.jsonl')
  const first = statuses(dir)
  writeFiles(dir, { 'tools.json': [] })
  const ran = await run(dir, '-c', 'scripted', '--replay', 'tape.jsonl')
  expect(statuses(dir), ran.stderr).toEqual(first)
})

test('other descriptions are a variant beside their own, and a better one is seen to be better', async () => {
  const dir = project({ 'clear.json': { 'orders.cancel': 'Cancel an order for good' } })
  const { stdout } = await run(dir, '-c', 'scripted', '--descriptions', 'clear.json')
  expect(statuses(dir)).toMatchObject({ 'cancel own': 'failed', 'cancel clear': 'passed' })
  expect(stdout).toContain('own: Right tool in 2 of 3 runs')
  expect(stdout).toContain('clear: Right tool in 3 of 3 runs')
  const [start, ...events] = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
  expect(start?.['variants']).toMatchObject([{ name: 'own' }, { name: 'clear', descriptions: 'clear.json' }])
  expect(events.at(-1)?.['variants']).toMatchObject([
    { choices: [{ right: 2 }] },
    { choices: [{ right: 3 }], difference: { cases: 3 } },
  ])
})

test('models and descriptions multiply', async () => {
  const dir = project({
    'clear.json': { 'orders.cancel': { description: 'Cancel an order', arguments: { number: 'Of the order' } } },
    'connectors/silent.conn.json': { type: 'mock', options: { responses: [{ output: 'no' }] } },
  })
  await run(dir, '-c', 'scripted', '-c', 'silent', '--descriptions', 'clear.json')
  expect(Object.keys(statuses(dir)).filter((key) => key.startsWith('find'))).toEqual([
    'find scripted+own',
    'find scripted+clear',
    'find silent+own',
    'find silent+clear',
  ])
})

test.for<[string, unknown, string]>([
  [
    'a tool that the server has not',
    { 'orders.cancl': 'x' },
    'there is no tool "orders.cancl"; did you mean "orders.cancel"?',
  ],
  ['the words it has already', { 'orders.cancel': 'Stop' }, 'the description of "orders.cancel" is the one it has'],
  [
    'an argument that it has not',
    { 'orders.find': { arguments: { numbr: 'x' } } },
    '"orders.find" has no argument "numbr"; did you mean "number"?',
  ],
  ['the words that an argument has', { 'orders.find': { arguments: { number: 'n' } } }, 'is the one it has'],
  ['an unknown field', { 'orders.find': { describtion: 'x' } }, 'unknown field "describtion"'],
  ['no words at all', { 'orders.find': {} }, 'orders.find says nothing'],
  ['no tools', {}, 'it describes no tool'],
])('descriptions are refused before anything is asked: %s', async ([, descriptions, words]) => {
  const dir = project({ 'other.json': descriptions as object })
  const { code, stderr } = await run(dir, '-c', 'scripted', '--descriptions', 'other.json')
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
  expect(existsSync(join(dir, 'out.jsonl'))).toBe(false)
})

test('descriptions of the tools of cases: one that no case has is refused', async () => {
  const tools = [
    { name: 'a', description: 'A' },
    { name: 'b', description: 'B' },
  ]
  const files = {
    'router/package.yao': { name: 'router', connector: 'silent' },
    'connectors/silent.conn.json': { type: 'mock', options: { responses: [{ output: 'no' }] } },
    'own.jsonl': [
      { id: 'one', input: 'x', tools: tools.slice(0, 1), expect_tool: null },
      { id: 'two', input: 'x', tools: tools.slice(1), expect_tool: null },
    ],
  }
  const ask = async (descriptions: object) => {
    const dir = makeFolder({ ...files, 'other.json': descriptions })
    return viva(['test', '-n', './router', '-i', 'own.jsonl', '--descriptions', 'other.json'], { cwd: dir })
  }
  expect(await ask({ a: 'another A', b: 'another B' })).toMatchObject({ code: 0 })
  expect(await ask({ a: 'another A', c: 'C' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no tool "c"'),
  })
  expect(await ask({ b: 'B' })).toMatchObject({ code: 2, stderr: expect.stringContaining('is the one it has') })
  const missing = ['test', '-n', './router', '-i', 'own.jsonl', '--descriptions', 'othr.json']
  const { code, stderr } = await viva(missing, { cwd: makeFolder(files) })
  expect([code, stderr]).toEqual([2, expect.stringContaining('othr.json: there is no such file\n  hint: the path is')])
})

test('an interrupted comparison does not go on with other words', async () => {
  const dir = project({ 'clear.json': { 'orders.cancel': 'Cancel an order' } })
  await run(dir, '-c', 'scripted', '--descriptions', 'clear.json')
  const lines = readFileSync(join(dir, 'out.jsonl'), 'utf8').split('\n')
  writeFiles(dir, { 'half.jsonl': `${lines.slice(0, 3).join('\n')}\n`, 'clear.json': { 'orders.cancel': 'Cancels' } })
  const { code, stderr } = await viva(['test', '--resume', 'half.jsonl'], { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining('have changed since the run began')])
})

test.for<[string, Files, string[], string]>([
  ['a task without a model', {}, [], 'name the model with -c'],
  [
    'a tool that the server has not',
    { 'cases.jsonl': [{ ...CASES[0], expect_tool: 'orders.fnd' }] },
    ['-c', 'scripted'],
    'did you mean "orders.find"?',
  ],
  ['an unknown connector', {}, ['-c', 'scriptd'], 'unknown connector "scriptd"'],
])('is refused before anything is asked: %s', async ([, files, args, words]) => {
  const dir = project(files)
  const { code, stderr } = await run(dir, ...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

test.for<[string, unknown, string]>([
  ['lists a tool twice', [TOOLS[0], TOOLS[0]], 'it lists "orders.find" twice'],
  ['lists nothing', [], 'it lists none'],
])('a server that %s cannot be routed: an error, not "no call"', async ([, tools, words]) => {
  const dir = project({ 'tools.json': tools as object, 'cases.jsonl': [CASES[2]] as object })
  const { code, stdout } = await run(dir, '-c', 'scripted')
  expect([code, stdout]).toEqual([1, expect.stringContaining(words)])
  expect(stdout).toContain('Right tool: not known')
})
