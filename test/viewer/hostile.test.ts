// Everything an agent produced is inert: opened in a real browser, nothing runs, nothing is asked for, and the text is there as it is.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveViewer } from '../../src/viewer/serve.js'
import { launchBrowser } from '../support/browser.js'
import { HOSTILE, hostileRun } from './hostile-events.js'
import { builtAssets, newFolder, SCREENSHOTS, writeReport } from './support.js'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

/** Opens every case in every state, and returns what happened that must not. */
async function provoke(page: Page, url: string): Promise<string[]> {
  const seen: string[] = []
  await page.exposeFunction('FORGED', (what: unknown) => void seen.push(`ran ${String(what)}`))
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => seen.push(`error ${error.message}`))
  page.on('console', (message) => seen.push(`console ${message.text()}`))
  page.on('request', (request) => {
    const address = request.url()
    if (!/^(file:|data:|http:\/\/127\.0\.0\.1:)/.test(address)) seen.push(`request ${address}`)
  })
  page.on('framenavigated', (frame) => frame.parentFrame() && seen.push('frame'))
  await page.goto(url)
  await page.locator('.case').first().waitFor()
  const count = await page.locator('.case').count()
  expect(count).toBeGreaterThan(10)
  for (let index = 0; index < HOSTILE.length; index += 1) {
    await page.keyboard.press(index === 0 ? 'Enter' : 'j')
    await page.locator('.case-detail').waitFor()
    await page.evaluate(`
      for (const item of document.querySelectorAll('details')) item.open = true
      for (const item of document.querySelectorAll('.case-detail *')) {
        item.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }))
        item.focus()
      }`)
  }
  await page.keyboard.press('Escape')
  await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`)
  return seen
}

const FOREIGN = 'iframe, form, base, img, a, object, embed, body style, link:not([rel=icon])'
const foreignElements = (page: Page) => page.evaluate<number>(`document.querySelectorAll('${FOREIGN}').length`)

test('the report: nothing runs, nothing is loaded, no element comes from data', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 2400 } })
  const seen = await provoke(page, await writeReport('hostile', hostileRun()))
  expect(seen).toEqual([])
  expect(await foreignElements(page)).toBe(0)
  // What was formatted is among what was looked at.
  expect(await page.locator('.md-link').count()).toBeGreaterThan(2)
  await page.screenshot({ path: join(SCREENSHOTS, 'hostile.png') })
})

test('the live viewer: the same', async () => {
  const path = join(newFolder('hostile'), 'run.jsonl')
  writeFileSync(
    path,
    hostileRun()
      .map((event) => `${JSON.stringify(event)}\n`)
      .join(''),
  )
  const viewer = await serveViewer({ events: path, assets: await builtAssets() })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 2400 } })
    expect(await provoke(page, viewer.url)).toEqual([])
    expect(await foreignElements(page)).toBe(0)
  } finally {
    await viewer.close()
  }
})

test('the text is shown as it is, hidden characters spelled out', async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 2400 } })
  await page.goto(await writeReport('hostile', hostileRun()))
  await page.locator('.case').first().waitFor()
  await page.getByRole('columnheader', { name: 'Id' }).getByRole('button').click()
  const ids = await page.locator('.case .cell-id').allTextContents()
  for (const [index, text] of HOSTILE.entries()) {
    // oxlint-disable-next-line no-control-regex
    if (!/[\u0000-\u001f\u2028-\u2069\u200b-\u200f\ud800]|[\u{e0000}-\u{e007f}]/u.test(text))
      expect(ids).toContain(`${text}#${index}`)
  }
  const all = ids.join('\n')
  expect(all).toContain('invoice\\u{202e}gnp.exe')
  expect(all).toContain('\\u{e0049}')
  expect(all).toContain('\\x00nul \\x1b[31mred\\x07 \\u{d800}lone')
  expect(all).not.toContain('\u202e')
})

test('the CSV starts no formula', async () => {
  const page = await browser.newPage({ acceptDownloads: true })
  await page.goto(await writeReport('hostile', hostileRun()))
  await page.locator('.case').first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV export' }).click(),
  ])
  const text = readFileSync(await download.path(), 'utf8')
  expect(text).toContain("'=HYPERLINK")
  expect(text).toContain("'@SUM(1)")
  const cells = [...text.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,\r\n]*))/gm)].map(
    (found) => found[1] ?? found[2] ?? '',
  )
  expect(cells.length).toBeGreaterThan(300)
  expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([])
})

test('the policy would stop a script that got in', async () => {
  const page = await browser.newPage()
  const url = await writeReport('hostile', hostileRun().slice(0, 3))
  await page.goto(url)
  await page.locator('.case').first().waitFor()
  const stopped = await page.evaluate(`(() => {
    const outcome = []
    const attempt = (name, act) => {
      try {
        act()
      } catch {
        outcome.push(name + ' refused')
      }
    }
    attempt('script', () => {
      const script = document.createElement('script')
      script.textContent = 'window.gotIn = true'
      document.body.append(script)
    })
    attempt('html', () => document.body.insertAdjacentHTML('beforeend', '<img src=x>'))
    return { outcome, gotIn: 'gotIn' in window }
  })()`)
  expect(stopped).toEqual({ outcome: ['script refused', 'html refused'], gotIn: false })
})
