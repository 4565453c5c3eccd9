// Agents behind a URL that hang, drip, refuse, cut, flood: one result each, in time, and no more calls than promised.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { startModelServer, type Behaviour } from '../real/model/index.js'
import { makeFolder, viva } from '../support/run-cli.js'
import { startAgentServer, type AgentServer } from './agent-server.js'
import { AGENTS, checkRun, until } from './support.js'

interface Tried {
  server: AgentServer
  code: number | null
  result(text: string): ResultEvent
  peakMb: number
}

/** One case for each message, all at once. */
async function tryAll(cases: Array<Record<string, unknown> & { input: string }>, args: string[] = []): Promise<Tried> {
  const server = await startAgentServer()
  const dir = makeFolder({ 'cases.jsonl': cases.map((item, index) => ({ id: `${index} ${item.input}`, ...item })) })
  const all = ['test', '-i', 'cases.jsonl', '-n', server.url, '-o', 'o.jsonl', '--parallel', '200', ...args]
  const env = { NODE_OPTIONS: `--import=${AGENTS}peak-memory.mjs`, PEAK_FILE: join(dir, 'peak') }
  const { code, stderr } = await viva(all, { cwd: dir, env })
  expect(stderr).not.toContain('bug')
  const { results } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(results).toHaveLength(cases.length)
  const result = (text: string): ResultEvent => {
    const found = results.find((item) => item.input === text)
    if (!found) throw new Error(`no result for ${text}`)
    return found
  }
  return { server, code, result, peakMb: Number(readFileSync(join(dir, 'peak'), 'utf8')) }
}

test('never answers, or a byte at a time: the deadline is a deadline, and the connection is closed', async () => {
  const { server, code, result } = await tryAll([
    { input: 'hang', timeout: '1s' },
    { input: 'drip', timeout: '1s' },
    { input: 'hello', timeout: '720h' },
  ])
  expect(code).toBe(1)
  for (const text of ['hang', 'drip']) {
    expect(result(text)).toMatchObject({ status: 'failed', error: 'timeout after 1s', error_kind: 'timeout' })
    expect(server.of(text)).toHaveLength(1)
    await until(() => server.of(text)[0]?.closed === true, 'the server sees it')
  }
  expect(result('hello').status).toBe('passed')
})

test('what may be tried again is, as often and as late as the server says; the rest is not', async () => {
  const { server, result } = await tryAll([
    { input: '429:1', assert: { type: 'contains', value: 'at last' } },
    { input: '429-once:soon', assert: { type: 'contains', value: 'at last' } },
    { input: '500', assert: { type: 'contains', value: 'at last' } },
    { input: 'quota' },
    { input: 'status:400' },
    { input: 'status:401' },
    { input: 'status:404' },
  ])
  const gaps = (text: string) => {
    const times = server.of(text).map((entry) => entry.at)
    return times.slice(1).map((at, index) => at - (times[index] ?? 0))
  }
  for (const text of ['429:1', '500']) {
    expect(result(text)).toMatchObject({ status: 'passed', api_retries: 2 })
    expect(result(text)).not.toHaveProperty('flaky')
    expect(server.of(text)).toHaveLength(3)
  }
  for (const gap of gaps('429:1')) expect(gap).toBeGreaterThanOrEqual(990)
  // The waits are ours, not the agent's latency.
  expect(result('429:1').duration_ms).toBeLessThan(1990)
  // A wait that makes no sense is no reason to retry immediately.
  expect(result('429-once:soon')).toMatchObject({ status: 'passed', api_retries: 1 })
  for (const gap of gaps('429-once:soon')) expect(gap).toBeGreaterThanOrEqual(490)

  for (const [text, error] of [
    ['quota', /quota/],
    ['status:400', /HTTP 400/],
    ['status:401', /key was not accepted/],
    ['status:404', /not found/],
  ] as const) {
    expect(result(text)).toMatchObject({ status: 'failed', error_kind: 'agent', error: expect.stringMatching(error) })
    expect(result(text).error).toMatch(/^agent error: /)
    expect({ text, requests: server.of(text).length }).toEqual({ text, requests: 1 })
  }
})

test('a wait longer than the case may take: one request, and the reason', async () => {
  const { server, result } = await tryAll([{ input: '429:86400', timeout: '5s' }])
  expect(result('429:86400')).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/rate limited.*are left/),
  })
  expect(server.asked).toHaveLength(1)
})

test('answers that make no sense are asked for again twice, lost connections four times', async () => {
  const { server, result } = await tryAll([
    { input: 'cut' },
    { input: 'html' },
    { input: 'empty' },
    { input: 'reset', timeout: '4s' },
  ])
  for (const [text, error] of [
    ['cut', /middle of its answer/],
    ['html', /text\/html\) is not JSON: <html>/],
    ['empty', /is empty/],
  ] as const) {
    expect(result(text)).toMatchObject({ status: 'failed', error_kind: 'agent', error: expect.stringMatching(error) })
    expect({ text, requests: server.of(text).length }).toEqual({ text, requests: 3 })
  }
  expect(result('reset').status).toBe('failed')
  // Five tries, each once more at once where it went out on a connection kept from another case.
  expect(server.of('reset').length).toBeLessThanOrEqual(10)
})

