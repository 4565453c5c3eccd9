// `-n https://…` with a key and a model: sent to that host alone, demanded before the first case, and shown nowhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'
import { say, startModelServer } from '../real/model/index.js'
import { QUEUE_KEY, startRedis, startWorker, withRedis } from '../support/redis.js'

/** Looks like nothing in particular. */
const KEY = 'plum-orchard-gate-seven'
const MODEL = 'small-2'
const ENV = { HOUSE_ENTRY: KEY }

interface Endpoint {
  url: string
  asked: Array<{ headers: IncomingHttpHeaders; body: Record<string, unknown> }>
}

/** Refuses other keys (401) and models (400), and repeats what it was sent: in answers, streams and errors. */
async function startEndpoint(models = [MODEL]): Promise<Endpoint> {
  const asked: Endpoint['asked'] = []
  const server = createServer((request, response) => {
    void text(request).then((content) => {
      const { headers, url } = request
      const body = JSON.parse(content) as Record<string, unknown>
      asked.push({ headers, body })
      const send = (status: number, value: object): void => {
        response.writeHead(status, { 'content-type': 'application/json', 'x-echo': String(headers.authorization) })
        response.end(JSON.stringify(value))
      }
      const sent = `You sent ${String(headers.authorization)}`
      if (headers.authorization !== `Bearer ${KEY}`)
        return send(401, { error: { message: `bad key. ${sent}`, type: 'invalid_request_error' } })
      const model = url === '/agent' ? (body['options'] as { model?: string }).model : body['model']
      if (!models.includes(String(model)))
        return send(400, { error: { message: `you must provide a model parameter. ${sent}` } })
      const answer = `${String(model)} heard you. ${sent}`
      if (url === '/agent') return send(200, { content: answer })
      if (body['stream'] !== true)
        return send(200, { choices: [{ message: { role: 'assistant', content: answer }, finish_reason: 'stop' }] })
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const piece of answer.match(/.{1,5}/gs) ?? [])
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`)
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`)
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

const CASES = [
  { id: 'T1', input: 'hello', assert: { type: 'contains', value: `${MODEL} heard you` } },
  { id: 'T2', turns: [{ input: 'one' }, { input: 'two', assert: { type: 'contains', value: KEY } }] },
]
const OUTPUTS = ['jsonl', 'json', 'md', 'html', 'xml', 'txt'].flatMap((format) => ['-o', `out/o.${format}`])

function project(files: Files = {}): string {
  return makeFolder({ 'cases.jsonl': CASES, ...files })
}

function run(dir: string, args: string[], env: Record<string, string> = ENV): Promise<CliRun> {
  return viva(['test', '-i', 'cases.jsonl', ...args], { cwd: dir, env })
}

/** Files and streams that show the key. */
function leaks(dir: string, runs: CliRun[]): string[] {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  )
  const texts = [
    ...runs.map(({ stdout, stderr }, index) => [`run ${index}`, stdout + stderr] as const),
    ...files.map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const),
  ]
  return texts.filter(([name, content]) => name !== 'cases.jsonl' && content.includes(KEY)).map(([name]) => name)
}

const FLAGS = ['--model', MODEL, '--key-env', 'HOUSE_ENTRY']

test('flags: the key and the model are sent, and the key is in nothing that is written', async () => {
  const { url, asked } = await startEndpoint()
  const dir = project()
  const ran = await run(dir, ['-n', `${url}/v1`, ...FLAGS, ...OUTPUTS, '-v', '--record', 'out/tape.yaml'])
  expect(ran.code, ran.stdout).toBe(0)
  expect(asked).toHaveLength(3)
  for (const { headers, body } of asked)
    expect([headers.authorization, body['model']]).toEqual([`Bearer ${KEY}`, MODEL])
  const [start] = parseEvents(readFileSync(join(dir, 'out/o.jsonl'), 'utf8'))
  expect(start).toMatchObject({ options: { model: MODEL, key_env: 'HOUSE_ENTRY' } })

  // Its recording is of this model: no key is needed, another model is another question.
  const replay = ['-n', `${url}/v1`, '--replay', 'out/tape.yaml', '-o', 'out/again.jsonl', '--force']
  const same = await run(dir, [...replay, ...FLAGS], {})
  expect([same.code, asked.length], same.stderr).toEqual([1, 3])
  const results = parseEvents(readFileSync(join(dir, 'out/again.jsonl'), 'utf8')).filter(
    ({ type }) => type === 'result',
  )
  // What an answer said of the key is hidden, so that only the first case can be judged again.
  expect(results.map(({ status }) => status)).toEqual(['passed', 'failed'])
  const other = await run(dir, [...replay, '--model', 'large-3', '--run', 'T1'], {})
  expect([other.code, other.stdout]).toEqual([1, expect.stringMatching(/Replay mismatch[^]*large-3/)])
  expect(leaks(dir, [ran, other])).toEqual([])
})

test.for<[string, object]>([
  ['url, model and key', { model: MODEL, key: '$ENV.HOUSE_ENTRY' }],
  ['as a stream', { model: MODEL, key: '$ENV.HOUSE_ENTRY', stream: true }],
  ['with the word before it', { model: MODEL, key: 'Bearer $ENV.HOUSE_ENTRY' }],
])('configuration: %s', async ([, settings]) => {
  const { url, asked } = await startEndpoint()
  const dir = project({ 'viva.config.json': { agents: { house: { url: `${url}/v1`, ...settings } } } })
  const ran = await run(dir, ['-n', 'house', ...OUTPUTS, '-v', '--record', 'out/tape.yaml'])
  expect([ran.code, asked.length], ran.stdout).toEqual([0, 3])
  expect(leaks(dir, [ran])).toEqual([])

  // A flag wins over it.
  const flagged = await run(dir, ['-n', 'house', '--model', 'large-3', '-o', 'out/flag.jsonl'])
  expect([flagged.code, asked.at(-1)?.body['model']]).toEqual([1, 'large-3'])
  const keyed = await run(dir, ['-n', 'house', '--key-env', 'OTHER', '-o', 'out/key.jsonl'], {
    ...ENV,
    OTHER: 'another-key-8',
  })
  expect([keyed.code, asked.at(-1)?.headers.authorization]).toEqual([1, 'Bearer another-key-8'])
  expect(leaks(dir, [ran, flagged, keyed])).toEqual([])
})

test('configuration: variables inside the address, the model, the key and headers, against a model that refuses what vendors refuse', async () => {
  const server = await startModelServer(say('one'), say('two'))
  onTestFinished(() => server.close())
  const house = {
    url: 'http://$ENV.HOUSE_HOST/$ENV.HOUSE_API',
    model: 'small-$ENV.HOUSE_VERSION',
    key: 'house-$ENV.HOUSE_ENTRY',
    headers: { 'X-Team': 'the $ENV.HOUSE_TEAM team' },
  }
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'T1', turns: [{ input: 'a' }, { input: 'b', assert: { type: 'equals', value: 'two' } }] }],
    'viva.config.json': { agents: { house } },
  })
  const env = { ...ENV, HOUSE_HOST: server.url.slice(7), HOUSE_API: 'v1', HOUSE_VERSION: '2', HOUSE_TEAM: 'night' }
  const ran = await run(dir, ['-n', 'house', '-o', 'o.jsonl', '-v'], env)
  expect([ran.code, server.refusals], ran.stdout + ran.stderr).toEqual([0, []])
  for (const { path, headers, body } of server.requests)
    expect([path, headers.authorization, headers['x-team'], body.model]).toEqual([
      '/v1/chat/completions',
      `Bearer house-${KEY}`,
      'the night team',
      'small-2',
    ])
  expect(leaks(dir, [ran])).toEqual([])
  for (const name of ['HOUSE_HOST', 'HOUSE_VERSION', 'HOUSE_ENTRY', 'HOUSE_TEAM']) {
    const { [name as keyof typeof env]: _left, ...rest } = env
    const unset = await run(dir, ['-n', 'house', '-o', 'unset.jsonl'], rest)
    expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining(`${name} is not set`)])
  }
  expect(server.requests).toHaveLength(2)
})

