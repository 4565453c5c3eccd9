// Tools of a test over MCP: `viva mock-mcp` by itself, and every way in which an agent reaches the tools of its case.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/raw-server.js'
import { BIN, makeFolder, ROOT, startViva, viva } from '../support/run-cli.js'
import { doing, inShop, SHOP } from '../support/shop.js'

const REFUND: [string, object] = ['refund', { id: 'o1' }]
const REFUNDED = [
  { type: 'state_changed', paths: { '$.orders.o1.status': 'refunded', '$.log[0]': 'o1' } },
  { type: 'tool_called', name: 'refund', times: 1 },
]
const sdk = (name: string): string => pathToFileURL(join(ROOT, 'node_modules', name)).href

async function overStdio(cwd: string, args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BIN, 'mock-mcp', ...args], cwd, stderr: 'ignore' }),
  )
  onTestFinished(() => client.close())
  return client
}

test('a module on standard input and output, with one store', async () => {
  const client = await overStdio(makeFolder(SHOP), ['tools.ts'])
  const { tools } = await client.listTools()
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['get_order', 'Finds an order.'],
    ['refund', undefined],
  ])
  const call = (name: string, id: string) => client.callTool({ name, arguments: { id } })
  expect(await call('refund', 'o1')).toMatchObject({ structuredContent: { ok: true } })
  expect(await call('get_order', 'o1')).toMatchObject({ structuredContent: { status: 'refunded' } })
  expect(await call('refund', 'o7')).toMatchObject({ isError: true, content: [{ text: 'no order o7' }] })
})

test('fixed answers on a port of loopback, until Ctrl-C', async () => {
  const dir = makeFolder({ 'tools.yml': 'tools: {now: {result: "12:00"}, later: {error: closed}}' })
  const started = startViva(['mock-mcp', 'tools.yml', '--http'], { cwd: dir })
  let url = ''
  started.process.stderr?.on('data', (text: string) => (url ||= /http:\S+/.exec(text)?.[0] ?? ''))
  await started.saw('Press Ctrl-C')
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  expect(await client.callTool({ name: 'now', arguments: {} })).toMatchObject({ content: [{ text: '12:00' }] })
  expect(await client.callTool({ name: 'later', arguments: {} })).toMatchObject({
    isError: true,
    content: [{ text: 'closed' }],
  })
  const page = await fetch(url, { method: 'POST', headers: { origin: 'http://evil.example' }, body: '{}' })
  expect(page.status).toBe(403)
  await client.close()
  started.process.kill('SIGINT')
  expect((await started.done).code).toBe(0)
})

test.each([
  ['nothing', [], 'no file of tools, and VIVA_MOCK_MCP is not set'],
  ['no such file', ['no.yml'], 'no.yml does not exist'],
  ['another kind of file', ['agent.py'], 'agent.py is not a file of tools'],
  ['a port without a server', ['tools.ts', '--port', '1'], '--port: needs --http'],
])('mock-mcp, given %s', async (_what, args, message) => {
  const run = await viva(['mock-mcp', ...args], { cwd: makeFolder(SHOP) })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain(message)
})

test('an agent that only starts its servers reaches the tools of its case', async () => {
  const program = `
import { Client } from '${sdk('@modelcontextprotocol/client/dist/index.mjs')}'
import { StdioClientTransport } from '${sdk('@modelcontextprotocol/client/dist/stdio.mjs')}'
let text = ''
for await (const chunk of process.stdin) text += chunk
const client = new Client({ name: 'agent', version: '1' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['${BIN}', 'mock-mcp'], env: { ...process.env } }))
for (const [name, args] of JSON.parse(JSON.parse(text).messages.at(-1).content).calls) await client.callTool({ name, arguments: args })
await client.close()
console.log('done')`
  const { results } = await inShop([doing([REFUND], REFUNDED)], {
    files: { 'program.mjs': program },
    agent: 'exec:node program.mjs',
  })
  expect(results[0]).toMatchObject({ status: 'passed' })
})

test.each([true, false])('an ACP agent is told of the server (over HTTP: %j)', async (http) => {
  const agent = `
import { Readable, Writable } from 'node:stream'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as acp from '${sdk('@agentclientprotocol/sdk/dist/v1/stable/acp.js')}'
import { call } from './caller.mjs'
let servers = []
acp.agent({ name: 'desk' })
  .onRequest(acp.methods.agent.initialize, () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: ${http ? '{ mcpCapabilities: { http: true } }' : '{}'} }))
  .onRequest(acp.methods.agent.session.new, ({ params }) => { servers = params.mcpServers; return { sessionId: 's' } })
  .onRequest(acp.methods.agent.session.prompt, async ({ params, client }) => {
    const [server] = servers
    if (server.type === 'http') await call(server.url, 'refund', { id: 'o1' })
    else {
      const child = spawn(server.command, server.args, { env: { ...process.env, ...Object.fromEntries(server.env.map(({ name, value }) => [name, value])) }, stdio: ['pipe', 'pipe', 'ignore'] })
      const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
      send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } })
      await once(child.stdout, 'data')
      send({ method: 'notifications/initialized' })
      send({ id: 2, method: 'tools/call', params: { name: 'refund', arguments: { id: 'o1' } } })
      await once(child.stdout, 'data')
      child.kill()
    }
    await client.notify(acp.methods.client.session.update, { sessionId: params.sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'done' } } })
    return { stopReason: 'end_turn' }
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))`
  const { results } = await inShop([doing([REFUND], REFUNDED)], {
    files: { 'acp.mjs': agent },
    agent: 'acp:node acp.mjs',
  })
  expect(results[0]).toMatchObject({ status: 'passed' })
})

