// The live viewer in a real browser: results appear while the run goes on, a page opened late shows all, and the key stays out of every address.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '../../src/model/event.js'
import { serveViewer, type Viewer } from '../../src/viewer/serve.js'
import { launchBrowser } from '../support/browser.js'
import { manyResults, resultEvent, sampleResults, startEvent, summaryEvent } from './sample-events.js'
import { builtAssets, newFolder, SCREENSHOTS, soon } from './support.js'

let browser: Browser
const viewers: Viewer[] = []

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  for (const viewer of viewers) await viewer.close()
})

const line = (event: RunEvent) => `${JSON.stringify(event)}\n`

function newRun(): { folder: string; path: string } {
  const folder = newFolder('live')
  return { folder, path: join(folder, 'output-20260314093000.jsonl') }
}

async function serve(events: string): Promise<Viewer> {
  const viewer = await serveViewer({ events, assets: await builtAssets() })
  viewers.push(viewer)
  return viewer
}

test('results appear while the run goes on, and a page opened late shows all', async () => {
  const { path } = newRun()
  const results = sampleResults()
  writeFileSync(path, line(startEvent({ total_cases: 3 })))
  const viewer = await serve(path)
  const page = await browser.newPage()
  await page.goto(viewer.url)
  await page.getByText('Waiting for the first result').waitFor()
  await page.getByText('Running', { exact: true }).waitFor()

  appendFileSync(path, line({ type: 'case_start', id: 'T001', run: 1, timestamp: '2026-03-14T09:30:01.000Z' }))
  await page.locator('.running-chip', { hasText: 'T001' }).waitFor()
  appendFileSync(path, line(results[0] as RunEvent))
  await page.locator('.case', { hasText: 'T001' }).waitFor()
  await soon(() => page.locator('.running-chip').count()).toBe(0)

  // Half a line is no result yet.
  const second = line(results[1] as RunEvent)
  appendFileSync(path, second.slice(0, 100))
  appendFileSync(path, second.slice(100))
  await page.locator('.case', { hasText: 'T002' }).click()
  await page.getByText('output does not contain the expected text').waitFor()

  appendFileSync(path, line(results[2] as RunEvent) + line(summaryEvent(results.slice(0, 3))))
  await page.getByText('2 failed').first().waitFor()

  const late = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await late.goto(viewer.url)
  await late.locator('.case').nth(2).waitFor()
  await soon(() => late.locator('.case').count()).toBe(3)
  await late.screenshot({ path: join(SCREENSHOTS, 'live-1280-light.png') })
})

test('the key is in no address the browser ever asks for, and leaves the address bar at once', async () => {
  const { path } = newRun()
  writeFileSync(path, line(startEvent()) + line(resultEvent({ id: 'T001' })))
  const viewer = await serve(path)
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  await page.goto(viewer.url)
  await page.locator('.case').click()
  await page.locator('.case-detail').waitFor()
  expect(asked.length).toBeGreaterThan(4)
  expect(asked.slice(2).join()).not.toContain(viewer.token)
  expect(page.url()).not.toContain(viewer.token)
  await page.reload()
  await page.locator('.case-detail').waitFor()
})

test('a page without the key is told how to get one', async () => {
  const { path } = newRun()
  writeFileSync(path, line(startEvent()))
  const viewer = await serve(path)
  const page = await browser.newPage()
  await page.goto(viewer.url.replace(/#.*/, ''))
  await page.getByText('has no key').waitFor()
})

test('a page on another port of the same host gets nothing', async () => {
  const { path } = newRun()
  writeFileSync(path, line(startEvent()))
  const viewer = await serve(path)
  const other = await serve(path)
  const page = await browser.newPage()
  await page.goto(other.url.replace(/#.*/, ''))
  const outcome = await page.evaluate(
    async ([url, token]) => {
      try {
        const response = await fetch(`${url}api/runs`, { headers: { authorization: `Bearer ${token}` } })
        return `answered ${response.status}`
      } catch {
        return 'refused'
      }
    },
    [viewer.url.replace(/#.*/, ''), viewer.token],
  )
  expect(outcome).toBe('refused')
})

test('a folder lists its runs as they appear, and a case shows its trend over them', async () => {
  const { folder } = newRun()
  const write = (name: string, time: string, status: 'passed' | 'failed') =>
    writeFileSync(
      join(folder, name),
      line(startEvent({ run_id: name, timestamp: time })) +
        line(resultEvent({ id: 'T001', run_id: name, status })) +
        line(summaryEvent([resultEvent({ id: 'T001', status })])),
    )
  write('output-1.jsonl', '2026-03-12T09:00:00.000Z', 'passed')
  write('output-2.jsonl', '2026-03-13T09:00:00.000Z', 'failed')
  writeFileSync(join(folder, 'cases.jsonl'), '{"id":"T001","input":"hello"}\n')
  const viewer = await serve(folder)
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(viewer.url)
  await page.locator('.run-card').nth(1).waitFor()
  write('output-3.jsonl', '2026-03-14T09:00:00.000Z', 'passed')
  await page.locator('.run-card').nth(2).waitFor()
  await soon(() => page.locator('.run-card').count()).toBe(3)
  await page.screenshot({ path: join(SCREENSHOTS, 'runs-1280-light.png') })
  await page.locator('.run-card').first().click()
  await page.locator('.case').click()
  await page.locator('.trend-bar').nth(2).waitFor()
  await soon(() => page.locator('.trend-bar.status-failed').count()).toBe(1)
  await page.getByRole('button', { name: /all runs/ }).click()
  await page.locator('.run-card').first().waitFor()
})

test('twenty thousand results reach a page that is opened late', async () => {
  const { path } = newRun()
  writeFileSync(path, [...manyResults(20_000)].map(line).join(''))
  const viewer = await serve(path)
  const page = await browser.newPage()
  await page.goto(viewer.url)
  await page.getByText('20,000 cases', { exact: true }).waitFor()
  await soon(() => page.locator('.case').count()).toBeLessThan(80)
})
