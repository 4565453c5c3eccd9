// Tool servers over their real transports: streamable HTTP, SSE, stdio; and what is said when one does not work.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { afterEach, expect, test } from 'vitest'
import type { ToolReplacements } from '../../../model/agent.js'
import type { ToolCall } from '../../../model/message.js'
import type { ScriptRuntime } from '../../../model/script.js'
import { callServer } from './server-calls.js'
import { createProcesses } from '../../../../test/support/processes.js'
import { agentContext } from '../../../../test/support/agent-request.js'
import { http } from '../../../../test/support/http.js'
import { createConnections, findReplacement, openToolbox, type ServerConnections, type Toolbox } from './toolbox.js'
import type { ProcessTool, ServerRef, ToolServer } from './tool-server.js'
import type { AgentPackage } from '../types.js'

const servers: Server[] = []
const connections: ServerConnections[] = []

afterEach(async () => {
  for (const opened of connections.splice(0)) await opened.close()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const context = agentContext()

const scripts: ScriptRuntime = {
  find: refuse,
  runFile: refuse,
  call: ({ ref, args }) => Promise.resolve({ ref, args: args.slice(0, -1), context: args.at(-1) === context }),
  close: () => Promise.resolve(),
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('not here'))
}

function pkgWith(found: Record<string, ToolServer>): AgentPackage {
  return {
    id: 'a',
    dir: '/app/assistants/a',
    appRoot: '/app',
    name: 'a',
    options: {},
    globalPrompts: [],
    prompts: [],
    presets: new Map(),
    disableGlobalPrompts: false,
    locales: new Map(),
    servers: [],
    toolLoop: true,
    maxTurn: 5,
    findServer: (id) => Promise.resolve(found[id]),
  }
}

function partsWith(env: Record<string, string> = {}) {
  const opened = createConnections({ env, http, pass_env: [], processes: createProcesses() })
  connections.push(opened)
  return {
    scripts,
    connections: opened,
    callProcess: (name: string, args: unknown[]) => Promise.resolve({ name, args }),
  }
}

async function box(
  found: Record<string, ToolServer>,
  refs: ServerRef[],
  replacements: ToolReplacements = {},
  env: Record<string, string> = {},
) {
  return openToolbox(partsWith(env), {
    pkg: pkgWith(found),
    servers: refs,
    replacements,
    context,
    call: { lane: 'agent', role: 'a' },
    signal: AbortSignal.timeout(20_000),
  })
}

/** A call of the model, with what came of it. */
async function run(toolbox: Toolbox, { name, args, args_error }: ToolCall) {
  const request = { name, arguments: args, call_id: 'call_1', ...(args_error && { arguments_error: args_error }) }
  return { server: toolbox.serverOf(name), ...(await toolbox.call(request)) } as ToolCall & { duration_ms: number }
}

function process(tool: Partial<ProcessTool> & { name: string; process: string }): ToolServer {
  return {
    file: 'x.mcp.yao',
    transport: 'process',
    tools: [{ input_schema: { type: 'object', properties: {} }, args: [], ...tool }],
  }
}

test('streamable HTTP: tools are listed and called, the token is sent', async () => {
  const seen = new Set<string | undefined>()
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'web', version: '1.0.0' })
    server.registerTool(
      'add',
      {
        description: 'Adds',
        inputSchema: fromJsonSchema<{ a: number; b: number }>({
          type: 'object',
          properties: { a: { type: 'number' }, b: { type: 'number' } },
        }),
      },
      ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
    )
    return server
  })
  const url = await listen((request, response) => {
    seen.add(request.headers.authorization)
    void answer(handler.fetch, request, response)
  })
  const web: ToolServer = {
    file: 'web.mcp.yao',
    transport: 'http',
    url: `${url}/mcp`,
    headers: { authorization: 'Bearer $ENV.WEB_TOKEN' },
  }
  const toolbox = await box({ web }, [{ server_id: 'web' }], {}, { WEB_TOKEN: 'hunter2hunter2' })
  await expect(box({ web }, [{ server_id: 'web', tools: ['ad'] }], {}, { WEB_TOKEN: 'x' })).rejects.toThrow(
    'agent a: the tool server "web" has no tool "ad"; did you mean "add"?',
  )
  seen.clear()
  expect(toolbox.specs).toMatchObject([{ name: 'web__add', description: 'Adds', input_schema: { type: 'object' } }])
  expect(await run(toolbox, { name: 'web__add', args: { a: 2, b: 3 } })).toMatchObject({ server: 'web', result: 5 })
  expect(await run(toolbox, { name: 'web__add', args: 'nonsense' })).toMatchObject({
    error: 'the arguments must be an object, found "nonsense"',
  })
  expect([...seen]).toEqual(['Bearer hunter2hunter2'])
})

