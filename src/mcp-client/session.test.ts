// Sessions with real servers over their real transports, and with servers that break the protocol.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { afterEach, expect, test } from 'vitest'
import { http } from '../../test/support/http.js'
import { createProcesses } from '../../test/support/processes.js'
import { ROOT } from '../../test/support/run-cli.js'
import { parseMcpTarget } from './parse-target.js'
import { isOpen, openSession, type McpSession, type SessionOptions } from './session.js'
import { specProblems } from './spec-problems.js'

const NOTES = `mcp:node ${join(ROOT, 'test/fixtures/mcp/notes-server.mjs')}`
const ODD = `mcp:node '${join(ROOT, 'test/fixtures/mcp/odd-server.mjs')}'`

const open: Array<() => Promise<unknown>> = []
const servers: Server[] = []

afterEach(async () => {
  for (const close of open.splice(0)) await close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function connect(target: string, options: SessionOptions = {}, entry = {}): Promise<McpSession> {
  const processes = createProcesses()
  const env = { ...process.env, TOKEN: 'hunter2hunter2' }
  const server = parseMcpTarget({ target, ...entry }, { cwd: ROOT, env, processes })
  const session = await openSession(server, { env, http, pass_env: [], processes }, options)
  open.push(async () => {
    await session.close()
    await processes.close()
  })
  return session
}

const call = (session: McpSession, name: string, args = {}, options = {}) =>
  session.request('tools/call', { name, arguments: args }, options)

test('a server is initialized and listed, and shows each exchange as it was', async () => {
  const session = await connect(NOTES)
  expect(session.initialized).toMatchObject({
    ended: 'answered',
    request: { method: 'initialize', params: { clientInfo: { name: 'viva' } } },
    answer: { result: { serverInfo: { name: 'notes', version: '1.2.3' } } },
  })
  const names = async (kind: 'tools' | 'prompts' | 'resources' | 'resourceTemplates') =>
    (await session.listAll(kind)).items.map((item) => item['name'])
  expect(await names('tools')).toEqual(['find_note', 'add_note', 'where', 'wait', 'crash'])
  expect(await names('prompts')).toEqual(['summary'])
  expect(await names('resources')).toEqual(['all'])
  expect(await names('resourceTemplates')).toEqual(['one'])
  const found = await call(session, 'find_note', { word: 'milk' })
  expect(found).toMatchObject({
    request: { jsonrpc: '2.0', method: 'tools/call', params: { name: 'find_note', arguments: { word: 'milk' } } },
    answer: { result: { content: [{ type: 'text', text: '1 found' }], structuredContent: { found: ['first'] } } },
    ended: 'answered',
  })
  expect(found.bytes).toBeGreaterThan(50)
  const { request, answer } = await session.request('no/such')
  expect([request.method, answer]).toMatchObject(['no/such', { error: { code: -32601 } }])
  await session.close()
  expect(session.end()).toMatchObject({ exitCode: 0, leaked: [] })
  expect(await call(session, 'find_note')).toMatchObject({ ended: 'closed' })
})

test('a program runs in the folder and with the variables it is given', async () => {
  const session = await connect(
    NOTES,
    { cwd: join(ROOT, 'test/fixtures'), env: { HOME: '/nowhere' } },
    { env: { SHELF: '7' } },
  )
  const { answer } = await call(session, 'where')
  const [{ text }] = (answer as { result: { content: [{ text: string }] } }).result.content
  expect(JSON.parse(text)).toEqual({ cwd: join(ROOT, 'test/fixtures'), home: '/nowhere', shelf: '7' })
})

test('a call that takes too long is given up and cancelled, and the session goes on', async () => {
  const session = await connect(NOTES)
  const seen: unknown[] = []
  const late = await call(session, 'wait', {}, { timeoutMs: 300, onProgress: (params: unknown) => seen.push(params) })
  expect(late).toMatchObject({
    ended: 'timeout',
    why: 'no answer within 300 ms',
    progress: [{ progress: 1, total: 2 }],
  })
  expect(seen).toEqual(late.progress)
  expect(await session.request('ping')).toMatchObject({ ended: 'answered', answer: { result: {} } })
  await session.close()
  expect(session.stderrTail()).toContain('cancelled')
})

test('aborting ends the wait for a call', async () => {
  const session = await connect(NOTES)
  const controller = new AbortController()
  const waits = call(session, 'wait', {}, { signal: controller.signal, onProgress: () => controller.abort() })
  expect(await waits).toMatchObject({ ended: 'aborted' })
})

test('a server that crashes ends the exchange with its exit code and its last words', async () => {
  const session = await connect(NOTES)
  const { ended, why } = await call(session, 'crash')
  expect([ended, why]).toEqual(['closed', 'the server exited with code 3; it wrote: out of paper'])
  expect(session.isClosed).toBe(true)
})

test.each([
  ['mute', 'timeout', 'no answer within 500 ms'],
  ['exits at once', 'closed', 'the server exited with code 4; it wrote: no license'],
  [
    'exits with a stack',
    'closed',
    "the server exited with code 5; it wrote: Fatal error: Error: no database | 'a', | 'b', | 'c', | 'd' | ]",
  ],
  ['refuses', 'answered', undefined],
])('a server that does not start (%s) is not open', async (how, ended, why) => {
  const session = await connect(`${ODD} "${how}"`, { timeoutMs: how === 'mute' ? 500 : 20_000 })
  expect(isOpen(session)).toBe(false)
  expect([session.initialized.ended, session.initialized.why]).toEqual([ended, why])
})

test('another protocol version is reported as it is', async () => {
  const session = await connect(`${ODD} version`)
  expect([isOpen(session), session.protocolVersion]).toEqual([true, '1999-01-01'])
})

test('all pages of a list are read, and a circle ends', async () => {
  const paged = await (await connect(`${ODD} pages`)).listAll('tools')
  expect([paged.items.map(({ name }) => name), paged.pages.length, paged.problem]).toEqual([
    ['t0', 't1', 't2'],
    3,
    undefined,
  ])
  const circle = await (await connect(`${ODD} circle`)).listAll('tools')
  expect(circle.problem).toBe('tools/list gave the cursor "again" twice')
})

test('a flood of log messages hides nothing else', async () => {
  const session = await connect(`${ODD} flood`)
  await call(session, 'go')
  const methods = session.notifications.map(({ method }) => method)
  expect(methods.filter((method) => method === 'notifications/message')).toHaveLength(1000)
  expect(methods.at(-1)).toBe('notifications/tools/list_changed')
})

test('an answer that is nested too deeply is refused at once, and the session goes on', async () => {
  const session = await connect(`${ODD} deep`)
  const refused = { ended: 'too_large', why: 'it sent a message of more than 1000 levels' }
  expect(await call(session, 'go')).toMatchObject(refused)
  expect(await call(session, 'go')).toMatchObject(refused)
  expect([session.isClosed, session.notifications]).toEqual([false, []])
  expect(session.faults).toEqual([refused.why, refused.why])
})

test('an answer that comes too late is no fault', async () => {
  const session = await connect(`${ODD} "late answer"`)
  expect(await call(session, 'go', {}, { timeoutMs: 1 })).toMatchObject({ ended: 'timeout' })
  expect(await call(session, 'go')).toMatchObject({ ended: 'answered' })
  expect(session.faults).toEqual([])
})

test('the limit is told in whole milliseconds', async () => {
  const { initialized } = await connect(`${ODD} mute`, { timeoutMs: 300.40000000000003 })
  expect(initialized).toMatchObject({ ended: 'timeout', why: 'no answer within 300 ms' })
})

test('over HTTP: an answer that is nested too deeply is refused', async () => {
  const { fetch } = webHandler()
  const nested = '['.repeat(200_000) + ']'.repeat(200_000)
  let isDeep = false
  const address = await listen((request, response) => {
    if (!isDeep || request.method !== 'POST') return void answer(fetch, request, response)
    void readJson(request).then(({ id }) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${id},"result":{"content":${nested}}}`),
    )
  })
  const session = await connect(`mcp:http://${address}/mcp`)
  isDeep = true
  expect(await call(session, 'fill', { size: 1 })).toMatchObject({ ended: 'too_large' })
})

test('a server with resources need not have templates', async () => {
  const { items, problem } = await (await connect(`${ODD} "no templates"`)).listAll('resourceTemplates')
  expect([items, problem]).toEqual([[], undefined])
})

test('what breaks the protocol is kept, and the exchange goes on', async () => {
  const session = await connect(`${ODD} noise`)
  const { ended, answer } = await call(session, 'go')
  expect([ended, answer]).toEqual(['answered', { result: { content: 'not a list' } }])
  expect(specProblems('CallToolResult', (answer as { result: unknown }).result)).toEqual([
    expect.stringMatching(/^content: /),
  ])
  expect(specProblems('CallToolResult', { content: [] })).toEqual([])
  expect(session.faults).toEqual([
    'wrote something other than a message to standard output: listening on port 80',
    'sent a message that answers nothing: {"jsonrpc":"2.0","id":999,"result":{}}',
  ])
  expect(session.notifications).toEqual([{ method: 'notifications/tools/list_changed' }])
  expect(session.requests).toEqual([{ method: 'roots/list' }, { method: 'ping' }])
})

test('an answer of 50 MB ends the server, not the memory', async () => {
  const session = await connect(`${ODD} huge`)
  expect(await call(session, 'go')).toMatchObject({ ended: 'too_large', why: 'it sent a message of more than 10 MB' })
  expect(await call(session, 'go')).toMatchObject({ ended: 'too_large' })
})

test('a crash after the answer is seen by the next request', async () => {
  const session = await connect(`${ODD} "late crash"`)
  expect(await call(session, 'go')).toMatchObject({ ended: 'answered' })
  expect(await session.request('ping')).toMatchObject({ ended: 'closed', why: 'the server exited with code 5' })
})

test('a server that ignores its end is ended', async () => {
  const session = await connect(`${ODD} stays`, { patienceMs: 50, graceMs: 50 })
  await session.close()
  expect(session.end()).toMatchObject({ signal: 'SIGKILL' })
}, 20_000)

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const method = request.method ?? 'GET'
  const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)])
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }
  const sent = await handle(new Request(`http://${request.headers.host}${request.url}`, { method, headers, ...body }))
  response.writeHead(sent.status, Object.fromEntries(sent.headers))
  response.end(Buffer.from(await sent.arrayBuffer()))
}

