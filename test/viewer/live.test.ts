// The live viewer in a real browser: results appear during the run, a page opened late shows all, and the key stays out of every address.
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

test('results appear during the run, and a page opened late shows all', async () => {
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

  // Half a line is not a result yet.
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
  await page.screenshot({ path: join(SCREENSHOTS, 'runs-grouped-1280-light.png') })
  await page.locator('.run-card').first().click()
  await page.locator('.case').click()
  await page.locator('.trend-bar').nth(2).waitFor()
  await soon(() => page.locator('.trend-bar.status-failed').count()).toBe(1)
  await page.getByRole('button', { name: /all runs/ }).click()
  await page.locator('.run-card').first().waitFor()
})

test('a folder shows the pass rate and the trend of each agent and input, and compares a run with the one before', async () => {
  const { folder } = newRun()
  const write = (name: string, day: number, outcome: string, agent_id = 'expense.assistant') => {
    const results = outcome.split('').map((letter, index) =>
      resultEvent({
        id: `T00${index}`,
        input: `case ${index}`,
        output: `The answer of day ${day}`,
        ...(letter === 'p' ? {} : { status: 'failed', error: 'wrong', error_kind: 'assertion' as const }),
      }),
    )
    const timestamp = `2026-03-1${day}T09:00:00.000Z`
    const events = [startEvent({ run_id: name, timestamp, agent_id }), ...results, summaryEvent(results)]
    writeFileSync(join(folder, `${name}.jsonl`), events.map(line).join(''))
  }
  write('output-1', 1, 'ppff')
  write('output-2', 2, 'pppp')
  write('output-3', 3, 'pppf')
  write('other-1', 2, 'ff', 'another.agent')
  writeFileSync(join(folder, 'output-4.jsonl'), line(startEvent({ run_id: 'going on', total_cases: 4 })))
  const viewer = await serve(folder)
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(viewer.url)
  const group = page.getByRole('region', { name: 'expense.assistant' })
  await soon(() => group.locator('.sparkline').getAttribute('aria-label')).toBe(
    'Pass rates of the last 3 runs, oldest first: 50%, 100%, 75%',
  )
  await soon(() => group.locator('.run-group-rate').textContent()).toBe('75%▼ −25.0 points')
  await soon(() => group.locator('.run-rate').allTextContents()).toEqual(['–', '75%', '100%', '50%'])
  // One run has no trend.
  await soon(() => page.getByRole('region', { name: 'another.agent' }).locator('.sparkline').count()).toBe(0)
  await page.screenshot({ path: join(SCREENSHOTS, 'runs-grouped-1280-light.png') })

  await group.getByRole('button', { name: 'Compare with the run before' }).first().click()
  await soon(() => page.locator('.case .cell-id').allTextContents()).toEqual(['T003', 'T000', 'T001', 'T002'])
  await soon(() => page.locator('.change-chip').first().textContent()).toBe('newly failing')
  await page.locator('.case', { hasText: 'T003' }).click()
  await soon(() => page.locator('.answers mark').allTextContents()).toEqual(['2', '3'])
  await page.reload()
  await soon(() => page.locator('.answers mark').allTextContents()).toEqual(['2', '3'])
  await page.getByRole('button', { name: /all runs/ }).click()
  await group.waitFor()
  await group.locator('.run-card').nth(1).click()
  await soon(() => page.locator('.case').count()).toBe(4)
  await page
    .getByRole('group', { name: 'Status' })
    .getByRole('button', { name: /Failed/ })
    .click()
  await soon(() => page.locator('.case').count()).toBe(1)
  await soon(() => Promise.resolve(page.url())).toContain('status=failed&view=')
  await page.reload()
  await soon(() => page.locator('.case .cell-id').allTextContents()).toEqual(['T003'])
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
