// The limits of an endpoint hold for the whole fleet: a loopback model counts what four workers ask it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Model {
  url: string
  calls: number
  /** Calls that came although it had asked to be left alone. */
  early: number
  /** Calls that are being answered now, and the most there were. */
  open: number
  most: number
  /** While set, answers wait for it. */
  hold: Promise<unknown> | undefined
}

/** Answers with 10 tokens. The first call is told to come back after `busy` seconds. */
async function startModel(busy = 0): Promise<Model> {
  const model: Model = { url: '', calls: 0, early: 0, open: 0, most: 0, hold: undefined }
  let until = 0
  const server = createServer((request, response) => {
    request.resume()
    model.calls += 1
    const now = Date.now()
    if (now < until) model.early += 1
    if (model.calls === 1) until = now + busy * 1000
    if (now < until) {
      response.writeHead(429, {
        'retry-after': String(Math.ceil((until - now) / 1000)),
        'content-type': 'application/json',
      })
      return response.end('{"error":{"message":"slow down","type":"rate_limit"}}')
    }
    const usage = { prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 }
    const message = { role: 'assistant', content: 'hello' }
    const answer = {
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
    model.open += 1
    model.most = Math.max(model.most, model.open)
    response.once('close', () => (model.open -= 1))
    void Promise.resolve(model.hold).then(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(answer))
    })
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return model
}

function app(model: Model, limits: object): Files {
  return {
    'assistants/shop/package.yao': { name: 'shop', connector: 'loop' },
    'assistants/shop/prompts.yml': '- role: system\n  content: be brief\n',
    'connectors/loop.conn.yao': {
      type: 'openai',
      label: 'Loop',
      options: { model: 'm', host: model.url, key: 'sk-loop-123456789' },
      limits,
    },
    'assistants/shop/tests/inputs.jsonl': Array.from({ length: 40 }, (_, at) => ({
      id: `T${at}`,
      input: `hi ${at}`,
      assert: { type: 'contains', value: 'hello' },
    })),
  }
}

withRedis('the pace of a fleet', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  const run = async (files: Files, timeout: string, workers: number): Promise<Map<string, number>> => {
    const dir = makeFolder(files)
    for (let at = 0; at < workers; at += 1) await startWorker(redis, { cwd: dir })
    const args = ['test', '-i', 'assistants/shop/tests/inputs.jsonl', '--timeout', timeout, '-o', 'out.jsonl']
    await viva([...args, '--queue', redis.url], { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
    const counts = new Map<string, number>()
    for (const { type, status, error } of parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))) {
      if (type !== 'result') continue
      const what =
        status === 'passed'
          ? 'passed'
          : (/limits\.\w+ \d+ of the fleet is used up/.exec(String(error))?.[0] ?? String(error))
      counts.set(what, (counts.get(what) ?? 0) + 1)
    }
    return counts
  }

  test('limits.per_minute counts the calls of all workers', async () => {
    const model = await startModel()
    const counts = await run(app(model, { per_minute: 12 }), '15s', 4)
    expect([...counts]).toEqual(
      expect.arrayContaining([
        ['passed', 12],
        ['limits.per_minute 12 of the fleet is used up', 28],
      ]),
    )
    expect(model.calls).toBe(12)
  }, 120_000)

  test('limits.tokens_per_minute counts what all workers have used', async () => {
    const model = await startModel()
    const counts = await run(app(model, { tokens_per_minute: 100 }), '15s', 2)
    // Ten calls use it up; those that had begun before their answers came are eight at most.
    expect(model.calls).toBeGreaterThanOrEqual(10)
    expect(model.calls).toBeLessThanOrEqual(10 + 8)
    expect(counts.get('passed')).toBe(model.calls)
    expect(counts.get('limits.tokens_per_minute 100 of the fleet is used up')).toBe(40 - model.calls)
  }, 120_000)

  test('"come back later" is heard by a worker that it was not said to', async () => {
    const model = await startModel(8)
    const dir = makeFolder(app(model, {}))
    await startWorker(redis, { cwd: dir }, ['--parallel', '1'])
    const args = ['test', '-i', 'assistants/shop/tests/inputs.jsonl', '--run', 'T1', '-o', 'out.jsonl']
    const fleet = viva([...args, '--queue', redis.url], { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
    while (model.calls === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    await startWorker(redis, { cwd: dir }, ['--parallel', '1'])
    expect((await fleet).code).toBe(0)
    expect(model.early).toBe(0)
    expect(model.calls).toBe(1 + 11)
  }, 120_000)

  test('limits.concurrency counts the calls of all workers, and those of a dead worker end', async () => {
    const model = await startModel()
    let letGo = (): void => {}
    model.hold = new Promise<void>((resolve) => (letGo = resolve))
    const dir = makeFolder(app(model, { concurrency: 3 }))
    const workers = [await startWorker(redis, { cwd: dir }), await startWorker(redis, { cwd: dir })]
    const args = ['test', '-i', 'assistants/shop/tests/inputs.jsonl', '-o', 'out.jsonl', '--queue', redis.url]
    const fleet = viva(args, { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
    const limit = { timeout: 60_000 }
    const waiting = async (): Promise<string[]> => (await redis.keys()).filter((key) => key.endsWith(':line'))
    await expect.poll(() => model.open, limit).toBe(3)
    await expect.poll(waiting, limit).toHaveLength(1)
    // All three slots are with workers that will not give them back.
    await startWorker(redis, { cwd: dir })
    for (const worker of workers) worker.process.kill('SIGKILL')
    await expect.poll(() => model.calls, limit).toBeGreaterThan(3)
    expect(model.open).toBeLessThanOrEqual(3)
    letGo()
    const { code, stderr } = await fleet
    expect(code, stderr).toBe(0)
    expect(model.most).toBe(3)
  }, 120_000)

  test('with one slot for four workers, calls come one after the other and all are made', async () => {
    const model = await startModel()
    const dir = makeFolder(app(model, { concurrency: 1 }))
    for (const name of ['one', 'two', 'three', 'four']) await startWorker(redis, { cwd: dir }, ['--name', name])
    const args = ['test', '-i', 'assistants/shop/tests/inputs.jsonl', '-o', 'out.jsonl', '--queue', redis.url]
    const { code, stderr } = await viva(args, { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
    expect(code, stderr).toBe(0)
    expect(model.most).toBe(1)
    expect(model.calls).toBe(40)
  }, 120_000)
})