function webHandler() {
  return createMcpHandler(() => {
    const server = new McpServer({ name: 'web', version: '1.0.0' })
    const inputSchema = fromJsonSchema<{ size: number }>({ type: 'object', properties: { size: { type: 'number' } } })
    server.registerTool('fill', { description: 'Fills', inputSchema }, ({ size }) => ({
      content: [{ type: 'text', text: 'x'.repeat(size) }],
    }))
    return server
  })
}

test('over HTTP: the key is sent, exchanges are seen, large answers are refused', async () => {
  const seen = new Set<string | undefined>()
  const { fetch } = webHandler()
  const address = await listen((request, response) => {
    seen.add(request.headers.authorization)
    void answer(fetch, request, response)
  })
  const session = await connect(`mcp:http://${address}/mcp`, { maxMessageBytes: 1024 * 1024 }, { key: '$ENV.TOKEN' })
  expect((await session.listAll('tools')).items).toMatchObject([{ name: 'fill' }])
  expect(await call(session, 'fill', { size: 3 })).toMatchObject({ answer: { result: { content: [{ text: 'xxx' }] } } })
  expect(await call(session, 'fill', { size: 2 * 1024 * 1024 })).toMatchObject({
    ended: 'too_large',
    why: 'it sent a message of more than 1 MB',
  })
  expect([...seen]).toEqual(['Bearer hunter2hunter2'])
})

