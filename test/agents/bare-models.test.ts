// `-n openai:MODEL` and its kind: a model as the agent, from an empty folder with nothing but a key in the environment.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MODEL_VENDORS } from '../../src/connectors/model-vendors.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis } from '../support/redis.js'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'
import { say, startModelServer, type Behaviour, type ModelServer } from '../real/model/index.js'

const KEY = 'plum-orchard-gate-seven'

async function startModel(...behaviours: Behaviour[]): Promise<ModelServer> {
  const server = await startModelServer(...behaviours)
  onTestFinished(() => server.close())
  return server
}

/** What a shell has: the key of every vendor, and where the vendor is. */
function environment(url: string): Record<string, string> {
  return Object.fromEntries(
    MODEL_VENDORS.flatMap(({ hostVariable, keyVariables }) => [
      [hostVariable, url],
      ...keyVariables.slice(0, 1).map((name) => [name, `${name}-${KEY}`]),
    ]),
  )
}

/** Files and streams that show a key. */
function leaks(dir: string, runs: CliRun[]): string[] {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  )
  const texts = [
    ...runs.map(({ stdout, stderr }, index) => [`run ${index}`, stdout + stderr] as const),
    ...files.map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const),
  ]
  return texts.filter(([, content]) => content.includes(KEY)).map(([name]) => name)
}

const PROTOCOLS = ['openai', 'openai-chat', 'anthropic', 'google']
const KEY_HEADERS: Record<string, string> = { anthropic: 'x-api-key', google: 'x-goog-api-key' }

test.for(MODEL_VENDORS)('$prefix: from an empty folder', async ({ prefix, type, keyVariables: [variable] }) => {
  const server = await startModel(say('four'))
  const dir = makeFolder()
  const ran = await viva(['test', '-i', 'two and two?', '-n', `${prefix}:m/x:8b`], {
    cwd: dir,
    env: environment(server.url),
  })
  expect([ran.code, ran.stdout, server.refusals], ran.stderr).toEqual([0, 'four\n', []])
  const [{ headers, body, path }] = server.requests as [ModelServer['requests'][number]]
  expect([path, body.model].join(' ')).toContain(type === 'google' ? 'm/x' : 'm/x:8b')
  const sent = headers[KEY_HEADERS[type] ?? 'authorization']
  expect(sent).toEqual(variable === undefined ? undefined : expect.stringContaining(`${variable}-${KEY}`))
  expect(JSON.stringify(headers).split(KEY)).toHaveLength(variable === undefined ? 1 : 2)
  expect(leaks(dir, [ran])).toEqual([])
  expect(readdirSync(dir)).toEqual([])
})

const CASES = [
  {
    id: 'T1',
    input: 'two and two?',
    assert: [
      { type: 'equals', value: 'four' },
      { type: 'tool_not_called', name: 'send_mail' },
    ],
  },
  { id: 'T2', turns: [{ input: 'one' }, { input: 'two', assert: { type: 'contains', value: 'four' } }] },
]

function results(text: string): Array<Record<string, unknown>> {
  return parseEvents(text).filter(({ type }) => type === 'result')
}

test.for(PROTOCOLS)(
  '%s: a case file, recorded and replayed without key and network, as a package and as the connector of one',
  async (prefix) => {
    const server = await startModel(say('four'))
    const env = environment(server.url)
    const model = `${prefix}:small`
    const dir = makeFolder({
      'cases.jsonl': CASES,
      'assistants/desk/package.yao': { name: 'desk', connector: model },
      'assistants/desk/prompts.yml': '- role: system\n  content: Be brief.\n',
    })
    const test = (args: string[], own: Record<string, string> = env) =>
      viva(['test', '-i', 'cases.jsonl', '-v', ...args], { cwd: dir, env: own })
    const bare = await test(['-n', model, '-o', 'bare.jsonl', '-o', 'bare.html', '--record', 'tape.yaml'])
    expect([bare.code, server.requests.length], bare.stdout).toEqual([0, 3])
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
    const played = await test(['-n', model, '-o', 'played.jsonl', '--replay', 'tape.yaml'], {})
    expect([played.code, server.requests.length], played.stdout).toEqual([0, 3])
    const other = await test(['-n', `${prefix}:large`, '-o', 'other.jsonl', '--replay', 'tape.yaml'], {})
    expect([other.code, other.stdout + other.stderr]).toEqual([expect.any(Number), expect.stringContaining('large')])
    expect(other.code).not.toBe(0)
    const packaged = await test(['-n', 'desk', '-o', 'desk.jsonl'])
    const flagged = await test(['-n', 'desk', '-c', `${prefix}:other`, '-o', 'flag.jsonl'])
    expect([packaged.code, flagged.code, server.requests.length], packaged.stdout).toEqual([0, 0, 9])
    const asked = server.requests.map(({ path, body }) => `${path} ${body.model}`)
    expect(asked.slice(3, 6).every((text) => text.includes('small'))).toBe(true)
    expect(asked.slice(6).every((text) => text.includes('other'))).toBe(true)
    expect(server.refusals).toEqual([])
    expect(leaks(dir, [bare, played, other, packaged, flagged])).toEqual([])
  },
)

