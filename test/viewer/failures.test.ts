// Failures by cause, first on the page: one line for messages that differ only in ids and numbers.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { launchBrowser } from '../support/browser.js'
import { resultEvent, startEvent, summaryEvent } from './sample-events.js'
import { soon, writeReport } from './support.js'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

function failing(...errors: string[]): RunEvent[] {
  const results: ResultEvent[] = errors.map((error, index) =>
    resultEvent({
      id: `T${index}`,
      input: 'go',
      ...(error && { status: 'failed', error, error_kind: index % 2 ? 'agent' : 'assertion' }),
    }),
  )
  return [startEvent({ total_cases: results.length }), ...results, summaryEvent(results)]
}

const openRun = async (name: string, events: RunEvent[]): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(await writeReport(name, events))
  await page.locator('.case').first().waitFor()
  return page
}
const ids = (page: Page) => page.locator('.case .cell-id').allTextContents()

test('one line for each cause, the largest first; pressing it shows its cases, and Back all', async () => {
  const page = await openRun(
    'causes',
    failing('order 7 is <b>late</b>', 'timed out after 30s', '', 'timed out after 1m', '', 'timed out after 31s'),
  )
  await soon(() => page.locator('#failures-title').textContent()).toBe('4 failures, 2 causes')
  await soon(() => page.locator('.cause').allTextContents()).toEqual([
    '3 cases: timed out after 30s and similaragentT1, T3 +1',
    '1 case: order 7 is <b>late</b>assertionT0',
  ])
  const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0
  await soon(async () => (await top('.failures')) < (await top('.charts-fold'))).toBe(true)
  const cause = page.getByRole('button', { name: /timed out/ })
  await cause.click()
  await soon(() => ids(page)).toEqual(['T1', 'T3', 'T5'])
  await soon(() => cause.getAttribute('aria-pressed')).toBe('true')
  await soon(() => Promise.resolve(new URL(page.url()).hash)).toContain('cause=timed+out')
  await page.reload()
  await soon(() => ids(page)).toEqual(['T1', 'T3', 'T5'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await soon(() => ids(page)).toHaveLength(6)
  await soon(() => Promise.resolve(new URL(page.url()).hash)).toBe('')
  await page.goBack()
  await soon(() => ids(page)).toEqual(['T1', 'T3', 'T5'])
})

test('two failures with two causes are in the table, not twice on the page', async () => {
  const page = await openRun('few-causes', failing('too late', 'too early', ''))
  await soon(() => page.locator('.failures').count()).toBe(0)
})
