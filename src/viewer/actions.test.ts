// Raw requests to run cases again: who is refused, and that a request can name listed runs and ids, nothing else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { UserError } from '../errors.js'
import { serveViewer, type Viewer } from './serve.js'

const assets = { script: 'APP()', style: 'STYLE{}', scriptHash: "'sha256-abc'", styleHash: "'sha256-def'" }
const START = { type: 'start', format: 1, run_id: 'r1', timestamp: '2026-03-14T09:30:00.000Z', agent_id: 'a' }
const folder = mkdtempSync(join(tmpdir(), 'viva-actions-'))
const path = join(folder, 'output-1.jsonl')
const asked: Array<[events: string, cases: readonly string[]]> = []

let viewer: Viewer
let plain: Viewer
let isBusy = false

beforeAll(async () => {
  writeFileSync(path, `${JSON.stringify({ ...START, mode: 'agent', input: 'i' })}\n`)
  plain = await serveViewer({ events: path, assets })
  viewer = await serveViewer({
    events: path,
    assets,
    reruns: {
      async start(events, cases) {
        if (isBusy) throw new UserError({ code: 'RERUN_RUNNING', message: 'busy' })
        asked.push([events, cases])
        return join(folder, 'output-2.jsonl')
      },
      stop: () => void asked.push(['stop', []]),
      running: () => undefined,
      close: async () => {},
    },
  })
})
beforeEach(() => {
  asked.length = 0
  isBusy = false
})
afterAll(async () => {
  await viewer?.close()
  await plain?.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Post {
  target?: string
  body?: unknown
  headers?: Record<string, string | undefined>
  method?: string
  to?: Viewer
}

/** As our own page would, unless said otherwise. */
async function post({ target = '/api/rerun', body, headers = {}, method = 'POST', to = viewer }: Post) {
  const port = Number(new URL(to.url).port)
  const given = {
    host: `127.0.0.1:${port}`,
    origin: `http://127.0.0.1:${port}`,
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    authorization: `Bearer ${to.token}`,
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(given).filter((entry) => entry[1] !== undefined))
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, path: target, method, headers: sent, setHost: false, agent: false },
      (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (part: string) => (text += part))
          .on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    call.on('error', reject).end(typeof body === 'string' ? body : JSON.stringify(body ?? { run: id, cases: ['T1'] }))
  })
}

let id = ''
beforeAll(async () => {
  const port = Number(new URL(viewer.url).port)
  const response = await fetch(`http://127.0.0.1:${port}/api/runs`, {
    headers: { authorization: `Bearer ${viewer.token}` },
  })
  const reader = response.body?.getReader()
  const text = new TextDecoder().decode((await reader?.read())?.value)
  await reader?.cancel()
  id = (JSON.parse(text.slice('data: '.length)) as { open: string }).open
})

test('our own page may ask, and gets the id of the new run', async () => {
  const { status, text } = await post({})
  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual({ run: expect.stringMatching(/^[0-9a-f]{20}$/) })
  expect(asked).toEqual([[path, ['T1']]])
  expect((await post({ target: '/api/rerun/stop', body: {} })).status).toBe(200)
  expect(asked.at(-1)).toEqual(['stop', []])
})

test('ids are compared, whatever is in them', async () => {
  const cases = ['../../etc/passwd', '$(touch x); `id`', "'\n|&", '--name', '\u0000']
  await post({ body: { run: id, cases } })
  expect(asked).toEqual([[path, cases]])
})

const REFUSED: Record<string, Post & { status: number }> = {
  'no Origin': { headers: { origin: undefined }, status: 403 },
  'a foreign Origin': { headers: { origin: 'http://evil.example' }, status: 403 },
  'an opaque Origin': { headers: { origin: 'null' }, status: 403 },
  'another port': { headers: { origin: 'http://127.0.0.1:1' }, status: 403 },
  'the same server by another name': { headers: { origin: 'http://localhost' }, status: 403 },
  'a rebound name': { headers: { host: 'evil.example:80', origin: 'http://evil.example:80' }, status: 403 },
  'a page of another site': { headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
  'a page of another port': { headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
  'no key': { headers: { authorization: undefined }, status: 401 },
  'a wrong key': { headers: { authorization: `Bearer ${'x'.repeat(32)}` }, status: 401 },
  'a key as a cookie': { headers: { authorization: undefined, cookie: 'viva-key=x' }, status: 401 },
  'a form': { headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415 },
  'plain text': { headers: { 'content-type': 'text/plain' }, status: 415 },
  'a link': { method: 'GET', status: 404 },
  'another method': { method: 'PUT', status: 405 },
  'no JSON': { body: '{', status: 400 },
  'an unknown run': { body: { run: 'x', cases: ['T1'] }, status: 400 },
  'a path as a run': { body: { run: '../output-1.jsonl', cases: ['T1'] }, status: 400 },
  'a command': { body: { run: 'x', cases: ['T1'], command: 'id' }, status: 400 },
  'an option': { body: { run: 'x', cases: ['T1'], options: { name: 'exec:id' } }, status: 400 },
  'no list': { body: { run: 'x', cases: 'T1' }, status: 400 },
  'ids that are no text': { body: { run: 'x', cases: [{}] }, status: 400 },
  'more than anyone names': { body: `{"run":"x","cases":["${'x'.repeat(5e6)}"]}`, status: 400 },
}

test.each(Object.entries(REFUSED))('%s: refused, nothing runs', async (_what, { status, ...what }) => {
  expect((await post(what)).status).toBe(status)
  expect(asked).toEqual([])
})

test('an extra field is refused for a known run too', async () => {
  expect((await post({ body: { run: id, cases: ['T1'], name: 'exec:id' } })).status).toBe(400)
  expect(asked).toEqual([])
})

test('a second run waits for the first', async () => {
  isBusy = true
  expect((await post({})).status).toBe(409)
})

test('without --allow-run there is nothing to ask', async () => {
  expect((await post({ to: plain })).status).toBe(404)
})

test('it is never offered to other machines', async () => {
  const reruns = { start: async () => '', stop() {}, running: () => undefined, close: async () => {} }
  await expect(serveViewer({ events: path, assets, exposed: true, host: '0.0.0.0', reruns })).rejects.toThrow(
    'other machines could start programs here',
  )
})
