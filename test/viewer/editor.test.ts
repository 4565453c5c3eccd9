// "Open in editor": only from the page of `viva view`, only the file of a case, only inside the project.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveViewer, type Viewer } from '../../src/viewer/serve.js'
import { launchBrowser } from '../support/browser.js'
import { resultEvent, startEvent, summaryEvent } from './sample-events.js'
import { builtAssets, newFolder, soon } from './support.js'

let browser: Browser
let viewer: Viewer
let root: string
const opened: Array<[path: string, line: number | undefined]> = []

const failed = (id: string, file: string, line = 1) =>
  resultEvent({ id, status: 'failed', error: 'no', error_kind: 'assertion', file, line })

beforeAll(async () => {
  browser = await launchBrowser()
  const folder = newFolder('editor')
  root = join(folder, 'project')
  mkdirSync(root)
  writeFileSync(join(root, 'cases.jsonl'), '{}\n')
  writeFileSync(join(folder, 'secret.txt'), 'x')
  symlinkSync(join(folder, 'secret.txt'), join(root, 'linked.jsonl'))
  const results = [
    failed('here', 'cases.jsonl', 7),
    failed('above', '../secret.txt'),
    failed('absolute', join(folder, 'secret.txt')),
    failed('linked', 'linked.jsonl'),
    failed('gone', 'missing.jsonl'),
    failed('folder', '.'),
    failed('flag', '--install-extension=evil'),
    resultEvent({ id: 'nowhere' }),
  ]
  const events = [startEvent(), ...results, summaryEvent(results)]
  const file = join(folder, 'run.jsonl')
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  const editor = { name: 'code', open: (path: string, line: number | undefined) => void opened.push([path, line]) }
  viewer = await serveViewer({ events: file, assets: await builtAssets(), opener: { editor, root } })
})
afterAll(async () => {
  await browser?.close()
  await viewer?.close()
})

const origin = () => new URL(viewer.url).origin

async function runId(): Promise<string> {
  const response = await fetch(`${origin()}/api/runs`, { headers: { authorization: `Bearer ${viewer.token}` } })
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    const [, id = ''] = /"id":"([^"]+)"/.exec(Buffer.from(part).toString()) ?? []
    if (id) return id
  }
  return ''
}

async function ask(body: object, headers: Record<string, string> = {}, method = 'POST') {
  const own = {
    authorization: `Bearer ${viewer.token}`,
    origin: origin(),
    'content-type': 'application/json',
    ...headers,
  }
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''))
  const response = await fetch(`${origin()}/api/open`, {
    method,
    headers: given,
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  return response.status
}

test('the button and the key open the file of the case at its line', async () => {
  const page = await browser.newPage()
  await page.goto(`${viewer.url}&here`)
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await soon(() => Promise.resolve(opened.splice(0))).toEqual([[join(root, 'cases.jsonl'), 7]])
  await page.keyboard.press('e')
  await soon(() => Promise.resolve(opened.splice(0))).toEqual([[join(root, 'cases.jsonl'), 7]])
  // Events may come from elsewhere: what they name outside the project stays closed, and the page says so.
  await page.evaluate(`location.hash = '#above'`)
  await page.locator('.case-id', { hasText: 'above' }).waitFor()
  await page.getByRole('button', { name: 'Open in editor' }).click()
  await page.getByRole('alert').getByText('not in the folder').waitFor()
  expect(opened).toEqual([])
})

test('nothing but a file of the project is opened, whatever the events say', async () => {
  const run = await runId()
  for (const id of ['above', 'absolute', 'linked', 'gone', 'folder', 'flag', 'nowhere', 'unknown'])
    expect(await ask({ run, case: id }), id).toBe(422)
  expect(await ask({ run: 'other', case: 'here' })).toBe(400)
  expect(await ask({ run, case: 'here', path: '/etc/passwd' })).toBe(400)
  expect(await ask({ run, case: 7 })).toBe(400)
  expect(opened).toEqual([])
  expect(await ask({ run, case: 'here' })).toBe(200)
  expect(opened.splice(0)).toHaveLength(1)
})

test('a request without the key, from another page or from none is refused', async () => {
  const body = { run: await runId(), case: 'here' }
  expect(await ask(body, { authorization: '' })).toBe(401)
  expect(await ask(body, { authorization: 'Bearer wrong' })).toBe(401)
  expect(await ask(body, { origin: '' })).toBe(403)
  expect(await ask(body, { origin: 'http://evil.example' })).toBe(403)
  expect(await ask(body, { origin: 'null' })).toBe(403)
  expect(await ask(body, { origin: origin().replace('127.0.0.1', 'localhost') })).toBe(403)
  expect(await ask(body, { 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await ask(body, { 'content-type': 'text/plain' })).toBe(415)
  expect([404, 405]).toContain(await ask(body, {}, 'GET'))
  expect(opened).toEqual([])
})

test('a viewer that others can reach, or that has no editor, opens nothing and offers nothing', async () => {
  const path = join(newFolder('exposed'), 'run.jsonl')
  const results = [failed('here', 'cases.jsonl')]
  writeFileSync(path, [startEvent(), ...results].map((event) => `${JSON.stringify(event)}\n`).join(''))
  const plain = await serveViewer({ events: path, assets: await builtAssets() })
  const page = await browser.newPage()
  await page.goto(`${plain.url}&here`)
  await page.locator('.case-detail').waitFor()
  expect(await page.getByRole('button', { name: 'Open in editor' }).count()).toBe(0)
  await page.close()
  await plain.close()
  const editor = { name: 'code', open: () => undefined }
  await expect(
    serveViewer({
      events: path,
      host: '0.0.0.0',
      exposed: true,
      assets: await builtAssets(),
      opener: { editor, root },
    }),
  ).rejects.toThrow(/other machines/)
})