test('SSE: the older transport works too', async () => {
  let events: ServerResponse | undefined
  const url = await listen((request, response) => {
    if (request.method === 'GET') {
      events = response
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('event: endpoint\ndata: /messages\n\n')
      return
    }
    void readBody(request).then((text) => {
      const { id, method, params } = JSON.parse(text) as { id?: number; method: string; params?: { name?: string } }
      response.writeHead(202).end()
      if (id === undefined) return
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'old', version: '1' },
        },
        'tools/list': { tools: [{ name: 'greet', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: `hello from ${params?.name}` }] },
      }
      const known = results[method]
      const message = known === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result: known }
      events?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n\n`)
    })
  })
  const toolbox = await box({ old: { file: 'old.mcp.yao', transport: 'sse', url: `${url}/sse`, headers: {} } }, [
    { server_id: 'old' },
  ])
  expect(await run(toolbox, { name: 'old__greet', args: {} })).toMatchObject({ result: 'hello from greet' })
})

test.each<[string, ToolServer, RegExp]>([
  [
    'a program that ends at once',
    {
      file: 's.mcp.yao',
      transport: 'stdio',
      command: 'node',
      args: ['-e', 'console.error("no config"); setTimeout(() => globalThis.process.exit(3), 50)'],
      env: {},
      cwd: '/',
    },
    /s\.mcp\.yao did not start.*it wrote: no config/,
  ],
  [
    'a program that does not exist',
    { file: 's.mcp.yao', transport: 'stdio', command: 'no-such-program-here', args: [], env: {}, cwd: '/' },
    /no-such-program-here/,
  ],
  [
    'an address where nobody listens',
    { file: 'h.mcp.yao', transport: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} },
    /h\.mcp\.yao did not start/,
  ],
  [
    'a variable that is not set',
    {
      file: 'h.mcp.yao',
      transport: 'http',
      url: 'http://127.0.0.1:9/mcp',
      headers: { authorization: 'Bearer $ENV.NOT_SET_HERE' },
    },
    /NOT_SET_HERE is not set/,
  ],
])('%s is told as such', async (_what, server, message) => {
  await expect(box({ s: server }, [{ server_id: 's' }])).rejects.toThrow(message)
})

/** A program that listens and says nothing. */
const silent: ToolServer = {
  file: 's.mcp.yao',
  transport: 'stdio',
  command: 'node',
  args: ['-e', 'globalThis.process.stdin.resume()'],
  env: {},
  cwd: '/',
}

test('the end of a case ends its wait for a server, and the end of the run the attempt to connect', async () => {
  const parts = partsWith()
  const reason = new Error('timeout after 1s')
  const ending = new AbortController()
  const opening = openToolbox(parts, {
    pkg: pkgWith({ s: silent }),
    servers: [{ server_id: 's' }],
    replacements: {},
    context,
    call: { lane: 'agent', role: 'a' },
    signal: ending.signal,
  })
  ending.abort(reason)
  await expect(opening).rejects.toBe(reason)
  const connecting = parts.connections.get(silent)
  await parts.connections.close()
  await expect(connecting).rejects.toThrow(/did not start: .*the run has ended/)
})

test('a server whose every used tool is replaced is never started', async () => {
  const broken: ToolServer = {
    file: 's.mcp.yao',
    transport: 'stdio',
    command: 'no-such-program-here',
    args: [],
    env: {},
    cwd: '/',
  }
  const toolbox = await box({ mail: broken }, [{ server_id: 'mail', tools: ['send'] }], { send: { sent: true } })
  expect(await run(toolbox, { name: 'mail__send', args: {} })).toMatchObject({ server: 'mail', result: { sent: true } })
})

test('process tools: scripts get the context last, other processes the mapped arguments', async () => {
  const found = {
    s: process({ name: 'find', process: 'scripts.orders.Find', args: ['$args.id', 'x'] }),
    p: process({ name: 'ask', process: 'agents.other.Stream' }),
  }
  const toolbox = await box(found, [{ server_id: 's' }, { server_id: 'p' }])
  expect((await run(toolbox, { name: 's__find', args: { id: 4 } })).result).toEqual({
    ref: 'scripts.orders.Find',
    args: [4, 'x'],
    context: true,
  })
  expect((await run(toolbox, { name: 'p__ask', args: { q: 1 } })).result).toEqual({
    name: 'agents.other.Stream',
    args: [{ q: 1 }],
  })
})

test.each(['Send', 'Call', 'Stream'])('a function of a script may be called %s', async (name) => {
  const toolbox = await box({ s: process({ name: 'go', process: `scripts.orders.${name}` }) }, [{ server_id: 's' }])
  expect((await run(toolbox, { name: 's__go', args: {} })).result).toMatchObject({
    ref: `scripts.orders.${name}`,
    context: true,
  })
})

test('arguments that are not JSON, wrong or for no tool go back to the model as errors', async () => {
  const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
  const toolbox = await box({ s: process({ name: 'find', process: 'scripts.a.B', input_schema: schema }) }, [
    { server_id: 's' },
  ])
  expect(await run(toolbox, { name: 's__find', args: '{', args_error: 'the arguments are not JSON' })).toMatchObject({
    error: 'the arguments are not JSON',
  })
  expect(await run(toolbox, { name: 's__find', args: { id: 'x' } })).toMatchObject({
    error: 'argument validation failed: /id must be integer',
  })
  expect(await run(toolbox, { name: 's__fnd', args: {} })).toMatchObject({
    error: 'there is no tool "s__fnd"; did you mean s__find?',
  })
})

test.each([
  ['mail__send', 'mail', 'full'],
  ['other__send', 'other', 'bare'],
  ['a_b__send', 'a.b', 'dotted'],
  ['a_b__drop', 'a.b', undefined],
])('%s is replaced by the closest name', (name, server, expected) => {
  const replacements = { mail__send: 'full', send: 'bare', 'a.b.send': 'dotted', toString: undefined }
  expect(findReplacement(replacements, name, server)?.value).toBe(expected)
})

test('ctx.mcp: listing, calling, several at once, replaced and failing', async () => {
  const found = { s: process({ name: 'find', process: 'scripts.orders.Find' }) }
  const run = (method: string, args: unknown[], replacements: ToolReplacements = {}) =>
    callServer({
      pkg: pkgWith(found),
      parts: partsWith(),
      method,
      args,
      context,
      replacements,
      call: { lane: 'agent', role: 'a' },
      signal: AbortSignal.timeout(5000),
    })
  expect(await run('ListTools', ['s'])).toEqual({
    tools: [{ name: 'find', inputSchema: { type: 'object', properties: {} } }],
  })
  expect(await run('callTool', ['s', 'find', { id: 1 }])).toMatchObject({ args: [{ id: 1 }] })
  expect(await run('CallTools', ['s', [{ name: 'find', arguments: { id: 1 } }, { name: 'find' }]])).toMatchObject([
    { args: [{ id: 1 }] },
    { args: [{}] },
  ])
  expect(await run('CallToolsParallel', ['s', [{ name: 'find' }]], { find: 7 })).toEqual([7])
  await expect(run('CallTool', ['s', 'none', {}])).rejects.toThrow('the tool s.none failed: there is no tool "s__none"')
  await expect(run('CallTool', ['nobody', 'find', {}])).rejects.toThrow('there is no tool server "nobody"')
  await expect(run('GetPrompt', ['s', 'x'])).rejects.toThrow('ctx.mcp.GetPrompt is not part of Viva')
})

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

async function answer(
  fetch: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = request.method === 'POST' ? await readBody(request) : undefined
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const result = await fetch(
    new Request(`http://${request.headers.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(body !== undefined && { body }),
    }),
  )
  response.writeHead(result.status, Object.fromEntries(result.headers))
  if (result.body) for await (const chunk of result.body) response.write(chunk)
  response.end()
}