test('its tool calls are known to be all: that none was made passes, and one that was made does not', async () => {
  const call = { id: 'c1', name: 'send_mail', args: '{}' }
  const server = await startModel(say('done'), { kind: 'answer', pieces: ['ok'], calls: [call], finish: 'tools' })
  const parameters = { tools: [{ type: 'function', function: { name: 'send_mail', parameters: { type: 'object' } } }] }
  const cases = [1, 2].map((n) => ({
    id: `T${n}`,
    input: 'go',
    options: parameters,
    assert: { type: 'tool_not_called', name: 'send_mail' },
  }))
  const dir = makeFolder({ 'cases.jsonl': cases })
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', 'openai-chat:m', '-o', 'o.jsonl'], {
    cwd: dir,
    env: environment(server.url),
  })
  expect(results(readFileSync(join(dir, 'o.jsonl'), 'utf8')).map(({ status }) => status)).toEqual(['passed', 'failed'])
  expect([ran.code, server.refusals]).toEqual([1, []])
})

test('two models side by side, named in the configuration or not', async () => {
  const server = await startModel()
  server.decide((_, { body }) => say(body.model === 'a' ? 'four' : 'five'))
  const dir = makeFolder({
    'cases.jsonl': CASES.slice(0, 1),
    'viva.config.json': { agents: { second: 'anthropic:b' } },
  })
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', 'openai:a', '-n', 'second', '-o', 'o.jsonl'], {
    cwd: dir,
    env: environment(server.url),
  })
  const verdicts = results(readFileSync(join(dir, 'o.jsonl'), 'utf8')).map(({ variant, status }) => [variant, status])
  expect([ran.code, verdicts], ran.stdout).toEqual([
    1,
    [
      ['openai:a', 'passed'],
      ['second', 'failed'],
    ],
  ])
  const keys = server.requests.map(({ headers }) => [headers['authorization'], headers['x-api-key']])
  expect(keys).toEqual([
    [`Bearer OPENAI_API_KEY-${KEY}`, undefined],
    [undefined, `ANTHROPIC_API_KEY-${KEY}`],
  ])
  expect(leaks(dir, [ran])).toEqual([])
})

test('a run is resumed with its model, and shards of two models are not one run', async () => {
  const server = await startModel({ kind: 'error', status: 401, type: 'authentication_error', message: 'bad key' })
  const env = environment(server.url)
  const dir = makeFolder({ 'cases.jsonl': CASES })
  const run = (...args: string[]) => viva(['test', ...args], { cwd: dir, env })
  const stopped = await run('-i', 'cases.jsonl', '-n', 'openai-chat:a', '-o', 'o.jsonl', '--stop-after', '1')
  expect([stopped.code, stopped.stdout]).toEqual([1, expect.stringContaining('the variable OPENAI_API_KEY')])
  server.behave(say('four'))
  await run('--resume', 'o.jsonl', '--stop-after', '5')
  expect(server.requests.at(-1)?.body.model).toBe('a')
  for (const n of [1, 2])
    await run(
      '-i',
      'cases.jsonl',
      '-n',
      `openai-chat:m${n}`,
      '--shard',
      `${n}/2`,
      '--run-group',
      'g',
      '-o',
      `s${n}.jsonl`,
    )
  const merged = await viva(['merge', 's1.jsonl', 's2.jsonl', '-o', 'm.jsonl'], { cwd: dir })
  expect([merged.code, merged.stderr]).toEqual([2, expect.stringContaining('openai-chat:m')])
})

const NOT_STARTED: Files = { 'cases.jsonl': CASES }
const SECRET = 'sk-ant-plumorchardgateseven'

