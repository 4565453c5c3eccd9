// What is known about tool calls, by kind of agent: complete, partial or unknown. What was not seen is not "not called".
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const NEVER = { type: 'tool_not_called', name: 'pay' }

async function endpoint(body: object | string): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/event-stream' : 'application/json'
  const server = createServer((_request, response) => {
    response.setHeader('content-type', type).end(text)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function run(cwd: string, target: string, more: string[] = []): Promise<ResultEvent[]> {
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json', ...more], { cwd })
  return parseEvents(stdout).filter((event) => event.type === 'result') as unknown as ResultEvent[]
}

/** For each assertion `passed`, `failed`, or `error` where nothing can be said. */
async function verdicts(files: Files, target: string, assertions: object[], input = 'hi'): Promise<string[]> {
  const cases = assertions.map((assert, index) => ({ id: `T${index + 1}`, input, assert: [assert] }))
  return (await run(makeFolder({ ...files, 'cases.jsonl': cases }), target)).map(verdictOf)
}

function verdictOf({ status, error_kind }: ResultEvent): string {
  return error_kind === 'input' ? 'error' : status
}

const calling = (code: string): Files => ({ 'agent.mjs': `export const run = () => (${code})` })
const sentBack = (more: string): string =>
  `messages: [{ role: "user", content: "hi" }, { role: "assistant", content: "ok", ${more} }]`
const openai = (message: object) => ({
  choices: [{ message: { role: 'assistant', content: 'ok', ...message }, finish_reason: 'stop' }],
})

test.each([
  ['text', '"ok"', 'error'],
  ['a reply without the key', '{ content: "ok" }', 'error'],
  ['a reply whose key says nothing', '{ content: "ok", tool_calls: null }', 'error'],
  ['a reply with an empty list', '{ content: "ok", tool_calls: [] }', 'passed'],
  ['a reply with calls', '{ content: "ok", tool_calls: [{ name: "find" }] }', 'passed'],
  ['a reply with the call', '{ content: "ok", tool_calls: [{ name: "pay" }] }', 'failed'],
  ['the AI SDK', '{ text: "ok", finishReason: "stop", toolCalls: [], steps: [] }', 'passed'],
  ['LangGraph', '{ messages: [{ type: "human", content: "hi" }, { type: "ai", content: "ok" }] }', 'passed'],
  ['a conversation that is sent back', `{ content: "ok", ${sentBack('')} }`, 'error'],
  ['a conversation alone', `{ ${sentBack('')} }`, 'error'],
  ['a conversation whose answer has an empty list', `{ ${sentBack('tool_calls: []')} }`, 'passed'],
  ['a conversation whose answer has the call', `{ ${sentBack('tool_calls: [{ name: "pay" }]')} }`, 'failed'],
  ['the OpenAI Agents SDK', '{ finalOutput: "ok", newItems: [] }', 'passed'],
  ['one answer of a model', JSON.stringify(openai({})), 'error'],
  ['a stream of text', '(async function* () { yield "ok" })()', 'error'],
  ['a stream with an empty list', '(async function* () { yield { content: "ok", tool_calls: [] } })()', 'passed'],
  ['the texts of an SDK alone', '{ textStream: (async function* () { yield "ok" })() }', 'error'],
])('a function that returns %s: %s, %s', async (_what, code, verdict) => {
  expect(await verdicts(calling(code), './agent.mjs#run', [NEVER])).toEqual([verdict])
})

test('absence, strict sequences and exact counts are errors that say how to declare it; what was seen is seen', async () => {
  const unknown = calling('{ content: "ok" }')
  const closed = [
    NEVER,
    { type: 'tool_called', name: 'pay', negate: true },
    { type: 'none', assertions: [{ type: 'tool_called', name: 'pay' }] },
    { type: 'tool_called', name: 'pay', times: 0 },
    { type: 'tool_called', name: 'pay', times: { max: 2 } },
    { type: 'tool_sequence', tools: [], match: 'strict' },
    { type: 'tool_sequence', tools: ['pay'], match: 'subset' },
  ]
  expect(await verdicts(unknown, './agent.mjs#run', closed)).toEqual(closed.map(() => 'error'))
  const cwd = makeFolder({ ...unknown, 'cases.jsonl': [{ id: 'T1', input: 'hi', assert: [NEVER] }] })
  const [result] = await run(cwd, './agent.mjs#run')
  expect(result).toMatchObject({ tool_evidence: 'unknown' })
  expect(result?.error).toContain('agents.NAME.tool_calls: "complete"')
})

test.each([
  ['a function', () => Promise.resolve('./agent.mjs#run')],
  ['a program', () => Promise.resolve('exec:node say.mjs')],
  ['a JSON endpoint', () => endpoint({ content: 'ok' })],
  ['an OpenAI-compatible endpoint', async () => `${await endpoint(openai({}))}/v1`],
])('%s: agents.x.tool_calls declares that all are reported', async (_kind, open) => {
  const target = await open()
  const files = { ...calling('"ok"'), 'say.mjs': 'console.log("ok")' }
  expect(await verdicts(files, target, [NEVER])).toEqual(['error'])
  const agents = { desk: { target, tool_calls: 'complete' } }
  const declared = { ...files, 'viva.config.json': { agents } }
  expect(await verdicts(declared, 'desk', [NEVER, { ...NEVER, negate: true }])).toEqual(['passed', 'failed'])
})

test('programs and JSON endpoints: an empty list is enough', async () => {
  const reply = { content: 'ok', tool_calls: [] }
  const files = { 'say.mjs': `console.log(${JSON.stringify(JSON.stringify(reply))})` }
  expect(await verdicts(files, 'exec:node say.mjs', [NEVER])).toEqual(['passed'])
  expect(await verdicts({}, await endpoint(reply), [NEVER])).toEqual(['passed'])
})

test('an OpenAI-compatible endpoint reports calls once one was seen in the conversation', async () => {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const call = { id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }
      const isFirst = !body.includes('"assistant"')
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(openai(isFirst && body.includes('look') ? { tool_calls: [call] } : {})))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const turns = (first: string) => [{ input: first }, { input: 'and?', assert: [NEVER] }]
  const cwd = makeFolder({
    'cases.jsonl': [
      { id: 'T1', turns: turns('look') },
      { id: 'T2', turns: turns('hi') },
    ],
  })
  const results = await run(cwd, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  expect(results.map(verdictOf)).toEqual(['passed', 'error'])
})

test('what one turn does not say is not known of the whole conversation', async () => {
  const cwd = makeFolder({
    'agent.mjs': 'export const run = (messages) => (messages.length > 1 ? { content: "b", tool_calls: [] } : "a")',
    'cases.jsonl': [
      { id: 'T1', turns: [{ input: 'one' }, { input: 'two', assert: [NEVER] }] },
      { id: 'T2', turns: [{ input: 'one' }, { input: 'two' }], final_assertions: [NEVER] },
    ],
  })
  expect((await run(cwd, './agent.mjs#run')).map(verdictOf)).toEqual(['passed', 'error'])
})

test('echo, mocks and packages report every call', async () => {
  expect(await verdicts({}, 'builtin:echo', [NEVER])).toEqual(['passed'])
  const files = {
    'app.yao': {},
    'assistants/desk/package.yao': { name: 'Desk', connector: 'mock' },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
    'assistants/desk/mock.yml': '- output: ok\n',
  }
  expect(await verdicts(files, 'desk', [NEVER])).toEqual(['passed'])
})

test('replayed and judged again, what was unknown stays so; an older event file says nothing, and Viva warns', async () => {
  const cwd = makeFolder({
    ...calling('"ok"'),
    'cases.jsonl': [{ id: 'T1', input: 'hi', assert: [NEVER] }],
  })
  expect((await run(cwd, './agent.mjs#run', ['--record', 'tape.yaml'])).map(verdictOf)).toEqual(['error'])
  expect((await run(cwd, './agent.mjs#run', ['--replay', 'tape.yaml'])).map(verdictOf)).toEqual(['error'])
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'events.jsonl'], { cwd })
  expect((await run(cwd, 'recorded:events.jsonl')).map(verdictOf)).toEqual(['error'])
  expect(readFileSync(join(cwd, 'events.jsonl'), 'utf8')).toContain('"tool_evidence":"unknown"')
})

