// The HTML report opened from disk in a real browser, with the network off.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import {
  resultEvent,
  sampleResults,
  sampleRun,
  scriptRun,
  stabilityRun,
  startEvent,
  summaryEvent,
} from './sample-events.js'
import { SCREENSHOTS, soon, writeReport } from './support.js'
import { resultEvent as made, wholeRun } from '../support/events.js'

let browser: Browser
let context: BrowserContext
let sample: string

beforeAll(async () => {
  browser = await launchBrowser()
  context = await browser.newContext({ viewport: { width: 1280, height: 860 }, offline: true, acceptDownloads: true })
  sample = await writeReport('sample', sampleRun())
})
afterAll(() => browser?.close())

async function openReport(url: string): Promise<Page> {
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(url)
  await page.locator('.case').first().waitFor()
  expect(asked.filter((address) => !address.startsWith('file:') && !address.startsWith('data:'))).toEqual([])
  return page
}

const ids = (page: Page) => page.locator('.case .cell-id').allTextContents()

test('shows the summary, and the failures first', async () => {
  const page = await openReport(sample)
  await soon(() => page.title()).toBe('expense.assistant · Viva report')
  await soon(() => page.locator('.rate-number').textContent()).toBe('55.6%')
  await soon(() => page.locator('.tile').allTextContents()).toEqual([
    'Failed440%',
    'Passed550%',
    'Skipped110%',
    'Flaky110%',
  ])
  await soon(() => ids(page)).toEqual(['T002', 'T003', 'T006', 'T010', 'T007', 'T001', 'T004', 'T005', 'T009', 'T008'])
  // Ten dots are not worth a chart, unless someone asks for it.
  await soon(() => page.locator('.plot').count()).toBe(0)
  await page.getByText('Charts').click()
  await soon(() => page.locator('.plot canvas').count()).toBe(1)
})

test('filters by text, status, tag and error kind, each narrowing the others', async () => {
  const page = await openReport(sample)
  await page.getByRole('searchbox').fill('taxi RECEIPT')
  await soon(() => ids(page)).toEqual(['T002'])
  await page.getByRole('searchbox').fill('policy.lookup')
  await soon(() => ids(page)).toEqual(['T003'])
  await page.getByRole('searchbox').fill('')
  await page.getByLabel('Tag').selectOption('resilience')
  await soon(() => ids(page)).toEqual(['T006', 'T007'])
  await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: /Flaky/ }).click()
  await soon(() => ids(page)).toEqual(['T007'])
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByLabel('Error', { exact: true }).selectOption('validator')
  await soon(() => ids(page)).toEqual(['T010'])
  await soon(() => page.locator('.count').textContent()).toBe('1 of 10 cases')
})

test('sorts by every column, and back', async () => {
  const page = await openReport(sample)
  const by = (name: string) => page.getByRole('columnheader', { name }).getByRole('button').click()
  await by('Time')
  await soon(async () => (await ids(page)).slice(0, 3)).toEqual(['T006', 'T003', 'T007'])
  await soon(() => page.getByRole('columnheader', { name: 'Time' }).getAttribute('aria-sort')).toBe('descending')
  await by('Time')
  await soon(async () => (await ids(page))[0]).toBe('T008')
  await by('Id')
  await soon(async () => (await ids(page)).slice(0, 2)).toEqual(['T001', 'T002'])
  await by('Cost')
  await soon(async () => (await ids(page))[0]).toBe('T003')
  await by('Turns')
  await soon(async () => (await ids(page))[0]).toBe('T003')
})

