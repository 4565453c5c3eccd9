// `viva view --allow-run` in a real browser: cases run again from the page, with the options of their run.
import { writeFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { makeFolder, startViva, viva } from '../support/run-cli.js'
import { SCREENSHOTS, soon } from './support.js'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const AGENT = `import { readFileSync } from 'node:fs'
export const run = (messages) => {
  const { content } = messages.at(-1)
  return content === 'fixed' ? 'yes' : readFileSync(new URL('answer.txt', import.meta.url), 'utf8')
}
`
const contains = { type: 'contains', value: 'yes' }
const ODD = "T3'; touch owned; $(touch owned) `touch owned` ../x"

function project(): string {
  return makeFolder({
    'package.json': {},
    'agent.mjs': AGENT,
    'answer.txt': 'no',
    'cases.jsonl': [
      { id: 'T1', input: 'fixed', assert: contains },
      { id: 'T2', input: 'read', assert: contains },
      { id: ODD, input: 'read', assert: contains },
    ],
  })
}

async function view(cwd: string, ...args: string[]): Promise<string> {
  const child = startViva(['view', ...args], { cwd })
  onTestFinished(async () => {
    child.process.kill('SIGINT')
    await child.done
  })
  return new Promise((resolve) => {
    let text = ''
    child.process.stdout?.on('data', (chunk: string) => {
      text += chunk
      if (text.includes('\n')) resolve(text.trim())
    })
  })
}

const statuses = (page: Page) => page.locator('.case .cell-id').allTextContents()

test('the failed cases, then one of them, run again from the page; Back leads to the run before', async () => {
  const cwd = project()
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'first.jsonl', '--timeout', '20s'], { cwd })
  const url = await view(cwd, 'first.jsonl', '--allow-run')
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(url)
  await page.getByRole('button', { name: 'Run 2 failed cases again' }).waitFor()
  await page.screenshot({ path: join(SCREENSHOTS, 'rerun-1280-light.png') })
  writeFileSync(join(cwd, 'answer.txt'), 'yes')
  await page.getByRole('button', { name: 'Run 2 failed cases again' }).click()
  await page.getByText('All passed').waitFor()
  await soon(() => statuses(page)).toEqual(['T2', ODD])

  writeFileSync(join(cwd, 'answer.txt'), 'no')
  await page.locator('.case', { hasText: 'T3' }).click()
  await page.getByRole('button', { name: 'Run again', exact: true }).click()
  await page.getByText('1 failed', { exact: true }).waitFor()
  await soon(() => statuses(page)).toEqual([ODD])
  await soon(() => page.locator('.detail-bar-id').textContent()).toBe(ODD)

  // Each is an ordinary run of its own, with the options of the first; nothing was replaced.
  const files = (await readdir(cwd)).filter((name) => name.endsWith('.jsonl')).toSorted()
  expect(files).toEqual([
    'cases.jsonl',
    'first.jsonl',
    expect.stringMatching(/^output-/),
    expect.stringMatching(/^output-/),
  ])
  const starts = await Promise.all(
    files.slice(2).map(async (name) => JSON.parse((await readFile(join(cwd, name), 'utf8')).split('\n')[0] ?? '')),
  )
  expect(starts).toMatchObject([
    { options: { timeout: '20s', rerun: true } },
    { options: { timeout: '20s', rerun: true } },
  ])
  expect(await readdir(cwd)).not.toContain('owned')

  await page.goBack()
  await soon(() => statuses(page)).toEqual(['T2', ODD])
  await page.goBack()
  await page.goBack()
  await page.getByRole('button', { name: 'Run 2 failed cases again' }).waitFor()
  await soon(() => statuses(page)).toEqual(['T2', ODD, 'T1'])
})

test('what cannot be repeated says why', async () => {
  const cwd = project()
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'first.jsonl'], { cwd })
  const text = await readFile(join(cwd, 'first.jsonl'), 'utf8')
  // From another machine, with another program.
  writeFileSync(
    join(cwd, 'first.jsonl'),
    text.replace('"name":"./agent.mjs#run"', '"name":"exec:touch owned"').replaceAll(`"cwd":"${cwd}"`, '"cwd":"/"'),
  )
  const page = await browser.newPage()
  await page.goto(await view(cwd, '--allow-run'))
  await page.locator('.run-card').click()
  await page.getByRole('button', { name: 'Run 2 failed cases again' }).click()
  await soon(() => page.getByRole('alert').textContent()).toBe(
    'cannot run this again: it was started in another folder (/)',
  )
  expect(await readdir(cwd)).not.toContain('owned')
})

test('without --allow-run there is no button', async () => {
  const cwd = project()
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'first.jsonl'], { cwd })
  const page = await browser.newPage()
  await page.goto(await view(cwd, 'first.jsonl'))
  await page.locator('.case', { hasText: 'T2' }).click()
  await page.locator('.case-detail').waitFor()
  await soon(() => page.getByRole('button', { name: /^Run .*again$/ }).count()).toBe(0)
})
