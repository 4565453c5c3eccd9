// What must not keep a fleet from its work, and what must be said when something does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'
import { BIN, makeFolder, startViva, viva, type Files } from '../support/run-cli.js'

const FILES: Files = {
  'agent.mjs': 'export const run = (messages) => messages.at(-1).content',
  'cases.jsonl': [{ id: 'T1', input: 'hello', assert: { type: 'contains', value: 'hello' } }],
}
const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run']

withRedis('a fleet', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('a worker with another key is named to the coordinator, and takes nothing', async () => {
    const stranger = { VIVA_QUEUE_KEY: 'somebody else has this key' }
    await startWorker(redis, { cwd: makeFolder(FILES), env: stranger }, ['--name', 'stranger'])
    const run = startViva([...ARGS, '--queue', redis.url, '-o', 'o.jsonl'], {
      cwd: makeFolder(FILES),
      env: { VIVA_QUEUE_KEY: QUEUE_KEY },
    })
    await run.saw('has another VIVA_QUEUE_KEY: it takes no part in this run')
    await startWorker(redis, { cwd: makeFolder(FILES) })
    const { code, stderr } = await run.done
    expect([code, stderr]).toEqual([0, expect.stringMatching(/warning: worker stranger-[0-9a-f]+ has another/)])
  })

  test('what the shell writes into the application folder refuses no worker', async () => {
    await startWorker(redis, { cwd: makeFolder(FILES) })
    const cwd = makeFolder({ ...FILES, 'old.txt': `${'═'.repeat(63)}\n  Agent Test\n`, 'empty.out': '' })
    const command = `"${process.execPath}" "${BIN}" ${ARGS.map((arg) => `'${arg}'`).join(' ')} --queue ${redis.url} -o o.jsonl > out.txt 2> err.data`
    const shell = spawn('/bin/sh', ['-c', `echo before > out.txt; ${command.replace('> out.txt', '>> out.txt')}`], {
      cwd,
      env: { PATH: process.env['PATH'], HOME: cwd, VIVA_QUEUE_KEY: QUEUE_KEY },
    })
    const [code] = (await once(shell, 'exit')) as [number]
    expect([code, readFileSync(join(cwd, 'err.data'), 'utf8')]).toEqual([0, expect.not.stringContaining('warning')])
    expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toContain('1 passed')
    const again = await viva([...ARGS, '--queue', redis.url, '-o', 'p.jsonl'], {
      cwd: makeFolder({ ...FILES, 'old.txt': `${'═'.repeat(63)}\n  Agent Test\n` }),
      env: { VIVA_QUEUE_KEY: QUEUE_KEY },
    })
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('warning')])
  })
})
