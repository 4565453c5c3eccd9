// Back, Forward and copied links, in a report from disk and in the live viewer.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '../../src/model/event.js'
import { serveViewer, type Viewer } from '../../src/viewer/serve.js'
import { launchBrowser } from '../support/browser.js'
import { resultEvent, sampleRun, stabilityRun, startEvent, summaryEvent } from './sample-events.js'
import { builtAssets, newFolder, SCREENSHOTS, soon, writeReport } from './support.js'

const VIEWPORT = { width: 1280, height: 860 }

let browser: Browser
let context: BrowserContext
const viewers: Viewer[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  context = await browser.newContext({
    viewport: VIEWPORT,
    timezoneId: 'UTC',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
})
afterAll(async () => {
  await browser?.close()
  for (const viewer of viewers) await viewer.close()
})

async function serve(events: string): Promise<Viewer> {
  const viewer = await serveViewer({ events, assets: await builtAssets() })
  viewers.push(viewer)
  return viewer
}

const ids = (page: Page) => page.locator('.case .cell-id').allTextContents()
const openId = async (page: Page) =>
  (await page.locator('.detail').count()) === 0 ? '' : await page.locator('.detail-bar-id').textContent()
const address = (page: Page) => new URL(page.url()).hash

test('Back and Forward go through the cases, filters and searches of a report, and never out of it too soon', async () => {
  const page = await context.newPage()
  await page.goto(await writeReport('history', sampleRun()))
  const all = ['T002', 'T003', 'T006', 'T010', 'T007', 'T001', 'T004', 'T005', 'T009', 'T008']
  await soon(() => ids(page)).toEqual(all)

  await page.locator('.case', { hasText: 'T002' }).click()
  await page.locator('.case', { hasText: 'T006' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: /Flaky/ }).click()
  await soon(() => Promise.resolve(address(page))).toBe('#?status=flaky')
  await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click()
  await soon(() => Promise.resolve(address(page))).toBe('#?status=flaky&sort=-duration')
  await page.getByRole('searchbox').fill('ret')
  await soon(() => Promise.resolve(address(page))).toContain('q=ret')
  await page.getByRole('searchbox').fill('retr')
  await soon(() => Promise.resolve(address(page))).toContain('q=retr')

  // What was typed is one step, however long it took.
  await page.goBack()
  await soon(() => page.getByRole('searchbox').inputValue()).toBe('')
  expect(address(page)).toBe('#?status=flaky&sort=-duration')
  await page.goBack()
  await soon(() => ids(page)).toEqual(['T007'])
  expect(address(page)).toBe('#?status=flaky')
  await page.goBack()
  await soon(() => ids(page)).toEqual(all)
  await soon(() => openId(page)).toBe('')
  await page.goBack()
  await soon(() => openId(page)).toBe('T006')
  await page.screenshot({ path: join(SCREENSHOTS, 'history-back-1280-light.png') })
  await page.goBack()
  await soon(() => openId(page)).toBe('T002')
  await page.goForward()
  await soon(() => openId(page)).toBe('T006')
  await page.goBack()
  await page.goBack()
  await soon(() => openId(page)).toBe('')
  expect(address(page)).toBe('')
  await soon(() => ids(page)).toEqual(all)
})

test('runs of a case are steps; a key that is held down is not', async () => {
  const page = await context.newPage()
  await page.goto(await writeReport('history-runs', stabilityRun()))
  await page.locator('.case').first().click()
  const first = address(page)
  await page.keyboard.press(']')
  const second = address(page)
  expect(second).not.toBe(first)
  await page.goBack()
  await soon(() => Promise.resolve(address(page))).toBe(first)
  await page.goForward()
  await soon(() => Promise.resolve(address(page))).toBe(second)
  await page.keyboard.down('j')
  const third = address(page)
  await page.keyboard.down('j')
  await page.keyboard.up('j')
  expect(address(page)).not.toBe(third)
  await page.goBack()
  await soon(() => Promise.resolve(address(page))).toBe(second)
})

test('an address that was typed in another spelling is not in the way of Back', async () => {
  const page = await context.newPage()
  const url = await writeReport('history-typed', sampleRun())
  await page.goto(`${url}#T002?sort=nonsense`)
  await soon(() => openId(page)).toBe('T002')
  await page.locator('.case', { hasText: 'T003' }).click()
  await page.goBack()
  await soon(() => openId(page)).toBe('T002')
  await page.goForward()
  await soon(() => openId(page)).toBe('T003')
})

const line = (event: RunEvent) => `${JSON.stringify(event)}\n`

function threeRuns(): string {
  const folder = newFolder('history')
  for (const day of [1, 2, 3]) {
    const results = ['T001', 'T002'].map((id) =>
      resultEvent({ id, input: id, output: `day ${day}`, ...(day === 3 && { status: 'failed', error: 'wrong' }) }),
    )
    const start = startEvent({ run_id: `run-${day}`, timestamp: `2026-03-1${day}T09:00:00.000Z` })
    writeFileSync(join(folder, `output-${day}.jsonl`), [start, ...results, summaryEvent(results)].map(line).join(''))
  }
  return folder
}

test('Back leads from a case to its run, to the runs, to a comparison before them', async () => {
  const viewer = await serve(threeRuns())
  const page = await context.newPage()
  await page.goto(viewer.url)
  await page.getByRole('button', { name: 'Compare with the run before' }).first().click()
  await soon(() => page.locator('.change-chip').count()).toBe(2)
  await page.getByRole('button', { name: /all runs/ }).click()
  await page.locator('.run-card').nth(1).click()
  await page.locator('.case', { hasText: 'T002' }).click()
  await soon(() => page.locator('.case-detail').textContent()).toContain('day 2')

  await page.goBack()
  await soon(() => openId(page)).toBe('')
  await soon(() => ids(page)).toEqual(['T001', 'T002'])
  await page.goBack()
  await soon(() => page.locator('.run-card').count()).toBe(3)
  await page.goBack()
  await soon(() => page.locator('.change-chip').count()).toBe(2)
  await page.goBack()
  await soon(() => page.locator('.run-card').count()).toBe(3)
  for (let step = 0; step < 4; step += 1) await page.goForward()
  await soon(() => page.locator('.case-detail').textContent()).toContain('day 2')
  await page.screenshot({ path: join(SCREENSHOTS, 'history-viewer-1280-light.png') })
})

test('a link opens the same case in another tab, and a copied one in another browser', async () => {
  const viewer = await serve(threeRuns())
  const page = await context.newPage()
  await page.goto(viewer.url)
  await page.locator('.run-card').nth(1).click()
  await page.locator('.case', { hasText: 'T002' }).click()
  await soon(() => page.locator('.case-detail').textContent()).toContain('day 2')
  await soon(() => Promise.resolve(page.url())).toContain('view=')
  await page.getByRole('button', { name: 'Copy a link to this case' }).click()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(page.url()).not.toContain(viewer.token)

  const tab = await context.newPage()
  await tab.goto(page.url())
  await soon(() => tab.locator('.case-detail').textContent()).toContain('day 2')

  // A wrong key, from somebody's page perhaps, spoils that tab alone.
  await tab.goto('about:blank')
  await tab.goto(viewer.url.replace(/key=.*/, 'key=wrong'))
  await tab.getByText('has no key').waitFor()
  await page.reload()
  await soon(() => page.locator('.case-detail').textContent()).toContain('day 2')
  await tab.reload()
  await tab.locator('.run-card').first().waitFor()

  const other = await (await browser.newContext({ viewport: VIEWPORT })).newPage()
  const asked: string[] = []
  other.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  await other.goto(page.url())
  await other.getByText('has no key').waitFor()
  asked.length = 0
  await other.goto(copied)
  await soon(() => other.locator('.case-detail').textContent()).toContain('day 2')
  expect(other.url()).toBe(page.url())
  expect(asked.join()).not.toContain(viewer.token)
  await other.screenshot({ path: join(SCREENSHOTS, 'history-copied-link-1280-light.png') })
  await other.getByRole('button', { name: 'Previous case' }).click()
  await soon(() => openId(other)).toBe('T001')
})

test('a link without a key asks for it, and then leads to its place', async () => {
  const viewer = await serve(threeRuns())
  const page = await context.newPage()
  await page.goto(viewer.url)
  await page.locator('.run-card').nth(2).click()
  await page.locator('.case', { hasText: 'T001' }).click()
  await soon(() => Promise.resolve(page.url())).toContain('view=')

  const other = await (await browser.newContext({ viewport: VIEWPORT })).newPage()
  await other.goto(page.url())
  const field = other.getByLabel('Address or key')
  await field.fill('something else')
  await other.getByRole('button', { name: 'Open' }).click()
  await other.getByText('There is no key in that').waitFor()
  await field.fill(viewer.url)
  await other.getByRole('button', { name: 'Open' }).click()
  await soon(() => other.locator('.case-detail').textContent()).toContain('day 1')
  expect(other.url()).toBe(page.url())
})

test('any two runs are compared, from the list or from a run, the earlier one first; links and Back lead there', async () => {
  const viewer = await serve(threeRuns())
  const page = await context.newPage()
  await page.goto(viewer.url)
  const pick = page.getByRole('checkbox')
  await pick.nth(0).check()
  await page.getByText('pick another run').waitFor()
  await pick.nth(1).check()
  // A third takes the place of the first.
  await pick.nth(2).check()
  await soon(() => Promise.all([0, 1, 2].map((index) => pick.nth(index).isChecked()))).toEqual([false, true, true])
  await pick.nth(1).uncheck()
  await pick.nth(0).check()
  await page.getByRole('button', { name: 'Compare these two' }).click()
  const times = () => page.getByRole('row', { name: /^Started/ }).textContent()
  await soon(times).toBe('Started11 Mar 2026, 09:0013 Mar 2026, 09:00')
  await page.getByRole('button', { name: 'Copy a link to this page' }).click()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  const other = await (await browser.newContext({ viewport: VIEWPORT, timezoneId: 'UTC' })).newPage()
  await other.goto(copied)
  await soon(() => other.locator('.change-chip').count()).toBe(2)

  await page.getByRole('button', { name: /all runs/ }).click()
  await page.locator('.run-card').nth(2).click()
  await page.getByLabel('Compare with').selectOption({ index: 2 })
  await soon(times).toBe('Started11 Mar 2026, 09:0012 Mar 2026, 09:00')
  await page.goBack()
  await page.getByLabel('Compare with').waitFor()
  await page.goBack()
  await page.goBack()
  await soon(times).toBe('Started11 Mar 2026, 09:0013 Mar 2026, 09:00')
})

test('the trend of a run leads to the others; runs of some cases are not in it', async () => {
  const folder = threeRuns()
  const results = [resultEvent({ id: 'T001', status: 'failed', error: 'wrong' })]
  const start = startEvent({ run_id: 'part', timestamp: '2026-03-14T09:00:00.000Z', options: { rerun: true } })
  writeFileSync(join(folder, 'output-4.jsonl'), [start, ...results, summaryEvent(results)].map(line).join(''))
  const viewer = await serve(folder)
  const page = await context.newPage()
  await page.goto(viewer.url)
  await soon(() => page.locator('.run-card').first().textContent()).toContain('some cases')
  await soon(() => page.locator('.run-group-rate strong').textContent()).toBe('0%')
  await page.locator('.run-card').nth(1).click()
  const trend = page.getByRole('region', { name: 'Trend' })
  await soon(() => trend.getByRole('img').getAttribute('aria-label')).toContain('13 Mar 2026, 09:00: 0%, 2 failed')
  await soon(() => trend.getByRole('button').count()).toBe(2)
  await trend.getByRole('button', { name: /12 Mar/ }).click()
  await page.getByText('All passed').waitFor()
  await page.goBack()
  await page.getByText('2 failed', { exact: true }).first().waitFor()
})
