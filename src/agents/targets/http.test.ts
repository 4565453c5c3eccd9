// Agents behind a URL, against a real server on the loopback interface.
import { readFileSync } from 'node:fs'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { http } from '../../../test/support/http.js'
import { agentRequest, failure } from '../../../test/support/agent-request.js'
import { badInputs } from '../../../test/support/bad-inputs.js'
import { say, startModelServer, type Behaviour, type ModelServer } from '../../../test/real/model/index.js'
import type { AgentRequest } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { createHttpAgent } from './http.js'

let server: ModelServer
beforeEach(async () => {
  server = await startModelServer(say('hello'))
})
afterEach(() => server.close())

const options = { http, retry_base_ms: 0.01, env: { KEY: 'sk-test-12345678' } }
const chat = (entry: Partial<AgentEntry> = {}) => createHttpAgent({ target: `${server.url}/v1`, ...entry }, options)
const plain = (entry: Partial<AgentEntry> = {}) => createHttpAgent({ target: `${server.url}/agent`, ...entry }, options)
const ask = (over: Partial<AgentRequest> = {}, entry: Partial<AgentEntry> = {}) =>
  chat(entry).send(agentRequest('hi', over))
const raw = (body: string, type = 'application/json', status = 200, headers = {}): Behaviour => ({
  kind: 'raw',
  status,
  headers: { 'content-type': type, ...headers },
  body,
})

const streamed = (...events: string[]): Behaviour => raw(`${events.join('\n\n')}\n\n`, 'text/event-stream')
const said = (content: string, over = {}): string =>
  `data: ${JSON.stringify({ content, choices: [{ delta: { content }, finish_reason: 'stop' }], ...over })}`

test('chat completions: request and answer', async () => {
  const reply = await ask({ options: { temperature: 0, connector: 'x', metadata: { a: 1 } } }, { model: 'm' })
  expect(reply).toEqual({
    content: 'hello',
    tool_calls: [],
    finish_reason: 'stop',
    refusal: false,
    tool_evidence: 'unknown',
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  })
  expect(server.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    body: { model: 'm', temperature: 0, messages: [{ role: 'user', content: 'hi' }] },
  })
  expect(server.requests[0]?.body).not.toHaveProperty('connector')
})

test('earlier tool calls go back in the wire spelling', async () => {
  await chat().send(
    agentRequest('', {
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', args: { a: 1 } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
    }),
  )
  expect(server.requests[0]?.body.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'done' },
  ])
})

test('streaming: pieces, fragments of tool calls, usage, time of the first chunk', async () => {
  server.behave({ ...say('one ', 'two'), calls: [{ id: 'c1', name: 'f', args: '{"a": [1, 2]}' }] })
  const pieces: string[] = []
  const reply = await ask({ onChunk: (text) => pieces.push(text) }, { stream: true })
  expect(reply).toMatchObject({
    content: 'one two',
    tool_calls: [{ id: 'c1', name: 'f', args: { a: [1, 2] } }],
    finish_reason: 'tool_calls',
    usage: { total_tokens: 15 },
  })
  expect(reply.first_chunk_ms).toBeGreaterThan(0)
  expect(pieces).toEqual(['one ', 'two'])
})

test('of several choices the first is the answer, streamed or not', async () => {
  const piece = (index: number, content: string) =>
    `data: {"choices": [{"index": ${index}, "delta": {"content": "${content}"}}]}`
  server.behave(streamed(piece(0, 'Par'), piece(1, 'London'), piece(0, 'is'), 'data: [DONE]'))
  expect(await ask({}, { stream: true })).toMatchObject({ content: 'Paris' })
})

test('a refusal in a part beside words is a refusal', async () => {
  const content = [
    { type: 'text', text: 'Well' },
    { type: 'refusal', refusal: 'I cannot help with that.' },
  ]
  server.behave(raw(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] })))
  expect(await ask()).toMatchObject({ content: 'Well', finish_reason: 'refusal' })
})

test('a character split over chunks arrives whole', async () => {
  server.behave({ kind: 'split', text: 'hello é👍' })
  expect(await ask({}, { stream: true })).toMatchObject({ content: 'hello é👍' })
})

