import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { completionRequest } from '../../test/support/completion-request.js'
import { http } from '../../test/support/http.js'
import { failure } from '../../test/support/agent-request.js'
import { say, startModelServer } from '../../test/real/model/index.js'
import { UserError } from '../errors.js'
import { findConnectorKeys } from './keys.js'
import { openConnectors, type ConnectorsInit } from './registry.js'

let appRoot = ''
beforeEach(() => {
  appRoot = mkdtempSync(join(tmpdir(), 'viva-connectors-'))
})
afterEach(() => rmSync(appRoot, { recursive: true }))

function write(file: string, content: unknown) {
  mkdirSync(dirname(join(appRoot, file)), { recursive: true })
  writeFileSync(join(appRoot, file), typeof content === 'string' ? content : JSON.stringify(content))
}

const open = (over: Partial<ConnectorsInit> = {}) => openConnectors({ appRoot, env: {}, http, ...over })

test('files are found by id, whatever their depth and dots', () => {
  for (const file of ['openai/gpt-4.1.conn.yao', 'a/b/c.conn.json', 'top.conn.jsonc', 'notes.md'])
    write(`connectors/${file}`, '{}')
  expect(open().ids().toSorted()).toEqual(['a.b.c', 'openai.gpt-4.1', 'top'])
})

test('an unknown id lists what there is, and the near miss', async () => {
  write('connectors/openai/gpt-4o.conn.yao', { type: 'echo' })
  expect(await failure(open().get('openai.gpt4o'))).toMatchObject({
    code: 'UNKNOWN_CONNECTOR',
    hint: 'did you mean "openai.gpt-4o"? there are: openai.gpt-4o; "mock", "echo" and models by their vendor, such as openai:MODEL, need no file',
  })
})

test('an id never becomes a path', async () => {
  write('secret.conn.yao', { type: 'echo' })
  write('connectors/x.conn.yao', { type: 'echo' })
  for (const id of [
    '../secret',
    '..secret',
    '/etc/passwd',
    '../../etc/passwd',
    '',
    'x/../x',
    '__proto__',
    'constructor',
  ]) {
    expect(await failure(open().get(id))).toMatchObject({ code: 'UNKNOWN_CONNECTOR' })
  }
})

test('a missing variable is named with its file, and never becomes an empty key', async () => {
  write('connectors/a.conn.yao', { type: 'openai', options: { model: 'm', key: '$ENV.A_KEY' } })
  const error = await failure(open().get('a'))
  expect(error).toBeInstanceOf(UserError)
  expect(error).toMatchObject({
    code: 'MISSING_VARIABLE',
    message: 'the environment variable A_KEY is not set; connectors/a.conn.yao needs it',
  })
  expect(await failure(open({ env: { A_KEY: ' ' } }).get('a'))).toMatchObject({
    message: expect.stringContaining('is empty'),
  })
})

test('every mistake of a file is named', async () => {
  write('connectors/a.conn.yao', {
    type: 'opnai',
    option: {},
    price: { input: -1 },
    limits: { concurrency: 0, per_hour: 1 },
  })
  const error = (await failure(open().get('a'))) as UserError
  expect(error.problems).toMatchObject([
    { field: 'type', suggestion: 'openai' },
    { field: 'option', suggestion: 'options' },
    { field: 'price' },
    { field: 'limits.per_hour' },
    { field: 'limits.concurrency' },
  ])
})

test('a file that is not JSON is reported with line and column', async () => {
  write('connectors/a.conn.yao', '{\n  "type": oops\n}')
  expect(await failure(open().get('a'))).toMatchObject({
    code: 'BAD_CONNECTOR',
    problems: [{ file: 'connectors/a.conn.yao', line: 2, column: 11 }, {}],
  })
  write('connectors/b.conn.yao', '')
  expect(await failure(open().get('b'))).toMatchObject({ problems: [{ message: 'the file is empty' }] })
})

test('what a type needs is asked for when it is opened', async () => {
  write('connectors/o.conn.yao', { type: 'openai', options: { model: 'm' } })
  write('connectors/a.conn.yao', { type: 'anthropic', options: { key: 'k' } })
  write('connectors/g.conn.yao', { type: 'google', options: { model: 'm' } })
  write('connectors/s.conn.yao', { type: 'ai-sdk', options: { model: 'm' } })
  write('connectors/p.conn.yao', { type: 'ai-sdk', options: { model: 'm', package: 'no-such-package' } })
  write('connectors/h.conn.yao', { type: 'openai', options: { host: 'api.example.com' } })
  const codes: unknown[] = []
  for (const id of ['o', 'a', 'g', 's', 'p', 'h']) codes.push(((await failure(open().get(id))) as UserError).code)
  expect(codes).toEqual([
    'MISSING_KEY',
    'MISSING_MODEL',
    'MISSING_KEY',
    'MISSING_PACKAGE',
    'PACKAGE_NOT_FOUND',
    'BAD_HOST',
  ])
})

