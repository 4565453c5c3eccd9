// Who may have what run: the key, the files, the version, the connection. What is refused is named, and nothing of it runs.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aboutJob, aboutResults, aboutSpec, type RunSpec } from '../../src/fleet/protocol.js'
import { createSeal } from '../../src/fleet/seal.js'
import { hasOpenssl, makeCertificate } from '../support/certificate.js'
import { makeFolder, parseEvents, startViva, viva, type Files } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'

const AGENT = `
import { writeFileSync } from 'node:fs'
export async function run(input) {
  const text = String(input.at?.(-1)?.content ?? input)
  if (text === 'evil') writeFileSync('evil.txt', 'it ran')
  await new Promise((resolve) => setTimeout(resolve, text.includes('slow') ? 1500 : 5))
  return 'you said ' + text
}
`
const CASES = [
  { id: 'A', input: 'slow one', assert: { type: 'contains', value: 'never' } },
  { id: 'B', input: 'slow two', assert: { type: 'contains', value: 'slow' } },
]
const APP: Files = { 'agent.mjs': AGENT, 'cases.jsonl': CASES }
const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run']
const MODEL_KEY = `sk-${'abcdef0123456789'.repeat(2)}`
const seal = createSeal({ VIVA_QUEUE_KEY: QUEUE_KEY })
const stranger = createSeal({ VIVA_QUEUE_KEY: 'somebody else has this key' })

describe('without a fleet', () => {
  test('no Redis, no key, a wrong address and what a fleet cannot do are said before anything runs', async () => {
    const dir = makeFolder(APP)
    const env = { VIVA_QUEUE_KEY: QUEUE_KEY }
    const nowhere = 'redis://:secret-pass@127.0.0.1:1'
    const table: Array<[string[], Record<string, string>, number, RegExp]> = [
      [[...ARGS, '--queue', nowhere], env, 3, /cannot reach Redis at redis:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/],
      [['worker', '--queue', nowhere], env, 3, /cannot reach Redis at redis:\/\/127\.0\.0\.1:1/],
      [['worker', '--queue', 'http://x'], env, 2, /expected redis:\/\/host:port/],
      [['worker'], env, 2, /--queue is missing/],
      [['worker', '--queue', nowhere, '--parallel', 'x'], env, 2, /--parallel: expected a whole number/],
      [[...ARGS, '--queue', nowhere], {}, 2, /VIVA_QUEUE_KEY is not set/],
      [[...ARGS, '--queue', nowhere], { VIVA_QUEUE_KEY: 'tiny' }, 2, /too short/],
      [[...ARGS, '--queue', nowhere, '--cache'], env, 2, /--cache does not work with --queue/],
      [[...ARGS, '--queue', nowhere, '--keep-workspaces'], env, 2, /--keep-workspaces does not work with --queue/],
      [['test', '-i', 'hi', '-n', 'https://u:pw@x.test', '--queue', nowhere], env, 2, /-n contains a secret/],
      ...[`https://x.test/?api_key=${MODEL_KEY}`, `exec:node agent.mjs --api-key ${MODEL_KEY}`].map(
        (target): [string[], Record<string, string>, number, RegExp] => [
          ['test', '-i', 'hi', '-n', target, '--queue', nowhere],
          env,
          2,
          /-n contains a secret/,
        ],
      ),
      [
        ['test', '-i', 'hi', '--variant', `a=./agent.mjs#run,env.ACCESS=Bearer ${MODEL_KEY}`, '--queue', nowhere],
        env,
        2,
        /env\.ACCESS of variant "a" contains a secret/,
      ],
      [['test', '-i', 'hi', '-n', join(dir, 'agent.mjs#run'), '--queue', nowhere], env, 2, /absolute path/],
    ]
    for (const [args, given, code, message] of table) {
      const run = await viva(args, { cwd: dir, env: given, stdin: '{"id":"A","input":"x"}\n' })
      expect(run.stderr, args.join(' ')).toMatch(message)
      expect(run.code, run.stderr).toBe(code)
      expect(run.stdout + run.stderr).not.toMatch(/secret-pass|0123456789/)
    }
    expect(existsSync(join(dir, 'output'))).toBe(false)
  })

  test('none of its modules is loaded', async () => {
    const dir = makeFolder(APP)
    const loaded = async (args: string[], env: Record<string, string>): Promise<string> => {
      const run = await viva(args, { cwd: dir, env: { NODE_DEBUG: 'module,esm', ...env } })
      return run.stderr
    }
    expect(await loaded([...ARGS, '--run', 'B', '-o', 'b.jsonl'], {})).not.toMatch(/ioredis|bullmq/)
    const asked = await loaded([...ARGS, '--queue', 'redis://127.0.0.1:1'], { VIVA_QUEUE_KEY: QUEUE_KEY })
    expect(asked).toMatch(/ioredis/)
  })
})

