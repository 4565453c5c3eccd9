// A run must not be green, hang or lose a result, whatever happens to Redis, to clocks and to reports.
import { readFileSync, existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aboutResults } from '../../src/fleet/protocol.js'
import { createSeal } from '../../src/fleet/seal.js'
import { makeFolder, parseEvents, startViva, viva, type Files } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const AGENT = `
export async function run(input) {
  await new Promise((resolve) => setTimeout(resolve, 40))
  return 'you said ' + String(input.at?.(-1)?.content ?? input)
}
`
const CASES = Array.from({ length: 150 }, (_, at) => ({
  id: `T${at}`,
  input: `hello ${at}`,
  assert: { type: 'contains', value: `hello ${at}` },
}))
/** A day from now, or ago. */
const SHIFT = `
const days = Number(process.env.SHIFT_DAYS)
const now = Date.now
Date.now = () => now() + days * 86_400_000
`
/** A minute takes three seconds. */
const HURRY = `
const { hrtime } = process
process.hrtime = Object.assign(() => hrtime().map((part) => part * 20), hrtime)
`
const APP: Files = { 'agent.mjs': AGENT, 'cases.jsonl': CASES, 'one.jsonl': CASES.slice(0, 1) }
const ARGS = ['test', '-n', './agent.mjs#run', '-o', 'out.jsonl']
const env = { VIVA_QUEUE_KEY: QUEUE_KEY }
const seal = createSeal(env)