test('prices come from the file, else from the configuration by id or model; an unknown price is an unknown cost', async () => {
  const server = await startModelServer(say('x'))
  try {
    const options = { model: 'm', host: server.url }
    write('connectors/own.conn.yao', { type: 'openai', options, price: { input: 1, output: 1 } })
    write('connectors/id.conn.yao', { type: 'openai', options: { host: server.url } })
    write('connectors/model.conn.yao', { type: 'openai', options })
    const prices = { id: { input: 2, output: 2 }, m: { input: 3, output: 3 } }
    const cost = async (id: string, config = {}) =>
      (await (await open({ config }).get(id)).complete(completionRequest())).cost_dollars
    expect(await cost('own', { prices })).toBeCloseTo(0.000015)
    expect(await cost('id', { prices })).toBeCloseTo(0.00003)
    expect(await cost('model', { prices })).toBeCloseTo(0.000045)
    expect(await cost('model')).toBeUndefined()
  } finally {
    await server.close()
  }
})

test('user and password in a host are a header, which a key replaces, and secrets', async () => {
  const server = await startModelServer(say('x'))
  try {
    const host = server.url.replace('://', '://ann:pass-word-1@')
    write('connectors/user.conn.yao', { type: 'openai', options: { model: 'm', host } })
    write('connectors/both.conn.yao', { type: 'openai', options: { model: 'm', host, key: 'k-12345678' } })
    for (const id of ['user', 'both']) await (await open().get(id)).complete(completionRequest())
    const token = Buffer.from('ann:pass-word-1').toString('base64')
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([
      `Basic ${token}`,
      'Bearer k-12345678',
    ])
    expect(findConnectorKeys(appRoot, {})).toEqual(expect.arrayContaining(['ann:pass-word-1', 'pass-word-1', token]))
  } finally {
    await server.close()
  }
})

test('no more calls at once than the file allows', async () => {
  const server = await startModelServer(say('x'))
  try {
    write('connectors/a.conn.yao', { type: 'openai', options: { host: server.url }, limits: { concurrency: 3 } })
    const connector = await open().get('a')
    await Promise.all(Array.from({ length: 20 }, () => connector.complete(completionRequest())))
    expect(server.requests).toHaveLength(20)
    expect(server.peak).toBeLessThanOrEqual(3)
  } finally {
    await server.close()
  }
})

test('echo needs no file', async () => {
  const completion = await (await open().get('echo')).complete(completionRequest())
  expect(completion).toEqual({ content: 'hi', tool_calls: [], finish_reason: 'stop' })
})

test('mock answers from the folder of the agent', async () => {
  write('assistants/a/mock.yml', '- output: from a\n')
  write('assistants/b/mock.json', '[{"output": "from b"}]')
  const connectors = open()
  for (const name of ['a', 'b']) {
    const connector = await connectors.get('mock', { agentDir: join(appRoot, 'assistants', name) })
    expect(await connector.complete(completionRequest())).toMatchObject({ content: `from ${name}` })
  }
  expect(await failure(connectors.get('mock', { agentDir: join(appRoot, 'assistants') }))).toMatchObject({
    code: 'NO_MOCK_RESPONSES',
    hint: expect.stringContaining('write mock.yml'),
  })
})

test('the connector of one id is opened once', async () => {
  const connectors = open()
  expect(await connectors.get('echo')).toBe(await connectors.get('echo'))
})

test('the keys of all files are known to the redactor, those in variables too', () => {
  write('connectors/a.conn.yao', '// a comment\n{ "options": { "key": "literal-key-1", "model": "not-a-secret" } }')
  write('connectors/b.conn.yao', { options: { key: '$ENV.B', headers: { Authorization: 'Bearer abcdefgh' } } })
  write('connectors/c.conn.yao', '{ "options": { "key": "half-a-file-key')
  expect(findConnectorKeys(appRoot, { B: 'from-variable' }).toSorted()).toEqual([
    'abcdefgh',
    'from-variable',
    'literal-key-1',
  ])
})

test('ids of the fixtures of the project are what the files are called', () => {
  const fixtures = fileURLToPath(new URL('../../test/fixtures/connectors-app', import.meta.url))
  expect(openConnectors({ appRoot: fixtures, env: {}, http }).ids()).toContain('openai.test')
})

test('the vendor’s own host has the key where the file says that it is this vendor’s', async () => {
  const own: Array<[string, string, object]> = [
    ['a', 'openai', { model: 'gpt-4o', key: 'k-12345678' }],
    ['b', 'openai', { model: 'o3-mini', key: 'k-12345678' }],
    ['c', 'openai', { model: 'my-tuned-model', key: '$ENV.OPENAI_API_KEY' }],
    ['openai.d', 'openai', { model: 'm', key: 'k-12345678' }],
    ['github.review', 'openai', { model: 'gpt-4o', key: '$ENV.OPENAI_API_KEY' }],
    ['e', 'anthropic', { model: 'm', key: 'k-12345678' }],
    ['f', 'google', { model: 'gemini-flash', key: '$ENV.GEMINI_API_KEY' }],
  ]
  for (const [id, type, options] of own) write(`connectors/${id.replaceAll('.', '/')}.conn.yao`, { type, options })
  const connectors = open({ env: { OPENAI_API_KEY: 'k-12345678', GEMINI_API_KEY: 'k-12345678' } })
  for (const [id, type] of own) expect(await connectors.get(id)).toMatchObject({ id, type })
})