test('a known vendor gets its usual key at its own host, and nobody else does', async () => {
  const asked: Record<string, string | undefined> = {}
  const recording = {
    ...http,
    send: ({ url, headers }: Parameters<typeof http.send>[0]) => {
      asked[url.origin] = headers['authorization']
      return Promise.reject(new Error('not sent'))
    },
  }
  const env = { OPENAI_API_KEY: 'of-openai', GROQ_API_KEY: ' of-groq\n', ANTHROPIC_API_KEY: 'of-anthropic' }
  const expected = {
    'https://api.openai.com': 'Bearer of-openai',
    'https://api.groq.com': 'Bearer of-groq',
    'http://api.openai.com': undefined,
    'https://api.openai.com:8443': undefined,
    'https://api.openai.com.example.com': undefined,
    'https://openrouter.ai': undefined,
  }
  for (const origin of Object.keys(expected)) {
    const agent = createHttpAgent(`${origin}/v1`, { http: recording, env, retry_base_ms: 0.01 })
    await agent.send(agentRequest('x')).catch(() => undefined)
  }
  expect(asked).toEqual(expected)
})

test('headers hold variables; a missing one is named; the key is in no message', async () => {
  await ask({}, { headers: { Authorization: 'Bearer $ENV.KEY' } })
  expect(server.requests[0]?.headers['authorization']).toBe('Bearer sk-test-12345678')
  expect(() => chat({ headers: { Authorization: 'Bearer $ENV.NOPE' } })).toThrow(/NOPE is not set/)
  server.behave({ kind: 'error', status: 401, type: 'x', message: 'bad key sk-test-12345678' })
  const error = await failure(ask({}, { headers: { Authorization: 'Bearer $ENV.KEY' } }))
  expect(error).toMatchObject({ code: 'auth', message: expect.stringContaining('bad key [API_KEY]') })
})

test('waits as long as it is told after 429, and the record is kept', async () => {
  const limited: Behaviour = {
    kind: 'error',
    status: 429,
    type: 'rate_limit_error',
    message: 'slow down',
    headers: { 'retry-after-ms': '30' },
  }
  server.behave(limited, limited, say('ok'))
  const reply = await ask()
  expect(reply.content).toBe('ok')
  expect(reply.api_retries).toMatchObject([{ status: 429 }, { status: 429 }])
  const [first, second] = server.requests
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(29)
})

test('gives up immediately when the wait would outlast the case', async () => {
  server.behave({ kind: 'error', status: 429, type: 'x', message: 'later', headers: { 'retry-after': '86400' } })
  const error = await failure(ask({ deadline: { left: () => 5000 } }))
  expect(error).toMatchObject({ code: 'rate_limit', message: expect.stringContaining('gave up') })
  expect(server.requests).toHaveLength(1)
})

test('connections reset before an answer are tried again, and then named', async () => {
  server.behave({ kind: 'reset' }, say('ok'))
  expect((await ask()).content).toBe('ok')
  server.behave({ kind: 'reset' })
  expect(await failure(ask())).toMatchObject({ code: 'connection', message: expect.stringContaining('reset') })
  // Besides the four retries, the first try was repeated immediately: it hit a kept connection.
  expect(server.requests).toHaveLength(2 + 5 + 1)
})

test('a refused connection says what to do', async () => {
  const agent = createHttpAgent('http://127.0.0.1:1/v1', options)
  expect(await failure(agent.send(agentRequest('x')))).toMatchObject({
    code: 'connection',
    message: 'cannot reach http://127.0.0.1:1: connection refused',
    hint: expect.stringContaining('start the server'),
  })
})

for (const status of [400, 401, 403, 404, 413, 422]) {
  test(`HTTP ${status} is asked once`, async () => {
    server.behave({ kind: 'error', status, type: 'x', message: 'no' })
    expect(await failure(ask())).toMatchObject({ status })
    expect(server.requests).toHaveLength(1)
  })
}

test('never answers, or drips: the deadline ends it and the socket is closed', async () => {
  for (const kind of ['hang', 'drip'] as const) {
    for (const stream of [false, true]) {
      server.requests.length = 0
      server.behave({ kind })
      const controller = new AbortController()
      const pending = failure(ask({ signal: controller.signal }, { stream }))
      await server.until(() => server.requests.length === 1)
      controller.abort(new Error('timeout after 2s'))
      expect(await pending).toMatchObject({ code: 'timeout', message: 'timeout after 2s' })
      await server.until(() => server.requests[0]?.aborted === true)
    }
  }
})