test('a misspelt path: nothing there is no answer, and no report of calls', async () => {
  const target = await endpoint({ answer: 'ok', did: [{ name: 'pay' }] })
  const config = (paths: object): Files => ({ 'viva.config.json': { agents: { desk: { target, ...paths } } } })
  const right = config({ response_path: '$.answer', tool_calls_path: '$.did' })
  expect(await verdicts(right, 'desk', [NEVER, { type: 'contains', value: 'ok' }])).toEqual(['failed', 'passed'])
  const calls = config({ response_path: '$.answer', tool_calls_path: '$.done' })
  expect(await verdicts(calls, 'desk', [NEVER, { type: 'tool_called', name: 'pay' }])).toEqual(['error', 'failed'])
  const answer = config({ response_path: '$.anser', tool_calls_path: '$.did' })
  const cwd = makeFolder({
    ...answer,
    'cases.jsonl': [{ id: 'T1', input: 'hi', assert: [{ type: 'tool_called', name: 'pay' }] }],
  })
  expect((await run(cwd, 'desk'))[0]).toMatchObject({ status: 'failed', error_kind: 'agent' })
})

const ACP = `acp:node ${fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url))}`

test('ACP: calls without a name can be asserted by kind, title and locations', async () => {
  const call = {
    sessionUpdate: 'tool_call',
    toolCallId: '1',
    title: 'Writing to hello.txt',
    kind: 'edit',
    locations: [{ path: '/tmp/x/hello.txt', line: 3 }],
  }
  const input = JSON.stringify([call])
  const table: Array<[object, string]> = [
    [{ type: 'tool_called', kind: 'edit' }, 'passed'],
    [{ type: 'tool_called', kind: ['read', 'edit'], times: 1 }, 'passed'],
    [{ type: 'tool_called', kind: 'read' }, 'failed'],
    [{ type: 'tool_not_called', kind: 'edit' }, 'failed'],
    [{ type: 'tool_not_called', kind: 'execute' }, 'passed'],
    [{ type: 'tool_called', title: { $regex: '^Writing' } }, 'passed'],
    [{ type: 'tool_not_called', title: 'Reading' }, 'passed'],
    [{ type: 'tool_called', locations: ['hello.txt'] }, 'passed'],
    [{ type: 'tool_called', locations: [{ path: 'hello.txt', line: 3 }] }, 'passed'],
    [{ type: 'tool_called', locations: ['other.txt'] }, 'failed'],
    [{ type: 'tool_called', name: 'write_file', kind: 'edit' }, 'error'],
    [{ type: 'tool_not_called', name: 'write_file', kind: 'read' }, 'passed'],
    [{ type: 'tool_not_called', name: 'write_file' }, 'error'],
  ]
  const found = await verdicts(
    {},
    ACP,
    table.map(([spec]) => spec),
    input,
  )
  expect(found.map((verdict, index) => [table[index]?.[0], verdict])).toEqual(table)
})

