// Two runs share a fleet, and `viva fleet status` says what it is doing.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FleetStatus } from '../../src/model/fleet-status.js'
import { makeFolder, startViva, viva } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const AGENT = `
export async function run() {
  await new Promise((resolve) => setTimeout(resolve, 100))
  return 'hello'
}
`
const cases = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ id: `T${at}`, input: 'hi' }))

withRedis('a shared fleet', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('a small run does not wait for a large one, and both are seen', async () => {
    const dir = makeFolder({ 'agent.mjs': AGENT, 'large.jsonl': cases(400), 'small.jsonl': cases(10) })
    const env = { VIVA_QUEUE_KEY: QUEUE_KEY }
    const status = async (): Promise<FleetStatus> => {
      const run = await viva(['fleet', 'status', '--queue', redis.url, '--format', 'json'], { cwd: dir })
      return JSON.parse(run.stdout) as FleetStatus
    }
    expect(await status()).toMatchObject({ workers: [], runs: [] })
    await startWorker(redis, { cwd: dir }, ['--parallel', '2', '--name', 'one'])
    const args = ['-n', './agent.mjs#run', '--queue', redis.url]
    const large = startViva(['test', '-i', 'large.jsonl', ...args, '-o', 'large-out.jsonl'], { cwd: dir, env })
    const resultsOf = (file: string): number =>
      existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8').split('"type":"result"').length - 1 : 0
    while (resultsOf('large-out.jsonl') < 10) await new Promise((resolve) => setTimeout(resolve, 20))
    const small = await viva(['test', '-i', 'small.jsonl', ...args, '-o', 'small-out.jsonl'], { cwd: dir, env })
    expect(small.code, small.stderr).toBe(0)
    expect(large.process.exitCode).toBe(null)
    expect(resultsOf('large-out.jsonl')).toBeLessThan(400)

    // How far a run is, is written every few seconds.
    let seen = await status()
    while (seen.runs[0]?.slots !== 2 && large.process.exitCode === null) seen = await status()
    expect(seen.workers).toMatchObject([{ id: expect.stringMatching(/^one-/), slots: 2, refused: {} }])
    expect(seen.runs).toMatchObject([{ units: 400, slots: 2, workers: 1, stuck: [] }])
    const text = await viva(['fleet', 'status', '--queue', redis.url], { cwd: dir })
    expect(text.stdout).toMatch(
      /1 worker, \d of 2 slots busy[^]*one-\w+ {2}\d\/2 busy[^]*1 run\n {2}run-\S+ {2}\d+ of 400 done/,
    )

    large.process.kill('SIGINT')
    expect((await large.done).code).toBe(130)
    await startWorker(redis, { cwd: makeFolder({}) }, ['--name', 'empty'])
    const refused = startViva(['test', '-i', 'large.jsonl', ...args], { cwd: dir, env })
    for (;;) {
      const { runs } = await status()
      if (runs[0]?.stuck.some((what) => /^empty-\w+ refuses it: .*agent\.mjs is missing/.test(what))) break
    }
    refused.process.kill('SIGKILL')
  }, 120_000)
})
