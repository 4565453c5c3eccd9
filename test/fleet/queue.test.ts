// `viva test --queue` with real workers and a real Redis: the same results as one process, and nothing left behind.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'
import { leftByRuns, QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const AGENT = `
export async function run(input) {
  const text = String(input.at?.(-1)?.content ?? input)
  if (text.includes('throw')) throw new Error('no answer')
  await new Promise((resolve) => setTimeout(resolve, 3))
  const content = text.includes('secret') ? 'the key is ' + process.env.SHOP_API_KEY : 'you said ' + text
  return { content, usage: { input_tokens: 1, output_tokens: 1 }, cost_dollars: 0.01 }
}
export const loud = async (input) => ({ content: String(input.at?.(-1)?.content ?? input).toUpperCase() })
`
const TALK = `
- id: S1
  simulator: { use: ./user.mjs#say, options: { metadata: { goal: x } } }
  max_turns: 2
- id: M1
  turns:
    - { input: one, assert: { type: contains, value: one } }
    - { input: two, assert: { type: contains, value: two } }
`
const USER = `
let count = 0
export async function say() { count += 1; return JSON.stringify({ input: 'more', goal_achieved: true, message: 'more' }) }
`
const SCRIPT = `
function TestGood(t, ctx) { t.assert.True(true) }
function TestBad(t, ctx) { t.assert.Equal(1, 2) }
`
const cases = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `T${at}`,
    input: at % 50 === 7 ? 'throw' : `hello ${at}`,
    assert: { type: 'contains', value: at % 10 === 3 ? 'nope' : `hello ${at}` },
    ...(at % 60 === 1 && { skip: true }),
  }))

let redis: TestRedis
const files = (count: number): Files => ({ 'agent.mjs': AGENT, 'tests/cases.jsonl': cases(count) })

