// The server over HTTP: who gets in, and what several clients see.
import { Client } from '@modelcontextprotocol/client'
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'
import { caller, httpTransport, serverEnv, startHttp, type HttpServer } from './support.js'

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

async function start(env: Record<string, string> = {}): Promise<HttpServer> {
  const temporary = makeFolder()
  return startHttp(['mcp', '--project', makeFolder()], { ...serverEnv(temporary), ...env }, temporary)
}

function post(
  { url, token }: HttpServer,
  headers: Record<string, string>,
  path = '/mcp',
  method = 'POST',
): Promise<number> {
  const { port } = new URL(url)
  const all = {
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: all }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.once('error', reject)
    sent.end(INITIALIZE)
  })
}

test('only who has the token, comes from here and means us gets in', async () => {
  const server = await start()
  const { port } = new URL(server.url)
  expect(await post(server, {})).toBe(200)
  expect(await post(server, { origin: `http://127.0.0.1:${port}` })).toBe(200)
  expect(await post(server, { host: `localhost:${port}` })).toBe(200)
  expect(await post(server, { authorization: '' })).toBe(401)
  expect(await post(server, { authorization: 'Bearer wrong' })).toBe(401)
  expect(await post(server, { authorization: server.token })).toBe(401)
  expect(await post(server, { host: 'evil.example' })).toBe(403)
  expect(await post(server, { host: `evil.example:${port}` })).toBe(403)
  expect(await post(server, { origin: 'http://evil.example' })).toBe(403)
  expect(await post(server, { origin: 'http://127.0.0.1:1' })).toBe(403)
  expect(await post(server, { origin: 'null' })).toBe(403)
  expect(await post(server, {}, '/')).toBe(404)
  expect(await post(server, {}, '/mcp', 'TRACE')).toBe(405)
  expect(await post(server, { 'mcp-session-id': 'unknown' })).toBe(404)
})

test('it listens on loopback alone', async () => {
  const server = await start()
  expect(new URL(server.url).hostname).toBe('127.0.0.1')
  const elsewhere = new Promise((resolve) => {
    const sent = request({ host: '127.0.0.2', port: new URL(server.url).port }, () => resolve('answered'))
    sent.once('error', () => resolve('refused'))
    sent.end()
  })
  expect(await elsewhere).toBe('refused')
})

test('a token of your own must be hard to guess, and is not printed', async () => {
  const refused = await viva(['mcp', '--http'], { cwd: makeFolder(), env: { VIVA_MCP_TOKEN: 'short' } })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/VIVA_MCP_TOKEN must be at least 16/)
  expect(refused.stderr).not.toContain('short"')
})

test('several clients share the workspaces', async () => {
  const server = await start()
  const calls = []
  for (let index = 0; index < 3; index++) {
    const client = new Client({ name: `client ${index}`, version: '1' })
    onTestFinished(() => client.close())
    await client.connect(httpTransport(server))
    calls.push(caller(client))
  }
  const [first, second, third] = calls
  expect((await first?.('test_setup', { workspace_id: 'shared' }))?.isError).toBe(false)
  expect((await second?.('test_setup', { workspace_id: 'shared' }))?.text).toMatch(/exists|in use/)
  expect((await third?.('test_cleanup', { workspace_id: 'shared' }))?.value).toMatchObject({ deleted: true })
})

test('a client that disappears midway harms nothing', async () => {
  const server = await start()
  const gone = new Client({ name: 'gone', version: '1' })
  await gone.connect(httpTransport(server))
  const lost = caller(gone)('test_setup', { workspace_id: 'lost' }).catch(() => undefined)
  await gone.close()
  await lost
  const client = new Client({ name: 'here', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(httpTransport(server))
  expect((await caller(client)('list_runs')).value).toMatchObject({ total: 0 })
})