test('a JSON endpoint, and a program that reads the address from a file', async () => {
  const server = createServer((request, response) => {
    void (async () => {
      let text = ''
      for await (const chunk of request as AsyncIterable<Buffer>) text += chunk.toString()
      const { context } = JSON.parse(text) as { context: { mock_mcp: string } }
      await fetch(context.mock_mcp, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'refund', arguments: { id: 'o1' } },
        }),
      })
      response.setHeader('content-type', 'application/json').end('{"content": "done"}')
    })()
  })
  const port = await listen(server)
  const far = await inShop([doing([REFUND], REFUNDED)], { agent: `http://127.0.0.1:${port}/agent` })
  expect(far.results[0]).toMatchObject({ status: 'passed' })

  const program = `
import { readFileSync } from 'node:fs'
import { call } from '${pathToFileURL(join(far.dir, 'caller.mjs')).href}'
const { url } = JSON.parse(readFileSync('.mcp.json', 'utf8'))
await call(url, 'refund', { id: 'o1' })
console.log('done')`
  const workspace = {
    fixtures: { '.mcp.json': '{"url": "$VIVA_MOCK_MCP", "same": "${VIVA_MOCK_MCP}", "other": "$VIVA_MOCK_MCPX"}' },
  }
  const near = await inShop(
    [
      doing(
        [REFUND],
        [...REFUNDED, { type: 'file_json', path: '.mcp.json', json_path: '$.other', value: '$VIVA_MOCK_MCPX' }],
        { workspace },
      ),
    ],
    { files: { 'program.mjs': program }, agent: 'exec:node program.mjs' },
  )
  expect(near.results[0]).toMatchObject({ status: 'passed' })
})

test('a recorded answer makes its calls again, on a new store', async () => {
  const cases = [
    doing([REFUND], REFUNDED),
    doing(
      [],
      [
        { type: 'state_changed', paths: [] },
        { type: 'tool_not_called', name: 'refund' },
      ],
    ),
  ]
  const live = await inShop(cases, { args: ['--record', 'c.yml'] })
  expect(live.results.map(({ status }) => status)).toEqual(['passed', 'passed'])
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--replay', 'c.yml', '-o', 'again.jsonl']
  expect((await viva(args, { cwd: live.dir })).code).toBe(0)
})

test('hats of an orchestrator call the tools of the case, and again when it is replayed', async () => {
  const hat = `import { call } from './caller.mjs'
await call(process.env.VIVA_MOCK_MCP, 'refund', { id: 'o1' })
console.log('LOOP_COMPLETE')`
  const caller = SHOP['caller.mjs'] as string
  const config = {
    cli: { backend: 'custom', command: process.execPath, args: ['hat.mjs'] },
    event_loop: { completion_promise: 'LOOP_COMPLETE', max_iterations: 2 },
  }
  const workspace = { fixtures: { 'hat.mjs': hat, 'caller.mjs': caller }, config }
  const cases = [doing([], [REFUNDED[0] as object], { workspace })]
  const live = await inShop(cases, { agent: 'orchestrator:', args: ['--record', 'c.yml'] })
  expect(live.results[0]).toMatchObject({ status: 'passed' })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'orchestrator:', '--replay', 'c.yml', '-o', 'again.jsonl']
  expect((await viva(args, { cwd: live.dir })).code).toBe(0)
})

test('an agent that cannot be given tools is told so before the first case', async () => {
  const { code, stderr } = await inShop([doing([REFUND], REFUNDED)], { agent: 'builtin:echo' })
  expect(code).toBe(2)
  expect(stderr).toContain('testing.tools: ./tools.ts: builtin:echo cannot be given tools')
})

test('a script assertion sees the whole state, the whole files and where they are', async () => {
  const check = `
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
export function Check(output, input, expected, { evidence, workspace }) {
  const { state } = evidence
  return state.before.orders.o1.status === 'paid' && state.after.orders.o1.status === 'refunded'
    && workspace.files['notes/a.txt'] === 'all of it' && readFileSync(join(workspace.path, 'notes/a.txt'), 'utf8') === 'all of it'
}`
  const assert = [{ type: 'script', script: 'scripts.look.Check' }]
  const { results } = await inShop(
    [doing([REFUND], assert, { workspace: { fixtures: { 'notes/a.txt': 'all of it' } } })],
    {
      files: { 'scripts/look.ts': check },
    },
  )
  expect(results[0]).toMatchObject({ status: 'passed' })
})