withRedis('a fleet', () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('300 cases on two workers give the same as one process, in every report', async () => {
    const dir = makeFolder(files(300))
    const args = ['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs#run', '--runs', '2', '--parallel', '8']
    const alone = await viva([...args, '-o', 'alone.jsonl'], { cwd: dir })
    await startWorker(redis, { cwd: makeFolder(files(300)) })
    await startWorker(redis, { cwd: dir })
    const fleet = await withQueue(args, ['-o', 'fleet.jsonl', '-o', 'fleet.xml'], dir)

    expect(fleet.code).toBe(alone.code)
    expect(fleet.code).toBe(1)
    expect(resultsOf(dir, 'fleet.jsonl')).toEqual(resultsOf(dir, 'alone.jsonl'))
    expect(Object.keys(resultsOf(dir, 'fleet.jsonl'))).toHaveLength(595)
    expect(summaryOf(dir, 'fleet.jsonl')).toEqual(summaryOf(dir, 'alone.jsonl'))
    expect(readFileSync(join(dir, 'fleet.xml'), 'utf8')).toContain('<testsuite')
    expect(await leftByRuns(redis)).toEqual([])
    // Neither where the fleet meets nor its key is written anywhere.
    expect(readFileSync(join(dir, 'fleet.jsonl'), 'utf8')).not.toMatch(/redis:\/\/|a key that only/)
  })

  test('variants, conversations, --runs auto, script tests, several files, limits and secrets are as on one machine', async () => {
    const app: Files = {
      'agent.mjs': AGENT,
      'tests/cases.jsonl': cases(24),
      'tests/talk.yaml': TALK,
      'user.mjs': USER,
      'assistants/expense/package.yao': { name: 'expense', connector: 'mock' },
      'assistants/expense/mock.yml': '- output: hello',
      'assistants/expense/src/setup_test.ts': SCRIPT,
      'viva.config.json': { prices: {} },
    }
    const dir = makeFolder(app)
    await startWorker(redis, { cwd: dir, env: { SHOP_API_KEY: 'sk-worker-7f3a9b1c2d' } })
    await startWorker(redis, { cwd: makeFolder(app), env: { SHOP_API_KEY: 'sk-worker-7f3a9b1c2d' } })
    const both = async (name: string, args: string[]): Promise<CliRun> => {
      const alone = await viva(['test', ...args, '-o', `${name}-alone.jsonl`], { cwd: dir })
      const fleet = await withQueue(['test', ...args], ['-o', `${name}.jsonl`], dir)
      expect(fleet.code, `${name}: ${fleet.stderr}`).toBe(alone.code)
      expect(resultsOf(dir, `${name}.jsonl`), name).toEqual(resultsOf(dir, `${name}-alone.jsonl`))
      expect(summaryOf(dir, `${name}.jsonl`), name).toEqual(summaryOf(dir, `${name}-alone.jsonl`))
      return fleet
    }
    await both('variants', ['-i', 'tests', '-n', './agent.mjs#run', '-n', './agent.mjs#loud', '--user', 'u1'])
    await both('auto', ['-i', 'tests/cases.jsonl', '-n', './agent.mjs#run', '--runs', 'auto', '--threshold', '50'])
    await both('scripts', ['-i', 'scripts.expense.setup'])
    const message = await both('message', ['-i', 'hello there', '-n', './agent.mjs#run'])
    expect(message.stdout).toContain('you said hello there')

    const fast = await withQueue(
      ['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs#run', '--fail-fast', '--parallel', '1'],
      ['-o', 'fast.jsonl'],
      dir,
    )
    expect(fast.code).toBe(1)
    // One at a time, if that is said: nothing runs beside the first that fails.
    expect(Object.keys(resultsOf(dir, 'fast.jsonl'))).toEqual(['T0 1', 'T1 1', 'T2 1', 'T3 1'])
    expect(summaryOf(dir, 'fast.jsonl')).toMatchObject({ not_run: 20 })

    // Eight slots: at most what is in flight is spent beyond the limit.
    const spent = await withQueue(
      ['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs#run', '--max-cost', '0.05', '--run', 'T1|T2'],
      ['-o', 'cost.jsonl'],
      dir,
    )
    expect(spent.code).toBe(1)
    expect(summaryOf(dir, 'cost.jsonl')).toMatchObject({
      reasons: expect.arrayContaining([expect.stringContaining('--max-cost')]),
    })
    expect(Object.keys(resultsOf(dir, 'cost.jsonl')).length).toBeLessThanOrEqual(5 + 8)

    await withQueue(
      ['test', '-i', 'tell the secret', '-n', './agent.mjs#run'],
      ['-o', 'secret.jsonl', '--pass-env', 'SHOP_API_KEY'],
      dir,
    )
    const told = readFileSync(join(dir, 'secret.jsonl'), 'utf8')
    expect(told).toContain('the key is')
    expect(told).not.toContain('sk-worker')
    expect(await leftByRuns(redis)).toEqual([])
  }, 180_000)
})

function withQueue(args: string[], more: string[], dir: string): Promise<CliRun> {
  return viva([...args, '--queue', redis.url, ...more], { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
}

/** By case and run, without what differs from run to run. */
function resultsOf(dir: string, file: string): Record<string, unknown> {
  const results = parseEvents(readFileSync(join(dir, file), 'utf8')).filter(({ type }) => type === 'result')
  return Object.fromEntries(
    results.map(({ id, run, variant = '', ...result }) => [
      `${String(id)} ${String(run)} ${String(variant)}`.trim(),
      plain({ id, run, variant, ...result }),
    ]),
  )
}

function summaryOf(dir: string, file: string): unknown {
  return plain(parseEvents(readFileSync(join(dir, file), 'utf8')).at(-1))
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key]) => !/_ms$|^timestamp$|^run_id$|^durations?$|^stack$|^duration_change$/.test(key),
  )
  // Cases end in another order every time.
  const ordered = (key: string, item: unknown): unknown =>
    key.endsWith('ids') && Array.isArray(item) ? item.map(String).toSorted() : plain(item)
  return Object.fromEntries(kept.map(([key, item]) => [key, ordered(key, item)]))
}