test('opens a case: conversation, tool calls, verdicts with differences', async () => {
  const page = await openReport(sample)
  await page.locator('.case', { hasText: 'T002' }).click()
  const detail = page.locator('.case-detail')
  await detail.waitFor()
  // The first failure at the top, once; the others below.
  const first = detail.locator('.failure')
  await soon(() => first.locator('h3').textContent()).toContain('output does not contain the expected text')
  await soon(() => first.locator('.side-body').first().textContent()).toBe('submitted')
  await soon(() => first.locator('.side-body').last().textContent()).toMatch(/^I have saved .* for approval now\?$/)
  await soon(() => first.textContent()).toContain('2 more checks failed, shown below.')
  await soon(() => detail.getByText('shown above').count()).toBe(1)
  // What viva explain says, in full on demand.
  const explained = detail.locator('.explained')
  await soon(() => explained.locator('dl > div', { hasText: /^blame/ }).textContent()).toMatch(/^blame\w+ \(\d+%\): /)
  await explained.locator('summary').click()
  await soon(() => explained.locator('details .block').textContent()).toContain('  expected  "submitted"')
  await soon(() => detail.locator('.message .role').allTextContents()).toEqual(['System', 'User', 'Agent'])
  await soon(() => detail.locator('.tool-call .tool-name').allTextContents()).toEqual([
    'ocr.read',
    'expense.save',
    'expense.submit',
  ])
  await detail.locator('.tool-call', { hasText: 'ocr.read' }).locator('summary').click()
  await soon(() => detail.locator('.tool-call', { hasText: 'ocr.read' }).textContent()).toContain(
    '"vendor": "City Cab"',
  )
  const marks = (index: number) => detail.locator('.assertion').nth(index).locator('mark').allTextContents()
  await soon(() => marks(1)).toEqual(['submitted', 'for approval', 'saved', 'as a draft'])
  await soon(() => marks(2)).toEqual(['transport', 'submitted', 'travel', 'draft'])
  await soon(() => detail.locator('.assertion').count()).toBe(5)
})

test('a failing case opens with the words that differ, line breaks as they are, each fact once', async () => {
  const expected = 'Your order **#4711** has shipped.\n\n- Carrier: UPS\n- Day: Monday'
  const output = 'Your order **#4711** has shipped.\n\n- Carrier: DHL\n- Day: Monday'
  const message = `output is not equal: expected ${JSON.stringify(expected)}, got ${JSON.stringify(output)}`
  const assertions = [{ type: 'equals', passed: false, value: expected, expected, actual: output, message }]
  const failed = resultEvent({
    id: 'order',
    status: 'failed',
    error_kind: 'assertion',
    error: `assertion failed: ${message}`,
    assertion_errors: [message],
    input: 'Where is it?',
    expected,
    output,
    assertions,
  })
  const page = await openReport(`${await writeReport('diff', [startEvent(), failed, summaryEvent([failed])])}#order`)
  const detail = page.locator('.case-detail')
  await detail.waitFor()
  await soon(() => detail.locator('.failure h3').textContent()).toBe('output is not equalequalsassertion')
  await soon(() => detail.locator('.failure .side-body').allInnerTexts()).toEqual([expected, output])
  await soon(() => detail.locator('mark').allTextContents()).toEqual(['UPS', 'DHL'])
  await soon(async () => (await detail.innerText()).includes(String.raw`\n`)).toBe(false)
  // The wrong answer twice (compared, and in the conversation, formatted), the expected text once.
  await soon(async () => (await detail.innerText()).split('DHL').length - 1).toBe(2)
  await soon(async () => (await detail.innerText()).split('UPS').length - 1).toBe(1)
  await soon(() => detail.locator('.message .md-list li').allTextContents()).toEqual(['Carrier: DHL', 'Day: Monday'])
  await soon(() => detail.locator('.message strong').textContent()).toBe('#4711')
  await detail.getByRole('button', { name: 'Raw' }).click()
  await soon(() => detail.locator('.message').last().innerText()).toContain('**#4711**')
})

