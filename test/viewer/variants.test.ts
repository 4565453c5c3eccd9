// Several variants in a real browser: columns, one mark each, answers with the words that differ, and no failure out of sight.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '../../src/model/event.js'
import { serveViewer } from '../../src/viewer/serve.js'
import { launchBrowser } from '../support/browser.js'
import { builtAssets, newFolder, SCREENSHOTS, soon, writeComparison, writeReport } from './support.js'
import { VARIANTS, variantRun } from './variant-events.js'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let report: Promise<string> | undefined
/** Three variants × 300 cases, made once. */
const theReport = (): Promise<string> => (report ??= writeReport('variants', () => variantRun({ cases: 300 })))

interface Look {
  width?: number
  theme?: 'light' | 'dark'
}

async function openPage(url: string, { width = 1280, theme = 'light' }: Look = {}): Promise<Page> {
  const page = await browser.newPage({ viewport: { width, height: width < 600 ? 844 : 860 }, colorScheme: theme })
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(url)
  return page
}

const ids = (page: Page) => page.locator('.case .cell-id').allTextContents()
const marks = (page: Page, row: number) =>
  page
    .locator('.case')
    .nth(row)
    .locator('.mark .icon')
    .evaluateAll((all) => all.map((icon) => icon.getAttribute('aria-label') ?? ''))
const hash = (page: Page) => Promise.resolve(new URL(page.url()).hash)

const SIZES: Required<Look>[] = [1280, 390].flatMap((width) =>
  (['light', 'dark'] as const).map((theme) => ({ width, theme })),
)

test.each(SIZES)('fits at $width, $theme, without violations', { timeout: 120_000 }, async ({ width, theme }) => {
  for (const [name, place] of [
    ['', ''],
    ['-open', '#T008?differ=verdicts'],
    ['-answers', '#?table=answers'],
  ]) {
    const page = await openPage((await theReport()) + place, { width, theme })
    if (!place) await page.getByText('Charts').click()
    await page
      .locator(name === '-answers' ? '.answer-cell' : place ? '.case-detail' : '.plot canvas')
      .first()
      .waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    await page.screenshot({ path: join(SCREENSHOTS, `variants${name}-${width}-${theme}.png`) })
    await page.evaluate(axe)
    const found = await page.evaluate<Array<{ id: string; nodes: unknown }>>(`axe
      .run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations'] })
      .then((outcome) => outcome.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => html + failureSummary) })))`)
    expect(found).toEqual([])
    await page.close()
  }
})

test('columns side by side, each against the baseline, with what it does differently', async () => {
  const page = await openPage(await theReport())
  const columns = page.locator('.variant')
  await soon(() => columns.locator('h2').allTextContents()).toEqual(VARIANTS.map(({ name }) => name))
  await soon(() => columns.locator('.rate-number').allTextContents()).toEqual(['89%', '79.3%', '90.3%'])
  await soon(() => columns.locator('.variant-rate .rate-label').first().textContent()).toMatch(/% to .*, 95%/)
  const brief = columns.nth(1)
  expect(await brief.locator('.variant-difference').textContent()).toMatch(
    /^is worse than today -9\.7 points \(95% interval -\S+ to -\S+, p = 0\.00\d\d, 300 cases\)$/,
  )
  expect(await columns.nth(2).locator('.variant-difference').textContent()).toContain(
    'cannot be distinguished from today',
  )
  expect(await columns.locator('.best-chip').count()).toBe(2)
  expect(await page.locator('.best-line').textContent()).toBe('Best: today, large model, which cannot be told apart')
  expect(await brief.locator('.measure-call .call').allTextContents()).toEqual(['faster', 'cheaper'])
  expect(await page.locator('.behaviour').textContent()).toContain(
    'calls `find_manager` in 25% of conversations instead of 0%',
  )
  await page.getByText('Charts').click()
  expect(await page.locator('.scatter').getAttribute('aria-label')).toMatch(
    /today: \$0\.0011, 89% .*; large model: \$0\.004/,
  )
  expect(await page.locator('.scatter-point').count()).toBe(3)
  // Side by side at this width.
  const boxes = await Promise.all([0, 1, 2].map((index) => columns.nth(index).boundingBox()))
  expect(new Set(boxes.map((box) => box?.y)).size).toBe(1)
})