test('a stream that is cut off keeps what had come', async () => {
  server.behave({ kind: 'cut' })
  expect(await failure(ask({}, { stream: true }))).toMatchObject({ code: 'cut_off' })
  expect(server.requests).toHaveLength(3)
})

test('an answer without end is stopped', async () => {
  server.behave({ kind: 'huge', megabytes: 100 })
  expect(await failure(ask())).toMatchObject({ code: 'too_large' })
  expect(server.requests).toHaveLength(1)
})

test('HTML, nothing and garbage are bad answers with status and type', async () => {
  const checks: Array<[Behaviour, RegExp]> = [
    [raw('<html>hi</html>', 'text/html'), /HTTP 200, text\/html, but not JSON: <html>/],
    [raw(''), /the answer is empty/],
    [raw('{"a":1}'), /no choices\[0\]\.message/],
    [raw('[]'), /no choices/],
    [{ kind: 'raw', status: 200, headers: {}, body: Uint8Array.of(0xff, 0xfe) }, /not valid UTF-8/],
  ]
  for (const [behaviour, message] of checks) {
    server.behave(behaviour)
    expect(await failure(ask())).toMatchObject({ code: 'bad_response', message: expect.stringMatching(message) })
  }
})

test('legal but odd answers', async () => {
  server.behave(raw('{"choices":[{"message":{"content":null},"finish_reason":"stop"}]}'))
  expect(await ask()).toMatchObject({ content: '', tool_calls: [] })
  server.behave(raw('{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":-5,"completion_tokens":null}}'))
  expect(await ask()).toEqual({ content: 'x', tool_calls: [], tool_evidence: 'unknown', refusal: false })
  server.behave(raw('{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}'))
  expect(await ask()).toMatchObject({ content: 'ab' })
})

test('an event that is not JSON is named by its number', async () => {
  server.behave(
    raw('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: {oops\n\ndata: [DONE]\n\n', 'text/event-stream'),
  )
  expect(await failure(ask())).toMatchObject({
    code: 'bad_response',
    message: expect.stringContaining('event 2'),
    partial: { content: 'a' },
  })
})

test('a redirect names where it leads', async () => {
  server.behave(raw('', 'text/plain', 308, { location: 'https://elsewhere.example/v1' }))
  expect(await failure(ask())).toMatchObject({
    hint: expect.stringContaining('use https://elsewhere.example/v1 as the URL'),
  })
})

for (const [kind, agent] of [
  ['chat completions', () => chat()],
  ['any JSON endpoint', () => plain()],
] as const) {
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    test(`${kind}: ${status} is not an answer, whatever its body, and is neither followed nor repeated`, async () => {
      const body = JSON.stringify({ content: 'x', choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] })
      server.behave(raw(status === 304 ? '' : body, 'application/json', status, { location: `${server.url}/else` }))
      const error = await failure(agent().send(agentRequest('hi')))
      expect(error).toMatchObject({ name: 'AgentError', code: 'bad_response', status, transient: false })
      expect(server.requests).toHaveLength(1)
    })
  }

  test(`${kind}: a stream without end stops at the limit`, async () => {
    const text = 'x'.repeat(1024 * 1024)
    const event = `data: ${JSON.stringify({ content: text, choices: [{ delta: { content: text } }] })}`
    server.behave(streamed(...Array.from({ length: 17 }, () => event), 'data: [DONE]'))
    const error = await failure(agent().send(agentRequest('hi')))
    expect(error).toMatchObject({ code: 'too_large', message: expect.stringContaining('16 MB'), transient: false })
    expect(server.requests).toHaveLength(1)
    server.behave(streamed(...Array.from({ length: 7 }, () => event), said('end'), 'data: [DONE]'))
    expect((await agent().send(agentRequest('hi'))).content).toHaveLength(7 * 1024 * 1024 + 3)
  })
}

test('any JSON endpoint: a bare error is left to the case, unless it says what went wrong', async () => {
  server.behave(raw('{"error":"missing_query"}'))
  const reply = await plain().send(agentRequest('hi'))
  expect(reply).toMatchObject({ content: { error: 'missing_query' }, error: 'missing_query' })
  server.behave(raw('{"error":{"type":"invalid_request_error","message":"no"}}'))
  expect(await failure(plain().send(agentRequest('hi')))).toMatchObject({ code: 'bad_request' })
})

