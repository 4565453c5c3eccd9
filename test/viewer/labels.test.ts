// The labelling screen in a real browser: by keyboard alone, blind until a person has decided, resumable, closed to others.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { makeFolder, startViva, viva, type StartedCli } from '../support/run-cli.js'
import { SCREENSHOTS, soon } from './support.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const REASON = 'the reason of the judge'
const FILES = {
  'judge.ts': `export function run(messages: unknown, ctx: unknown, options: { metadata: { output: string } }) {
  return JSON.stringify({ passed: options.metadata.output.includes('good'), score: 1, reason: '${REASON}' })
}`,
  'cases.jsonl': Array.from({ length: 60 }, (_, at) => ({
    id: `c${at}`,
    input: `question ${at} <script>window.hacked = true</script>`,
    assert: { type: 'agent', use: './judge.ts#run', value: 'Says something good' },
  })),
  'agent.ts': `export const run = (messages: Array<{ content: string }>) =>
  /[02468] </.test(messages[0].content) ? 'a good answer to ' + messages[0].content : 'a bad one'`,
}

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

async function open(dir: string, by: string): Promise<{ cli: StartedCli; url: string }> {
  const cli = startViva(['label', 'run.jsonl', '--by', by, '--width', '0.05'], { cwd: dir })
  let printed = ''
  cli.process.stdout?.on('data', (text: string) => {
    printed += text
  })
  await cli.saw('Press Ctrl-C')
  await soon(() => Promise.resolve(printed)).toContain('#key=')
  return { cli, url: printed.trim() }
}

async function close({ process, done }: StartedCli): Promise<void> {
  process.kill('SIGINT')
  await done
}

const labelsOf = (dir: string) =>
  readFileSync(join(dir, 'labels.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, string>)

async function labelBlind(page: Page, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor()
    expect(await page.content()).not.toContain(REASON)
    const answer = await page.locator('.part').nth(2).locator('pre').textContent()
    await page.keyboard.press(answer?.includes('good') === true ? 'p' : 'f')
    await page.getByText('The judge said').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('The judge said').waitFor({ state: 'detached' })
  }
}

test('thirty labels by keyboard, blind; closed and opened again it goes on; a second person sees the same answers', async () => {
  const dir = makeFolder(FILES)
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.ts#run', '-o', 'run.jsonl'], { cwd: dir })
  const first = await open(dir, 'ann')
  const page = await browser.newPage({ viewport: { width: 1000, height: 900 } })
  const before: string[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'GET')
      void response.text().then(
        (text) => before.push(text),
        // A page that is left takes its answers with it.
        () => undefined,
      )
  })
  await page.goto(first.url)
  await page.getByText('0 of').waitFor()
  await page.screenshot({ path: join(SCREENSHOTS, 'label.png') })
  await page.keyboard.press('n')
  await page.keyboard.type('a note of mine, with p and f in it')
  await page.keyboard.press('Escape')
  await labelBlind(page, 12)
  await close(first.cli)

  const again = await open(dir, 'ann')
  await page.goto(again.url)
  await page.reload()
  await page.getByText('12 of').waitFor()
  await labelBlind(page, 18)
  await page.evaluate(axe)
  const found = await page.evaluate<Array<{ id: string }>>('axe.run().then(({ violations }) => violations)')
  expect(found.map(({ id }) => id)).toEqual([])
  await close(again.cli)
  // Nothing that the page asked for before a decision holds what the judge said.
  expect(before.join('\n')).not.toContain(REASON)
  expect(before.some((text) => text.includes('Says something good'))).toBe(true)
  expect(before.filter((text) => text.startsWith('{')).join('\n')).not.toContain('passed')
  expect(await page.evaluate('window.hacked')).toBeUndefined()

  const second = await open(dir, 'bob')
  await page.goto(second.url)
  await page.reload()
  await page.getByText('0 of').waitFor()
  await labelBlind(page, 3)
  await close(second.cli)
  const labels = labelsOf(dir).filter(({ type }) => type !== 'draw')
  const by = (name: string) => labels.filter((label) => label['by'] === name)
  expect(by('ann')).toHaveLength(30)
  expect(by('ann')[0]?.['note']).toBe('a note of mine, with p and f in it')
  expect(by('bob').map((label) => label['case'])).toEqual(
    by('ann')
      .slice(0, 3)
      .map((label) => label['case']),
  )
  const { stderr } = await viva(['judge', 'check', 'labels.jsonl', '--events', 'run.jsonl'], { cwd: dir })
  expect(stderr).toContain('People agreed with each other in 3 of 3 pairs')
  await page.close()
})

test('no key, another site, a name that points here, or a form cannot read or write labels', async () => {
  const dir = makeFolder(FILES)
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.ts#run', '-o', 'run.jsonl'], { cwd: dir })
  const { cli, url } = await open(dir, 'ann')
  const { origin, hash } = new URL(url)
  const key = hash.slice('#key='.length)
  const ask = async (headers: Record<string, string>, body?: string): Promise<number> =>
    (await fetch(`${origin}/api/label`, { headers, ...(body !== undefined && { method: 'POST', body }) })).status
  const decision = JSON.stringify({ key: 'x', verdict: 'pass' })
  const bearer = { authorization: `Bearer ${key}` }
  expect(await ask({})).toBe(401)
  expect(await ask({ ...bearer, origin: 'http://evil.example' })).toBe(403)
  expect(await ask(bearer, decision)).toBe(403)
  expect(await ask({ ...bearer, origin: 'null' }, decision)).toBe(403)
  expect(await ask({ origin }, decision)).toBe(401)
  expect(await ask({ ...bearer, origin }, '{"key": "x", "verdict": "maybe"}')).toBe(400)
  expect(await ask({ ...bearer, origin }, decision)).toBe(404)
  expect(await ask({ ...bearer, origin }, 'x'.repeat(100_000))).toBe(400)
  await close(cli)
})
