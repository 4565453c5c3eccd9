// An automated check (axe, WCAG 2.2 A and AA) of every view, light and dark, wide and narrow.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '../../src/model/event.js'
import { serveViewer } from '../../src/viewer/serve.js'
import { launchBrowser } from '../support/browser.js'
import { orchestratorRun } from './orchestrator-events.js'
import { sampleRun, scriptRun, stabilityRun } from './sample-events.js'
import { transcriptRun } from './transcript-events.js'
import { builtAssets, newFolder, SCREENSHOTS, writeComparison, writeReport } from './support.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const runs = {
  sample: sampleRun(),
  stability: stabilityRun(),
  script: scriptRun(),
  orchestrator: orchestratorRun(),
  transcript: transcriptRun(),
}
const opened = {
  sample: ['', '#T002', '#T003', '#T010'],
  stability: ['', '#S003'],
  script: ['#scripts.expense.setup.TestMissingTable'],
  orchestrator: ['#limit', '#flow'],
  transcript: ['#spans', '#talk', '#refund?step=4'],
}

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

async function violations(page: Page): Promise<string[]> {
  // The page's own policy lets nothing in; the tool comes through the debugger.
  await page.evaluate(axe)
  const found = await page.evaluate<Violation[]>(`axe
    .run(document, { runOnly: ${JSON.stringify(LEVELS)}, resultTypes: ['violations'] })
    .then((outcome) => outcome.violations)`)
  return found.map(
    (item) => `${item.id}: ${item.nodes.map((node) => `${node.html} ${node.failureSummary}`).join('\n')}`,
  )
}

for (const name of ['sample', 'stability', 'script', 'orchestrator', 'transcript'] as const) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`${name}, ${scheme}: no violation`, async () => {
      const url = await writeReport(name, runs[name])
      for (const width of [1280, 390]) {
        // Narrow differs in layout only: one open case is enough.
        for (const hash of width === 390 ? opened[name].slice(-1) : opened[name]) {
          const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme })
          await page.goto(url + hash)
          await page
            .locator(hash ? '.case-detail' : '.case')
            .first()
            .waitFor()
          await page.evaluate(`document.querySelectorAll('details').forEach((item) => (item.open = true))`)
          expect(await violations(page), `${width} ${hash}`).toEqual([])
          await page.close()
        }
      }
    })
  }
}

test('the check would find a violation', async () => {
  const page = await browser.newPage()
  await page.goto(await writeReport('sample', runs.sample))
  await page.locator('.case').first().waitFor()
  await page.evaluate(`document.querySelector('.search .sr-only').remove()`)
  await page.evaluate(`document.querySelector('.search input').removeAttribute('placeholder')`)
  expect((await violations(page)).join()).toContain('label')
})

test('the help is a dialog without violations', async () => {
  const page = await browser.newPage()
  await page.goto(await writeReport('sample', runs.sample))
  await page.locator('.case').first().waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  expect(await violations(page)).toEqual([])
})

test.each(['light', 'dark'] as const)('the page of a comparison, %s: no violation', async (scheme) => {
  const url = await writeComparison(runs.sample, laterRun())
  for (const width of [1280, 390]) {
    for (const hash of ['', '#T001']) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme })
      await page.goto(url + hash)
      await page
        .locator(hash ? '.two-runs .case-detail' : '.case')
        .first()
        .waitFor()
      await page.evaluate(`document.querySelectorAll('details').forEach((item) => (item.open = true))`)
      expect(await violations(page), `${width} ${hash}`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
      await page.close()
    }
  }
})

test.each(['light', 'dark'] as const)('the runs of a folder, %s: no violation', async (scheme) => {
  const folder = newFolder('runs')
  for (const day of [1, 2, 3]) {
    const events = runs.sample.map((event) =>
      event.type === 'start' ? { ...event, run_id: `r${day}`, timestamp: `2026-03-0${day}T09:00:00.000Z` } : event,
    )
    writeFileSync(join(folder, `output-${day}.jsonl`), events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  }
  const reruns = { start: async () => '', stop() {}, running: () => undefined, close: async () => {} }
  const viewer = await serveViewer({ events: folder, assets: await builtAssets(), reruns })
  try {
    for (const width of [1280, 390]) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme })
      await page.goto(viewer.url)
      await page.locator('.run-card').nth(2).waitFor()
      expect(await violations(page), String(width)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
      await page.screenshot({ path: join(SCREENSHOTS, `runs-${width}-${scheme}.png`) })
      for (const index of [0, 2]) await page.getByRole('checkbox').nth(index).check()
      await page.getByRole('button', { name: 'Compare these two' }).waitFor()
      expect(await violations(page), `${width}, two picked`).toEqual([])
      await page.locator('.run-card').first().click()
      await page.getByRole('button', { name: /^Run 4 failed cases again/ }).waitFor()
      await page.getByRole('region', { name: 'Trend' }).waitFor()
      expect(await violations(page), `${width}, a run`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
      const stranger = await (await browser.newContext({ colorScheme: scheme })).newPage()
      await stranger.goto(page.url())
      await stranger.getByLabel('Address or key').waitFor()
      expect(await violations(stranger), `${width}, no key`).toEqual([])
      await stranger.close()
      await page.close()
    }
  } finally {
    await viewer.close()
  }
})

/** The sample after a change for the worse: what passed fails, and says something else. */
function laterRun(): RunEvent[] {
  return runs.sample.map((event) => {
    if (event.type === 'start') return { ...event, run_id: 'later' }
    if (event.type !== 'result' || event.status !== 'passed') return event
    const { flaky: _flaky, ...rest } = event
    return {
      ...rest,
      status: 'failed',
      error: 'worse than before',
      error_kind: 'assertion',
      output: 'something else',
    }
  })
}
