// Connector files through the command line: where requests and keys go, and what is refused.
import { expect, onTestFinished, test } from 'vitest'
import { say, startModelServer, type ModelServer } from '../real/model/index.js'
import { rawServer } from '../support/raw-server.js'
import { makeFolder, viva, type CliRun, type Files } from '../support/run-cli.js'

const KEY = 'a-key-of-somebody-4711'
const CASE = [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'hello' } }]

async function startServer(): Promise<ModelServer> {
  const server = await startModelServer(say('hello'))
  onTestFinished(() => server.close())
  return server
}

function run(
  connector: object,
  { id = 'main', env = {}, files = {} }: { id?: string; env?: Record<string, string>; files?: Files } = {},
): Promise<CliRun> {
  const dir = makeFolder({
    'app.yao': {},
    'assistants/a/package.yao': { name: 'A', connector: id },
    'assistants/a/prompts.yml': '- role: system\n  content: Hi.\n',
    [`connectors/${id.replaceAll('.', '/')}.conn.yao`]: connector,
    'cases.jsonl': CASE,
    ...files,
  })
  return viva(['test', '-i', 'cases.jsonl', '-n', 'a'], { cwd: dir, env })
}

test.each([
  ['openai', 'proxy', '', '/v1/chat/completions'],
  ['openai', 'proxy', '/api/v3', '/api/v3/chat/completions'],
  ['anthropic', 'proxy', '', '/v1/messages'],
  ['anthropic', 'host', '/anthropic', '/anthropic/v1/messages'],
  ['anthropic', 'host', '/anthropic/v1', '/anthropic/v1/messages'],
  ['anthropic', 'host', '/gateway/messages', '/gateway/messages'],
])('%s: options.%s with the path "%s" is where requests go', async (type, option, path, expected) => {
  const server = await startServer()
  const { code, stdout } = await run({ type, options: { model: 'm', [option]: `${server.url}${path}`, key: KEY } })
  expect(stdout).toContain('1 passed')
  expect(code).toBe(0)
  expect(server.requests.map((request) => request.path)).toEqual([expected])
})

test('Azure: the key is sent as Azure wants it, below its own path', async () => {
  const server = await startServer()
  for (const path of ['', '/openai/deployments/d?api-version=7'])
    await run({ type: 'openai', options: { model: 'm', azure: 'true', host: `${server.url}${path}`, key: KEY } })
  expect(server.requests.map(({ path, headers }) => [path, headers['api-key'], headers['authorization']])).toEqual([
    ['/openai/v1/chat/completions', KEY, undefined],
    ['/openai/deployments/d/chat/completions?api-version=7', KEY, undefined],
  ])
})

test('auth_mode, extra_body, protocols and capabilities do what they say', async () => {
  const server = await startServer()
  const settings = { extra_body: { custom: 1 }, protocols: ['openai', 'anthropic'], capabilities: { streaming: false } }
  const options = { model: 'm', host: server.url, key: KEY, ...settings }
  await run({ type: 'openai', auth_mode: 'api-key', options })
  await run({ type: 'anthropic', auth_mode: 'bearer', options: { ...options, version: '2099-01-01' } })
  const [openai, anthropic] = server.requests
  expect(openai).toMatchObject({ headers: { 'api-key': KEY }, body: { custom: 1 } })
  expect(Object.keys(openai?.body as object).toSorted()).toEqual(['custom', 'messages', 'model'])
  expect(anthropic).toMatchObject({
    headers: { authorization: `Bearer ${KEY}`, 'anthropic-version': '2099-01-01' },
    body: { custom: 1 },
  })
  expect(anthropic?.headers['x-api-key']).toBeUndefined()
})

