// What one process can do, a fleet can: faults on purpose, spans, cases from standard input and from generators, snapshots.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lasting, resultsIn, type Ran } from '../recordings/support.js'
import { makeFolder, viva, writeFiles, type CliOptions, type Files } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const CASES = Array.from({ length: 12 }, (_, at) => ({
  id: `T${at}`,
  input: `hello ${at}`,
  assert: { type: 'contains', value: at % 5 === 3 ? 'nope' : `hello ${at}` },
}))
const ECHO = "process.stdin.on('data', (t) => console.log('you said ' + t + ' in ' + process.env.TRACEPARENT))"
const APP: Files = {
  'app.yao': {},
  'agent.mjs': `export async function run(input) {
  const text = String(input.at?.(-1)?.content ?? input)
  if (text.startsWith('slow')) await new Promise((resolve) => setTimeout(resolve, 400))
  return 'you said ' + text
}
`,
  'echo.mjs': ECHO,
  'cases.jsonl': CASES,
  'viva.config.json': { agents: { echo: { target: 'exec:node echo.mjs' } } },
  'assistants/desk/package.yao': { name: 'Desk', connector: 'mock' },
  'assistants/desk/mock.yml': '- output: hello',
  'assistants/desk/src/price.ts': `
export function price(count: number): number {
  if (count > 10) return count * 2
  return count * 3
}
`,
  'assistants/desk/src/shop_test.ts': `
import { price } from './price'
export function TestOne(t) { t.assert.Equal(price(1), 3) }
export function TestTwo(t) { t.assert.Equal(price(2), 6) }
`,
  'scripts/checks.ts': "export const Has = (output: any) => ({ passed: String(output).includes('you said') })\n",
  'scripts/cases.ts': `
export const Make = ({ count }) => Array.from({ length: count ?? 3 }, (_, at) => ({
  id: 'G' + at, input: 'made ' + at, assert: { type: 'contains', value: 'made ' + at } }))
`,
}
const STDIN = CASES.map((each) =>
  JSON.stringify({ ...each, assert: [each.assert, { type: 'script', script: 'scripts:checks.Has' }] }),
).join('\n')

let redis: TestRedis
let count = 0

