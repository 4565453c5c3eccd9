// `viva test --queue` with real workers and a real Redis: the same results as one process, and nothing left behind.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const AGENT = `
export async function run(input) {
  const text = String(input.at?.(-1)?.content ?? input)
  if (text.includes('throw')) throw new Error('no answer')
  await new Promise((resolve) => setTimeout(resolve, 3))
  return { content: 'you said ' + text, usage: { input_tokens: 1, output_tokens: 1 }, cost_dollars: 0.01 }
}
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

  test('300 cases on two workers give what one process gives, in every report', async () => {
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
    expect(await keysOfRuns()).toEqual([])
    // Neither where the fleet meets nor its key is written anywhere.
    expect(readFileSync(join(dir, 'fleet.jsonl'), 'utf8')).not.toMatch(/redis:\/\/|a key that only/)
  })
})

function withQueue(args: string[], more: string[], dir: string): Promise<CliRun> {
  return viva([...args, '--queue', redis.url, ...more], { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
}

async function keysOfRuns(): Promise<string[]> {
  return (await redis.keys()).filter((key) => !key.startsWith('viva:worker'))
}

/** By case and run, without what differs from run to run. */
function resultsOf(dir: string, file: string): Record<string, unknown> {
  const results = parseEvents(readFileSync(join(dir, file), 'utf8')).filter(({ type }) => type === 'result')
  return Object.fromEntries(
    results.map((result) => [`${String(result['id'])} ${String(result['run'])}`, plain(result)]),
  )
}

function summaryOf(dir: string, file: string): unknown {
  const summary = parseEvents(readFileSync(join(dir, file), 'utf8')).at(-1) as { failed_ids?: string[] }
  return plain({ ...summary, failed_ids: summary.failed_ids?.length })
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !/_ms$|^timestamp$|^run_id$|^durations?$/.test(key))
  return Object.fromEntries(kept.map(([key, item]) => [key, plain(item)]))
}