test('any JSON endpoint: the three fields go out, the reply comes in', async () => {
  server.behave(raw('{"content":"x","tool_calls":[{"name":"f","arguments":{"a":1}}]}'))
  const reply = await plain().send(agentRequest('hi', { options: { mode: 'm' } }))
  expect(reply).toMatchObject({ content: 'x', tool_calls: [{ name: 'f', args: { a: 1 } }] })
  expect(server.requests[0]).toMatchObject({
    path: '/agent',
    body: { messages: [{ content: 'hi' }], context: { locale: 'en-us' }, options: { mode: 'm' } },
  })
})

test('any JSON endpoint: paths say where things are', async () => {
  server.behave(
    raw('{"data":{"out":["a"],"calls":[{"name":"f","input":{}}],"tokens":{"input_tokens":1,"output_tokens":2}}}'),
  )
  const paths = { response_path: '$.data.out[0]', tool_calls_path: '$.data.calls', usage_path: 'data.tokens' }
  expect(await plain(paths).send(agentRequest('hi'))).toMatchObject({
    content: 'a',
    tool_calls: [{ name: 'f' }],
    usage: { total_tokens: 3 },
  })
  server.behave(raw('{"other":1}'))
  expect(await failure(plain({ response_path: '$.data' }).send(agentRequest('hi')))).toMatchObject({
    code: 'bad_response',
    message: expect.stringContaining('nothing at response_path'),
  })
  expect(() => plain({ response_path: '$.[' })).toThrow(/response_path of the agent .* is not a JSONPath/)
})

test.each([
  ['$.tool_cals', '{"content":"a","tool_calls":[]}', '$ has "tool_calls" instead of "tool_cals"'],
  ['$.toolCalls', '{"content":"a","tool_calls":[{"name":"f","args":{}}]}', '$ has "tool_calls" instead of "toolCalls"'],
  ['$.dta.calls', '{"content":"a","data":{"calls":[]}}', '$ has "data" instead of "dta"'],
  ['$.result.calls', '{"content":"a","data":{"calls":[]}}', 'there is no "result" in $'],
  ['$.data[0].calls', '{"content":"a","data":{"calls":[]}}', 'there is no "0" in $.data'],
  ['$.actions', '{"content":"a","tool_calls":[]}', 'it has tool_calls elsewhere'],
  ['$..actions[*]', '{"content":"a","tool_calls":[]}', 'it has tool_calls elsewhere'],
])('any JSON endpoint: tool_calls_path %s is misspelt where the answer is %s', async (path, body, why) => {
  server.behave(raw(body))
  expect(await failure(plain({ tool_calls_path: path }).send(agentRequest('hi')))).toMatchObject({
    code: 'bad_response',
    message: expect.stringContaining(`has nothing at tool_calls_path ${path}: ${why}`),
  })
})

test.each([
  ['$.calls', '{"content":"a"}'],
  ['$.calls', '{"content":"a","calls":null}'],
  ['$.choices[0].message.tool_calls', '{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}'],
  ['$.data.calls', '{"error":"missing_query"}'],
])('any JSON endpoint: nothing at tool_calls_path %s of %s leaves it unknown', async (path, body) => {
  server.behave(raw(body))
  expect(await plain({ tool_calls_path: path }).send(agentRequest('hi'))).toMatchObject({ tool_evidence: 'unknown' })
})

test('any JSON endpoint: text, bytes, events and errors', async () => {
  server.behave(raw('plain words', 'text/plain'))
  expect(await plain().send(agentRequest('hi'))).toMatchObject({ content: 'plain words' })
  server.behave({ kind: 'raw', status: 200, headers: {}, body: Uint8Array.of(0xff, 0xfe) })
  expect(await plain().send(agentRequest('hi'))).toMatchObject({ output_encoding: 'base64', content: '//4=' })
  server.behave(raw('data: {"content":"a"}\n\ndata: b\n\ndata: [DONE]\n\n', 'text/event-stream'))
  expect(await plain().send(agentRequest('hi'))).toMatchObject({ content: 'ab' })
  server.behave(raw('<html>', 'text/html'))
  expect(await failure(plain().send(agentRequest('hi')))).toMatchObject({ code: 'bad_response' })
  server.behave(raw('{"error":{"type":"overloaded_error","message":"Overloaded"}}'))
  expect(await failure(plain().send(agentRequest('hi')))).toMatchObject({ code: 'overloaded' })
})