test('a file is sent in the form the API takes; an address of one is an error', async () => {
  const server = await startServer()
  const pdf = Buffer.from('%PDF-1.4')
  const withFile = (attachment: object): Files => ({
    'cases.jsonl': [{ ...CASE[0], attachments: [{ type: 'file', ...attachment }] }],
    'bill.pdf': pdf,
  })
  const connector = { type: 'openai', options: { model: 'm', host: server.url } }
  await run(connector, { files: withFile({ source: 'file://bill.pdf' }) })
  await run(connector, { files: withFile({ source: 'file://bill.pdf', file_id: 'file-7' }) })
  const [sent, known] = server.requests.map(({ body }) => (body as { messages: object[] }).messages[1])
  const file = { filename: 'bill.pdf', file_data: `data:application/pdf;base64,${pdf.toString('base64')}` }
  expect(sent).toEqual({
    role: 'user',
    content: [
      { type: 'text', text: 'hi' },
      { type: 'file', file },
    ],
  })
  expect(known).toMatchObject({ content: [{}, { type: 'file', file: { file_id: 'file-7' } }] })

  const { code, stdout } = await run(connector, { files: withFile({ url: 'https://example.com/bill.pdf' }) })
  expect(stdout).toContain('does not accept a file')
  expect(code).toBe(1)
  expect(server.requests).toHaveLength(2)

  const anthropic = { type: 'anthropic', options: { model: 'm', host: server.url, key: KEY } }
  await run(anthropic, { files: withFile({ source: 'file://bill.pdf' }) })
  expect(server.requests.at(-1)?.body).toMatchObject({
    messages: [{ content: [{ type: 'text' }, { type: 'document', source: { data: pdf.toString('base64') } }] }],
  })
})

test('a parameter that the provider would drop is an error by name', async () => {
  const server = await startServer()
  const ask = (type: string, parameters: object) =>
    run({ type, options: { model: 'm', host: server.url, key: KEY, ...parameters } })
  for (const [parameters, text] of [
    [{ logit_bias: {} }, 'the parameter logit_bias cannot be sent to anthropic'],
    [{ temperature: '0.5' }, 'the parameter temperature must be a number, found "0.5"'],
  ] as const) {
    const { code, stdout } = await ask('anthropic', parameters)
    expect(stdout).toContain(text)
    expect(code).toBe(1)
  }
  expect(server.requests).toHaveLength(0)
  await ask('anthropic', { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000, top_k: 3 })
  expect(server.requests[0]?.body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 1024 } })
  await ask('openai', { logit_bias: { 1: 2 } })
  expect(server.requests[1]?.body).toMatchObject({ logit_bias: { 1: 2 } })
})

test.each<[string, object, string]>([
  ['main', { type: 'openai', options: { model: 'm', key: '$ENV.DEEPSEEK_API_KEY' } }, "is DeepSeek's (its key is in"],
  ['main', { type: 'openai', options: { model: 'm', key: KEY } }, "nothing in it says that its key is OpenAI's"],
  ['main', { type: 'openai', options: { host: 'http://a.test', proxy: 'http://b.test' } }, 'both options.host and'],
])('%s %j is refused before the first case', async (id, connector, text) => {
  const { code, stdout, stderr } = await run(connector, { id, env: { DEEPSEEK_API_KEY: KEY } })
  expect(stderr).toContain(text)
  expect(code).toBe(2)
  expect(stdout + stderr).not.toContain(KEY)
})

test('no variable leads a key away from the vendor’s own host', async () => {
  const other = await startServer()
  const refusal = 'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n'
  const proxy = await rawServer((socket) => socket.write(refusal))
  const env = { ANTHROPIC_BASE_URL: other.url, HTTPS_PROXY: proxy.url }
  const { code } = await run({ type: 'anthropic', options: { model: 'claude-x', key: KEY } }, { env })
  expect(code).toBe(1)
  expect(proxy.requests.map(({ head }) => head.split('\r\n')[0])).toEqual(['CONNECT api.anthropic.com:443 HTTP/1.1'])
  expect(other.requests).toHaveLength(0)
})