test.for<[string, string[], Record<string, string>, RegExp, Files?]>([
  ['no key', ['-n', 'openai:m'], {}, /environment variable OPENAI_API_KEY is not set; openai:m needs it/],
  ['an empty key', ['-n', 'groq:m'], { GROQ_API_KEY: ' ' }, /GROQ_API_KEY is empty; groq:m needs it/],
  ['one of several variables', ['-n', 'google:m'], {}, /GEMINI_API_KEY is not set \(nor GOOGLE_API_KEY/],
  [
    'a key in two lines',
    ['-n', 'xai:m'],
    { XAI_API_KEY: 'plum\norchard-gate' },
    /the key in XAI_API_KEY has characters/,
  ],
  [
    "another vendor's key",
    ['-n', 'openai:m'],
    { OPENAI_API_KEY: SECRET },
    /OPENAI_API_KEY looks like Anthropic's, and openai:m would send it to api\.openai\.com/,
  ],
  ['no model', ['-n', 'openai:'], { OPENAI_API_KEY: KEY }, /"openai:" names no model/],
  ['a blank in it', ['-n', 'openai:gpt 5'], { OPENAI_API_KEY: KEY }, /is not the name of a model/],
  ['a vendor alone', ['-n', 'ollama'], {}, /no agent called "ollama"; did you mean "ollama:MODEL"\?/],
  ['a misspelt vendor', ['-n', 'opnai:m'], {}, /did you mean "openai:m"\?/],
  [
    'a misspelt connector',
    ['-n', 'builtin:echo', '--judge', 'antropic:m'],
    {},
    /did you mean "anthropic:m"\?/,
    {
      'cases.jsonl': [{ id: 'T1', input: 'x', assert: { type: 'agent', value: 'is polite' } }],
    },
  ],
  [
    'an address that is none',
    ['-n', 'openai:m'],
    { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'localhost:1' },
    /OPENAI_BASE_URL/,
  ],
  [
    'another connector',
    ['-n', 'openai:m', '-c', 'anthropic:m'],
    { OPENAI_API_KEY: KEY },
    /openai:m is a model itself: the connector "anthropic:m"/,
  ],
  ['two connectors', ['-n', 'ollama:m', '-c', 'echo', '-c', 'mock'], {}, /is a model itself/],
  [
    "a case's connector",
    ['-n', 'ollama:m'],
    {},
    /cases\.jsonl:1[^]*ollama:m is a model itself: the connector "echo"/,
    { 'cases.jsonl': [{ id: 'T1', input: 'x', options: { connector: 'echo' } }] },
  ],
  ['--model', ['-n', 'ollama:m', '--model', 'x'], {}, /--model: has no effect on ollama:m[^]*part of its name/],
  ['--key-env', ['-n', 'openai:m', '--key-env', 'X'], {}, /--key-env: has no effect on openai:m/],
  [
    'a replaced tool',
    ['-n', 'ollama:m'],
    {},
    /ollama:m has no tool "find"; it has none/,
    {
      'cases.jsonl': [{ id: 'T1', input: 'x', testing: { tools: { find: 1 } } }],
    },
  ],
  [
    'as a judge',
    ['-n', 'builtin:echo'],
    {},
    /ollama:m is a model, not an agent that judges[^]*--judge ollama:m/,
    {
      'cases.jsonl': [{ id: 'T1', input: 'x', assert: { type: 'agent', use: 'ollama:m', value: 'is polite' } }],
    },
  ],
  ['as a simulator', ['-n', 'builtin:echo', '--simulator', 'ollama:m'], {}, /--simulator: ollama:m is a model/],
  [
    'settings that would be ignored',
    ['-n', 'x'],
    {},
    /agents\.x\.key.*"key" has no effect on a model/,
    {
      'viva.config.json': { agents: { x: { target: 'openai:m', key: '$ENV.X' } } },
    },
  ],
  [
    'a package without the key',
    ['-n', 'desk'],
    {},
    /MISTRAL_API_KEY is not set; mistral:m needs it/,
    {
      'assistants/desk/package.yao': { name: 'desk', connector: 'mistral:m' },
    },
  ],
])('refused before the first case: %s', async ([, args, env, message, files = {}]) => {
  const dir = makeFolder({ ...NOT_STARTED, ...files })
  for (const dry of [[], ['--dry-run']]) {
    const ran = await viva(['test', '-i', 'cases.jsonl', ...args, '-o', 'o.jsonl', ...dry], { cwd: dir, env })
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(message)])
    expect(ran.stdout + ran.stderr).not.toMatch(/plum|orchard/)
    expect(existsSync(join(dir, 'o.jsonl'))).toBe(false)
  }
})