test('a row for each case with a mark for each variant; where they differ is in the address', async () => {
  const page = await openPage(await theReport())
  await page.locator('.case').first().waitFor()
  expect(await page.locator('.mark-head').allTextContents()).toEqual(VARIANTS.map(({ name }) => name))
  expect(await page.locator('.count').textContent()).toBe('300 cases')
  expect((await ids(page))[0]).toBe('T008')
  expect(await marks(page, 0)).toEqual(['today: passed', 'brief prompt: failed', 'large model: passed'])
  await page.getByRole('button', { name: /^Verdicts differ/ }).click()
  await soon(() => hash(page)).toBe('#?differ=verdicts')
  await soon(() => page.locator('.count').textContent()).toMatch(/^\d+ of 300 cases$/)
  for (let row = 0; row < 8; row += 1)
    expect(new Set((await marks(page, row)).map((label) => label.split(': ')[1])).size).toBe(2)
  const again = await openPage(page.url())
  await soon(() => again.locator('.count').textContent()).toBe(await page.locator('.count').textContent())
  await again.getByRole('button', { name: 'Clear' }).click()
  // One variant's failures: those of its column, and every row still shows all three.
  await again.getByRole('button', { name: 'large model: 29 failed. Show only these' }).click()
  await soon(() => hash(again)).toBe('#?status=failed&variant=large+model')
  await soon(() => again.locator('.count').textContent()).toBe('29 of 300 cases')
  expect((await marks(again, 0)).length).toBe(3)
  expect((await marks(again, 0))[2]).toBe('large model: failed')
})

test('a case opens with the answers side by side and the words that differ; picking a column shows that variant', async () => {
  const page = await openPage(`${await theReport()}#T008`)
  const columns = page.locator('.answer-column')
  await soon(() => columns.locator('.answer').allInnerTexts()).toEqual([
    'Your hotel in Kraków (316 EUR) was submitted. You will hear from us within five days.',
    'Your hotel in Kraków (316 EUR) is noted.',
    'Your hotel in Kraków (316 EUR) was submitted and goes to your manager today. You will hear from us within two days.',
  ])
  // The failed one is picked; the baseline is marked against it.
  await soon(() => page.locator('.case-detail .case-title').textContent()).toContain('brief prompt')
  expect(await columns.nth(1).locator('mark').allTextContents()).toEqual(['is noted'])
  expect(await columns.nth(0).locator('mark').allTextContents()).toEqual([
    'was submitted',
    ' You will hear from us within five days.',
  ])
  expect(await columns.nth(2).locator('mark').allTextContents()).toEqual([' and goes to your manager today', 'two'])
  await columns.nth(2).getByRole('button').first().click()
  await soon(() => hash(page)).toBe('#T008?show=large+model')
  await soon(() => page.locator('.case-detail').textContent()).toContain('find_manager')
  await soon(() => columns.nth(0).locator('mark').allTextContents()).toEqual(['five'])
  await page.keyboard.press('v')
  await soon(() => columns.nth(0).getByRole('button').first().getAttribute('aria-pressed')).toBe('true')
  expect(await columns.nth(0).locator('mark').count()).toBe(0)
})

