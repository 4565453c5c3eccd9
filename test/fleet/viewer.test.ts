// The live viewer of a run that a fleet runs: workers, queue, rate, estimate and what is stuck, as `viva fleet status` says it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '../support/browser.js'
import { makeFolder, startViva, viva, type StartedCli } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis } from '../support/redis.js'
import { SCREENSHOTS, soon } from '../viewer/support.js'

const AGENT = `
export async function run() {
  await new Promise((resolve) => setTimeout(resolve, 150))
  return 'hello'
}
`
const CASES = Array.from({ length: 2000 }, (_, at) => ({
  id: `T${at}`,
  input: `hi ${at}`,
  assert: { type: 'contains', value: at % 9 === 4 ? 'no' : 'hello' },
}))

withRedis('the live viewer of a fleet', () => {
  test('shows its status during a run, and says when Redis is gone', async () => {
    const redis = await startRedis()
    const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
    await startWorker(redis, { cwd: dir }, ['--parallel', '4', '--name', 'one'])
    await startWorker(redis, { cwd: dir }, ['--parallel', '4', '--name', 'two'])
    await startWorker(redis, { cwd: makeFolder({}) }, ['--name', 'empty'])
    const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--queue', redis.url, '-o', 'out.jsonl']
    const run = started(startViva(args, { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } }))
    const isBegun = (): boolean => existsSync(join(dir, 'out.jsonl')) && /"result"/.test(text('out.jsonl'))
    await expect.poll(isBegun, { timeout: 60_000 }).toBe(true)
    // Anyone who reaches Redis may write there: what makes no sense is left out, what is not text is not run.
    await redis.ask('ZADD', 'viva:workers', '1', 'liar', '2', 'nonsense')
    const lie = { version: '<b>9</b>', started: '', slots: 0, busy: 3, done: 0, refused: {}, runs: [], running: [] }
    await redis.ask('SET', 'viva:worker:liar', JSON.stringify({ id: '\u202e<img src=x onerror=alert(1)>', ...lie }))
    await redis.ask('SET', 'viva:worker:nonsense', '{"id":1}')

    const view = started(startViva(['view', 'out.jsonl', '--queue', redis.url], { cwd: dir }))
    let printed = ''
    view.process.stdout?.on('data', (data) => (printed += String(data)))
    await view.saw('Press Ctrl-C')
    await expect.poll(() => printed, { timeout: 30_000 }).toContain('\n')
    const url = printed.trim()
    const browser = await launchBrowser()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
    await page.goto(url)
    const panel = page.getByRole('region', { name: 'Fleet' })
    await soon(() => panel.locator('.number').allTextContents()).toEqual([
      expect.stringMatching(/^Workers4\d+ of 16 slots busy$/),
      expect.stringMatching(/^Queue\d+ jobs?\d+ more with workers$/),
      expect.stringMatching(/^Unread\d+ reports?not yet on disk$/),
      expect.stringMatching(/^Rate[\d.]*[1-9][\d.]*\/sresults, of late$/),
      expect.stringMatching(/^Left\d+ (s|min)at the recent rate$/),
      expect.stringMatching(/^Redis\d+\.\d MBin use$/),
    ])
    await soon(() => panel.locator('.fleet-worker').allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^one-/), expect.stringMatching(/^two-/)]),
    )
    await soon(() => panel.locator('.fleet-stuck').allTextContents()).toEqual([
      expect.stringMatching(/^empty-\w+ refuses it: .*agent\.mjs is missing/),
    ])
    expect(await page.locator('img').count()).toBe(0)
    // Drawn although results keep coming.
    const charts = page.locator('.charts-fold')
    if ((await charts.getAttribute('open')) === null) await page.getByText('Charts').click()
    await page.locator('.plot canvas').waitFor()
    // The same sentences on the console.
    const status = await viva(['fleet', 'status', '--queue', redis.url], { cwd: dir })
    expect(status.code, status.stderr).toBe(0)
    expect(status.stdout).toMatch(
      /4 workers, \d+ of 16 slots busy[^]*stuck: empty-\w+ refuses it: .*agent\.mjs is missing/,
    )
    expect(status.stdout).not.toContain('\u202e')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        await soon(() => page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        await page.screenshot({ path: join(SCREENSHOTS, `fleet-${width}-${colorScheme}.png`) })
      }
    }

    await redis.stop()
    await soon(() => panel.locator('.fleet-stuck').allTextContents()).toEqual([
      expect.stringMatching(/^Redis at redis:\/\/127\.0\.0\.1:\d+ does not answer$/),
    ])
    run.process.kill('SIGKILL')

    function text(name: string): string {
      return readFileSync(join(dir, name), 'utf8')
    }
  }, 180_000)
})

function started(cli: StartedCli): StartedCli {
  onTestFinished(async () => {
    cli.process.kill('SIGKILL')
    await cli.done
  })
  return cli
}