withRedis('options of a fleet', () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('chaos, cases from standard input and from generators, and spans are as on one machine', async () => {
    const dir = makeFolder(APP)
    await twoWorkers(dir)
    const same = async (args: string[], options: Partial<CliOptions> = {}): Promise<Ran> => {
      const alone = await run(dir, args, options)
      const fleet = await queued(dir, args, options)
      expect(alone.code, alone.stderr).not.toBe(2)
      expect(lasting(fleet.results), args.join(' ') + fleet.stderr).toEqual(lasting(alone.results))
      expect(fleet.code, args.join(' ') + fleet.stderr).toBe(alone.code)
      return fleet
    }
    const faulty = await same(['--chaos=error,rate=0.4,seed=7', '--runs', '2'])
    const hit = faulty.results.filter(({ faults }) => faults !== undefined).length
    expect(hit).toBeGreaterThan(2)
    expect(hit).toBeLessThan(22)

    const piped = await same(['-i', '-'], { stdin: STDIN })
    expect(piped.results).toHaveLength(12)
    expect(piped.results.filter(({ status }) => status === 'passed')).toHaveLength(10)
    const made = await same(['-i', 'scripts:cases.Make?count=5'])
    expect(made.results.map(({ id }) => id)).toEqual(['G0', 'G1', 'G2', 'G3', 'G4'])

    // Lines that a case, a hook or a test has run, wherever it was.
    await run(dir, ['-i', 'scripts.desk.shop', '--runs', '3', '--coverage', 'one'])
    const counted = await queued(dir, ['-i', 'scripts.desk.shop', '--runs', '3', '--coverage', 'many'])
    expect(counted.stderr + counted.stdout).toMatch(/All files\s+\d+/)
    expect(readFileSync(join(dir, 'many/lcov.info'), 'utf8')).toBe(readFileSync(join(dir, 'one/lcov.info'), 'utf8'))
    expect(readFileSync(join(dir, 'many/lcov.info'), 'utf8')).toMatch(/DA:\d+,6\n/)
    const again = await queued(dir, ['-i', '-', '--coverage', 'piped'], { stdin: STDIN })
    expect(again.code, again.stderr).toBe(1)
    expect(readFileSync(join(dir, 'piped/lcov.info'), 'utf8')).toMatch(/SF:scripts\/checks\.ts\n[^]*,12\n/)

    // Agents on workers learn where they are in the trace; the coordinator exports.
    const traced = await queued(dir, ['-n', 'echo', '--otel', 'spans.jsonl'])
    const spans = spansIn(dir)
    const ids = new Set(spans.map(({ spanId }) => spanId))
    expect(spans.filter(({ name }) => name.startsWith('viva test'))).toHaveLength(1)
    for (const result of traced.results) {
      const [, trace = '', span = ''] = /00-([0-9a-f]{32})-([0-9a-f]{16})-01/.exec(JSON.stringify(result)) ?? []
      expect(trace).toBe(result['trace_id'])
      expect(ids).toContain(span)
    }
    expect(traced.results).toHaveLength(12)
    // What the runs have written is no reason for anyone to leave.
    expect(traced.stderr + counted.stderr + again.stderr).not.toContain('refuses')
    expect(traced.stderr).not.toContain('has changed')
  }, 300_000)

  test('snapshots are compared by workers, and kept and accepted where the run was started', async () => {
    const cases = Array.from({ length: 6 }, (_, at) => ({
      id: `S${at}`,
      input: `hello ${at}`,
      assert: { type: 'snapshot' },
    }))
    const app: Files = { ...APP, 'cases.jsonl': cases }
    const [one, many] = [makeFolder(app), makeFolder(app)]
    // They have nothing of their own.
    const elsewhere = makeFolder({})
    await startWorker(redis, { cwd: elsewhere })
    await startWorker(redis, { cwd: elsewhere })
    const same = async (args: string[], env: Record<string, string> = {}): Promise<Ran> => {
      const alone = await run(one, args, { env })
      const fleet = await queued(many, ['--bundle', ...args], { env })
      expect(lasting(fleet.results), args.join(' ') + fleet.stderr).toEqual(lasting(alone.results))
      expect(fleet.summary['snapshots'], fleet.stderr).toEqual(alone.summary['snapshots'])
      expect(fleet.code, fleet.stderr).toBe(alone.code)
      expect(snapshotsIn(many)).toEqual(snapshotsIn(one))
      return fleet
    }
    expect((await same([], { CI: 'true' })).summary['snapshots']).toBeUndefined()
    expect((await same([])).summary['snapshots']).toEqual({ pending: 6 })
    expect(Object.keys(snapshotsIn(many))).toContain('S0.answer.snap.new')
    const accepted = await same(['-U'])
    expect([accepted.code, accepted.summary['snapshots']]).toEqual([0, { written: 6 }])
    expect(Object.keys(snapshotsIn(many)).filter((name) => name.endsWith('.snap'))).toHaveLength(6)
    expect((await same(['--runs', '2'])).code).toBe(0)
    for (const dir of [one, many])
      writeFiles(dir, {
        'cases.jsonl': cases.slice(1).map((each, at) => (at === 1 ? { ...each, input: 'other' } : each)),
      })
    expect((await same([])).summary['snapshots']).toEqual({ pending: 1 })
    expect((await same(['-U'])).summary['snapshots']).toEqual({ written: 1, obsolete: ['S0.answer.snap'] })
    // A worker in the same folder: what is accepted meanwhile is not a different version of the files.
    await startWorker(redis, { cwd: many }, ['--parallel', '1'])
    const slow = cases.map((each) => ({ ...each, input: `slow ${each.input}` }))
    writeFiles(many, { 'cases.jsonl': slow })
    const there = await queued(many, ['-U'])
    expect([there.code, there.summary['snapshots']], there.stderr).toEqual([0, { written: 6 }])
    const twice = await queued(many, ['-U', '--runs', '2'])
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('run each case once')])
  }, 300_000)
})

async function twoWorkers(dir: string): Promise<void> {
  const other = makeFolder({})
  cpSync(dir, other, { recursive: true })
  await startWorker(redis, { cwd: dir })
  await startWorker(redis, { cwd: other })
}

async function run(dir: string, args: string[], options: Partial<CliOptions> = {}): Promise<Ran> {
  const file = `out-${++count}.jsonl`
  const input = args.includes('-i') ? [] : ['-i', 'cases.jsonl']
  const agent = args.includes('-n') ? [] : ['-n', './agent.mjs#run']
  const ran = await viva(['test', ...input, ...agent, '-o', file, ...args], { cwd: dir, ...options })
  return { ...ran, ...(ran.code === 2 ? { events: [], results: [], summary: {} } : resultsIn(join(dir, file))) }
}

function queued(dir: string, args: string[], options: Partial<CliOptions> = {}): Promise<Ran> {
  return run(dir, ['--queue', redis.url, ...args], { ...options, env: { VIVA_QUEUE_KEY: QUEUE_KEY, ...options.env } })
}

interface Span {
  name: string
  spanId: string
}

function spansIn(dir: string): Span[] {
  const lines = readFileSync(join(dir, 'spans.jsonl'), 'utf8').trim().split('\n')
  return lines.flatMap((line) => {
    const { resourceSpans } = JSON.parse(line) as { resourceSpans: Array<{ scopeSpans: Array<{ spans: Span[] }> }> }
    return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
  })
}

function snapshotsIn(dir: string): Record<string, string> {
  const folder = join(dir, 'snapshots', 'cases')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