test('an outage is not multiplied', async () => {
  const { server } = await tryAll(Array.from({ length: 60 }, (_, n) => ({ input: `status:503 ${n}`, timeout: '3s' })))
  expect(server.asked.length).toBeGreaterThanOrEqual(60)
  expect(server.asked.length).toBeLessThanOrEqual(60 * 1.2 + 10)
})

test('a hundred megabytes, eight at once: an error each, and little memory', async () => {
  const { result, peakMb } = await tryAll(Array.from({ length: 8 }, (_, n) => ({ input: `huge:${100 + n}` })))
  for (let n = 0; n < 8; n += 1)
    expect(result(`huge:${100 + n}`)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('larger than 16 MB'),
    })
  expect(peakMb).toBeLessThan(400)
})

test('bytes that are not text, and text in pieces of a byte', async () => {
  const { code, result } = await tryAll([{ input: 'garbage' }, { input: 'split', expected: 'hello é👍' }])
  expect(code).toBe(0)
  expect(result('garbage')).toMatchObject({ output_encoding: 'base64', output: '//4AIMCv' })
  expect(result('split').output).toBe('hello é👍')
})

test('nothing is listening: the error says where', async () => {
  const dir = makeFolder()
  const { code, stderr, stdout } = await viva(
    ['test', '-i', 'hi', '-n', 'http://127.0.0.1:1/agent', '--timeout', '2s'],
    {
      cwd: dir,
    },
  )
  expect(code).toBe(1)
  expect(stdout + stderr).toMatch(/127\.0\.0\.1:1/)
})

test('a model that answers oddly: nothing said, cut short, arguments that are not JSON, counts below zero', async () => {
  const message = (fields: object) => ({ choices: [{ index: 0, message: { role: 'assistant', ...fields } }] })
  const raw = (body: object, status = 200): Behaviour => ({
    kind: 'raw',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{bad' } }
  const server = await startModelServer(
    raw(message({ content: null })),
    raw({ choices: [{ message: { content: 'partial' }, finish_reason: 'length' }] }),
    raw(message({ content: null, tool_calls: [call] })),
    raw({ ...message({ content: 'x' }), usage: { prompt_tokens: -5, completion_tokens: null } }),
    raw({ error: { type: 'overloaded_error', message: 'Overloaded' } }, 529),
    raw(message({ content: 'after all' })),
    raw({ error: { type: 'insufficient_quota', message: 'no credit' } }),
  )
  onTestFinished(() => server.close())
  const dir = makeFolder({
    'cases.jsonl': ['silent', 'cut', 'call', 'count', 'overloaded', 'broke'].map((id) => ({ id, input: id })),
  })
  const { code } = await viva(['test', '-i', 'cases.jsonl', '-n', `${server.url}/v1`, '-o', 'o.jsonl'], { cwd: dir })
  expect(code).toBe(1)
  const { results, summary } = checkRun(join(dir, 'o.jsonl'), { complete: true })
  expect(Object.fromEntries(results.map((result) => [result.id, result]))).toMatchObject({
    silent: { status: 'failed', error: expect.stringContaining('the agent gave no answer') },
    cut: { status: 'passed', finish_reason: 'length', output: 'partial' },
    call: { tool_calls: [{ name: 'f', args: '{bad' }] },
    count: { status: 'passed', output: 'x' },
    overloaded: { status: 'passed', output: 'after all', api_retries: 1 },
    broke: { status: 'failed', error: expect.stringContaining('quota') },
  })
  expect(server.requests).toHaveLength(7)
  expect(summary?.cost_dollars ?? 0).toBeGreaterThanOrEqual(0)
})

test('user and password in the target are a header, and in no body, file or output', async () => {
  const server = await startModelServer({ kind: 'raw', status: 200, headers: {}, body: '{"content":"hello"}' })
  onTestFinished(() => server.close())
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'hello' } }] })
  const target = `${server.url.replace('://', '://ann:s3cret@')}/agent`
  const args = ['test', '-i', 'cases.jsonl', '-n', target, '-o', 'o.jsonl', '-o', 'o.html', '--verbose']
  const { code, stdout, stderr } = await viva(args, { cwd: dir })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  const token = Buffer.from('ann:s3cret').toString('base64')
  expect(server.requests.map((request) => request.headers['authorization'])).toEqual([`Basic ${token}`])
  const shown = [stdout, stderr, JSON.stringify(server.requests[0]?.body)]
  for (const file of ['o.jsonl', 'o.html']) shown.push(readFileSync(join(dir, file), 'utf8'))
  for (const text of shown) for (const secret of ['s3cret', token]) expect(text).not.toContain(secret)
  expect(shown[2]).toContain(`"assistant_id":"${server.url}/agent"`)
})
