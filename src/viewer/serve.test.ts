// Raw requests against the real server: who is refused, and that nothing but listed runs can be read.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveViewer, type Viewer } from './serve.js'

const assets = { script: 'APP()', style: 'STYLE{}', scriptHash: "'sha256-abc'", styleHash: "'sha256-def'" }
const START = {
  type: 'start',
  format: 1,
  run_id: 'r1',
  timestamp: '2026-03-14T09:30:00.000Z',
  agent_id: 'a',
  mode: 'agent',
  input: 'i',
}
const RESULT = { type: 'result', run_id: 'r1', id: 'T1', run: 1, status: 'passed', duration_ms: 1 }
const SUMMARY = { type: 'summary', total: 1, passed: 1, failed: 0, skipped: 0, exit_code: 0 }

const folder = mkdtempSync(join(tmpdir(), 'viva-serve-'))

let viewer: Viewer
let port: number
let path: string

beforeAll(async () => {
  path = join(folder, 'output-1.jsonl')
  writeFileSync(path, [START, RESULT, SUMMARY].map((event) => `${JSON.stringify(event)}\n`).join(''))
  viewer = await serveViewer({ events: path, assets })
  port = Number(new URL(viewer.url).port)
})
afterAll(async () => {
  await viewer?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** With the key and our own Host unless said otherwise. Ends a stream after its first data. */
function ask(target: string, headers: Record<string, string | undefined> = {}, method = 'GET'): Promise<Answer> {
  const given = { host: `127.0.0.1:${port}`, authorization: `Bearer ${viewer.token}`, ...headers }
  const sent = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, path: target, method, headers: sent, setHost: false },
      (response) => {
        let text = ''
        const done = () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        response
          .setEncoding('utf8')
          .on('end', done)
          .on('data', (part: string) => {
            text += part
            if (String(response.headers['content-type']).startsWith('text/event-stream') && text.includes('\n\n')) {
              done()
              call.destroy()
            }
          })
      },
    )
    call.on('error', reject).end()
  })
}

async function runId(): Promise<string> {
  const { text } = await ask('/api/runs')
  return (JSON.parse(text.slice('data: '.length)) as { runs: { id: string }[] }).runs[0]?.id ?? ''
}

test('the address carries the key in the fragment only', () => {
  expect(viewer.url).toBe(`http://127.0.0.1:${port}/#key=${viewer.token}`)
  expect(viewer.token.length).toBeGreaterThanOrEqual(32)
})

const ROUTES = [
  '/',
  '/api/runs',
  '/api/stream?run=x',
  '/api/result?run=x&at=0',
  '/api/history?case=T1',
  '/api/compare?before=x&after=x',
  '/api/variants?run=x',
  '/nothing',
]

test.each(ROUTES)('%s is refused under a foreign Host', async (route) => {
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    `127.0.0.1.evil.example:${port}`,
    undefined,
  ])
    expect((await ask(route, { host })).status, String(host)).toBeOneOf([400, 403])
})

