// Retries are the same for every kind of agent. What fails once and would then go well, by kind of agent and of failure:
// what Viva's own transport sees is repeated by it, counted; anything else only with --retries, as a whole attempt.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** What each failure is to code that throws it, or to a protocol that passes it on. */
const FAILURES: Record<string, Record<string, unknown>> = {
  '429': { message: 'slow down', status: 429, headers: { 'retry-after': '1' } },
  '503': { message: 'down', status: 503 },
  reset: { message: 'socket hang up', code: 'ECONNRESET' },
  cause: { message: 'fetch failed', cause: { code: 'ECONNRESET' } },
  retryable: { message: 'try later', isRetryable: true },
  plain: { message: 'it broke' },
}
const TRANSIENT = ['429', '503', 'reset', 'cause', 'retryable']

/** Fails the first time that it hears a text; every call is a line of `calls.log`. */
const AGENT = `import { appendFileSync, existsSync, readFileSync } from 'node:fs'
const FAILURES = ${JSON.stringify(FAILURES)}
export function failureOf(text) {
  const before = existsSync('calls.log') ? readFileSync('calls.log', 'utf8').split('\\n') : []
  appendFileSync('calls.log', text + '\\n')
  return before.includes(text) ? undefined : FAILURES[text]
}
`

const FILES = {
  'failures.mjs': AGENT,
  'function.mjs': `import { failureOf } from './failures.mjs'
export const run = ([{ content }]) => {
  const failure = failureOf(content)
  if (failure) throw Object.assign(new Error(failure.message), failure)
  return 'right'
}
export const returns = ([{ content }]) => {
  const failure = failureOf(content)
  return failure ? Object.assign(new Error(failure.message), failure) : 'right'
}
export async function* streams([{ content }]) {
  const failure = failureOf(content)
  yield 'right'
  if (failure) yield { type: 'error', error: Object.assign(new Error(failure.message), failure) }
}`,
  'program.mjs': `import { failureOf } from './failures.mjs'
let text = ''
for await (const chunk of process.stdin) text += chunk
const error = failureOf(JSON.parse(text).messages[0].content)
process.stdout.write(error ? JSON.stringify({ error }) : 'right')
if (process.argv[2] === 'exits' && error) process.exitCode = 1`,
  'acp.mjs': `import { createInterface } from 'node:readline'
import { failureOf } from './failures.mjs'
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  if (method === 'session/new') send({ id, result: { sessionId: 's1' } })
  if (method !== 'session/prompt') continue
  const data = failureOf(params.prompt[0].text)
  if (data) send({ id, error: { code: -32603, message: data.message, data } })
  const content = { type: 'text', text: 'right' }
  const update = { sessionUpdate: 'agent_message_chunk', content }
  if (!data) send({ method: 'session/update', params: { sessionId: 's1', update } })
  if (!data) send({ id, result: { stopReason: 'end_turn' } })
}`,
}

interface Outcome {
  id: string
  status: string
  attempts?: number
  flaky?: boolean
  api_retries?: number
  api_retry_log?: Array<{ status?: number; reason: string; wait_ms: number }>
  failure_history?: Array<{ wait_ms: number }>
}

interface Run {
  found: Record<string, Outcome>
  /** How often the agent was asked. */
  calls(text: string): number
  cwd: string
}

async function run(cwd: string, target: string, flags: string[] = [], asked?: () => string[]): Promise<Run> {
  const args = ['test', '-i', 'cases.jsonl', '-n', target, '--parallel', '6', '--json', ...flags]
  const done = await viva(args, { cwd })
  const results = parseEvents(done.stdout).filter((event) => event.type === 'result') as unknown as Outcome[]
  const log = join(cwd, 'calls.log')
  const lines = asked?.() ?? (existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [])
  return {
    found: Object.fromEntries(results.map((result) => [result.id, result])),
    calls: (text) => lines.filter((line) => line === text).length,
    cwd,
  }
}

const CASES = Object.keys(FAILURES).map((id) => ({ id, input: id, assert: { type: 'equals', value: 'right' } }))