test('the command that runs the case again can be copied', async () => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await openReport(`${sample}#T002`)
  const command = "viva test -i tests/expenses.jsonl --run '^T002$'"
  await soon(() => page.locator('.rerun code').textContent()).toBe(command)
  await page.getByRole('button', { name: 'Copy the command' }).click()
  await page.locator('.rerun', { hasText: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(command)
})

test('shows turns and the checkpoints on a timeline', async () => {
  const page = await openReport(`${sample}#T003`)
  const detail = page.locator('.case-detail')
  await detail.waitFor()
  await soon(() => detail.locator('.turn').count()).toBe(4)
  await soon(() => detail.locator('.track .stop').count()).toBe(2)
  await soon(() => detail.locator('.track').getAttribute('aria-label')).toContain('confirm_amount not reached')
  await soon(() => detail.locator('.checkpoint-turn').allTextContents()).toEqual([
    'turn 1',
    'turn 2',
    'not reached',
    'not reached',
  ])
  await soon(() => detail.locator('.turn.status-failed .assertion.status-failed').count()).toBe(1)
})

test('links to a case, and to one run of it', async () => {
  const page = await openReport(`${sample}#T010`)
  await soon(() => page.locator('.case-id').textContent()).toBe('T010')
  await page.locator('.case', { hasText: 'T001' }).click()
  await page.locator('.case-id', { hasText: 'T001' }).waitFor()
  expect(new URL(page.url()).hash).toBe('#T001')
  await page.evaluate(`location.hash = '#T006'`)
  await page.locator('.case-id', { hasText: 'T006' }).waitFor()
  const runs = await openReport(`${await writeReport('runs', stabilityRun())}#S003/4`)
  await runs.locator('.run-tabs [aria-pressed=true]', { hasText: 'Run 4' }).waitFor()
})

test('filters, order and the open case are in the address: a reload and a link show the same', async () => {
  const page = await openReport(sample)
  await page.getByRole('searchbox').fill('r')
  await page
    .getByRole('group', { name: 'Status' })
    .getByRole('button', { name: /Failed/ })
    .click()
  await page.getByLabel('Tag').selectOption('tools')
  await page.getByLabel('Error', { exact: true }).selectOption('assertion')
  await page.getByRole('columnheader', { name: 'Time' }).getByRole('button').click()
  await soon(() => ids(page)).toEqual(['T003', 'T002'])
  await page.locator('.case', { hasText: 'T002' }).click()
  const hash = '#T002?q=r&status=failed&tag=tools&kind=assertion&sort=-duration'
  await soon(() => Promise.resolve(new URL(page.url()).hash)).toBe(hash)
  await page.reload()
  for (const opened of [page, await openReport(sample + hash)]) {
    await soon(() => ids(opened)).toEqual(['T003', 'T002'])
    await soon(() => opened.locator('.case-id').textContent()).toBe('T002')
    await soon(() => opened.getByRole('searchbox').inputValue()).toBe('r')
    await soon(() => opened.getByLabel('Tag').inputValue()).toBe('tools')
    await soon(() => opened.locator('.case.active .cell-id').textContent()).toBe('T002')
  }
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await soon(() => Promise.resolve(new URL(page.url()).hash)).toBe('#?sort=-duration')
  const wrong = await context.newPage()
  await wrong.goto(`${sample}#?status=green&tag=nowhere`)
  await wrong.getByText('No case matches').waitFor()
})

test('beside an open case the run is one strip: status, id and one line', async () => {
  const page = await openReport(`${sample}#T002`)
  await page.locator('.case-detail').waitFor()
  await soon(() => page.locator('.summary, .failures, .charts-fold, .facts').filter({ visible: true }).count()).toBe(0)
  await soon(async () => (await page.locator('.main-column').boundingBox())?.width).toBeLessThan(360)
  const row = page.locator('.case', { hasText: 'T003' })
  await soon(async () => (await row.innerText()).split('\n')).toEqual([
    'T003',
    'Guides through a reimbursement over several turns',
    '12.8s',
  ])
  await soon(async () => (await row.boundingBox())?.height).toBeLessThan(50)
  await page.getByLabel('Sort').selectOption('duration')
  await soon(async () => (await ids(page))[0]).toBe('T006')
})

test('the head of the table sticks under the toolbar', async () => {
  const many = Array.from({ length: 200 }, (_item, index) => resultEvent({ id: `T${index}` }))
  const page = await openReport(await writeReport('many', [startEvent(), ...many, summaryEvent(many)]))
  await page.evaluate('window.scrollTo(0, 4000)')
  const bottom = await page.locator('.sticky').evaluate((bar) => bar.getBoundingClientRect().bottom)
  expect(bottom).toBeGreaterThan(30)
  await soon(() => page.locator('.grid-head').evaluate((head) => head.getBoundingClientRect().top)).toBeCloseTo(
    bottom,
    0,
  )
  // Rows that the keyboard reaches are not hidden behind it.
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('j')
  await soon(() =>
    page.evaluate(`document.querySelector('.case.active')?.getBoundingClientRect().top >=
      document.querySelector('.grid-head').getBoundingClientRect().bottom`),
  ).toBe(true)
})

test('at 1280 pixels errors of the usual length are there in full', async () => {
  const error = `assertion failed: ${'a reason of some length '.repeat(7)}`.trim()
  const turns = [{ turn: 1, input: 'a', input_source: 'static' as const, status: 'passed' as const, duration_ms: 1 }]
  const one = resultEvent({ id: 'E1', status: 'failed', error, error_kind: 'assertion', cost_dollars: 0.1, turns })
  const page = await openReport(await writeReport('errors', [startEvent(), one, summaryEvent([one])]))
  const text = page.locator('.case .second bdi')
  await soon(() => text.textContent()).toBe(error.replace('assertion failed: ', ''))
  await soon(() => text.evaluate((line) => line.scrollHeight - line.clientHeight)).toBeLessThanOrEqual(1)
})

test('at 390 pixels every filter is in reach', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(sample)
  await page.locator('.case').first().waitFor()
  expect(await page.evaluate('window.scrollY')).toBe(0)
  const controls = page.locator('.toolbar :is(input, select, button)')
  for (const control of await controls.all()) {
    const box = await control.boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 390 && box.width > 30).toBe(true)
  }
  await page.getByLabel('Sort').selectOption('duration')
  await soon(async () => (await ids(page))[0]).toBe('T006')
  await page.getByLabel('Tag').selectOption('tools')
  await soon(() => ids(page)).toEqual(['T003', 'T002', 'T008'])
  await page.close()
})

