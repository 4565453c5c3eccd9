// An orchestrator run in a real browser: hats, iterations, events, how it ended, and the files it changed.
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveViewer } from '../../src/viewer/serve.js'
import { launchBrowser } from '../support/browser.js'
import { orchestratorRun } from './orchestrator-events.js'
import { builtAssets, newFolder, SCREENSHOTS, soon, writeReport } from './support.js'

let browser: Browser
let report: string
beforeAll(async () => {
  browser = await launchBrowser()
  report = await writeReport('orchestrator', orchestratorRun())
})
afterAll(() => browser?.close())

async function open(url: string, width = 1280, colorScheme: 'light' | 'dark' = 'light'): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 1800 }, colorScheme })
  await page.goto(url)
  await page.locator('.case-detail').waitFor()
  return page
}

const textsOf = async (page: Page, selector: string) =>
  (await page.locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())

test('iterations with their hats, the events between them, and the end', async () => {
  const page = await open(`${report}#flow`)
  expect(await textsOf(page, '.timeline-step .timeline-head')).toEqual([
    'Start',
    expect.stringMatching(/planner 2\.1s$/),
    expect.stringMatching(/builder 5\.2s$/),
    expect.stringMatching(/reviewer 1\.4s$/),
    expect.stringMatching(/builder 2\.9s$/),
    expect.stringMatching(/reviewer 780ms$/),
    'Completed: the last hat said that the work is done CompletionPromise exit code 0',
  ])
  const published = page.locator('.timeline-step').nth(1).locator('.event')
  expect(await published.allTextContents()).toEqual(['build.task→to builderTokens first, then the tree', 'plan.note'])
  expect(await textsOf(page, '.lane-hat')).toEqual(['planner', 'builder', 'reviewer'])
  expect(await page.locator('.lane').nth(1).locator('.lane-bar').allTextContents()).toEqual(['2', '4'])
  // A long payload is one press away.
  const details = page.locator('.event', { hasText: 'review.rejected' })
  expect(await details.getByText('Two things to do').isVisible()).toBe(false)
  await details.locator('summary').click()
  await soon(() => details.getByText('Two things to do').isVisible()).toBe(true)
})

test('what is odd about a case is shown beside it, at every width', async () => {
  const warned = orchestratorRun().map((event) =>
    event.type === 'result' ? { ...event, warnings: ['chaos: slow at call 1 (planner)'] } : event,
  )
  const url = await writeReport('orchestrator-warned', warned)
  for (const width of [1280, 390]) {
    const page = await open(`${url}#flow`, width)
    expect(await page.locator('.detail .notice').first().isVisible(), String(width)).toBe(true)
    await page.close()
  }
})

test('files changed, with the lines added and removed', async () => {
  const page = await open(`${report}#flow`)
  // What the orchestrator writes about itself comes last, closed.
  expect(await textsOf(page, '.file-change > summary')).toEqual([
    'deleted docs/old-notes.md −1',
    'added logo.png',
    'changed src/parser.ts +3 −1',
    'added .agent/events.jsonl +1',
  ])
  const file = page.locator('.file-change', { hasText: 'src/parser.ts' })
  expect(await file.locator('.added').allTextContents()).toContain('+  return treeOf(all)')
  expect(await file.locator('.removed').allTextContents()).toEqual(['-  return treeOf(tokens(text))'])
  expect(await page.locator('.file-change').last().getAttribute('open')).toBeNull()
  await page.getByText('2 more files not listed.').waitFor()
  await page.getByText('6 files', { exact: true }).waitFor()
})

test('what failed, what was malformed, and which limit ended it', async () => {
  const page = await open(`${report}#limit`)
  const steps = await textsOf(page, '.timeline-step')
  expect(steps[1]).toContain('1 malformed event')
  expect(steps[2]).toContain('the backend ended with code 7: no such model')
  expect(steps[4]).toContain('Stopped at the limit of iterations MaxIterations exit code 2 3 iterations are over')
})

test('of a very long run the beginning and the end, and how much is missing', async () => {
  const page = await open(`${report}#long`)
  await page.getByText('1,000 iterations').waitFor()
  expect(await textsOf(page, '.timeline-gap')).toEqual(['800 iterations left out'])
  expect(await page.locator('.timeline-step').count()).toBe(201)
  expect((await textsOf(page, '.timeline-end'))[0]).toContain('Not ended')
  await page.getByText('800 events left out.').waitFor()
})

test.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('nothing is wider than the page at %i, %s', async (width, scheme) => {
  for (const id of ['flow', 'limit', 'long']) {
    const page = await open(`${report}#${id}`, width, scheme)
    for (const element of ['document.documentElement', `document.querySelector('.detail-body')`])
      expect(await page.evaluate(`${element}.scrollWidth <= ${element}.clientWidth`), `${id} ${element}`).toBe(true)
    if (id !== 'long') await page.screenshot({ path: join(SCREENSHOTS, `orchestrator-${id}-${width}-${scheme}.png`) })
    await page.close()
  }
})

test('the live viewer shows it as soon as its result is there', async () => {
  const [start, ...results] = orchestratorRun().map((event) => `${JSON.stringify(event)}\n`)
  const path = join(newFolder('live'), 'run.jsonl')
  writeFileSync(path, start ?? '')
  const viewer = await serveViewer({ events: path, assets: await builtAssets() })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1800 } })
    await page.goto(viewer.url)
    await page.getByText('Waiting for the first result').waitFor()
    appendFileSync(path, results[0] ?? '')
    await page.locator('.case', { hasText: 'flow' }).click()
    await soon(() => page.locator('.timeline-step').count()).toBe(7)
    expect(await page.locator('.file-change').count()).toBe(4)
    await page.close()
  } finally {
    await viewer.close()
  }
})