test('no variant that failed or never ran hides behind the others', async () => {
  const url = await writeReport('cut', () => variantRun({ cases: 40, withoutLast: 10 }))
  const page = await openPage(url)
  await page.locator('.case').first().waitFor()
  // Nothing is filtered at first, and failures are on top.
  expect(await page.locator('.count').textContent()).toBe('40 cases')
  expect(await page.locator('.segments [aria-pressed=true]').allTextContents()).toEqual(['All 40', 'Verdicts'])
  const order = await page
    .locator('.case .cell-status .icon')
    .evaluateAll((all) => all.map((icon) => icon.getAttribute('aria-label') ?? ''))
  expect(order.toSorted((a, b) => Number(b === 'Failed') - Number(a === 'Failed'))).toEqual(order)
  expect(await page.locator('.variant').nth(2).textContent()).toContain('10 not run')
  await page.getByRole('searchbox').fill('T040')
  expect((await marks(page, 0))[2]).toBe('large model: not run')
  expect(await page.locator('.case .cell-status .icon').first().getAttribute('aria-label')).not.toBe('Passed')
  await page.getByRole('button', { name: /^Passed/ }).click()
  await soon(() => page.locator('.case').count()).toBe(0)
})

test('with several runs each mark is a share, and each variant has its own runs', async () => {
  const url = await writeReport('runs', () => variantRun({ cases: 30, runs: 3 }))
  const page = await openPage(`${url}#T008?show=brief+prompt`)
  await page.locator('.run-tabs').waitFor()
  expect(await page.locator('.run-tabs').textContent()).toMatch(/Run 1.*Run 2.*Run 3/)
  expect(await page.locator('.answer-facts').first().textContent()).toMatch(/^run \d · /)
  await page.getByRole('button', { name: /Run 3/ }).click()
  await soon(() => hash(page)).toBe('#T008/3?show=brief+prompt')
  await soon(() => page.locator('.answer-facts').first().textContent()).toMatch(/^run 3 · /)
  await page.keyboard.press('Escape')
  await soon(() => page.locator('.mark-note').first().textContent()).toMatch(/%$/)
})

test('two runs of several variants: each case of each variant, and one of them by choice', async () => {
  const before = [...variantRun({ cases: 60 })]
  const after = before.map((event): RunEvent => {
    if (event.type === 'start') return { ...event, run_id: 'later' }
    if (event.type !== 'result' || event.variant !== 'today' || event.status !== 'passed') return event
    if (Number(event.id.slice(1)) % 3 > 0) return event
    const failed: object = { status: 'failed', output: 'No.', error: 'no answer', error_kind: 'assertion' }
    return { ...event, ...failed }
  })
  const page = await openPage(await writeComparison(before, after.slice(0, -1)))
  await page.locator('.case').first().waitFor()
  await soon(() => page.locator('.conclusion').textContent()).toContain('today: the pass rate fell by')
  expect(await page.getByRole('row', { name: 'Pass rate · large model' }).textContent()).toContain('no significant')
  expect((await ids(page))[0]).toMatch(/^T\d+ · today$/)
  const all = await page.locator('.count').textContent()
  await page.getByLabel('Variant').selectOption('large model')
  await soon(() => hash(page)).toBe('#?variant=large+model')
  await soon(() => page.locator('.case').count()).toBe(0)
  await page.getByLabel('Variant').selectOption('today')
  await soon(() => page.locator('.count').textContent()).toBe(all)
  await page.screenshot({ path: join(SCREENSHOTS, 'variants-compare-1280-light.png') })
  await page.locator('.case').first().click()
  await soon(() =>
    page.locator('.compared-detail .answers mark, .compared-detail .answers .side').count(),
  ).toBeGreaterThan(0)
})

test('a run in progress: counts so far, then the comparison', async () => {
  const folder = newFolder('live-variants')
  const path = join(folder, 'output-20260314093000.jsonl')
  const all = [...variantRun({ cases: 8 })].map((event: RunEvent) => `${JSON.stringify(event)}\n`)
  writeFileSync(path, all.slice(0, 8).join(''))
  const viewer = await serveViewer({ events: path, assets: await builtAssets() })
  try {
    const page = await openPage(viewer.url)
    await soon(() => page.locator('.case').count()).toBe(3)
    await soon(() => page.locator('.running').textContent()).toContain('7 of 24 cases finished')
    // Of the third case only one variant has come.
    expect(await page.locator('.mark.status-not_run').count()).toBe(2)
    expect(await page.locator('.variant-difference').nth(1).textContent()).toBe('compared when the run has ended')
    appendFileSync(path, all.slice(8).join(''))
    await soon(() => page.locator('.variant-difference').nth(1).textContent()).toContain('points (95% interval')
    await soon(() => page.locator('.variant-rate .rate-label').first().textContent()).toContain(', 95%')
    await page.locator('.case').first().click()
    await soon(() => page.locator('.answer-column .answer').count()).toBe(3)
  } finally {
    await viewer.close()
  }
  const runs = await serveViewer({ events: folder, assets: await builtAssets() })
  try {
    const page = await openPage(runs.url)
    await soon(() => page.locator('.run-card-facts').textContent()).toContain('8 cases × 3 variants')
  } finally {
    await runs.close()
  }
})