test('a link to an unknown case says so', async () => {
  const page = await openReport(`${sample}#T999`)
  await page.getByText('There is no case with this id in the run.').waitFor()
})

test('works from the keyboard alone', async () => {
  const page = await openReport(sample)
  const press = (key: string) => page.keyboard.press(key)
  const activeId = () => page.locator('.case.active .cell-id').textContent()
  await soon(() => activeId()).toBe('T002')
  await press('j')
  await press('ArrowDown')
  await soon(() => activeId()).toBe('T006')
  await press('k')
  await soon(() => activeId()).toBe('T003')
  await press('Enter')
  await page.locator('.case-id', { hasText: 'T003' }).waitFor()
  await press('j')
  await page.locator('.case-id', { hasText: 'T006' }).waitFor()
  await press('Escape')
  await soon(() => page.locator('.detail').count()).toBe(0)
  await press('/')
  await page.keyboard.type('german')
  await soon(() => ids(page)).toEqual(['T004'])
  await press('Enter')
  await press('Enter')
  await page.locator('.case-id', { hasText: 'T004' }).waitFor()
  await press('Escape')
  await press('Escape')
  await soon(async () => (await ids(page)).length).toBe(10)
  await press('f')
  await soon(async () => (await ids(page)).length).toBe(4)
  await press('?')
  await page.getByRole('dialog').waitFor()
  await press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await press('t')
  await soon(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
})

test('exports what is filtered, as JSON with every field and as CSV', async () => {
  const page = await openReport(sample)
  await page.getByLabel('Tag').selectOption('tools')
  const save = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
  }
  const json = await save('JSON export')
  expect(json.name).toBe('expense.assistant-results.json')
  const wanted = sampleResults().filter((result) => result.tags?.includes('tools'))
  expect(JSON.parse(json.text).results).toEqual(JSON.parse(JSON.stringify(wanted)))
  const csv = await save('CSV export')
  expect(csv.text.split('\r\n').map((row) => row.split(',')[0])).toEqual(['id', 'T002', 'T003', 'T008', ''])
})

test('prints the numbers, all filtered cases and the failures in full', async () => {
  const page = await openReport(sample)
  const pdf = await page.pdf({ format: 'A4', path: join(SCREENSHOTS, 'sample.pdf') })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  const printed = await page.evaluate(`(() => {
    window.dispatchEvent(new Event('beforeprint'))
    const rows = document.querySelectorAll('#print tbody tr').length
    const details = [...document.querySelectorAll('#print .case-id')].map((item) => item.textContent)
    window.dispatchEvent(new Event('afterprint'))
    return { rows, details, left: document.querySelector('#print').childElementCount }
  })()`)
  expect(printed).toEqual({ rows: 10, details: ['T002', 'T003', 'T006', 'T010'], left: 0 })
})

test('script tests have their own view: assertion, both sides, stack, logs', async () => {
  const page = await openReport(await writeReport('script', scriptRun()))
  await page.locator('.case', { hasText: 'TestMissingTable' }).click()
  const detail = page.locator('.case-detail')
  await detail.waitFor()
  await soon(() => detail.locator('.failure h3').textContent()).toContain('assert.Equal')
  await soon(() => detail.locator('.stack').textContent()).toContain('setup_test.ts:24:12')
  await soon(() => detail.locator('.failure mark').allTextContents()).toEqual(['true', 'false'])
  await soon(() => detail.textContent()).toContain('calling setup.Ready')
})

