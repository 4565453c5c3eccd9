// Five refusals in a row, for the key or the quota, stop the cases that need the endpoint, and no others.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'

interface Server {
  url: string
  /** Paths that were asked, in order. */
  asked: string[]
}

interface Refusal {
  status: number
  error?: object
  headers?: Record<string, string>
}

const KEY: Refusal = { status: 401, error: { message: 'no such key' } }

/** Refuses texts and paths that `refuse` names; says "fine" to the rest, which is a verdict and an input too. */
async function serve(refuse: (text: string, path: string) => Refusal | undefined): Promise<Server> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push(path)
      const { messages } = JSON.parse(body) as { messages: Array<{ content: string }> }
      const refusal = refuse(messages.at(-1)?.content ?? '', path)
      response.writeHead(refusal?.status ?? 200, { 'content-type': 'application/json', ...refusal?.headers })
      if (refusal) return response.end(JSON.stringify({ error: refusal.error ?? { message: 'no' } }))
      const nonce = /"nonce":\{[^}]*"enum":\["(\w+)"/.exec(body)?.[1]
      const verdict = { reason: 'fine', passed: true, score: 1, ...(nonce !== undefined && { nonce }) }
      const content = path.includes('judge') || path.includes('model') ? JSON.stringify(verdict) : 'fine'
      response.end(JSON.stringify({ content, choices: [{ message: { content }, finish_reason: 'stop' }] }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

interface Found {
  code: number | null
  /** `id: status`, in the order of the results. */
  results: string[]
  summary: Record<string, unknown>
  stderr: string
}

async function run(cwd: string, target: string, flags: string[] = []): Promise<Found> {
  const done = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json', ...flags], { cwd })
  const events = parseEvents(done.stdout)
  const results = events
    .filter((event) => event.type === 'result')
    .map(({ id, status }) => `${String(id)}: ${String(status)}`)
  const summary = events.find((event) => event.type === 'summary') ?? { type: 'none' }
  return { code: done.code, results, summary, stderr: done.stderr }
}

const texts = (...all: string[]) => all.map((input, index) => ({ id: `${index + 1}-${input}`, input }))
const failed = (...ids: string[]) => ids.map((id) => `${id}: failed`)
const EIGHT = texts('no', 'no', 'no', 'no', 'no', 'no', 'no', 'no')
const isNo = (text: string): Refusal | undefined => (text === 'no' ? KEY : undefined)

for (const [kind, target] of [
  ['a JSON endpoint', (url: string) => `${url}/agent`],
  ['an OpenAI-compatible endpoint', (url: string) => `${url}/v1`],
  ['a package with a connector', () => 'desk'],
] as const) {
  test(`${kind}: after five refusals nothing more is asked, and the run says why`, async () => {
    const server = await serve(isNo)
    const cwd = makeFolder({ ...packageAt(server.url), 'cases.jsonl': EIGHT })
    const stopped = await run(cwd, target(server.url))
    expect(stopped).toMatchObject({
      code: 1,
      results: failed('1-no', '2-no', '3-no', '4-no', '5-no'),
      summary: { total: 8, failed: 5, not_run: 3, exit_code: 1 },
    })
    expect(server.asked).toHaveLength(5)
    const reasons = JSON.stringify(stopped.summary['exit_reasons'] ?? stopped.summary)
    expect(reasons).toContain('3 cases not run')
    expect(reasons).toContain('refused 5 calls in a row: the key was not accepted (HTTP 401')
    expect(reasons).toContain('--keep-going')
  })

  test(`${kind}: --keep-going asks for every case`, async () => {
    const server = await serve(isNo)
    const cwd = makeFolder({ ...packageAt(server.url), 'cases.jsonl': EIGHT })
    const found = await run(cwd, target(server.url), ['--keep-going'])
    expect(found).toMatchObject({ code: 1, summary: { failed: 8, not_run: 0 } })
    expect(server.asked).toHaveLength(8)
  })

  test(`${kind}: an answer between them starts the count again`, async () => {
    const server = await serve(isNo)
    const inputs = texts('no', 'no', 'no', 'no', 'yes', 'no', 'no', 'no', 'no', 'yes')
    const cwd = makeFolder({ ...packageAt(server.url), 'cases.jsonl': inputs })
    expect((await run(cwd, target(server.url))).summary).toMatchObject({ passed: 2, failed: 8, not_run: 0 })
    expect(server.asked).toHaveLength(10)
  })
}

test('401, 403, 402 and a used-up quota count alike; rate limits and broken servers do not', async () => {
  const refusals: Record<string, Refusal> = {
    '401': { status: 401 },
    '403': { status: 403 },
    '402': { status: 402 },
    quota: { status: 429, error: { code: 'insufficient_quota', message: 'no credit' } },
    'in a 200': { status: 200, error: { type: 'insufficient_quota', message: 'no credit' } },
    limited: { status: 429, headers: { 'x-should-retry': 'false' } },
    broken: { status: 500, headers: { 'x-should-retry': 'false' } },
    wrong: { status: 404 },
  }
  const server = await serve((text) => refusals[text])
  const stopping = makeFolder({ 'cases.jsonl': texts('401', '403', '402', 'quota', 'in a 200', 'yes') })
  const stopped = await run(stopping, `${server.url}/agent`)
  expect(stopped.summary).toMatchObject({ passed: 0, failed: 5, not_run: 1 })
  for (const other of ['limited', 'broken', 'wrong']) {
    const going = makeFolder({ 'cases.jsonl': texts(other, other, other, other, other, other, 'yes') })
    expect((await run(going, `${server.url}/agent`)).summary).toMatchObject({ passed: 1, failed: 6, not_run: 0 })
  }
})

test('other endpoints continue: two judges, by connector and by URL', async () => {
  const server = await serve((_text, path) => (path.startsWith('/bad') ? KEY : undefined))
  const other = await serve(() => undefined)
  const judges = {
    bad: { type: 'agent', value: 'is polite', options: { connector: 'bad' } },
    good: { type: 'agent', value: 'is polite', options: { connector: 'good' } },
    url: { type: 'agent', value: 'is polite', use: `${other.url}/judge` },
  }
  const cwd = makeFolder({
    'app.yao': {},
    'connectors/bad.conn.yao': connectorAt(`${server.url}/bad/v1`),
    'connectors/good.conn.yao': connectorAt(`${other.url}/model/v1`),
    'cases.jsonl': Array.from({ length: 7 }, (_, index) => index + 1).flatMap((number) =>
      Object.entries(judges).map(([name, assert]) => ({ id: `${name}-${number}`, input: 'Good morning', assert })),
    ),
  })
  const found = await run(cwd, 'builtin:echo')
  expect(found.summary).toMatchObject({ total: 21, passed: 14, failed: 5, not_run: 2 })
  expect(found.code).toBe(1)
  expect(found.results.filter((line) => line.startsWith('bad'))).toEqual(
    failed('bad-1', 'bad-2', 'bad-3', 'bad-4', 'bad-5'),
  )
  expect(server.asked).toHaveLength(5)
})

test('a judge that asks the same endpoint with the same key counts with the agent', async () => {
  const server = await serve((text) => (text === 'yes' ? undefined : KEY))
  const polite = { type: 'agent', value: 'is polite' }
  const cwd = makeFolder({
    ...packageAt(server.url),
    'connectors/judge.conn.yao': connectorAt(server.url),
    'viva.config.json': { helpers: { connector: 'judge' } },
    'cases.jsonl': [
      ...texts('no', 'no', 'no', 'no'),
      { id: 'judged', input: 'yes', assert: polite },
      { id: 'later', input: 'no' },
    ],
  })
  // The agent's answer in between starts the count again; the refused judge is the first of it.
  expect((await run(cwd, 'desk')).summary).toMatchObject({ failed: 6, not_run: 0 })
  writeFiles(cwd, { 'cases.jsonl': [{ id: 'first', input: 'yes' }, ...texts('no', 'no', 'no', 'no', 'no', 'yes')] })
  expect((await run(cwd, 'desk')).summary).toMatchObject({ passed: 1, failed: 5, not_run: 1 })
})

test('a simulator', async () => {
  const server = await serve(() => KEY)
  const simulated = (id: string) => ({
    id,
    turns: [{ input: 'Hi' }],
    simulator: { use: `${server.url}/user` },
    checkpoints: [{ id: 'end', assertion: { type: 'contains', value: 'never' } }],
    max_turns: 3,
  })
  const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
  const cwd = makeFolder({ 'cases.jsonl': [...ids.map(simulated), { id: 'plain', input: 'Hi' }] })
  const found = await run(cwd, 'builtin:echo')
  expect(found.summary).toMatchObject({ total: 8, passed: 1, not_run: 2 })
  expect(found.code).toBe(1)
  expect(server.asked).toHaveLength(5)
})

test('cases that were not run are run by --resume', async () => {
  let isValid = false
  const server = await serve(() => (isValid ? undefined : KEY))
  const cwd = makeFolder({
    'cases.jsonl': EIGHT.map((each) => ({ ...each, assert: { type: 'equals', value: 'fine' } })),
  })
  const target = `${server.url}/agent`
  const first = await run(cwd, target, ['-o', 'events.jsonl'])
  expect(first.summary).toMatchObject({ failed: 5, not_run: 3 })
  isValid = true
  const resumed = await viva(['test', '--resume', 'events.jsonl'], { cwd })
  expect(resumed.code).toBe(1)
  const events = parseEvents(readFileSync(join(cwd, 'events.jsonl'), 'utf8'))
  expect(events.at(-1)).toMatchObject({ type: 'summary', passed: 3, failed: 5, not_run: 0 })
  expect(server.asked).toHaveLength(8)
})

test('--keep-going holds for the second part of a run, too; what would change verdicts is refused', async () => {
  const server = await serve(() => KEY)
  const cwd = makeFolder({ 'cases.jsonl': texts(...Array.from({ length: 12 }, () => 'no')) })
  await run(cwd, `${server.url}/agent`, ['-o', 'events.jsonl'])
  const strict = await viva(['test', '--resume', 'events.jsonl', '--strict'], { cwd })
  expect([strict.code, strict.stderr]).toEqual([
    2,
    expect.stringMatching(/--strict.*began with false[^]*leave --strict out/),
  ])
  expect(server.asked).toHaveLength(5)
  expect((await viva(['test', '--resume', 'events.jsonl', '--keep-going', '--runs', '1'], { cwd })).code).toBe(1)
  expect(server.asked).toHaveLength(12)
})

test('with many at once no more are asked than were already on their way', async () => {
  const server = await serve(() => KEY)
  const cwd = makeFolder({ 'cases.jsonl': texts(...Array.from({ length: 40 }, () => 'no')) })
  const { summary, code } = await run(cwd, `${server.url}/agent`, ['--parallel', '4'])
  expect(code).toBe(1)
  expect(server.asked.length).toBeGreaterThanOrEqual(5)
  expect(server.asked.length).toBeLessThanOrEqual(8)
  expect(summary['failed']).toBe(server.asked.length)
  expect(summary['not_run']).toBe(40 - server.asked.length)
})

function packageAt(url: string): Record<string, string | object> {
  return {
    'app.yao': {},
    'assistants/desk/package.yao': { name: 'Desk', connector: 'model' },
    'assistants/desk/prompts.yml': '- role: system\n  content: Be right.\n',
    'connectors/model.conn.yao': connectorAt(url),
  }
}

function connectorAt(host: string): object {
  return { type: 'openai', options: { host, model: 'm', key: 'sk-test-12345678' } }
}