test('a Redis that takes connections and says nothing is an error', async () => {
  const silent = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const url = `redis://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { code, stderr } = await viva([...ARGS, '-i', 'one.jsonl', '--queue', url], { cwd: makeFolder(APP), env })
  expect(code).toBe(3)
  expect(stderr).toMatch(/cannot reach Redis at .*: it does not answer within 10 s/)
}, 60_000)

withRedis('a fleet and its enemies', () => {
  let redis: TestRedis
  let client: Redis
  beforeAll(async () => {
    redis = await startRedis()
    client = new Redis(redis.port, '127.0.0.1')
  })
  afterAll(async () => {
    client.disconnect()
    await redis.stop()
  })

  const resultsIn = (dir: string): string[] => {
    const path = join(dir, 'out.jsonl')
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    return [...text.matchAll(/"type":"result".*?"id":"(\w+)"/g)].map(([, id = '']) => id)
  }

  test('everything is deleted twice, and clocks are days apart: each result counts once', async () => {
    const dir = makeFolder({ ...APP, 'shift.mjs': SHIFT })
    for (const days of ['-1', '1'])
      await startWorker(redis, {
        cwd: dir,
        env: { NODE_OPTIONS: `--import ${join(dir, 'shift.mjs')}`, SHIFT_DAYS: days },
      })
    const run = startViva([...ARGS, '-i', 'cases.jsonl', '--queue', redis.url], { cwd: dir, env })
    for (const count of [20, 60]) {
      await expect.poll(() => resultsIn(dir).length, { timeout: 60_000 }).toBeGreaterThan(count)
      await client.flushall()
    }
    const { code, stderr } = await run.done
    expect(code, stderr).toBe(0)
    expect(resultsIn(dir).toSorted()).toEqual(CASES.map(({ id }) => id).toSorted())
  }, 120_000)

  test('a unit that is said to be done and has no result is not passed over', async () => {
    const dir = makeFolder(APP)
    const run = startViva([...ARGS, '-i', 'one.jsonl', '--queue', redis.url], { cwd: dir, env })
    const runs = async (): Promise<string[]> => client.zrange('viva:runs', '0', '-1')
    await expect.poll(runs, { timeout: 30_000 }).toHaveLength(1)
    const [run_id = ''] = await runs()
    const term = (await client.get(`viva:{${run_id}}:lease`)) ?? ''
    const tell = (message: object): Promise<unknown> =>
      client.xadd(
        `viva:{${run_id}}:results`,
        '*',
        'd',
        seal.close(aboutResults({ run_id, term }), JSON.stringify(message)),
      )
    await client.set('viva:worker:liar', '{}', 'PX', 60_000)
    await tell({ kind: 'serves', worker: 'liar', slots: 1 })
    // Now the unit is handed out.
    await expect.poll(() => client.exists(`viva:{${run_id}}:q:wait`), { timeout: 30_000 }).toBe(1)
    await tell({ kind: 'events', worker: 'liar', units: [{ n: 1, events: [], done_ms: 1 }] })
    const { code, stderr } = await run.done
    expect(code, stderr).not.toBe(0)
    expect(parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8')).at(-1)).toMatchObject({ total: 1, passed: 0 })
  }, 120_000)

  test('a Redis that may not be written to is named before anything runs', async () => {
    const dir = makeFolder(APP)
    await redis.ask('REPLICAOF', '127.0.0.1', '1')
    const asReplica = await viva([...ARGS, '-i', 'one.jsonl', '--queue', redis.url], { cwd: dir, env })
    await redis.ask('REPLICAOF', 'NO', 'ONE')
    expect(asReplica.code, asReplica.stderr).toBe(3)
    expect(asReplica.stderr).toMatch(/cannot be written to: READONLY/)
    await redis.ask('ACL', 'SETUSER', 'guest', 'on', '>guest-password', '~other:*', '+@all')
    const named = (password: string): string => redis.url.replace('//', `//guest:${password}@`)
    const asGuest = await viva([...ARGS, '-i', 'one.jsonl', '--queue', named('guest-password')], { cwd: dir, env })
    expect(asGuest.code, asGuest.stderr).toBe(3)
    expect(asGuest.stderr).toMatch(/cannot be written to: NOPERM/)
    // Rights on its keys and channels are enough.
    await redis.ask('ACL', 'SETUSER', 'guest', 'resetkeys', '~viva:*', 'resetchannels', '&viva:*')
    await startWorker({ url: named('guest-password') }, { cwd: dir })
    const allowed = await viva(
      [...ARGS.slice(0, 3), '-i', 'one.jsonl', '--queue', named('guest-password'), '-o', 'a.jsonl'],
      {
        cwd: dir,
        env,
      },
    )
    expect(allowed.code, allowed.stderr).toBe(0)
    const wrong = await viva([...ARGS, '-i', 'one.jsonl', '--queue', named('wrong-password')], { cwd: dir, env })
    expect(wrong.code).toBe(3)
    expect(wrong.stderr).toMatch(/WRONGPASS/)
    for (const { stdout, stderr } of [asReplica, asGuest, wrong])
      expect(stdout + stderr).not.toMatch(/guest-password|wrong-password/)
    expect(existsSync(join(dir, 'out.jsonl'))).toBe(false)
  }, 120_000)

  test('a Redis that may no longer be written to ends the run, which can be resumed', async () => {
    const dir = makeFolder({ ...APP, 'hurry.mjs': HURRY })
    await startWorker(redis, { cwd: dir })
    const run = startViva([...ARGS, '-i', 'cases.jsonl', '--queue', redis.url], {
      cwd: dir,
      env: { ...env, NODE_OPTIONS: `--import ${join(dir, 'hurry.mjs')}` },
    })
    await expect.poll(() => resultsIn(dir).length, { timeout: 30_000 }).toBeGreaterThan(5)
    await redis.ask('REPLICAOF', '127.0.0.1', '1')
    const { code, stderr } = await run.done
    await redis.ask('REPLICAOF', 'NO', 'ONE')
    expect(code, stderr).toBe(3)
    expect(stderr).toMatch(/lost Redis at .*: READONLY/)
    const resumed = await viva(['test', '--resume', 'out.jsonl', '--queue', redis.url], { cwd: dir, env })
    expect(resumed.code, resumed.stderr).toBe(0)
    expect(resultsIn(dir).toSorted()).toEqual(CASES.map(({ id }) => id).toSorted())
  }, 120_000)
})