test('over HTTP: an answer that never comes is given up', async () => {
  const { fetch } = webHandler()
  const address = await listen((request, response) => {
    if (isOpenForCalls) return
    void answer(fetch, request, response)
  })
  let isOpenForCalls = false
  const session = await connect(`mcp:http://${address}/mcp`)
  isOpenForCalls = true
  expect(await call(session, 'fill', { size: 1 }, { timeoutMs: 300 })).toMatchObject({ ended: 'timeout' })
})

test('over HTTP: errors of the address itself are told', async () => {
  const gone = await connect(
    `mcp:http://${await listen((_, response) => response.writeHead(404).end('nothing here'))}/mcp`,
  )
  expect(gone.initialized).toMatchObject({ ended: 'failed', status: 404, why: 'HTTP 404: nothing here' })
  const nobody = await connect('mcp:http://127.0.0.1:9/mcp')
  expect(nobody.initialized).toMatchObject({ ended: 'failed' })
  expect(nobody.initialized.why).toContain('127.0.0.1:9')
})

test('the older transport is used where the address has no other', async () => {
  let events: ServerResponse | undefined
  const address = await listen((request, response) => {
    if (request.method === 'GET') {
      events = response
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: endpoint\ndata: /messages\n\n')
      return
    }
    if (request.url !== '/messages') return void response.writeHead(405).end()
    void readJson(request).then(({ id, method, params }) => {
      response.writeHead(202).end()
      if (id === undefined) return
      const result =
        method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: {} } : { ok: true }
      events?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
    })
  })
  const session = await connect(`mcp:http://${address}/sse`)
  expect(isOpen(session)).toBe(true)
  expect(await session.request('ping')).toMatchObject({ answer: { result: { ok: true } } })
})

async function readJson(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as {
    id?: number
    method: string
    params: { protocolVersion: string }
  }
}

test.each([
  ['mcp:', 'names no command'],
  ['mcp:no-such-program-anywhere', 'no-such-program-anywhere'],
  ['mcp:node "x', 'without a closing one'],
  ['mcp:ftp://host/x', 'is not the URL of an MCP server'],
])('%s is refused', async (target, words) => {
  await expect(connect(target)).rejects.toThrow(words)
})