for (const [kind, target] of [
  ['a function that throws', './function.mjs#run'],
  ['a function that returns the error', './function.mjs#returns'],
  ['a function that streams', './function.mjs#streams'],
  ['a program', 'exec:node program.mjs'],
  ['a program that exits with 1', 'exec:node program.mjs exits'],
  ['an ACP agent', 'acp:node acp.mjs'],
] as const) {
  test(`${kind}: nothing is repeated that was not asked for`, async () => {
    const { found, calls } = await run(makeFolder({ ...FILES, 'cases.jsonl': CASES }), target)
    for (const id of Object.keys(FAILURES)) {
      expect([id, calls(id), found[id]]).toMatchObject([id, 1, { status: 'failed' }])
      expect(found[id]).not.toHaveProperty('attempts')
    }
  })

  test(`${kind}: with --retries what is transient is tried again, as an attempt`, async () => {
    const { found, calls } = await run(makeFolder({ ...FILES, 'cases.jsonl': CASES }), target, ['--retries', '1'])
    for (const id of TRANSIENT) {
      expect([id, calls(id), found[id]]).toMatchObject([id, 2, { status: 'passed', attempts: 2, flaky: true }])
      expect(found[id]).not.toHaveProperty('api_retries')
    }
    expect([calls('plain'), found['plain']]).toMatchObject([1, { status: 'failed' }])
    expect(found['plain']).not.toHaveProperty('attempts')
    expectServersWord(found['429']?.failure_history?.[0]?.wait_ms)
  })
}

for (const [kind, target] of [
  ['a JSON endpoint', (url: string) => `${url}/agent`],
  ['an OpenAI-compatible endpoint', (url: string) => `${url}/v1`],
  ['a package with a connector', () => 'desk'],
  ['an A2A agent', (url: string) => `a2a:${url}`],
] as const) {
  for (const flags of [[], ['--retries', '1']]) {
    test(`${kind}: the transport repeats what is transient, and counts it ${flags.join(' ')}`, async () => {
      const server = await startFailing()
      const cwd = makeFolder({
        'cases.jsonl': CASES,
        'app.yao': {},
        'assistants/desk/package.yao': { name: 'Desk', connector: 'model' },
        'assistants/desk/prompts.yml': '- role: system\n  content: Be right.\n',
        'connectors/model.conn.yao': { type: 'openai', options: { host: server.url, model: 'm', key: 'k' } },
      })
      const { found, calls } = await run(cwd, target(server.url), flags, () => server.asked)
      for (const id of TRANSIENT) {
        expect([id, calls(id), found[id]]).toMatchObject([id, 2, { status: 'passed', api_retries: 1 }])
        expect(found[id]).not.toHaveProperty('attempts')
        expect(found[id]?.api_retry_log).toHaveLength(1)
      }
      expect([calls('plain'), found['plain']]).toMatchObject([1, { status: 'failed' }])
      expect(found['plain']).not.toHaveProperty('attempts')
      expect(found['plain']).not.toHaveProperty('api_retries')
      expect(found['429']?.api_retry_log).toMatchObject([{ status: 429, reason: expect.stringContaining('slow down') }])
      expectServersWord(found['429']?.api_retry_log?.[0]?.wait_ms)
    })
  }
}

test('what was tried again is shown with -v, and why', async () => {
  const cwd = makeFolder({ ...FILES, 'cases.jsonl': CASES.filter(({ id }) => id === '429') })
  const attempts = await viva(['test', '-i', 'cases.jsonl', '-n', './function.mjs#run', '--retries', '1', '-v'], {
    cwd,
  })
  expect(attempts.stdout + attempts.stderr).toMatch(/↻ attempt 1 failed, next one after 1(\.\d+)?s: .*slow down/)
  const { url } = await startFailing()
  const requests = await viva(['test', '-i', 'cases.jsonl', '-n', `${url}/agent`, '-v'], { cwd })
  expect(requests.stdout + requests.stderr).toMatch(/↻ request repeated after 1(\.\d+)?s: .*slow down/)
})

