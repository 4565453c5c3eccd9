// What answers cost: cached input and what is written to a cache at prices of their own, list prices marked as estimates,
// and what is not known left unknown.
import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent, SummaryEvent } from '../../src/model/event.js'
import { startModelServer, type ModelServer } from '../real/model/index.js'
import { hasOpenssl, makeCertificate } from '../support/certificate.js'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'

const usage = { input: 1_000_000, output: 100_000, cached: 400_000, reasoning: 60_000 }

async function startServer(): Promise<ModelServer> {
  const server = await startModelServer({ kind: 'answer', pieces: ['hello'], usage })
  onTestFinished(() => server.close())
  return server
}

interface Ran extends CliRun {
  result: ResultEvent | undefined
  summary: SummaryEvent | undefined
}

const CASE = { id: 'T1', input: 'hi', assert: { type: 'cost', max_dollars: 100 } }

async function run(connector: object, files: Files = {}, env: Record<string, string> = {}): Promise<Ran> {
  const cwd = makeFolder({
    'app.yao': {},
    'assistants/a/package.yao': { name: 'A', connector: 'main' },
    'assistants/a/prompts.yml': '- content: Be brief.\n',
    'connectors/main.conn.yao': connector,
    'cases.jsonl': [CASE],
    ...files,
  })
  const args = ['agent', 'test', '-i', 'cases.jsonl', '-n', 'a', '-o', 'out.jsonl', '-o', 'out.md']
  const ran = await viva(args, { cwd, env })
  const events = parseEvents(readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
  const find = (type: string): unknown => events.find((event) => event.type === type)
  return { ...ran, result: find('result') as ResultEvent, summary: find('summary') as SummaryEvent }
}

for (const type of ['openai', 'openai-responses', 'anthropic', 'google']) {
  for (const stream of [true, false]) {
    test(`${type}, ${stream ? 'streaming' : 'whole'}: cached input is cheaper, and counted apart`, async () => {
      const server = await startServer()
      const { result } = await run({
        type,
        options: { model: 'm', host: server.url, key: 'a-key-4711', stream },
        price: { input: 10, cached_input: 1, output: 100 },
      })
      expect(result?.usage).toMatchObject({ input_tokens: 1_000_000, cached_input_tokens: 400_000 })
      // Anthropic does not say how much it thought; of Gemini's output it is no part.
      if (type !== 'anthropic') expect(result?.usage).toMatchObject({ reasoning_tokens: 60_000 })
      const output = type === 'google' ? 16 : 10
      expect(result?.cost_dollars).toBeCloseTo(6 + 0.4 + output, 6)
      expect(result).not.toHaveProperty('cost_estimated')
    })
  }
}

test('without a price of their own, cached tokens cost as much as others, and written ones are unknown', async () => {
  const answered = (more: object) => ({
    type: 'mock',
    options: { responses: [{ output: 'hello', usage: { input_tokens: 1_000_000, output_tokens: 0, ...more } }] },
  })
  const price = { input: 10, output: 100 }
  const cached = await run({ ...answered({ cached_input_tokens: 500_000 }), price })
  expect(cached.result).toMatchObject({ status: 'passed', cost_dollars: 10 })
  const written = await run({ ...answered({ cache_write_tokens: 500_000 }), price })
  expect(written.result).toMatchObject({ status: 'failed', error: expect.stringContaining('cost is not known') })
  const priced = await run({ ...answered({ cache_write_tokens: 500_000 }), price: { ...price, cache_write: 12 } })
  expect(priced.result).toMatchObject({ status: 'passed', cost_dollars: 11 })
})

/** A proxy behind which the vendor's host is the model server. */
async function startProxy(server: ModelServer, host: string): Promise<Record<string, string>> {
  const { key, cert, file } = makeCertificate(makeFolder(), host)
  const { port } = new URL(server.url)
  const proxy = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      const secure = new TLSSocket(socket, { isServer: true, key, cert })
      const plain = connect(Number(port), '127.0.0.1')
      secure.pipe(plain).pipe(secure)
      for (const each of [secure, plain, socket]) each.on('error', () => {})
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const address = proxy.address() as AddressInfo
  return { HTTPS_PROXY: `http://127.0.0.1:${address.port}`, NODE_EXTRA_CA_CERTS: file }
}

const OPENAI = { type: 'openai', options: { model: 'gpt-4o-2024-08-06', key: 'sk-test-of-openai', stream: false } }
const WITH_KEY = { ...OPENAI, options: { ...OPENAI.options, host: 'https://api.openai.com' } }

test.runIf(hasOpenssl)(
  'the list price of a model at its vendor, marked as an estimate wherever it is shown',
  async () => {
    const server = await startServer()
    const env = await startProxy(server, 'api.openai.com')
    const tight = { ...CASE, assert: { type: 'cost', max_dollars: 0.001 } }
    const { result, summary, stdout, dir } = await run(WITH_KEY, { 'cases.jsonl': [tight] }, env)
    const cost = (600_000 * 2.5 + 400_000 * 1.25 + 100_000 * 10) / 1e6
    expect(result).toMatchObject({ status: 'failed', cost_dollars: cost, cost_estimated: true })
    expect(result?.error).toContain('$3 (estimated), at most $0.001')
    expect(summary).toMatchObject({ cost_dollars: cost, cost_estimated: true })
    expect(stdout).toContain('Cost:    $3.00 (estimated)')
    const markdown = readFileSync(join(dir, 'out.md'), 'utf8')
    expect(markdown.match(/\$3\.00 \(estimated\)/g)?.length).toBeGreaterThanOrEqual(2)
  },
)

test.runIf(hasOpenssl).each<[string, object, Files, number | undefined]>([
  [
    'a price in the configuration wins',
    {},
    { 'viva.config.json': { prices: { 'gpt-4o-2024-08-06': { input: 1, output: 1 } } } },
    1.1,
  ],
  ['a date that is not in the table', { model: 'gpt-4o-2024-08-07' }, {}, undefined],
  ['a name that begins like one', { model: 'gpt-4o-2024-08-06-ft' }, {}, undefined],
  ['another service tier', { service_tier: 'priority' }, {}, undefined],
])('%s', async (_what, options, files, cost) => {
  const server = await startServer()
  const env = await startProxy(server, 'api.openai.com')
  const connector = { ...WITH_KEY, options: { ...WITH_KEY.options, ...options } }
  const { result } = await run(connector, files, env)
  expect(server.requests).toHaveLength(1)
  expect(result?.cost_dollars).toBe(cost)
  expect(result).not.toHaveProperty('cost_estimated')
})

test('a model of the same name elsewhere has no list price', async () => {
  const server = await startServer()
  const { result } = await run({ ...OPENAI, options: { ...OPENAI.options, host: server.url } })
  expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('cost is not known') })
  expect(result).not.toHaveProperty('cost_dollars')
})