test('what an agent does not say about its calls is not shown either way', async () => {
  const files = calling('{ content: "ok", tool_calls: [{ name: "write" }] }')
  const specs = [
    { type: 'tool_called', kind: 'edit' },
    { type: 'tool_not_called', kind: 'edit' },
  ]
  expect(await verdicts(files, './agent.mjs#run', specs)).toEqual(['error', 'error'])
})

test('a tool that the agent does not have is not called, and not left alone either', async () => {
  const files: Files = {
    'app.yao': {},
    'assistants/desk/package.yao': { name: 'Desk', connector: 'mock', mcp: { servers: ['orders'] } },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
    'assistants/desk/mcps/orders.mcp.yao': {
      transport: 'process',
      tools: { find: 'scripts.orders.Find' },
    },
    'assistants/desk/mock.yml':
      '- tool_calls: [{name: search, args: {}}, {name: ask_user, args: {}}, {name: orders__find, args: {}}]\n- output: done\n',
    'scripts/orders.ts': 'export function Find() { return { found: 1 } }',
  }
  const table: Array<[object, string]> = [
    [{ type: 'tool_called', name: 'search' }, 'failed'],
    [{ type: 'tool_called', name: 'search', negate: true }, 'failed'],
    [{ type: 'tool_not_called', name: 'search' }, 'failed'],
    [{ type: 'tool_sequence', tools: ['search', 'find'] }, 'failed'],
    [{ type: 'tool_called', name: 'find' }, 'passed'],
    [{ type: 'tool_called', name: 'ask_user' }, 'passed'],
  ]
  const found = await verdicts(
    files,
    'desk',
    table.map(([spec]) => spec),
  )
  expect(found.map((verdict, index) => [table[index]?.[0], verdict])).toEqual(table)
})
