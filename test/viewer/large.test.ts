// Fifty thousand results: few elements, and little main-thread time. The times are always written down, and held
// against the bar when VIVA_BENCH is set: on a busy machine a clock proves nothing.
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, CDPSession } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCount } from '../../src/base/format.js'
import { launchBrowser } from '../support/browser.js'
import { manyResults } from './sample-events.js'
import { SCREENSHOTS, soon, writeReport } from './support.js'
import { variantRun } from './variant-events.js'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Seconds the page's main thread has worked. */
async function worked(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? NaN
}

test('50,000 results open, filter and sort', { timeout: 180_000 }, async () => {
  const url = await writeReport('large', () => manyResults(50_000))
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const times: Record<string, number> = {}
  const measure = async (name: string, act: () => Promise<unknown>) => {
    const before = await worked(session)
    await act()
    times[name] = (await worked(session)) - before
  }
  await measure('first_paint_s', async () => {
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator('.case').first().waitFor()
  })
  await measure('rest_of_load_s', () => page.waitForLoadState('load'))
  await page.getByText('Charts').click()
  await page.locator('.plot canvas').waitFor()
  await measure('filter_s', async () => {
    await page.getByRole('searchbox').fill('hotel approved 3')
    await page.locator('.count', { hasText: 'of 50,000' }).waitFor()
  })
  await soon(() => page.locator('.count').textContent()).toMatch(/^\d+ of 50,000 cases$/)
  await measure('filter_again_s', () => page.getByRole('searchbox').fill('expense 4999'))
  await page.getByRole('searchbox').fill('')
  await measure('sort_s', () => page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click())
  await soon(() => page.locator('.case .cell-time').first().textContent()).toBe('4.2s')
  await measure('scroll_s', async () => {
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await page.locator('[aria-rowindex="50001"]').waitFor()
  })
  await soon(() => page.locator('.case').count()).toBeLessThan(60)
  await page.locator('.case').last().click()
  await page.locator('.case-detail').waitFor()
  await page.screenshot({ path: join(SCREENSHOTS, 'large-1280-light.png') })
  const record = { ...times, bytes: statSync(fileURLToPath(url)).size }
  writeFileSync(join(SCREENSHOTS, 'large.json'), JSON.stringify(record, null, 2))
  console.log(record)
  if (process.env['VIVA_BENCH']) {
    expect(times['first_paint_s']).toBeLessThan(1)
    expect(times['filter_s']).toBeLessThan(1)
  }
})

// As many as the page must handle only if times are checked against the bar: writing them takes long.
const CASES = process.env['VIVA_BENCH'] ? 20_000 : 2_000

test('three variants × 20,000 results open, filter, sort and scroll', { timeout: 240_000 }, async () => {
  const url = await writeReport('large-variants', () => variantRun({ cases: CASES }))
  const all = formatCount(CASES)
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.addInitScript(`window.LONG = []
    new PerformanceObserver((list) => LONG.push(...list.getEntries().map((entry) => entry.duration)))
      .observe({ type: 'longtask', buffered: true })`)
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const times: Record<string, number> = {}
  const measure = async (name: string, act: () => Promise<unknown>) => {
    const before = await worked(session)
    await act()
    times[`${name}_s`] = (await worked(session)) - before
    const tasks = await page.evaluate<number[]>('LONG.splice(0)')
    times[`${name}_longest_ms`] = Math.max(0, ...tasks)
  }
  const count = page.locator('.count')
  await measure('first_paint', async () => {
    await page.goto(url, { waitUntil: 'commit' })
    await page.locator('.case').first().waitFor()
  })
  await page.waitForLoadState('load')
  await page.getByText('Charts').click()
  await page.locator('.plot canvas').waitFor()
  await soon(() => count.textContent()).toBe(`${all} cases`)
  await measure('differ', async () => {
    await page.getByRole('button', { name: /^Verdicts differ/ }).click()
    await page.locator('.count', { hasText: `of ${all}` }).waitFor()
  })
  await page.getByRole('button', { name: 'Clear' }).click()
  await measure('search', async () => {
    await page.getByRole('searchbox').fill('hotel lisbon')
    await page.locator('.count', { hasText: `of ${all}` }).waitFor()
  })
  await page.getByRole('searchbox').fill('')
  await measure('sort', () => page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click())
  // Two seconds of wheel: how long the frames took, as the page itself saw them.
  let frames: number[] = []
  await measure('scroll', async () => {
    frames = await page.evaluate<number[]>(`new Promise((resolve) => {
    const frames = []
    let [last, left] = [performance.now(), 120]
    const step = (now) => {
      frames.push(now - last)
      last = now
      window.scrollBy(0, 240)
      if ((left -= 1) > 0) requestAnimationFrame(step)
      else resolve(frames.slice(1))
    }
    requestAnimationFrame(step)
  })`)
  })
  times['frame_work_ms'] = ((times['scroll_s'] ?? NaN) * 1000) / frames.length
  const sorted = frames.toSorted((a, b) => a - b)
  times['frame_median_ms'] = sorted[Math.floor(sorted.length / 2)] ?? NaN
  times['frame_p95_ms'] = sorted[Math.floor(sorted.length * 0.95)] ?? NaN
  await measure('end', async () => {
    await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
    await page.locator(`[aria-rowindex="${CASES + 1}"]`).waitFor()
  })
  await soon(() => page.locator('.case').count()).toBeLessThan(60)
  await measure('open', async () => {
    await page.locator('.case').last().click()
    await page.locator('.answer-column .answer').nth(2).waitFor()
  })
  writeFileSync(join(SCREENSHOTS, 'large-variants.json'), JSON.stringify(times, null, 2))
  console.log(times)
  if (process.env['VIVA_BENCH']) {
    expect(times['first_paint_s']).toBeLessThan(1.2)
    expect(times['frame_work_ms']).toBeLessThan(16)
  }
})

test('1,000 results of a megabyte each make a file a browser opens', { timeout: 180_000 }, async () => {
  const output = 'All work and no play makes a long answer. '.repeat(25_000)
  const url = await writeReport('huge', () => manyResults(1000, output))
  expect(statSync(fileURLToPath(url)).size).toBeLessThan(100e6)
  const page = await browser.newPage()
  await page.goto(`${url}#T000998`)
  await page.locator('.case-detail').waitFor()
  await soon(() => page.locator('.case-detail .message').last().textContent()).toContain('All work and no play')
})
