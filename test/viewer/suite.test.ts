// The suite behind a run, on the page of `viva view`: computed when it is asked for, never in a report.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { makeFolder, startViva, viva } from '../support/run-cli.js'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const HOSTILE = '<img src=x onerror="document.title=1">'

async function recorded(): Promise<string> {
  const cases = [{ id: HOSTILE, input: 'the shop opens at 9', assert: { type: 'contains', value: 'shop' } }]
  const dir = makeFolder({ 'cases.jsonl': cases })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'run.jsonl'], { cwd: dir })
  return dir
}

test('on request the page says what could happen without a failing test; what a case is called stays text', async () => {
  const dir = await recorded()
  const started = startViva(['view', 'run.jsonl'], { cwd: dir })
  let url = ''
  started.process.stdout?.on('data', (text: string) => (url ||= /http:\S+/.exec(text)?.[0] ?? ''))
  await started.saw('Press Ctrl-C')
  const page = await browser.newPage({ viewport: { width: 1200, height: 1200 } })
  await page.goto(url)
  await page.getByRole('button', { name: 'Find out' }).click()
  await page.getByText(/^Mutation score: /).waitFor()
  const text = (await page.locator('.suite').textContent()) ?? ''
  expect(text).toContain('users get a wrong number, amount or reference')
  expect(text).toContain('Proposed assertions')
  expect(text).toContain(HOSTILE)
  expect(await page.title()).not.toBe('1')
  const shot = process.env['SUITE_SHOT']
  if (shot) await page.screenshot({ path: shot, fullPage: true })
  await page.close()
  const { origin } = new URL(url)
  expect((await fetch(`${origin}/api/suite?run=1`)).status).toBe(401)
  started.process.kill('SIGINT')
  await started.done
}, 60_000)

test('a report has nothing to ask for', async () => {
  const dir = await recorded()
  await viva(['report', 'run.jsonl', '-o', 'run.html'], { cwd: dir })
  const page = await browser.newPage()
  await page.goto(`file://${dir}/run.html`)
  await page.getByText('1 case').first().waitFor()
  expect(await page.locator('.suite').count()).toBe(0)
  await page.close()
}, 60_000)
