// A recording of a fleet under faults, and under attack: nothing of it is lost, nothing is doubled, and what is foreign is
// not kept.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aboutResults } from '../../src/fleet/protocol.js'
import { createSeal } from '../../src/fleet/seal.js'
import { makeFolder, parseEvents, startViva, viva, writeFiles, type StartedCli } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const COUNT = 60
const AGENT = `
import { existsSync } from 'node:fs'
export async function run(input) {
  const text = String(input.at?.(-1)?.content ?? input)
  do await new Promise((resolve) => setTimeout(resolve, 20))
  while (text.includes('slow') && !existsSync(new URL('./go.txt', import.meta.url)))
  return 'you said ' + text
}
`
const CASES = Array.from({ length: COUNT }, (_, at) => ({
  id: `T${at}`,
  // Many are killed in the middle of one.
  turns: ['one', 'two', 'three'].map((word) => ({
    input: `${word} ${at}`,
    assert: { type: 'contains', value: at % 10 === 3 ? 'nope' : word },
  })),
}))
const seal = createSeal({ VIVA_QUEUE_KEY: QUEUE_KEY })

let redis: TestRedis

withRedis('recordings of a fleet under faults', () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test('workers and coordinators that are killed cost no interaction, and double none', async () => {
    const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
    const given = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run']
    const alone = await viva([...given, '--record', 'alone.yaml', '--parallel', '8', '-o', 'alone.jsonl'], { cwd: dir })
    expect(alone.code, alone.stderr).toBe(1)

    const first = await startWorker(redis, { cwd: dir })
    const run = start(dir, [...given, '--record', 'fleet.yaml', '-o', 'out.jsonl'])
    await results(dir, 8)
    first.process.kill('SIGKILL')
    // Stopped for longer than it may have its jobs: others run them, and then it reports them too.
    const second = await startWorker(redis, { cwd: dir })
    await results(dir, 16)
    second.process.kill('SIGSTOP')
    await startWorker(redis, { cwd: dir })
    await results(dir, 28)
    // Another run that records into the same file meanwhile is refused.
    const other = await start(dir, [...given, '--record', 'fleet.yaml', '-o', 'other.jsonl']).done
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/fleet\.yaml/)])
    run.process.kill('SIGKILL')
    await run.done
    expect(existsSync(join(dir, 'fleet.yaml'))).toBe(false)
    second.process.kill('SIGCONT')

    const again = await start(dir, ['test', '--resume', 'out.jsonl']).done
    expect(again.code, again.stderr).toBe(1)
    expect(plain(dir, 'fleet.yaml')).toBe(plain(dir, 'alone.yaml'))
    expect(existsSync(join(dir, 'fleet.yaml.journal'))).toBe(false)
    const ids = eventsOf(dir, 'out.jsonl').flatMap(({ type, id }) => (type === 'result' ? [String(id)] : []))
    expect(ids.toSorted()).toEqual(CASES.map(({ id }) => id).toSorted())

    const played = await viva([...given, '--replay', 'fleet.yaml', '-o', 'played.jsonl'], { cwd: dir })
    // One in ten fails with its first answer, and asks for no more.
    expect(played.stdout).toContain(`${COUNT * 2.8} replayed`)
    expect(played.code).toBe(1)
  }, 240_000)

  test('a file of script tests that is run three times is recorded once, what is around its tests included', async () => {
    const asked: string[] = []
    let isHeld = true
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.setHeader('content-type', 'application/json')
      if (request.url !== '/slow' || !isHeld) response.end(JSON.stringify({ at: request.url }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const slow = async (times: number): Promise<void> => {
      while (asked.filter((each) => each === '/slow').length < times)
        await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const dir = makeFolder({
      'app.yao': {},
      'assistants/desk/package.yao': { name: 'Desk', connector: 'mock' },
      'assistants/desk/mock.yml': '- output: hello',
      'assistants/desk/src/shop_test.ts': `
export function BeforeAll() { http.Get('${url}/before') }
export function AfterAll() { http.Get('${url}/after') }
export function TestOne(t) { t.assert.Equal(http.Get('${url}/one').data.at, '/one') }
export function TestTwo(t) { t.assert.Equal(http.Get('${url}/slow').data.at, '/slow') }
`,
    })
    const given = ['test', '-i', 'scripts.desk.shop']
    const first = await startWorker(redis, { cwd: dir })
    const run = start(dir, [...given, '--record', 'tape.yaml', '-o', 'out.jsonl', '--timeout', '2m'])
    await results(dir, 1)
    first.process.kill('SIGKILL')
    const second = await startWorker(redis, { cwd: dir })
    await slow(2)
    run.process.kill('SIGKILL')
    await run.done
    // Only what is done was sent: nothing is on the way any more.
    second.process.kill('SIGKILL')
    isHeld = false
    await startWorker(redis, { cwd: dir })
    const again = await start(dir, ['test', '--resume', 'out.jsonl']).done
    expect(again.code, again.stderr).toBe(0)
    expect(urlsIn(dir)).toEqual(['/before', '/after', '/one', '/slow'])
    server.closeAllConnections()
    server.close()
    const played = await viva([...given, '--replay', 'tape.yaml', '-o', 'played.jsonl'], { cwd: dir })
    expect([played.code, played.stdout]).toEqual([0, expect.stringContaining('4 replayed')])
  }, 240_000)

  test('what a worker reports of other cases, or in another shape, is not kept; the run says so', async () => {
    const cases = ['slow A', 'slow B', 'slow C'].map((input) => ({ id: input.slice(-1), input }))
    const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
    const client = new Redis(redis.port, '127.0.0.1')
    try {
      const worker = await startWorker(redis, { cwd: dir })
      const run = start(dir, [
        'test',
        '-i',
        'cases.jsonl',
        '-n',
        './agent.mjs#run',
        '--record',
        'tape.yaml',
        '-o',
        'out.jsonl',
        '--timeout',
        '3m',
      ])
      await worker.saw(': serving')
      await lines(dir, 3, 'case_start')
      const [runId = ''] = await client.zrange('viva:runs', '0', '-1')
      const about = { run_id: runId, term: (await client.get(`viva:{${runId}}:lease`)) ?? '' }
      const say = async (report: object, key = seal): Promise<void> => {
        const text = JSON.stringify({ kind: 'events', worker: 'x', units: [report] })
        await client.xadd(`viva:{${runId}}:results`, '*', 'd', key.close(aboutResults(about), text))
      }
      const share = (of: string, own: object): object[] => [
        {
          id: of,
          run: 1,
          shares: {
            recording: {
              lines: [{ type: 'interaction', order: 0, position: 0, interaction: { ...interaction('A'), ...own } }],
              used: [],
              replayed: 0,
              passed_through: 0,
              stale: 0,
            },
          },
        },
      ]
      const result = (id: string): object => ({
        type: 'result',
        run_id: runId,
        id,
        run: 1,
        status: 'passed',
        duration_ms: 1,
        input: `slow ${id}`,
      })
      // Not sealed with the key.
      const stranger = createSeal({ VIVA_QUEUE_KEY: 'somebody else has this key' })
      await say({ n: 1, events: [result('A')], beside: share('A', {}) }, stranger)
      // For all cases, but of one; of no unit at all; of another unit's case.
      await say({ events: [], beside: share('', {}) })
      await say({ n: 99, events: [result('C')], beside: share('C', { case: 'C' }) })
      await say({ n: 2, events: [result('A')], beside: share('A', {}) })
      await say({ n: 1, events: [], beside: share('A', {}) })
      // Sealed, and with the result: its recording is of another case, or nothing that could be read again.
      await say({ n: 1, events: [result('A')], beside: share('A', { case: 'B' }), done_ms: 1 })
      await say({
        n: 2,
        events: [result('B')],
        beside: share('B', { case: 'B', response: { output: 'x', evil: 1 } }),
        done_ms: 1,
      })
      writeFiles(dir, { 'go.txt': '' })
      const { code, stderr } = await run.done
      expect(code, stderr).toBe(3)
      const errors = JSON.stringify(eventsOf(dir, 'out.jsonl').at(-1)?.['reasons'])
      expect(errors).toContain('what a worker recorded of A is not kept: it has an interaction of B, run 1')
      expect(errors).toContain(
        'what a worker recorded of B is not kept: an interaction cannot be recorded: response.evil',
      )
      expect(errors).toContain('what a worker recorded of the whole run is not kept: it has an interaction of A, run 1')
      const tape = readFileSync(join(dir, 'tape.yaml'), 'utf8')
      expect(tape.match(/case: .*/g)).toEqual(['case: C'])
      expect(tape).toContain('you said slow C')
      expect(tape).not.toContain('forged')
    } finally {
      client.disconnect()
    }
  }, 240_000)
})

function urlsIn(dir: string): string[] {
  const tape = readFileSync(join(dir, 'tape.yaml'), 'utf8')
  return [...tape.matchAll(/url: \S*(\/\w+)$/gm)].map(([, path = '']) => path)
}

function interaction(id: string): object {
  return {
    case: id,
    run: 1,
    attempt: 1,
    hat: 'agent:./agent.mjs#run',
    prompt_hash: `sha256:${'0'.repeat(64)}`,
    request: { messages: ['forged'] },
    response: { output: 'forged', duration_ms: 1 },
  }
}

function start(dir: string, args: string[]): StartedCli {
  return startViva([...args, '--queue', redis.url], { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
}

function eventsOf(dir: string, file: string): ReturnType<typeof parseEvents> {
  const text = readFileSync(join(dir, file), 'utf8')
  return parseEvents(text.slice(0, text.lastIndexOf('\n') + 1))
}

/** Waits until the event file has that many. */
function results(dir: string, count: number): Promise<void> {
  return lines(dir, count, 'result')
}

async function lines(dir: string, count: number, type: string): Promise<void> {
  for (;;) {
    const file = join(dir, 'out.jsonl')
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    if (text.split(`"type":"${type}"`).length > count) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Without the times. */
function plain(dir: string, name: string): string {
  return readFileSync(join(dir, name), 'utf8').replaceAll(
    /^[ #]*(?:(?:duration|start)_ms|recorded|clock|cassette): .*\n/gm,
    '',
  )
}