test('repeated runs show one row for each case, with its stability', async () => {
  const page = await openReport(await writeReport('stability', stabilityRun()))
  await soon(() => ids(page)).toEqual(['S003', 'S004', 'S002', 'S001', 'S005', 'S006'])
  await soon(() => page.locator('.case .runs-rate').allTextContents()).toEqual([
    '40%',
    '0%',
    '80%',
    '100%',
    '100%',
    '100%',
  ])
  await page.getByText('Charts').click()
  await soon(() => page.locator('.classes dd').allTextContents()).toEqual(['3', '1', '0', '1', '1'])
  // What always fails is not flaky.
  await soon(() => page.locator('.stability-list .bar-label').allTextContents()).toEqual(['S003', 'S002'])
  await page.locator('.case', { hasText: 'S003' }).click()
  await page.locator('.run-tabs button').nth(4).click()
  await page.locator('.run-tabs [aria-pressed=true]', { hasText: 'Run 5' }).waitFor()
  await page.keyboard.press('[')
  await page.locator('.run-tabs [aria-pressed=true]', { hasText: 'Run 4' }).waitFor()
})

test('what is not green does not look so: undetermined, nothing shown, stopped short', async () => {
  const open = [1, 2, 3].map((run) => made('T1', { run }))
  const auto = wholeRun(open, { runs_per_case: 'auto', options: { threshold: 80, confidence: 95 } })
  const skipped = wholeRun([made('T1', { status: 'skipped', skip_reason: 'not now', skip: true })])
  const strict = wholeRun([made('T1')]).map((event) =>
    event.type === 'summary' ? { ...event, exit_code: 1, reasons: ['1 flaky case (--fail-on-flaky)'] } : event,
  )
  for (const [name, events, pill, notice] of [
    ['open', auto, '1 undetermined', '1 case undetermined'],
    ['skipped', skipped, 'Nothing shown', 'no case reached a verdict'],
    ['strict', strict, 'Not green', '1 flaky case'],
  ] as const) {
    const page = await openReport(await writeReport(name, [...events]))
    await soon(() => page.locator('header .pill').first().textContent()).toBe(pill)
    await page.getByText(notice).first().waitFor()
  }
  const fine = await openReport(await writeReport('fine', wholeRun([made('T1')])))
  await soon(() => fine.locator('header .pill').first().textContent()).toBe('All passed')
})

test('a run that was cut off says so and shows what there is', async () => {
  const page = await openReport(await writeReport('cut', sampleRun().slice(0, 4)))
  await page.getByText('The run was cut off').waitFor()
  await soon(async () => (await ids(page)).length).toBe(3)
})

test('a long text is folded, a cut one says so', async () => {
  const long = resultEvent({ id: 'L1', output: 'word '.repeat(100_000), response: 'word '.repeat(100_000) })
  const page = await openReport(`${await writeReport('long', [startEvent(), long, summaryEvent([long])])}#L1`)
  await page.getByRole('button', { name: /Show all 65,\d+ characters/ }).click()
  await page.getByText('434,464 more characters; the event file has the whole text').first().waitFor()
})

for (const [name, events] of [
  ['sample', sampleRun()],
  ['stability', stabilityRun()],
  ['script', scriptRun()],
] as const) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`${name}, ${scheme}: nothing sticks out at 1280 or 390 pixels`, async () => {
      const url = await writeReport(name, events)
      for (const width of [1280, 390]) {
        const page = await browser.newPage({ viewport: { width, height: 844 }, colorScheme: scheme })
        await page.goto(url)
        await page.locator('.case').first().waitFor()
        await page.getByText('Charts').click()
        await page.locator('.plot canvas').waitFor()
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${scheme}.png`) })
        await soon(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        await page.locator('.case').nth(1).click()
        await page.locator('.case-detail').waitFor()
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-open-${width}-${scheme}.png`) })
        await soon(() => page.locator('.detail-body').evaluate((body) => body.scrollWidth - body.clientWidth)).toBe(0)
        await page.close()
      }
    })
  }
}
