// The page of `viva compare -o x.html` in a real browser: what changed first, two runs side by side, nothing that runs.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '../../src/model/event.js'
import { launchBrowser } from '../support/browser.js'
import { HOSTILE, hostileRun } from './hostile-events.js'
import { resultEvent, stabilityRun, startEvent, summaryEvent } from './sample-events.js'
import { SCREENSHOTS, soon, writeComparison } from './support.js'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const GOOD = 'The order has shipped.\n\n- Carrier: UPS\n- Day: Monday'
const BAD = 'The order has shipped.\n\n- Carrier: DHL\n- Day: Monday'

function runOf(id: string, answer: string, passed: boolean, others: string[]): RunEvent[] {
  const wrong = { error: 'output is not equal', error_kind: 'assertion' as const }
  const assertions = [{ type: 'equals', passed, expected: GOOD, actual: answer, message: 'output is not equal' }]
  const results = [
    resultEvent({ id: 'same', input: 'same', output: 'as ever' }),
    resultEvent({ id: 'reworded', input: 'reworded', output: `It is ${passed ? 'here' : 'there'} now, thank you` }),
    resultEvent({
      id: 'order',
      input: 'order',
      output: answer,
      assertions,
      ...(passed ? {} : { status: 'failed', ...wrong }),
    }),
    ...others.map((name) => resultEvent({ id: name, input: name })),
  ]
  return [startEvent({ run_id: id }), ...results, summaryEvent(results, { run_id: id })]
}

const before = runOf('before', GOOD, true, ['gone'])
const after = runOf('after', BAD, false, ['fresh'])

async function openPage(url: string, width = 1280): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: 860 } })
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(url)
  return page
}

const ids = (page: Page) => page.locator('.case .cell-id').allTextContents()

test('what changed comes first, and can be filtered', async () => {
  const page = await openPage(await writeComparison(before, after))
  await soon(() => ids(page)).toEqual(['order', 'reworded', 'gone', 'fresh'])
  await soon(() => page.locator('.conclusion').textContent()).toContain('No regression shown: 1 case fails')
  await soon(() => page.locator('.change-chip').allTextContents()).toEqual([
    'newly failing',
    'other answer',
    'only before',
    'only after',
  ])
  await page.screenshot({ path: join(SCREENSHOTS, 'compare-1280-light.png') })
  const change = page.getByRole('group', { name: 'Change' })
  await change.getByRole('button', { name: /^All/ }).click()
  await soon(async () => (await ids(page)).length).toBe(5)
  await change.getByRole('button', { name: /^Other answer/ }).click()
  await soon(() => ids(page)).toEqual(['reworded'])
  await soon(() => Promise.resolve(new URL(page.url()).hash)).toBe('#?change=output')
  await page.keyboard.press('f')
  await soon(() => ids(page)).toEqual(['order'])
})

test('a case opens with both answers and the words that differ, then both results', async () => {
  const page = await openPage(`${await writeComparison(before, after)}#order`)
  const detail = page.locator('.compared-detail')
  await detail.locator('.two-runs .case-detail').nth(1).waitFor()
  await soon(() => detail.locator('.answers .side-body').allInnerTexts()).toEqual([GOOD, BAD])
  await soon(() => detail.locator('.answers mark').allTextContents()).toEqual(['UPS', 'DHL'])
  await soon(() => detail.locator('.column-title .pill').allTextContents()).toEqual(['Passed', 'Failed'])
  // Side by side, not one below the other.
  const [left, right] = await Promise.all(
    [0, 1].map((index) => detail.locator('.two-runs > section').nth(index).boundingBox()),
  )
  expect(right?.y).toBe(left?.y)
  expect(right?.x).toBeGreaterThan((left?.x ?? 0) + 300)
  await page.screenshot({ path: join(SCREENSHOTS, 'compare-open-1280-light.png') })
  await page.keyboard.press('j')
  await soon(() => detail.locator('.answers mark').allTextContents()).toEqual(['here', 'there'])
  await page.keyboard.press('j')
  await detail.getByText('The run does not have this case.').waitFor()
  await soon(() => detail.locator('.case-detail').count()).toBe(1)
})

test('with repeated runs each side has its own', async () => {
  const page = await openPage(`${await writeComparison(stabilityRun(), stabilityRun())}#S003?change=all`)
  const detail = page.locator('.compared-detail')
  await detail.locator('.run-tabs').nth(1).waitFor()
  await detail.locator('.run-tabs').first().getByRole('button', { name: /Run 3/ }).click()
  await soon(() => detail.locator('[aria-pressed=true]').allTextContents()).toEqual([
    expect.stringContaining('Run 3'),
    expect.stringContaining('Run 2'),
  ])
})

test('two equal runs say so', async () => {
  const again = before.map((event) => ('run_id' in event ? { ...event, run_id: 'another' } : event))
  const page = await openPage(await writeComparison(before, again))
  await page.getByText('No case changed').waitFor()
  await soon(() => page.locator('.conclusion').textContent()).toBe('No regression')
})

test('hostile text stays text', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 2000 } })
  const seen: string[] = []
  await page.exposeFunction('FORGED', (what: unknown) => void seen.push(`ran ${String(what)}`))
  page.on('pageerror', (error) => seen.push(`error ${error.message}`))
  page.on('console', (message) => seen.push(`console ${message.text()}`))
  page.on('request', (request) => /^(file|data):/.test(request.url()) || seen.push(`request ${request.url()}`))
  await page.goto(`${await writeComparison(hostileRun(), hostileRun())}#?change=all`)
  await page.locator('.case').first().waitFor()
  for (let index = 0; index < HOSTILE.length; index += 1) {
    await page.keyboard.press(index === 0 ? 'Enter' : 'j')
    await page.locator('.two-runs .case-detail').nth(1).waitFor()
  }
  expect(seen).toEqual([])
  expect(await page.locator('iframe, form, base, img, a, object, embed, body style').count()).toBe(0)
})

test('at 390 pixels nothing sticks out', async () => {
  const url = await writeComparison(before, after)
  for (const hash of ['', '#order']) {
    const page = await openPage(url + hash, 390)
    await page
      .locator(hash ? '.two-runs .case-detail' : '.case')
      .first()
      .waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    await page.screenshot({ path: join(SCREENSHOTS, `compare${hash ? '-open' : ''}-390-light.png`) })
    await page.close()
  }
})