test('a provider package keeps a key from another vendor’s host', async () => {
  const keys = { DEEPSEEK_API_KEY: 'k-12345678', GROQ_API_KEY: 'k-12345678' }
  const options = { package: '@ai-sdk/groq', model: 'm' }
  write('connectors/a.conn.yao', { type: 'ai-sdk', options: { ...options, key: '$ENV.DEEPSEEK_API_KEY' } })
  write('connectors/b.conn.yao', { type: 'ai-sdk', options: { ...options, key: '$ENV.GROQ_API_KEY' } })
  expect(await failure(open({ env: keys }).get('a'))).toMatchObject({ code: 'NO_HOST' })
  expect(await failure(open({ env: keys }).get('b'))).toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
  const led = { ...keys, GROQ_BASE_URL: 'http://127.0.0.1:1' }
  expect(await failure(open({ env: led }).get('b'))).toMatchObject({
    code: 'NO_HOST',
    message: expect.stringContaining('GROQ_BASE_URL is set'),
  })
})

const KEY = 'a-key-of-somebody-4711'

test.each<[string, object, string, string]>([
  ['main', { type: 'openai', options: { model: 'm', key: '$ENV.DEEPSEEK_API_KEY' } }, 'NO_HOST', "DeepSeek's"],
  ['deepseek.chat', { type: 'openai', options: { model: 'm', key: KEY } }, 'NO_HOST', "DeepSeek's"],
  ['main', { type: 'openai', options: { model: 'qwen-max', key: KEY } }, 'NO_HOST', "Alibaba's"],
  ['azure.gpt', { type: 'openai', options: { model: 'gpt-4o', key: KEY } }, 'NO_HOST', "Azure's"],
  ['main', { type: 'openai', options: { model: 'gpt-4o', key: 'sk-ant-0123456789abcdef' } }, 'NO_HOST', "Anthropic's"],
  ['main', { type: 'openai', options: { model: 'm', key: KEY } }, 'NO_HOST', 'nothing in it says'],
  ['main', { type: 'openai', options: { model: 'openai/gpt-oss-120b', key: KEY } }, 'NO_HOST', 'nothing in it says'],
  ['main', { type: 'anthropic', options: { model: 'm', key: '$ENV.DEEPSEEK_API_KEY' } }, 'NO_HOST', "DeepSeek's"],
  ['openai.x', { type: 'google', options: { model: 'm', key: KEY } }, 'NO_HOST', "OpenAI's"],
  ['main', { type: 'openai', options: { model: 'm', azure: true, key: KEY } }, 'NO_HOST', 'is for Azure'],
  ['a', { type: 'openai', options: { host: 'http://a.test', proxy: 'http://b.test' } }, 'BAD_HOST', 'options.proxy'],
  ['a', { type: 'openai', options: { proxy: 'localhost:1' } }, 'BAD_HOST', 'options.proxy of connectors/a.conn.yao'],
  ['a', { type: 'openai', options: { model: 'm', host: 7, key: KEY } }, 'BAD_HOST', 'is not a URL: 7'],
  ['a', { type: 'openai', options: { model: 'm', host: 'http://a.test', key: '' } }, 'BAD_KEY', 'is empty'],
  ['a', { type: 'anthropic', options: { azure: true } }, 'BAD_OPTION', 'options.azure'],
  ['a', { type: 'openai', options: { host: 'http://a.test', azure: 'yes' } }, 'BAD_OPTION', 'found "yes"'],
  ['a', { type: 'openai', options: { host: 'http://a.test', extra_body: 1 } }, 'BAD_OPTION', 'extra_body'],
  ['a', { type: 'openai', options: { host: 'http://a.test', protocols: ['anthropic'] } }, 'BAD_OPTION', 'protocols'],
  ['a', { type: 'openai', supported_params: {}, options: {} }, 'BAD_CONNECTOR', 'supported_params'],
  ['a', { type: 'google', auth_mode: 'bearer', options: {} }, 'BAD_CONNECTOR', 'auth_mode'],
  ['a', { type: 'mock', options: { responses: ['x'], file: 'y' } }, 'BAD_OPTION', 'both responses and file'],
  ['a', { type: 'mock', options: { responses: ['x'], delay: 5 } }, 'BAD_OPTION', 'options.delay'],
  [
    'a',
    { type: 'mock', options: { responses: [{ output: 'x', files: { '../out': 'x' } }] } },
    'BAD_MOCK_RESPONSES',
    'may lead outside the workspace',
  ],
])('%s %j is refused', async (id, connector, code, text) => {
  write(`connectors/${id.replaceAll('.', '/')}.conn.yao`, connector)
  const error = (await failure(open({ env: { DEEPSEEK_API_KEY: KEY } }).get(id))) as UserError
  expect(error.code).toBe(code)
  const told = [error.message, ...error.problems.map(({ field, message }) => `${field}: ${message}`)].join('\n')
  expect(told).toContain(text)
  expect(told).not.toContain(KEY)
})