test('another model in the options of a case cannot answer under its name', async () => {
  const server = await startModel(say('four'))
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'x', options: { model: 'large' } }] })
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', 'openai-chat:small'], {
    cwd: dir,
    env: environment(server.url),
  })
  expect([ran.code, server.requests.length]).toEqual([1, 0])
  expect(ran.stdout).toContain('the agent is the model openai-chat:small, but options.model is "large"')
})

test.for(PROTOCOLS)(
  '%s: --dry-run sends nothing; a redirect is not followed, and its target gets no key',
  async (prefix) => {
    const elsewhere = await startModel(say('four'))
    const headers = { location: `${elsewhere.url}/v1/chat/completions` }
    const server = await startModel({ kind: 'raw', status: 307, headers, body: '' })
    const dir = makeFolder({ 'cases.jsonl': CASES })
    const run = (...args: string[]) =>
      viva(['test', '-i', 'cases.jsonl', '-n', `${prefix}:m`, ...args], { cwd: dir, env: environment(server.url) })
    const dry = await run('--dry-run')
    expect([dry.code, server.requests.length], dry.stderr).toEqual([0, 0])
    const ran = await run('-o', 'o.jsonl')
    expect([ran.code, server.requests.length > 0, elsewhere.requests.length]).toEqual([1, true, 0])
    expect(leaks(dir, [dry, ran])).toEqual([])
  },
)

test.for(PROTOCOLS)('%s: a user and password in the address are shown nowhere', async (prefix) => {
  const server = await startModel({ kind: 'error', status: 500, type: 'server_error', message: 'broken' })
  const dir = makeFolder({ 'cases.jsonl': CASES.slice(0, 1) })
  const env = environment(server.url.replace('//', '//desk:quince-lantern@'))
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', `${prefix}:m`, '-o', 'o.jsonl', '-v'], { cwd: dir, env })
  expect([ran.code, server.requests.length > 0], ran.stderr).toEqual([1, true])
  expect(ran.stdout + ran.stderr + readFileSync(join(dir, 'o.jsonl'), 'utf8')).not.toContain('quince')
  expect(leaks(dir, [ran])).toEqual([])
})

test('a key with a line break at its end is sent without it, and shown nowhere', async () => {
  const server = await startModel()
  server.decide((_, { headers }) => say(`you sent ${String(headers['authorization'])}`))
  const dir = makeFolder({ 'cases.jsonl': CASES.slice(0, 1) })
  const env = { ...environment(server.url), OPENAI_API_KEY: `${KEY}\n` }
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', 'openai-chat:m', '-o', 'o.jsonl', '-v'], { cwd: dir, env })
  expect([ran.code, server.requests[0]?.headers['authorization']]).toEqual([1, `Bearer ${KEY}`])
  expect(leaks(dir, [ran])).toEqual([])
})

test.for(['', 'http://'])('ollama: OLLAMA_HOST as its own programs read it, %s', async (scheme) => {
  const server = await startModel(say('four'))
  const ran = await viva(['test', '-i', 'x', '-n', 'ollama:llama3:8b'], {
    cwd: makeFolder(),
    env: { OLLAMA_HOST: server.url.replace('http://', scheme) },
  })
  expect([ran.code, ran.stdout, server.requests[0]?.body.model], ran.stderr).toEqual([0, 'four\n', 'llama3:8b'])
})

test('the guide lists every vendor as it is', () => {
  const page = readFileSync(new URL('../../docs/reference/connectors.md', import.meta.url), 'utf8')
  const rows = page.split('\n').filter((line) => /^\| `[\w-]+:` /.test(line))
  expect(rows).toEqual(
    MODEL_VENDORS.map(({ prefix, type, host, hostVariable, keyVariables }) => {
      const keys = keyVariables.map((name) => `\`${name}\``).join(', ') || '–'
      return `| \`${prefix}:\` | \`${type}\` | \`${host}\` | \`${hostVariable}\` | ${keys} |`
    }),
  )
})

withRedis('a fleet', () => {
  test('the key is with the workers', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const server = await startModel(say('four'))
    const files = { 'cases.jsonl': CASES }
    const dir = makeFolder(files)
    await startWorker(redis, { cwd: makeFolder(files), env: environment(server.url) })
    const ran = await viva(
      ['test', '-i', 'cases.jsonl', '-n', 'openai:a', '-n', 'anthropic:b', '--queue', redis.url, '-o', 'o.jsonl'],
      { cwd: dir, env: { VIVA_QUEUE_KEY: QUEUE_KEY } },
    )
    expect([ran.code, server.requests.length], ran.stdout + ran.stderr).toEqual([0, 6])
    expect(leaks(dir, [ran])).toEqual([])
  })
})