/** `Retry-After: 1`, and up to a fifth more. */
function expectServersWord(wait: number | undefined): void {
  expect(wait).toBeGreaterThanOrEqual(1000)
  expect(wait).toBeLessThanOrEqual(1200)
}

interface FailingServer {
  url: string
  asked: string[]
}

/** Fails the first time that it hears a text. Connections are never kept: a free retry would hide one that counts. */
async function startFailing(): Promise<FailingServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      response.setHeader('connection', 'close').setHeader('content-type', 'application/json')
      if (request.method === 'GET') return response.end(JSON.stringify(card(url)))
      const { id, text } = readCall(body)
      const isFirst = !asked.includes(text)
      asked.push(text)
      if (isFirst) return fail(text, id, request, response)
      const message = { role: 'assistant', content: 'right' }
      const result = { message: { messageId: 'm', contextId: 'c', role: 'ROLE_AGENT', parts: [{ text: 'right' }] } }
      const answer = id === undefined ? { content: 'right', choices: [{ message, finish_reason: 'stop' }] } : { result }
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked }
}

/** By HTTP where HTTP has a way of saying it, else in the answer. */
function fail(text: string, id: number | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (text === 'reset') return void request.socket.destroy()
  const { status, headers = {}, ...error } = FAILURES[text] as { status?: number; headers?: Record<string, string> }
  if (status !== undefined) response.writeHead(status, headers)
  const rpc = { jsonrpc: '2.0', id, error: { code: -32603, message: text, data: error } }
  response.end(JSON.stringify(id === undefined || status !== undefined ? { error } : rpc))
}

function readCall(body: string): { id?: number; text: string } {
  const { id, params, messages } = JSON.parse(body) as {
    id?: number
    params?: { message: { parts: [{ text: string }] } }
    messages?: Array<{ content: string }>
  }
  if (params && id !== undefined) return { id, text: params.message.parts[0].text }
  return { text: messages?.at(-1)?.content ?? '' }
}

function card(url: string): object {
  return {
    name: 'failing',
    description: 'Fails once',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
    version: '1',
    capabilities: { streaming: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [],
  }
}

test('--fail-on-flaky=transport counts calls that were repeated; --fail-on-flaky alone does not', async () => {
  const failed = new Set<string>()
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const key = `${request.url} ${body.includes('once') ? 'once' : 'well'}`
      const isFirst = key.endsWith('once') && !failed.has(key)
      failed.add(key)
      response.writeHead(isFirst ? 503 : 200, { 'content-type': 'application/json', 'retry-after': '0' })
      response.end(JSON.stringify({ output: 'right' }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cases = ['once', 'well'].map((input) => ({ id: input, input, assert: [{ type: 'contains', value: 'right' }] }))
  const dir = makeFolder({ 'cases.jsonl': cases })
  const run = (path: string, ...args: string[]) =>
    viva(['test', '-i', 'cases.jsonl', '-n', `${url}/${path}`, '-o', `${path}.jsonl`, ...args], { cwd: dir })
  expect((await run('a')).code).toBe(0)
  expect((await run('b', '--fail-on-flaky')).code).toBe(0)
  const counted = await run('c', '--fail-on-flaky=transport')
  expect([counted.code, counted.stdout]).toEqual([
    1,
    expect.stringContaining('1 case with retried HTTP calls (--fail-on-flaky=transport)'),
  ])
  expect(counted.stdout).toContain('Retried: 1 (once)')
  const repeated = await run('d', '--fail-on-flaky=transport', '--runs', '2')
  expect([repeated.code, repeated.stdout]).toEqual([1, expect.stringContaining('Retried: 1 (once)')])
  // It is what made the run red, so it is what --last-failed runs again.
  const again = await viva(['test', '-i', 'cases.jsonl', '-n', `${url}/c`, '--last-failed'], { cwd: dir })
  expect(again.stdout).toContain('[once]')
  expect(again.stdout).not.toContain('[well]')
  expect((await run('e', '--fail-on-flaky=http')).stderr).toContain('expected one of transport, found "http"')
})
