// A coordinator that died and is not resumed: workers drop its run, every key expires, and what nobody was there to remove
// goes with the next member of the fleet.
import { join } from 'node:path'
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder, parseEvents, startViva, viva, type StartedCli } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const AGENT = `
export async function run(input) {
  const text = String(input.at?.(-1)?.content ?? input)
  if (text === 'quick') return 'done'
  await new Promise((resolve) => setTimeout(resolve, 100_000))
  return 'too late'
}
`
const SLOW = Array.from({ length: 30 }, (_, at) => ({
  id: `T${at}`,
  input: `${'slow '.repeat(at === 3 ? 30_000 : 1)}${at}`,
}))
const QUICK = [{ id: 'Q', input: 'quick', assert: { type: 'contains', value: 'done' } }]
const env = { VIVA_QUEUE_KEY: QUEUE_KEY }

withRedis('a run whose coordinator has died', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('leaves keys that expire, and none once its lease is over', async () => {
    const dir = makeFolder({ 'agent.mjs': AGENT, 'slow.jsonl': SLOW, 'quick.jsonl': QUICK })
    const worker = await startWorker(redis, { cwd: dir })
    const runId = await killed(dir, 'out.jsonl')
    const keys = await redis.keys()
    // A job, the description, the lease, the stream, a large unit beside its job.
    for (const part of ['q:wait', 'q:active', 'spec', 'lease', 'results', 'payload:4', 'progress'])
      expect(keys).toContain(`viva:{${runId}}:${part}`)
    await expect.poll(lasting, { timeout: 20_000 }).toEqual([])
    expect(await expiry(`viva:{${runId}}:lease`)).toBeLessThanOrEqual(120_000)
    expect(worker.process.exitCode).toBe(null)

    // As if two minutes had passed.
    await redis.ask('DEL', `viva:{${runId}}:lease`)
    await worker.saw(`run ${runId}: ended, 0 units were run here`)
    await expect
      .poll(() => redis.keys(), { timeout: 20_000 })
      .toEqual([expect.stringMatching(/^viva:worker:/), 'viva:workers'])
    // The worker is free for others.
    const next = await viva(['test', '-i', 'quick.jsonl', '-n', './agent.mjs#run', '--queue', redis.url], {
      cwd: dir,
      env,
    })
    expect(next.code, next.stderr).toBe(0)
  }, 120_000)

  test('and whose workers have died with it is removed by the next one that comes', async () => {
    const dir = makeFolder({ 'agent.mjs': AGENT, 'slow.jsonl': SLOW })
    const worker = await startWorker(redis, { cwd: dir })
    const runId = await killed(dir, 'out.jsonl')
    worker.process.kill('SIGKILL')
    await worker.done
    // As if ten minutes had passed, and one key had not known that it should expire.
    await redis.ask('DEL', `viva:{${runId}}:lease`, 'viva:runs')
    await redis.ask('PERSIST', `viva:{${runId}}:q:active`)
    await startWorker(redis, { cwd: dir })
    await expect.poll(() => redis.keys(), { timeout: 20_000 }).not.toContainEqual(expect.stringContaining(runId))
  }, 120_000)

  async function killed(dir: string, file: string): Promise<string> {
    const run: StartedCli = startViva(
      ['test', '-i', 'slow.jsonl', '-n', './agent.mjs#run', '--timeout', '200s', '--queue', redis.url, '-o', file],
      { cwd: dir, env },
    )
    const text = (): string => (existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8') : '')
    // Four units run, and the state has been written once.
    await expect.poll(() => text().split('"case_start"').length, { timeout: 60_000 }).toBe(5)
    const [start] = parseEvents(text())
    const runId = String(start?.['run_id'])
    await expect.poll(() => redis.keys(), { timeout: 60_000 }).toContain(`viva:{${runId}}:progress`)
    run.process.kill('SIGKILL')
    await run.done
    return runId
  }

  /** Keys that do not expire. */
  async function lasting(): Promise<string[]> {
    const found: string[] = []
    for (const key of await redis.keys()) if ((await expiry(key)) === -1) found.push(key)
    return found
  }

  async function expiry(key: string): Promise<number> {
    return Number((await redis.ask('PTTL', key)).slice(1))
  }
})