test.each(ROUTES)('%s is refused for a foreign Origin', async (route) => {
  for (const origin of [
    'http://evil.example',
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1:${port + 1}`,
    'null',
  ])
    expect((await ask(route, { origin })).status, origin).toBe(403)
})

test.each(ROUTES.slice(1, 7))('%s needs the key', async (route) => {
  for (const authorization of [
    undefined,
    'Bearer',
    `Bearer ${viewer.token}x`,
    `Bearer ${viewer.token.slice(1)}`,
    `Basic ${viewer.token}`,
  ])
    expect((await ask(route, { authorization })).status).toBe(401)
  expect(
    (await ask(`${route}${route.includes('?') ? '&' : '?'}key=${viewer.token}`, { authorization: undefined })).status,
  ).toBe(401)
})

test('a page of another site or port is refused even with the key', async () => {
  for (const site of ['cross-site', 'same-site'])
    expect((await ask('/api/runs', { 'sec-fetch-site': site })).status).toBe(403)
  expect((await ask('/api/runs', { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
})

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s is not a way in', async (method) => {
  expect((await ask('/api/runs', {}, method)).status).toBe(405)
})

test.each([
  '/api/file?path=/etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '//etc/passwd',
  '/app.js?raw??',
  '/?import&raw',
  '/api/stream?run=../../etc/passwd',
  '/api/events?run=/etc/passwd',
  '/api/stream?run=__proto__',
  '/api/compare?before=/etc/passwd&after=/etc/passwd',
  '/constructor',
])('%s reads no file', async (target) => {
  const answer = await ask(target)
  expect(answer.status).toBe(404)
  expect(answer.text).not.toContain('root:')
})

test('every answer carries the headers, also a refusal', async () => {
  for (const [route, headers] of [
    ['/', {}],
    ['/nothing', {}],
    ['/', { host: 'evil.example' }],
    ['/api/runs', { authorization: undefined }],
  ] as const) {
    const answer = await ask(route, headers)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
  }
})

test('the page holds no data and no key', async () => {
  const { status, text } = await ask('/', { authorization: undefined })
  expect(status).toBe(200)
  expect(text).toContain('APP()')
  expect(text).not.toContain(viewer.token)
  expect(text).not.toContain('T1')
})

test('a result is read by where its line starts, and nowhere else', async () => {
  const run = await runId()
  const at = JSON.stringify(START).length + 1
  expect(JSON.parse((await ask(`/api/result?run=${run}&at=${at}`)).text)).toEqual(RESULT)
  for (const wrong of [0, at + 1, 1e9, -1, 1.5, 'x'])
    expect((await ask(`/api/result?run=${run}&at=${wrong}`)).status).toBe(404)
})

test('runs that cannot be compared say why, without naming a folder', async () => {
  const run = await runId()
  const { status, text } = await ask(`/api/compare?before=${run}&after=${run}`)
  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual({ error: 'output-1.jsonl:3: summary: run_id is missing, expected text' })
})

test('the stream has the run from its start', async () => {
  const { text } = await ask(`/api/stream?run=${await runId()}`)
  expect(JSON.parse(text.slice('data: '.length).split('\n\n', 1)[0] ?? '')).toMatchObject({
    type: 'start',
    event: START,
  })
})

test('an upgrade is closed without an answer', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(
    `GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  )
  const received: Buffer[] = []
  socket.on('data', (part) => received.push(part)).on('error', () => undefined)
  await new Promise((resolve) => socket.on('close', resolve))
  expect(Buffer.concat(received).toString()).not.toContain('101')
})

test('other addresses than loopback must be allowed aloud', async () => {
  await expect(serveViewer({ events: path, assets, host: '0.0.0.0' })).rejects.toMatchObject({
    code: 'VIEWER_EXPOSED',
    exitCode: 2,
  })
  const open = await serveViewer({ events: path, assets, host: '0.0.0.0', exposed: true })
  await open.close()
})

test('a missing file and a taken port are named', async () => {
  await expect(serveViewer({ events: '/nowhere/x.jsonl', assets })).rejects.toMatchObject({ code: 'NO_EVENT_FILE' })
  await expect(serveViewer({ events: path, assets, port })).rejects.toMatchObject({ code: 'VIEWER_PORT' })
})

test('a client that never reads costs nothing: the server holds no more than a socket’s worth', async () => {
  const lines = Array.from(
    { length: 60_000 },
    (_item, index) => `${JSON.stringify({ ...RESULT, id: `T${index}`, output: 'x'.repeat(1000) })}\n`,
  )
  const big = join(mkdtempSync(join(folder, 'big-')), 'output-1.jsonl')
  writeFileSync(big, `${JSON.stringify(START)}\n${lines.join('')}`)
  const other = await serveViewer({ events: big, assets })
  const otherPort = Number(new URL(other.url).port)
  const headers = { host: `127.0.0.1:${otherPort}`, authorization: `Bearer ${other.token}` }
  const list = await fetch(`http://127.0.0.1:${otherPort}/api/runs`, {
    headers: { authorization: headers.authorization },
  })
  const first = await list.body?.getReader().read()
  const run = (JSON.parse(new TextDecoder().decode(first?.value).slice(6)) as { runs: { id: string }[] }).runs[0]?.id
  const call = request({ host: '127.0.0.1', port: otherPort, path: `/api/stream?run=${run}`, headers, setHost: false })
  const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
    call.on('response', resolve).end(),
  )
  response.pause()
  // Another client gets everything meanwhile.
  const full = await fetch(`http://127.0.0.1:${otherPort}/api/stream?run=${run}`, {
    headers: { authorization: headers.authorization },
  })
  let seen = 0
  let text = ''
  const reader = full.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text = (text + part.value).slice(-200)
    seen += part.value.length
    if (text.includes('"type":"idle"')) break
  }
  expect(seen).toBeGreaterThan(60_000 * 100)
  expect(response.socket.bytesRead).toBeLessThan(2_000_000)
  call.destroy()
  await reader?.cancel()
  await other.close()
})
