// The lens on claims: off until it is asked for, each claim with its verdict in words and what backs it.
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResultEvent, RunEvent } from '../../src/model/event.js'
import { launchBrowser } from '../support/browser.js'
import { resultEvent, startEvent, summaryEvent } from './sample-events.js'
import { SCREENSHOTS, soon, writeReport } from './support.js'

let browser: Browser
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true })
  page = await context.newPage()
  page.on('pageerror', (error) => {
    throw error
  })
  await page.goto(`${await writeReport('claims', run())}#order`)
  await page.locator('.case-detail').waitFor()
})
afterAll(() => browser?.close())

function run(): RunEvent[] {
  const results: ResultEvent[] = [
    resultEvent({
      id: 'order',
      name: 'Cancels an order',
      status: 'passed',
      total_turns: 2,
      turns: [
        {
          turn: 1,
          input_source: 'static',
          status: 'passed',
          duration_ms: 900,
          input: 'Please cancel order AB1234.',
          tool_calls: [
            {
              name: 'get_order',
              args: { id: 'AB1234' },
              result: { order_id: 'AB1234', price: 42.5, placed_at: '2024-05-20' },
            },
          ],
          output: 'Order **AB1234** was placed on May 20, 2024 for $42.50. Shall I cancel it?',
        },
        {
          turn: 2,
          input_source: 'static',
          status: 'passed',
          duration_ms: 900,
          input: 'Yes.',
          tool_calls: [{ name: 'cancel_order', args: { id: 'AB1234' }, error: 'it has <b>shipped</b>' }],
          output:
            "I've cancelled your order AB1234.\n\n- The price of $45.00 was refunded to your card.\n- See https://example.com/r/99.",
        },
      ],
    }),
  ]
  return [startEvent({ agent_id: 'desk' }), ...results, summaryEvent(results)]
}

const toggle = () => page.getByRole('button', { name: 'Claims' })

test('claims are marked when the lens is on, not before', async () => {
  expect(await page.locator('.claim').count()).toBe(0)
  expect(await toggle().getAttribute('aria-pressed')).toBe('false')
  await toggle().click()
  await soon(() => page.locator('.claim').count()).toBe(8)
  expect(await page.locator('.claims-bar').innerText()).toMatch(/8 claims: ✓ 4 backed \? 2 unbacked ✕ 2 contradicted/)
  await page.screenshot({ path: join(SCREENSHOTS, 'claims.png') })
})

test('what backs a claim, or says otherwise, is there on hover and focus, as text', async () => {
  const action = page.locator('.claim.claim-contradicted').first()
  const note = action.locator('> .claim-note')
  expect(await note.isVisible()).toBe(false)
  await action.focus()
  expect(await note.isVisible()).toBe(true)
  expect(await note.innerText()).toBe('action, contradicted: cancel_order returned an error: it has <b>shipped</b>')
  await page.screenshot({ path: join(SCREENSHOTS, 'claims-note.png') })
  const price = page.locator('.claim', { hasText: '$42.50' }).last()
  await price.hover()
  expect(await price.locator('> .claim-note').innerText()).toContain(
    'money, backed: the result of get_order: price 42.5',
  )
})

test('verdicts differ by more than colour', async () => {
  const lines = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.claim')].map((mark) => [mark.className.split('-')[1], getComputedStyle(mark).textDecorationStyle, mark.querySelector('.claim-sign').textContent].join(' '))`,
  )
  expect([...new Set(lines)].toSorted()).toEqual(['backed solid ✓', 'contradicted wavy ✕', 'unbacked dashed ?'])
})

test('off again, the answers are as they were', async () => {
  await toggle().click()
  await soon(() => page.locator('.claim').count()).toBe(0)
  expect(await page.locator('.message strong').first().innerText()).toBe('AB1234')
})