test('a connector file: variables inside its options; what they hold is hidden', async () => {
  const server = await startModelServer()
  server.decide((_, { headers }) => say(`you sent ${String(headers['authorization'])} ${String(headers['x-pass'])}`))
  onTestFinished(() => server.close())
  const options = {
    model: '$ENV.HOUSE_SIZE-2',
    host: 'http://$ENV.HOUSE_HOST/v1',
    key: 'house-$ENV.HOUSE_ENTRY',
    headers: { 'X-Pass': 'Token $ENV.HOUSE_PIN' },
  }
  const dir = project({
    'connectors/house.conn.yao': { type: 'openai', options },
    'assistants/desk/package.yao': { name: 'desk', connector: 'house' },
  })
  const env = { ...ENV, HOUSE_HOST: server.url.slice(7), HOUSE_SIZE: 'small', HOUSE_PIN: 'quince-lantern' }
  const ran = await run(dir, ['-n', 'desk', '-v', ...OUTPUTS, '--record', 'out/tape.yaml', '--run', 'T1'], env)
  expect(server.requests[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer house-${KEY}`, 'x-pass': 'Token quince-lantern' },
    body: { model: 'small-2' },
  })
  expect(leaks(dir, [ran])).toEqual([])
  expect(ran.stdout + readFileSync(join(dir, 'out/o.jsonl'), 'utf8')).not.toContain('quince')
})

test('a JSON endpoint has the model in its options; several -n share key and model', async () => {
  const { url, asked } = await startEndpoint()
  const dir = project()
  const ran = await run(dir, ['-n', `${url}/v1`, '-n', `${url}/agent`, ...FLAGS, '-o', 'o.jsonl'])
  expect([ran.code, asked.length], ran.stdout).toEqual([0, 6])
  const [own, other] = [`own=${url}/v1`, `other=${url}/v1,options.model=large-3`]
  const two = await run(dir, ['--variant', own, '--variant', other, ...FLAGS, '-o', 'two.jsonl', '--run', 'T1'])
  expect(two.code).toBe(1)
  expect(asked.slice(-2).map(({ body }) => body['model'])).toEqual([MODEL, 'large-3'])
})

test('a key that is refused, a model that is missing: the error says which flag to give', async () => {
  const { url } = await startEndpoint()
  const dir = project()
  const none = await run(dir, ['-n', `${url}/v1`, '-o', 'none.jsonl', '--run', 'T1'])
  expect([none.code, none.stdout]).toEqual([1, expect.stringMatching(/HTTP 401[^]*--key-env/)])
  const wrong = await run(dir, ['-n', `${url}/v1`, '--key-env', 'OTHER', '-o', 'wrong.jsonl'], {
    OTHER: 'wrong-key-4711',
  })
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringMatching(/HTTP 401[^]*--key-env/)])
  expect(wrong.stdout + readFileSync(join(dir, 'wrong.jsonl'), 'utf8')).not.toContain('wrong-key-4711')
  const keyOnly = await run(dir, ['-n', `${url}/v1`, '--key-env', 'HOUSE_ENTRY', '-o', 'key.jsonl', '--run', 'T1'])
  expect([keyOnly.code, keyOnly.stdout]).toEqual([
    1,
    expect.stringMatching(/HTTP 400[^]*no model was named \(--model\)/),
  ])
  expect(leaks(dir, [none, wrong, keyOnly])).toEqual([])
})

const KEY_ITSELF = 'a1b2c3d4e5f6a7b8c9d0e1f2'

test.for<[string, string[], Files, RegExp]>([
  [
    'a variable that is not set',
    ['-n', 'http://127.0.0.1:9/v1', '--key-env', 'NOT_SET'],
    {},
    /environment variable NOT_SET is not set; --key-env needs it/,
  ],
  [
    'the key itself',
    ['-n', 'http://127.0.0.1:9/v1', '--key-env', KEY_ITSELF],
    {},
    /give the name of a variable, not the key itself/,
  ],
  [
    'no name',
    ['-n', 'http://127.0.0.1:9/v1', '--key-env', 'sk-a1b2c3d4e5f6'],
    {},
    /--key-env: expected the name of a variable/,
  ],
  [
    'a variable of the configuration',
    ['-n', 'house'],
    { 'viva.config.json': { agents: { house: { url: 'http://127.0.0.1:9/v1', key: '$ENV.NOT_SET' } } } },
    /NOT_SET is not set; the key of agents\.house in viva\.config\.json/,
  ],
  [
    'a function',
    ['-n', './agent.mjs', '--model', 'x'],
    { 'agent.mjs': 'export default () => "x"' },
    /--model: has no effect on \.\/agent\.mjs/,
  ],
  ['a program', ['-n', 'exec:cat', '--key-env', 'HOUSE_ENTRY'], {}, /--key-env: has no effect on exec:cat/],
  [
    'a package',
    ['--model', 'x'],
    { 'package.yao': { name: 'x', connector: 'echo' }, 'prompts.yml': '- content: x\n' },
    /--model: has no effect on the agent package/,
  ],
  ['echo', ['-n', 'builtin:echo', '--model', 'x'], {}, /--model: has no effect on builtin:echo/],
  ['recorded answers', ['-n', 'recorded:o.jsonl', '--model', 'x'], {}, /--model: has no effect on recorded:o\.jsonl/],
  [
    'one of several',
    ['-n', 'http://127.0.0.1:9/v1', '-n', 'exec:cat', '--model', 'x'],
    {},
    /--model: has no effect on exec:cat/,
  ],
  ['an A2A agent has no model', ['-n', 'a2a:http://127.0.0.1:9', '--model', 'x'], {}, /--model: has no effect on a2a:/],
  [
    'two hosts',
    ['-n', 'http://127.0.0.1:9/v1', '-n', 'http://127.0.0.1:10/v1', '--key-env', 'HOUSE_ENTRY'],
    {},
    /one key would be sent to 2 hosts/,
  ],
  ['two keys', ['-n', 'http://u:p@127.0.0.1:9/v1', '--key-env', 'HOUSE_ENTRY'], {}, /the URL has a user or password/],
  [
    'a key for a program',
    ['-n', 'builtin:echo'],
    { 'viva.config.json': { agents: { p: { target: 'exec:cat', key: '$ENV.X' } } } },
    /agents\.p\.key.*"key" is for endpoints/,
  ],
  [
    'a key beside its header',
    ['-n', 'builtin:echo'],
    {
      'viva.config.json': {
        agents: { p: { url: 'http://127.0.0.1:9/v1', key: '$ENV.X', headers: { Authorization: 'x' } } },
      },
    },
    /agents\.p\.key.*authorization/,
  ],
  [
    'url and target',
    ['-n', 'builtin:echo'],
    { 'viva.config.json': { agents: { p: { url: 'http://127.0.0.1:9/v1', target: 'exec:cat' } } } },
    /agents\.p\.url.*another word for "target"/,
  ],
  [
    'neither',
    ['-n', 'builtin:echo'],
    { 'viva.config.json': { agents: { p: { model: 'x' } } } },
    /agents\.p\.target.*required/,
  ],
])('refused before the first case: %s', async ([, args, files, message]) => {
  const dir = project(files)
  const ran = await run(dir, [...args, '-o', 'o.jsonl'])
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(message)])
  expect(ran.stderr).not.toContain(KEY_ITSELF)
  expect(existsSync(join(dir, 'o.jsonl'))).toBe(false)
})

test('script tests have no endpoint', async () => {
  const dir = makeFolder({
    'assistants/shop/package.yao': { name: 'shop' },
    'assistants/shop/src/desk_test.ts': 'function TestA(t) { t.assert.True(true) }',
  })
  const ran = await viva(['test', '-i', 'scripts.shop.desk', '--model', 'x'], { cwd: dir })
  expect([ran.code, ran.stderr]).toEqual([
    2,
    expect.stringContaining('--model: has no effect on the tests of scripts.shop.desk'),
  ])
})

test('a run is resumed with its model, and another variable for the key; shards need the same model', async () => {
  const { url, asked } = await startEndpoint()
  const dir = project()
  const args = ['-n', `${url}/v1`, ...FLAGS]
  const stopped = await run(dir, [...args, '-o', 'o.jsonl', '--stop-after', '1', '--run', 'T'], {
    HOUSE_ENTRY: 'wrong-key-4711',
  })
  expect(stopped.code).toBe(1)
  const other = await run(dir, ['--resume', 'o.jsonl', '--model', 'large-3'])
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('--model')])
  const resumed = await run(dir, ['--resume', 'o.jsonl', '--key-env', 'OTHER', '--stop-after', '5'], { OTHER: KEY })
  expect(resumed.stderr).not.toContain('error')
  expect(asked.slice(-2).map(({ headers, body }) => [headers.authorization, body['model']])).toEqual(
    [1, 2].map(() => [`Bearer ${KEY}`, MODEL]),
  )

  const shard = (n: number, model: string) =>
    run(dir, [
      '-n',
      `${url}/v1`,
      '--model',
      model,
      '--key-env',
      'HOUSE_ENTRY',
      '--shard',
      `${n}/2`,
      '--run-group',
      'g',
      '-o',
      `s${n}.jsonl`,
    ])
  await shard(1, MODEL)
  await shard(2, 'large-3')
  const merged = await viva(['merge', 's1.jsonl', 's2.jsonl', '-o', 'm.jsonl'], { cwd: dir })
  expect([merged.code, merged.stderr]).toEqual([2, expect.stringContaining('model')])
})

test('the command that runs a failure again names both', async () => {
  const { url } = await startEndpoint()
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'x', assert: { type: 'equals', value: 'y' } }] })
  const ran = await run(dir, ['-n', `${url}/v1`, ...FLAGS])
  expect(ran.stdout).toContain(`--model ${MODEL} --key-env HOUSE_ENTRY --run`)
})

withRedis('a fleet', () => {
  test('the key stays with the workers, and never reaches Redis', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const { url, asked } = await startEndpoint()
    const dir = project()
    await startWorker(redis, { cwd: project(), env: ENV })
    await redis.ask('CONFIG', 'SET', 'slowlog-log-slower-than', '0')
    await redis.ask('CONFIG', 'SET', 'slowlog-max-len', '100000')
    const ran = await run(dir, ['-n', `${url}/v1`, ...FLAGS, '--queue', redis.url, '-o', 'o.jsonl'], {
      VIVA_QUEUE_KEY: QUEUE_KEY,
    })
    expect([ran.code, asked.length], ran.stdout + ran.stderr).toEqual([0, 3])
    expect(await redis.ask('SLOWLOG', 'GET', '-1')).not.toContain(KEY)
    expect(leaks(dir, [ran])).toEqual([])
  })
})
