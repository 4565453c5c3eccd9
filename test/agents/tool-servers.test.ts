// Real MCP servers that die, send too much or have no tools: what the cases see, and that the next one is not affected.
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** Speaks just enough MCP; the arguments of a call say what it does. */
const SERVER = `
import { createInterface } from 'node:readline'
const capabilities = process.argv[2] === 'no-tools' ? {} : { tools: {} }
const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize')
    say(id, { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 's', version: '1' } })
  if (method === 'tools/list') say(id, { tools: [{ name: 'do', inputSchema: { type: 'object' } }] })
  if (method !== 'tools/call') return
  if (params.arguments.what === 'die') process.exit(3)
  say(id, { content: [{ type: 'text', text: params.arguments.what === 'flood' ? 'x'.repeat(11e6) : 'fine' }] })
})
`

async function run(ask: string[], mode = '') {
  const dir = makeFolder({
    'app.yao': {},
    'server.mjs': SERVER,
    'connectors/m.conn.yao': {
      type: 'mock',
      options: {
        responses: [
          ...ask.map((what) => ({ trigger_pattern: `^${what}`, tool_calls: [{ name: 's__do', args: { what } }] })),
          { output: 'done' },
        ],
      },
    },
    'assistants/a/package.yao': { name: 'A', connector: 'm', mcp: { servers: ['s'] } },
    'mcps/s.mcp.yao': { command: 'node', args: ['server.mjs', mode] },
    'cases.jsonl': ask.map((what, index) => ({ id: `T${index + 1}`, input: what })),
  })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '--json'], { cwd: dir })
  return parseEvents(stdout).flatMap((event) => (event.type === 'result' ? (event['tool_calls'] ?? []) : []))
}

test('a server that dies or sends too much fails that call, and is started again for the next', async () => {
  const ended = 'the tool server ended before it answered'
  expect(await run(['die', 'well', 'flood', 'good'])).toMatchObject([
    { error: ended },
    { result: 'fine' },
    { error: `${ended}: it sent a message of more than 10 MB` },
    { result: 'fine' },
  ])
})

test('a server without tools writes nothing into the events', async () => {
  expect(await run(['well'], 'no-tools')).toEqual([{ name: 's__do', args: { what: 'well' }, id: expect.any(String) }])
})

test('tools of every page of a long list are offered and called', async () => {
  const dir = makeFolder({
    'app.yao': {},
    'server.mjs': SERVER.replace(
      "say(id, { tools: [{ name: 'do', inputSchema: { type: 'object' } }] })",
      "say(id, params?.cursor ? { tools: [{ name: 'do', inputSchema: { type: 'object' } }] } : { tools: [{ name: 'other', inputSchema: { type: 'object' } }], nextCursor: 'second' })",
    ),
    'assistants/a/package.yao': { name: 'A', connector: 'mock', mcp: { servers: ['s'] } },
    'assistants/a/mock.yml': '- trigger_pattern: "go"\n  tool_calls: [{ name: s__do, args: {} }]\n- output: "done"\n',
    'mcps/s.mcp.yao': { command: 'node', args: ['server.mjs'] },
    'cases.jsonl': [{ id: 'T1', input: 'go' }],
  })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '-o', 'run.jsonl'], { cwd: dir })
  const { stdout } = await viva(['coverage', 'run.jsonl', '--start-servers', '--format', 'json'], { cwd: dir })
  const { kinds } = JSON.parse(stdout) as { kinds: Array<{ kind: string; total: number; places: unknown[] }> }
  expect(kinds.find(({ kind }) => kind === 'tools')).toMatchObject({ total: 2, places: [{ name: 's__do', times: 1 }] })
})

test('functions of scripts that are named like calls of agents are tools all the same', async () => {
  const tools = { send: 'scripts.orders.Send', call: 'agents.a.orders.Call', ask: 'agents.b.Stream' }
  const args = { 'x-process-args': ['constant', 'hello'] }
  const dir = makeFolder({
    'app.yao': {},
    'assistants/a/package.yao': { name: 'A', connector: 'mock', mcp: { servers: ['s'] } },
    'assistants/a/mock.yml': `- trigger_pattern: "go"\n  tool_calls: [${Object.keys(tools)
      .map((name) => `{ name: s__${name}, args: {} }`)
      .join(', ')}]\n- output: "done"\n`,
    'assistants/a/src/orders.ts':
      "export function Send() { return 'sent' }\nexport function Call() { return 'called' }\n",
    'assistants/a/mcps/s.mcp.yao': { transport: 'process', tools },
    'assistants/a/mcps/mapping/s/schemes/ask.in.yao': { type: 'object', properties: {}, ...args },
    'assistants/b/package.yao': { name: 'B', connector: 'mock' },
    'assistants/b/mock.yml': '- output: "from b"\n',
    'cases.jsonl': [{ id: 'T1', input: 'go' }],
  })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '--json'], { cwd: dir })
  const calls = parseEvents(stdout).flatMap((event) => (event.type === 'result' ? (event['tool_calls'] ?? []) : []))
  expect(calls).toMatchObject([{ result: 'sent' }, { result: 'called' }, { result: { content: 'from b' } }])
})