for (const [kind, agent] of [
  ['chat completions', () => chat()],
  ['any JSON endpoint', () => plain()],
] as const) {
  test(`${kind}: a compressed answer is read, whole or streamed`, async () => {
    const whole = '{"content":"hello","choices":[{"message":{"content":"hello"}}]}'
    const streamed = 'data: {"content":"hello","choices":[{"delta":{"content":"hello"},"finish_reason":"stop"}]}\n\n'
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      for (const [type, text] of [
        ['application/json', whole],
        ['text/event-stream', streamed],
      ] as const) {
        const headers = { 'content-type': type, 'content-encoding': encoding }
        server.behave({ kind: 'raw', status: 200, headers, body: compress(text) })
        expect(await agent().send(agentRequest('hi'))).toMatchObject({ content: 'hello' })
      }
    }
  })

  test(`${kind}: an encoding that was not asked for is an error of the agent, and asked for once`, async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      const headers = { 'content-type': type, 'content-encoding': 'compress' }
      server.behave({ kind: 'raw', status: 200, headers, body: gzipSync('{"content":"hello"}') })
      const before = server.requests.length
      expect(await failure(agent().send(agentRequest('hi')))).toMatchObject({
        code: 'bad_response',
        message: expect.stringMatching(/has an encoding that was not asked for \(content-encoding: compress\)$/),
      })
      expect(server.requests.length - before).toBe(1)
    }
  })

  test(`${kind}: a compressed error is read, one in another encoding keeps its status and is not shown`, async () => {
    for (const [encoding, shown] of [
      ['gzip', 'no: it is closed'],
      ['compress', ''],
    ] as const) {
      const headers = { 'content-encoding': encoding, 'content-type': 'application/json' }
      server.behave({ kind: 'raw', status: 400, headers, body: gzipSync('{"error":"no: it is closed"}') })
      const error = await failure(agent().send(agentRequest('hi')))
      expect(error).toMatchObject({ status: 400, message: expect.not.stringContaining('H4sI') })
      expect(error).toMatchObject({ message: expect.stringContaining(shown) })
    }
  })

  test(`${kind}: a byte order mark before the JSON, and identity as an encoding`, async () => {
    const body = '\ufeff{"content":"hello","choices":[{"message":{"content":"hello"}}]}'
    server.behave(raw(body, 'application/json', 200, { 'content-encoding': 'identity' }))
    expect(await agent().send(agentRequest('hi'))).toMatchObject({ content: 'hello' })
  })
}

test('as many connections as calls', async () => {
  server.behave({ kind: 'hang' })
  const agent = chat()
  const controllers = Array.from({ length: 200 }, () => new AbortController())
  const calls = controllers.map(({ signal }) => failure(agent.send(agentRequest('x', { signal }))))
  await server.until(() => server.requests.length === 200)
  expect(server.peak).toBe(200)
  for (const controller of controllers) controller.abort()
  await Promise.all(calls)
})

