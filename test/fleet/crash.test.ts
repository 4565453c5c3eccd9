// What a fleet survives: workers and coordinators that are killed, stopped or asked to end, a Redis that restarts. No
// result is lost and none counts twice. The same at length: bench/fleet/chaos.mjs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder, parseEvents, startViva, type StartedCli } from '../support/run-cli.js'
import { leftByRuns, QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const COUNT = 120
const AGENT = `
export async function run(input) {
  const text = String(input.at?.(-1)?.content ?? input)
  await new Promise((resolve) => setTimeout(resolve, 25))
  if (text === 'poison') process.kill(process.ppid, 'SIGKILL')
  return 'you said ' + text
}
`
const CASES = Array.from({ length: COUNT }, (_, at) => ({
  id: `T${at}`,
  input: `hello ${at}`,
  assert: { type: 'contains', value: at % 10 === 3 ? 'nope' : `hello ${at}` },
}))

let redis: TestRedis

withRedis('a fleet under faults', () => {
  beforeAll(async () => {
    redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
  })
  afterAll(() => redis.stop())

  test('a worker that is killed, one that is stopped for longer than its lock, and a Redis that restarts', async () => {
    const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
    const [first, second] = [await startWorker(redis, { cwd: dir }), await startWorker(redis, { cwd: dir })]
    const run = start(dir, ['-o', 'out.jsonl'])
    await results(dir, 10)
    first.process.kill('SIGKILL')
    await results(dir, 20)
    second.process.kill('SIGSTOP')
    const third = await startWorker(redis, { cwd: dir })
    await results(dir, 50)
    await redis.restart()
    await results(dir, 80)
    second.process.kill('SIGCONT')

    expect((await run.done).code).toBe(1)
    expectAll(dir)
    expect(await leftByRuns(redis)).toEqual([])
    expect(third.process.exitCode).toBe(null)
  }, 180_000)

  test('the only worker, stopped until nobody sees it any more, goes on with the run', async () => {
    const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
    const worker = await startWorker(redis, { cwd: dir })
    const run = start(dir, ['-o', 'out.jsonl'])
    await results(dir, 5)
    worker.process.kill('SIGSTOP')
    const runId = String(eventsOf(dir)[0]?.['run_id'])
    const progress = (): Promise<string> => redis.ask('GET', `viva:{${runId}}:progress`)
    for (const seen of ['"workers":1', '"workers":0']) await expect.poll(progress, { timeout: 60_000 }).toContain(seen)
    worker.process.kill('SIGCONT')
    expect((await run.done).code).toBe(1)
    expectAll(dir)
  }, 120_000)

  test('a worker that is asked to end hands back what it has, within ten seconds', async () => {
    const slow = AGENT.replace(', 25)', ", text.endsWith(' 5') ? 60_000 : 25)")
    const dir = makeFolder({ 'agent.mjs': slow, 'cases.jsonl': CASES.slice(0, 40) })
    const first = await startWorker(redis, { cwd: dir })
    const run = start(dir, ['-o', 'out.jsonl', '--timeout', '14s'])
    await results(dir, 10)
    first.process.kill('SIGTERM')
    const ended = await first.done
    expect(ended.code).toBe(0)
    // Long before the case that it was at would have ended.
    await startWorker(redis, { cwd: dir })
    const { code, stderr } = await run.done
    expect(code, stderr).toBe(1)
    expectAll(dir, 40)
    const late = eventsOf(dir).find(({ type, id }) => type === 'result' && id === 'T5')
    expect(late).toMatchObject({ status: 'failed', error_kind: 'timeout' })
  }, 180_000)

  test('a killed coordinator continues with --resume, and leaves nothing in Redis', async () => {
    const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
    await startWorker(redis, { cwd: dir })
    const run = start(dir, ['-o', 'out.jsonl'])
    await results(dir, 30)
    run.process.kill('SIGKILL')
    await run.done
    expect(eventsOf(dir).some(({ type }) => type === 'summary')).toBe(false)

    const again = start(dir, ['--resume', 'out.jsonl'], [])
    expect((await again.done).code).toBe(1)
    expectAll(dir)
    expect(await leftByRuns(redis)).toEqual([])
  }, 180_000)

  test('a case that ends every worker is an error of its own, and the others run', async () => {
    const cases = CASES.slice(0, 12).map((each, at) => (at === 1 ? { ...each, input: 'poison' } : each))
    // The others are under way when it happens, again and again.
    const slow = AGENT.replace(', 25)', ", text === 'poison' ? 25 : 1500)")
    const dir = makeFolder({ 'agent.mjs': slow, 'cases.jsonl': cases })
    const workers: StartedCli[] = []
    const over = new AbortController()
    const supervise = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const worker = await startWorker(redis, { cwd: dir })
        workers.push(worker)
        await Promise.race([worker.done, run.done])
      }
    }
    const run = start(dir, ['-o', 'out.jsonl'])
    const supervised = supervise()
    const { code, stderr } = await run.done
    over.abort()
    await supervised
    expect(code, stderr).toBe(1)
    const poisoned = eventsOf(dir).find(({ type, id }) => type === 'result' && id === 'T1')
    expect(poisoned).toMatchObject({ status: 'failed', error_kind: 'crashed' })
    expect(poisoned?.['error']).toMatch(/3 workers ended while they ran it/)
    const crashed = eventsOf(dir).filter(({ error_kind }) => error_kind === 'crashed')
    expect(crashed.map(({ id }) => id)).toEqual(['T1'])
    expectAll(dir, 12)
    expect(workers.length).toBeGreaterThanOrEqual(4)
  }, 240_000)
})

function start(dir: string, more: string[], first = ['-i', 'cases.jsonl', '-n', './agent.mjs#run']): StartedCli {
  return startViva(['test', ...first, '--queue', redis.url, ...more], { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
}

function eventsOf(dir: string): ReturnType<typeof parseEvents> {
  const text = readFileSync(join(dir, 'out.jsonl'), 'utf8')
  return parseEvents(text.slice(0, text.lastIndexOf('\n') + 1))
}

/** Waits until the event file has that many. */
async function results(dir: string, count: number): Promise<void> {
  for (;;) {
    const text = existsSync(join(dir, 'out.jsonl')) ? readFileSync(join(dir, 'out.jsonl'), 'utf8') : ''
    if (text.split('"type":"result"').length > count) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Every case once, with the verdict it must have. */
function expectAll(dir: string, count = COUNT): void {
  const found = eventsOf(dir).filter(({ type }) => type === 'result')
  const ids = found.map(({ id }) => String(id)).toSorted()
  expect(ids).toEqual(
    CASES.slice(0, count)
      .map(({ id }) => id)
      .toSorted(),
  )
  for (const { id, status, error_kind } of found)
    if (error_kind === undefined || error_kind === 'assertion')
      expect(status, String(id)).toBe(String(id).endsWith('3') ? 'failed' : 'passed')
}
