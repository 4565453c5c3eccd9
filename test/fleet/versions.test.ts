// A fleet tests one version of an agent: a worker with another one is refused, one whose files change on the way ends the run.
import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder, startViva, viva, type Files } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const AGENT = `
import { appendFileSync } from 'node:fs'
export async function run(input) {
  await new Promise((resolve) => setTimeout(resolve, 50))
  appendFileSync('notes.txt', 'x')
  return 'you said ' + String(input.at?.(-1)?.content ?? input)
}
`
const CASES = Array.from({ length: 400 }, (_, at) => ({
  id: `T${at}`,
  input: `hello ${at}`,
  assert: { type: 'contains', value: 'hello' },
}))
const APP: Files = {
  'dist/agent.mjs': AGENT,
  'cases.jsonl': CASES,
  'few.jsonl': CASES.slice(0, 5),
  'notes.txt': 'Notes\n',
}
const env = { VIVA_QUEUE_KEY: QUEUE_KEY }

withRedis('the files of a fleet', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())
  const args = (cases: string): string[] => ['test', '-i', cases, '-n', './dist/agent.mjs#run', '--queue', redis.url]

  test('an agent in dist that was built from something else is refused', async () => {
    await startWorker(redis, { cwd: makeFolder({ ...APP, 'dist/agent.mjs': `${AGENT}// older` }) })
    const { code, stderr } = await viva(args('few.jsonl'), { cwd: makeFolder(APP), env })
    expect(code).toBe(3)
    expect(stderr).toMatch(/no worker at .* takes this run[^]*dist\/agent\.mjs differs/)
  }, 120_000)

  test('code that changes in the middle ends the run; what agents write is a warning', async () => {
    const [dir, own] = [makeFolder(APP), makeFolder(APP)]
    await startWorker(redis, { cwd: own })
    const run = startViva([...args('cases.jsonl'), '-o', 'out.jsonl'], { cwd: dir, env })
    const results = (): number => resultsIn(dir)
    await expect.poll(results, { timeout: 60_000 }).toBeGreaterThan(20)
    appendFileSync(join(own, 'dist/agent.mjs'), '\n// another version')
    const { code, stderr } = await run.done
    expect(code, stderr).toBe(3)
    expect(stderr).toMatch(/dist\/agent\.mjs has changed on this worker during the run/)
    expect(stderr).toMatch(/notes\.txt has changed on worker \S+ during the run/)
    expect(results()).toBeLessThan(400)
  }, 120_000)

  test('so does a program that is the agent, whatever its name; not what its command line names besides', async () => {
    const program = '#!/bin/sh\ncat > /dev/null\necho x >> "$1"\nsleep 0.2\necho hello\n'
    const app = { agent: program, log: '', 'cases.jsonl': CASES }
    const [dir, own] = [makeFolder(app), makeFolder(app)]
    for (const folder of [dir, own]) chmodSync(join(folder, 'agent'), 0o755)
    await startWorker(redis, { cwd: own })
    const named = ['test', '-i', 'cases.jsonl', '-n', 'exec:./agent log', '--queue', redis.url, '-o', 'out.jsonl']
    const run = startViva(named, { cwd: dir, env })
    const results = (): number => resultsIn(dir)
    await expect.poll(results, { timeout: 60_000 }).toBeGreaterThan(20)
    appendFileSync(join(own, 'agent'), '# another version\n')
    const { code, stderr } = await run.done
    expect(code, stderr).toBe(3)
    expect(stderr).toMatch(/: agent has changed on this worker during the run/)
    expect(stderr).toMatch(/log has changed on worker \S+ during the run/)
  }, 120_000)
})

function resultsIn(dir: string): number {
  const path = join(dir, 'out.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8').split('"type":"result"').length - 1 : 0
}