test('user and password in the URL are sent as a header and shown nowhere', async () => {
  const target = `${server.url.replace('://', '://ann:p%40ss-word@')}/agent`
  const basic = `Basic ${Buffer.from('ann:p@ss-word').toString('base64')}`
  const agent = createHttpAgent(target, options)
  expect(agent.id).toBe(`${server.url}/agent`)
  server.behave(raw('{"content":"x"}'))
  await agent.send(agentRequest('hi'))
  expect(server.requests[0]?.headers['authorization']).toBe(basic)
  server.behave(raw(`{"error":"who is ann:p@ss-word, ${basic}?"}`, 'application/json', 401))
  const error = await failure(agent.send(agentRequest('hi')))
  expect(error).toMatchObject({ code: 'auth', message: expect.stringContaining('who is [API_KEY]') })
  expect(String(error)).not.toContain(basic.slice('Basic '.length))

  server.behave(say('hello'))
  const other = { target: target.replace('/agent', '/v1'), headers: { Authorization: 'Bearer $ENV.KEY' } }
  await createHttpAgent(other, options).send(agentRequest('hi'))
  expect(server.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${options.env.KEY}`)
  expect(() => createHttpAgent('http://ann:hunter2@', options)).toThrow('"http://[SECRET]@" is not a URL')
})

test('a target that is not a URL', () => {
  expect(() => createHttpAgent('http:/', options)).toThrow(/is not a URL/)
  expect(() => createHttpAgent('ftp://x/v1', options)).toThrow(/is not a URL/)
})

test('each bad answer is met as its index says', async () => {
  const entries = badInputs('responses')
  const outcomes: Record<string, unknown> = {}
  for (const entry of entries) {
    server.requests.length = 0
    const type = entry.file.endsWith('.txt') ? 'text/event-stream' : 'application/json'
    const headers = entry.headers && { 'retry-after-ms': '1' }
    const answer = raw(readFileSync(entry.path, 'utf8'), type, entry.status, headers)
    if (entry.status !== 200 && entry.expect === 'accept') server.behave(answer, answer, say('good'))
    else server.behave(answer)
    outcomes[entry.file.slice('responses/'.length)] = await ask().catch((error: unknown) => error)
    outcomes[`${entry.file.slice('responses/'.length)} requests`] = server.requests.length
  }
  expect(entries.length).toBeGreaterThan(8)
  expect(outcomes).toMatchObject({
    'error-object-200.json': { name: 'AgentError', code: 'overloaded' },
    'null-content-no-tools.json': { content: '', tool_calls: [] },
    'finish-length.json': { content: 'partial', finish_reason: 'length' },
    'tool-args-not-json.json': { tool_calls: [{ name: 'f', args: '{bad', args_error: expect.any(String) }] },
    'usage-negative.json': { content: 'x' },
    'sse-bad-json.txt': { code: 'bad_response', message: expect.stringContaining('event 2') },
    'sse-error-midway.txt': { code: 'overloaded' },
    '429-quota.json': { code: 'quota' },
    '429-quota.json requests': 1,
    '429-rate.json': { content: 'good', api_retries: [{ status: 429 }, { status: 429 }] },
    '529-overloaded.json': { content: 'good', api_retries: [{ status: 529 }, { status: 529 }] },
  })
  expect(outcomes['usage-negative.json']).not.toHaveProperty('usage')
})

for (const [kind, agent] of [
  ['chat completions', () => chat()],
  ['any JSON endpoint', () => plain()],
] as const) {
  for (const [name, event, code] of [
    ['event: error', 'event: error\ndata: {"type":"overloaded_error","message":"Overloaded"}', 'overloaded'],
    ['event: error with an error inside', 'event: error\ndata: {"error":{"message":"it broke"}}', 'server'],
    ['event: error with words', 'event: error\ndata: it broke', 'server'],
    ['event: error with nothing', 'event: error', 'server'],
    ['event: error with null', 'event: error\ndata: null', 'server'],
    ['an error object', 'data: {"error":{"type":"rate_limit_error","message":"slow down"}}', 'rate_limit'],
    ['an error text', 'data: {"error":"it broke"}', 'server'],
    ['an error that is only true', 'data: {"error":true}', 'server'],
    ['an error beside content', said('more', { error: { message: 'it broke' } }), 'server'],
  ] as const) {
    test(`${kind}: ${name} after a complete answer is an error, with what had come`, async () => {
      server.behave(streamed(said('all of it'), event, 'data: [DONE]'))
      const signal = AbortSignal.timeout(20_000)
      expect(await failure(agent().send(agentRequest('hi', { signal })))).toMatchObject({
        name: 'AgentError',
        code,
        partial: { content: 'all of it' },
      })
    })
  }

  test(`${kind}: no error is said in many ways, and a tool that failed is not the stream's error`, async () => {
    server.behave(
      streamed(
        said('a', { error: null }),
        said('b', { error: '' }),
        said('c', { error: false }),
        said('d', { error: {} }),
        'data: {"type":"tool-error","error":"not found"}',
        'event: ping\ndata: {}',
        'data: [DONE]',
      ),
    )
    expect(await agent().send(agentRequest('hi'))).toMatchObject({ content: 'abcd' })
  })

  test(`${kind}: an error beside a whole answer is an error`, async () => {
    const answer = { content: 'x', choices: [{ message: { content: 'x' } }] }
    for (const error of ['it broke', { message: 'it broke' }, { code: 'E1' }, 1, ['it broke']]) {
      server.behave(raw(JSON.stringify({ ...answer, error })))
      expect(await failure(agent().send(agentRequest('hi')))).toMatchObject({ code: 'server' })
    }
    for (const error of [null, '', false, {}, []]) {
      server.behave(raw(JSON.stringify({ ...answer, error })))
      expect(await agent().send(agentRequest('hi'))).toMatchObject({ content: 'x' })
    }
  })
}