withRedis('a fleet and strangers', () => {
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

  test('foreign jobs and forged results change nothing, and are named', async () => {
    const dir = makeFolder(APP)
    const worker = await startWorker(redis, { cwd: dir })
    const run = startViva([...ARGS, '--queue', redis.url, '-o', 'out.jsonl'], {
      cwd: dir,
      env: { VIVA_QUEUE_KEY: QUEUE_KEY },
    })
    await worker.saw(': serving')
    const [runId = ''] = await client.zrange('viva:runs', '0', '-1')
    const term = (await client.get(`viva:{${runId}}:lease`)) ?? ''
    const about = { run_id: runId, term }
    const queue = new Queue('q', { connection: client, prefix: `viva:{${runId}}` })
    const evil = JSON.stringify({
      units: [{ n: 1, unit: { kind: 'case', run: 1, testCase: { id: 'A', input: 'evil', assertions: [] } } }],
    })
    await queue.addBulk([
      { name: 'units', data: { sealed: evil }, opts: { jobId: 'bare' } },
      { name: 'units', data: { sealed: stranger.close(aboutJob(about, 'strange'), evil) }, opts: { jobId: 'strange' } },
      // Sealed by us, but as another job.
      { name: 'units', data: { sealed: seal.close(aboutJob(about, 'other'), evil) }, opts: { jobId: 'moved' } },
      { name: 'units', data: 'nonsense', opts: { jobId: 'nonsense' } },
    ])
    const passed = {
      type: 'result',
      run_id: runId,
      id: 'A',
      run: 1,
      status: 'passed',
      duration_ms: 1,
      input: 'slow one',
    }
    const forged = JSON.stringify({ kind: 'events', worker: 'x', units: [{ n: 1, events: [passed], done_ms: 1 }] })
    await client.xadd(`viva:{${runId}}:results`, '*', 'd', forged)
    await client.xadd(`viva:{${runId}}:results`, '*', 'd', stranger.close(aboutResults(about), forged))
    // From the same run, reported by a worker of an earlier coordinator.
    await client.xadd(`viva:{${runId}}:results`, '*', 'd', seal.close(aboutResults({ ...about, term: 'old' }), forged))
    // Sealed, but a result of a case that the unit is not.
    const foreign = forged.replace('"id":"A"', '"id":"Z"').replace(',"done_ms":1', '')
    await client.xadd(`viva:{${runId}}:results`, '*', 'd', seal.close(aboutResults(about), foreign))

    const { code, stderr } = await run.done
    expect(code, stderr).toBe(1)
    const results = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
    expect(results.map(({ id, status }) => `${String(id)} ${String(status)}`).toSorted()).toEqual([
      'A failed',
      'B passed',
    ])
    for (const id of ['bare', 'strange', 'moved', 'nonsense']) expect(stderr).toContain(`job ${id} is not sealed`)
    expect(stderr).toContain('results that no worker of this fleet has sealed')
    expect(stderr).toContain('a result of Z')
    expect(existsSync(join(dir, 'evil.txt'))).toBe(false)
    await queue.close()
  }, 120_000)

  test('runs that are not sealed, lead outside or are of another version are refused by name', async () => {
    const dir = makeFolder({ 'app/agent.mjs': AGENT, 'outside.txt': 'x' })
    // As a coordinator of this build writes it.
    const real = startViva(['test', '-i', 'hi', '-n', './agent.mjs#run', '--queue', redis.url], {
      cwd: join(dir, 'app'),
      env: { VIVA_QUEUE_KEY: QUEUE_KEY },
    })
    await expect.poll(() => client.zcard('viva:runs'), { timeout: 30_000 }).toBe(1)
    const [id = ''] = await client.zrange('viva:runs', '0', '-1')
    const sealed = (await client.lrange(`viva:{${id}}:spec`, 0, -1)).join('')
    const spec = JSON.parse(seal.open(aboutSpec(id), sealed) ?? '') as RunSpec
    real.process.kill('SIGKILL')
    await real.done
    await client.flushall()
    const worker = await startWorker(redis, { cwd: join(dir, 'app') })
    Object.assign(spec, { term: 't', files: {}, programs: [] })
    const announce = async (id: string, given: Partial<RunSpec>, by = seal): Promise<void> => {
      const text = JSON.stringify({ ...spec, run_id: id, ...given })
      await client.set(`viva:{${id}}:lease`, 't', 'PX', 60_000)
      await client.rpush(`viva:{${id}}:spec`, by.close(aboutSpec(id), text))
      await client.zadd('viva:runs', 1, id)
      await client.publish('viva:bus', id)
    }
    await announce('stranger', {}, stranger)
    await announce('version', { version: '9.9.9' })
    await announce('build', { version: spec.version.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })
    await announce('outside', { cwd: '../..' })
    const hash = createHash('sha256').update('x').digest('hex')
    await announce('leads-out', { files: { '../outside.txt': hash } })
    await client.rpush(`viva:{bundle-out}:file:${hash}`, 'x')
    await announce('bundle-out', { files: { '../evil.txt': hash }, bundle: true })
    await announce('changed', { files: { 'agent.mjs': hash, 'gone.mjs': hash } })
    for (const line of [
      'run stranger: refused: it is not sealed with the key of this worker',
      'run version: refused: the run is of Viva 9.9.9',
      'run build: refused: the run is of Viva 0.',
      'run outside: refused: "../.." leads outside',
      'run leads-out: refused: ../outside.txt: leads outside',
      'run bundle-out: refused: the bundle names "../evil.txt"',
      'run changed: refused: agent.mjs differs, gone.mjs is missing',
    ])
      await worker.saw(line)
    expect(worker.process.exitCode).toBe(null)
    expect(existsSync(join(dir, 'evil.txt'))).toBe(false)
    await client.flushall()
  }, 120_000)

  test('a worker with other files is named; --bundle brings them', async () => {
    const dir = makeFolder(APP)
    const other = makeFolder({ ...APP, 'agent.mjs': `${AGENT}// changed` })
    const env = { VIVA_QUEUE_KEY: QUEUE_KEY }
    await startWorker(redis, { cwd: other })
    const refused = await viva([...ARGS, '--queue', redis.url], { cwd: dir, env })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toMatch(/no worker at .* takes this run/)
    expect(refused.stderr).toContain('agent.mjs differs')

    const empty = makeFolder({})
    await startWorker(redis, { cwd: empty })
    const bundled = await viva([...ARGS, '--queue', redis.url, '--bundle', '-o', 'out.jsonl'], { cwd: dir, env })
    expect(bundled.code, bundled.stderr).toBe(1)
    expect(bundled.stdout + bundled.stderr).toContain('1 passed')
  }, 120_000)

  test('a bundle keeps what may be started, and lasts as long as its run', async () => {
    const gate = join(makeFolder({}), 'gate')
    const slow = `#!/bin/sh\ncat > /dev/null\nwhile [ ! -e '${gate}' ]; do sleep 0.1; done\necho done\n`
    const dir = makeFolder({
      'ask.sh': slow,
      'one.jsonl': [{ id: 'A', input: 'x', assert: { type: 'equals', value: 'done' } }],
    })
    chmodSync(join(dir, 'ask.sh'), 0o755)
    await startWorker(redis, { cwd: makeFolder({}) })
    const args = ['test', '-i', 'one.jsonl', '-n', 'exec:./ask.sh', '--queue', redis.url, '--bundle']
    const run = startViva(args, { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
    const files = async (): Promise<string[]> => client.keys('viva:{*}:file:*')
    await expect.poll(files, { timeout: 30_000 }).toHaveLength(2)
    const [key = ''] = await files()
    await client.pexpire(key, 60_000)
    await expect.poll(() => client.pttl(key), { timeout: 30_000 }).toBeGreaterThan(300_000)
    await client.unlink(key)
    await expect.poll(files, { timeout: 30_000 }).toHaveLength(2)
    writeFileSync(gate, '')
    const { code, stderr } = await run.done
    expect(code, stderr).toBe(0)
  }, 120_000)
})

withRedis('a Redis with a password', () => {
  test('is reached with the one in the address or in VIVA_QUEUE_PASSWORD, also over TLS', async () => {
    const dir = makeFolder({
      ...APP,
      'one.jsonl': [{ id: 'A', input: 'quick', assert: { type: 'contains', value: 'quick' } }],
    })
    const tls = hasOpenssl ? makeCertificate(dir, 'localhost') : undefined
    const redis = await startRedis([
      '--requirepass',
      'pass word/1',
      ...(tls
        ? [
            '--tls-port',
            'free',
            '--tls-cert-file',
            tls.file,
            '--tls-key-file',
            join(dir, 'key.pem'),
            '--tls-auth-clients',
            'no',
          ]
        : []),
    ])
    try {
      const args = ['test', '-i', 'one.jsonl', '-n', './agent.mjs#run', '--queue']
      const env = { VIVA_QUEUE_KEY: QUEUE_KEY }
      const wrong = await viva([...args, redis.url], { cwd: dir, env })
      expect(wrong.code).toBe(3)
      expect(wrong.stderr).toMatch(/NOAUTH[^]*VIVA_QUEUE_PASSWORD/)
      const url = redis.url.replace('//', '//:pass%20word%2F1@')
      await startWorker({ url }, { cwd: dir })
      const given = await viva([...args, redis.url, '-o', 'a.jsonl'], {
        cwd: dir,
        env: { ...env, VIVA_QUEUE_PASSWORD: 'pass word/1' },
      })
      expect(given.code, given.stderr).toBe(0)
      if (!tls || redis.tlsPort === undefined) return
      const secure = `rediss://:pass%20word%2F1@localhost:${redis.tlsPort}`
      const trusted = await viva([...args, secure, '-o', 'b.jsonl'], {
        cwd: dir,
        env: { ...env, NODE_EXTRA_CA_CERTS: tls.file },
      })
      expect(trusted.code, trusted.stderr).toBe(0)
      const untrusted = await viva([...args, secure], { cwd: dir, env })
      expect(untrusted.code).toBe(3)
      expect(untrusted.stderr).toMatch(/self-signed certificate/)
      expect(readFileSync(join(dir, 'b.jsonl'), 'utf8')).not.toMatch(/pass( |%20)word/)
    } finally {
      await redis.stop()
    }
  }, 120_000)
})