test('the table as a grid of answers, with the words that differ from the baseline; its address opens it again', async () => {
  const page = await openPage(await theReport())
  await page.getByRole('group', { name: 'Table' }).getByRole('button', { name: 'Answers' }).click()
  const row = page.locator('.case', { hasText: 'T008' })
  await soon(() => row.locator('.answer-cell').count()).toBe(3)
  await soon(() => row.locator('.answer-cell').first().locator('mark').count()).toBe(0)
  await soon(() => row.locator('.answer-cell').nth(1).locator('mark').allTextContents()).toEqual(['is noted'])
  await soon(() => row.locator('.answer-cell-error').allTextContents()).toEqual(['output does not contain "submitted"'])
  await soon(() => hash(page)).toBe('#?table=answers')
  await page.reload()
  await soon(() => row.locator('.answer-cell').count()).toBe(3)
  // Beside the open case its answers are in full, and the list has the verdicts.
  await row.click()
  await page.locator('.answer-columns').waitFor()
  await soon(() => page.locator('.answer-cell').count()).toBe(0)
  await page.goBack()
  await soon(() => row.locator('.answer-cell').count()).toBe(3)
  await page.goBack()
  await soon(() => row.locator('.mark').count()).toBe(3)
  await soon(() => page.locator('.answer-cell').count()).toBe(0)
})

test('a long answer in the grid opens whole, without opening the case', async () => {
  const long = `Noted. ${'Receipts older than a month need a signature. '.repeat(20)}The end.`
  const url = await writeReport('long-answers', function* () {
    for (const event of variantRun({ cases: 2 })) {
      const said: object = event.type === 'result' && event.variant === 'today' ? { output: long } : {}
      yield { ...event, ...said }
    }
  })
  const page = await openPage(`${url}#?table=answers`)
  const cell = page.locator('.case').first().locator('.answer-cell').first()
  await soon(() => cell.locator('.answer-cell-text').textContent()).toMatch(/…$/)
  await cell.getByRole('button', { name: 'Show all' }).click()
  const dialog = page.getByRole('dialog', { name: 'Answer of today' })
  await soon(() => dialog.innerText()).toContain('The end.')
  await dialog.getByText('Receipts').click()
  await soon(() => hash(page)).toBe('#?table=answers')
  await page.keyboard.press('Escape')
  await soon(() => dialog.count()).toBe(0)
  await soon(() => hash(page)).toBe('#?table=answers')
  // A short one has nothing more to show.
  await soon(() => page.locator('.case').first().locator('.answer-cell').nth(1).getByRole('button').count()).toBe(0)
})

test('rows of the grid are as high as their answers need', async () => {
  const url = await writeReport('short-answers', function* () {
    for (const event of variantRun({ cases: 2 })) {
      const { id = '' } = event as { id?: string }
      const said = id.endsWith('1') ? 'Yes.' : `No. ${'Because it is late. '.repeat(30)}`
      yield { ...event, ...((event.type === 'result' ? { output: said, input: 'Open?' } : {}) as object) }
    }
  })
  const page = await openPage(`${url}#?table=answers`)
  const height = async (id: string) => (await page.locator('.case', { hasText: id }).boundingBox())?.height ?? 0
  await soon(async () => (await height('T001')) > 0 && (await height('T001')) < (await height('T002'))).toBe(true)
})
