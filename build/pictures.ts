// Every picture of the documentation, and the run it shows.
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/support/browser.js'
import { takePicture, type Shot } from './pictures/browser.js'
import { openRuns, type Runs } from './pictures/runs.js'
import { steadyLines } from './pictures/steady-lines.js'
import { typeCommand } from './pictures/terminal.js'
import { terminalSvg } from './pictures/terminal-svg.js'

const TERMINALS: Record<string, string> = {
  'first-run': 'viva test -i examples/expense/tests/inputs.jsonl',
  'failing-run': 'viva test -i assistants/returns/tests/cases.jsonl',
}

const PAGES: Record<string, (runs: Runs) => Shot | Promise<Shot>> = {
  report: (runs) => ({ url: runs.report('six') }),
  dark: (runs) => ({ url: runs.report('six'), dark: true }),
  phone: (runs) => ({ url: runs.report('six'), width: 390, height: 780 }),
  'report-500': (runs) => ({ url: runs.report('many') }),
  transcript: (runs) => ({
    url: runs.report('six'),
    height: 900,
    prepare: async (page) => {
      await openCase(page, 'refunds-half')
      await page.locator('.transcript details.model-call').first().locator('summary').click()
      await page.locator('.transcript').evaluate((element) => element.scrollIntoView())
    },
  }),
  waterfall: (runs) => ({
    url: runs.report('six'),
    prepare: async (page) => {
      await openCase(page, 'stays-polite')
      await page.locator('.transcript').evaluate((element) => element.scrollIntoView())
    },
  }),
  variants: (runs) => ({ url: runs.report('variants') }),
  grid: (runs) => ({
    url: runs.report('variants'),
    prepare: async (page) => {
      const answers = page.getByRole('button', { name: 'Answers', exact: true })
      if ((await answers.count()) > 0) await answers.click()
      await page.locator('.toolbar').evaluate((element) => element.scrollIntoView())
    },
  }),
  compare: (runs) => ({ url: runs.comparison() }),
  live: async (runs) => ({ url: await runs.live(), prepare: (page) => page.locator('.case').first().waitFor() }),
}

async function openCase(page: Page, id: string): Promise<void> {
  await page.locator('.case', { hasText: id }).click()
  await page.locator('.transcript').waitFor()
}

/** Makes those that are named, else all. */
export async function makePictures(root: string, names: string[]): Promise<void> {
  const unknown = names.filter((name) => !(name in TERMINALS) && !(name in PAGES))
  if (unknown.length > 0)
    throw new Error(
      `no picture called ${unknown.join(', ')}; there are ${[...Object.keys(TERMINALS), ...Object.keys(PAGES)].join(', ')}`,
    )
  const isWanted = ([name]: [string, unknown]): boolean => names.length === 0 || names.includes(name)
  const target = join(root, 'docs', 'pictures')
  mkdirSync(target, { recursive: true })
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'viva-pictures-')))
  const runs = openRuns(root, folder)
  const browser = await launchBrowser()
  try {
    cpSync(join(root, 'build', 'pictures', 'shop'), folder, { recursive: true })
    cpSync(join(root, 'examples'), join(folder, 'examples'), { recursive: true })
    for (const [name, command] of Object.entries(TERMINALS).filter(isWanted)) {
      const lines = await typeCommand(command, folder, binFolder(root, folder))
      save(join(target, `${name}.svg`), terminalSvg(steadyLines(lines, folder), command))
    }
    for (const [name, shot] of Object.entries(PAGES).filter(isWanted))
      save(join(target, `${name}.webp`), await takePicture(browser, await shot(runs)))
  } finally {
    await browser.close()
    runs.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

function save(path: string, content: string | Buffer): void {
  writeFileSync(path, content)
  console.log(`${path}: ${Math.ceil(statSync(path).size / 1024)} kB`)
}

/** `viva` as it is when installed. */
function binFolder(root: string, folder: string): string {
  const bin = join(folder, '.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'viva'), `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'bin', 'viva.js')}' "$@"\n`)
  chmodSync(join(bin, 'viva'), 0o755)
  return bin
}
