// Keys that turn up everywhere: no file, no stream ever shows one, in any spelling, while assertions see the real text.
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles, type CliRun } from '../support/run-cli.js'
import { AGENTS, checkRun } from './support.js'

const SECRETS = {
  /** In the environment, by a name that says so. */
  environment: 'cnry+env/7Fq"2\\k=19&zz Ω',
  /** Written into a connector file. */
  connector: 'cnry-connector-literal-81c2',
  /** In the environment by a harmless name, which a connector file refers to. */
  referred: 'cnry-referred-4420-bb',
  /** In a header of an agent in the configuration, literally and by reference. */
  header: 'cnry-header-literal-5d5d',
  headerByName: 'cnry-header-by-name-9a9a',
  /** Inline over with --pass-env. */
  passed: 'cnry-passed-on-1357',
}

const ENV = {
  MY_SERVICE_API_KEY: SECRETS.environment,
  HARMLESS_ONE: SECRETS.referred,
  HARMLESS_TWO: SECRETS.headerByName,
  HARMLESS_THREE: SECRETS.passed,
}

const OUTPUTS = ['jsonl', 'json', 'md', 'html', 'xml', 'tap', 'ctrf.json', 'txt'].flatMap((format) => [
  '-o',
  `out/o.${format}`,
])
const PASSED = ['--pass-env', 'HARMLESS_THREE']

/** Inputs that contain secrets are in `in`; everything else that exists at the end was written by Viva. */
function project(): string {
  const dir = makeFolder({ 'in/secrets.json': SECRETS })
  mkdirSync(join(dir, 'tmp'))
  copyFileSync(join(AGENTS, 'tells-secrets.mjs'), join(dir, 'in/agent.mjs'))
  return dir
}

async function run(dir: string, args: string[], env: Record<string, string> = {}): Promise<CliRun> {
  return viva(args, { cwd: dir, env: { ...ENV, TMPDIR: join(dir, 'tmp'), ...env } })
}

function spellings(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
    const inner = shifted.subarray(offset === 0 ? 0 : 3, Math.floor(shifted.length / 3) * 3)
    return [inner.toString('base64'), inner.toString('base64url')]
  })
  const json = JSON.stringify(secret).slice(1, -1)
  return [secret, json, JSON.stringify(json).slice(1, -1), encodeURIComponent(secret), ...base64]
}

const ALL = Object.entries(SECRETS).flatMap(([name, secret]) => spellings(secret).map((text) => [name, text] as const))

function hits(text: string): string[] {
  return ALL.filter(([, spelling]) => text.includes(spelling)).map(([name, spelling]) => `${name}: ${spelling}`)
}

/** Where a secret can be read: in the two streams and in every file but the inputs. */
function leaks(dir: string, runs: CliRun[]): string[] {
  const inStreams = runs.flatMap((item, index) => [
    ...hits(item.stdout).map((hit) => `run ${index} stdout ${hit}`),
    ...hits(item.stderr).map((hit) => `run ${index} stderr ${hit}`),
  ])
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('in') && statSync(join(dir, name)).isFile(),
  )
  return [
    ...inStreams,
    ...files.flatMap((name) => hits(readFileSync(join(dir, name), 'utf8')).map((hit) => `${name} ${hit}`)),
  ]
}

const CASES = [
  { id: 'raw', input: 'tell', assert: Object.values(SECRETS).map((value) => ({ type: 'contains', value })) },
  {
    id: 'in the input',
    name: `name ${SECRETS.environment}`,
    input: `my key is ${SECRETS.environment}`,
    metadata: { note: SECRETS.passed },
  },
  { id: 'encoded input', input: Buffer.from(`..${SECRETS.environment}..`).toString('base64') },
  { id: 'url input', input: `https://example.com/?q=${encodeURIComponent(SECRETS.environment)}` },
  { id: 'expected', input: 'tell', expected: SECRETS.connector },
  {
    id: 'assertion',
    input: 'tell',
    assert: { type: 'not_contains', value: SECRETS.header, message: `found ${SECRETS.header}` },
  },
  { id: 'throw', input: 'throw' },
  { id: 'stray', input: 'stray' },
  { id: 'pieces', input: 'pieces', assert: { type: 'contains', value: SECRETS.headerByName } },
  { id: 'turns', turns: [{ input: `first ${SECRETS.environment}` }, { input: 'second' }] },
  { id: SECRETS.environment, input: 'an id that is a key' },
]

function withConnectors(dir: string): void {
  writeFiles(dir, {
    'in/app.yao': '{}',
    'in/connectors/one.conn.yao': {
      type: 'openai',
      options: { model: 'm', host: 'http://127.0.0.1:1', key: SECRETS.connector },
    },
    'in/connectors/two.conn.yao': {
      type: 'openai',
      options: { model: 'm', host: 'http://127.0.0.1:1', key: '$ENV.HARMLESS_ONE' },
    },
    'in/viva.config.json': {
      // Choosing what else is replaced does not switch secrets off.
      redactions: { patterns: { $TIMESTAMP: true, $API_KEY: false } },
      agents: {
        web: {
          target: 'http://127.0.0.1:1/agent',
          headers: { authorization: `Bearer ${SECRETS.header}`, 'x-api-key': '$ENV.HARMLESS_TWO' },
        },
      },
    },
    'in/cases.jsonl': CASES,
  })
}

test('a function as agent: every report, verbose, in GitHub Actions, with history', async () => {
  const dir = project()
  withConnectors(dir)
  const args = ['test', '-a', 'in', '-i', 'in/cases.jsonl', '-n', './in/agent.mjs#answer', ...PASSED]
  const verbose = await run(dir, [...args, ...OUTPUTS, '-v', '--history', '--save-turns', 'out/turns.jsonl'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: join(dir, 'out-summary.md'),
    FORCE_COLOR: '1',
  })
  expect(verbose.code).toBe(1)
  const { results } = checkRun(join(dir, 'out/o.jsonl'), { complete: true })
  // What the assertions saw is the real text: these hold only if nothing was hidden from them.
  expect(results.filter((result) => ['raw', 'pieces'].includes(result.id)).map((result) => result.status)).toEqual([
    'passed',
    'passed',
  ])
  expect(results.find((result) => result.id === 'assertion')?.status).toBe('failed')
  expect(JSON.stringify(results)).toContain('[SECRET]')
  const stream = await run(dir, [...args, '-o', 'out/second.jsonl', '--json'])
  const message = await run(dir, [
    'test',
    '-a',
    'in',
    '-i',
    `hi ${SECRETS.environment}`,
    '-n',
    './in/agent.mjs#answer',
    ...PASSED,
  ])
  expect(message.stdout).toContain('[SECRET]')
  const printed = await run(dir, [...args, '-r', 'report.tap'])
  const reported = await run(dir, ['report', 'out/o.jsonl', '-o', 'out/again.html', '-o', 'out/again.xml'])
  const compared = await run(dir, ['compare', 'out/o.jsonl', 'out/second.jsonl'])
  expect(existsSync(join(dir, 'out/o.html'))).toBe(true)
  // The default event file is beside the input: it must be searched as well.
  const beside = readdirSync(join(dir, 'in')).filter((name) => name.startsWith('output-'))
  for (const name of [...beside, ...readdirSync(join(dir, 'in/.viva/history'))].filter((item) =>
    item.endsWith('.jsonl'),
  ))
    for (const folder of ['in', 'in/.viva/history'])
      if (existsSync(join(dir, folder, name)))
        writeFileSync(join(dir, `out/copy-${name}`), readFileSync(join(dir, folder, name)))
  expect(leaks(dir, [verbose, stream, message, printed, reported, compared])).toEqual([])
})

test('a program as agent: standard output, standard error, error text', async () => {
  const dir = project()
  withConnectors(dir)
  const runs: CliRun[] = []
  for (const end of ['', ' fail']) {
    const args = ['test', '-a', 'in', '-i', 'tell', '-n', `exec:node in/agent.mjs program${end}`, ...PASSED, '-v']
    runs.push(await run(dir, [...args, '-o', `out/${end.length}.jsonl`, '-o', `out/${end.length}.html`]))
  }
  expect(runs.map((item) => item.code)).toEqual([0, 1])
  expect(leaks(dir, runs)).toEqual([])
})

test('a server that repeats the headers it was sent: in the answer, in an error, in its own headers', async () => {
  const dir = project()
  const server = createServer((request, response) => {
    const sent = `${request.headers.authorization} ${String(request.headers['x-api-key'])}`
    const status = request.url === '/agent' ? 200 : 401
    response.writeHead(status, { 'content-type': 'application/json', 'x-echo': encodeURIComponent(sent) })
    response.end(
      JSON.stringify(status === 200 ? { content: `you sent ${sent}` } : { error: { message: `bad key ${sent}` } }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  withConnectors(dir)
  const headers = { authorization: `Bearer ${SECRETS.header}`, 'x-api-key': '$ENV.HARMLESS_TWO' }
  writeFiles(dir, {
    'in/viva.config.json': {
      agents: { ok: { target: `${url}/agent`, headers }, refused: { target: `${url}/no`, headers } },
    },
    'in/assistants/shop/package.yao': { name: 'shop', connector: 'one' },
    'in/assistants/shop/prompts.yml': '- role: system\n  content: be kind\n',
    'in/connectors/one.conn.yao': { type: 'openai', options: { model: 'm', host: url, key: SECRETS.connector } },
  })
  const runs: CliRun[] = []
  for (const agent of ['ok', 'refused', 'shop']) {
    const args = [
      'test',
      '-a',
      'in',
      '-i',
      'tell',
      '-n',
      agent,
      '-v',
      '-o',
      `out/${agent}.jsonl`,
      '-o',
      `out/${agent}.md`,
    ]
    runs.push(await run(dir, [...args, ...PASSED]))
  }
  expect(runs.map((item) => item.code)).toEqual([0, 1, 1])
  expect(runs[0]?.stdout).toContain('you sent')
  expect(leaks(dir, runs)).toEqual([])
})

test('a run whose agent was named with a key in it is not resumed with a placeholder instead', async () => {
  const dir = project()
  writeFiles(dir, { 'in/cases.jsonl': [{ id: 'T1', input: 'hi' }] })
  const agent = `exec:cat - ${SECRETS.referred}`
  const env = { SOME_TOKEN: SECRETS.referred }
  const first = await run(dir, ['test', '-i', 'in/cases.jsonl', '-n', agent, '-o', 'out/o.jsonl'], env)
  const second = await run(dir, ['test', '--resume', 'out/o.jsonl'], env)
  expect({ code: second.code, stderr: second.stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('give it again'),
  })
  const third = await run(dir, ['test', '--resume', 'out/o.jsonl', '-n', agent], env)
  expect(third.code).toBe(1)
  expect(third.stderr).not.toContain('has answers of')
  expect(leaks(dir, [first, second, third])).toEqual([])
})

test('script tests: logs, failures, exceptions, what comes too late', async () => {
  const dir = project()
  withConnectors(dir)
  const all = JSON.stringify(Object.values(SECRETS).join(' '))
  writeFiles(dir, {
    'in/assistants/shop/package.yao': { name: 'shop' },
    'in/assistants/shop/src/desk_test.ts': `
function TestLog(t) { t.log(${all}); console.log(${all}); process.stderr.write(${all}) }
function TestFail(t) { t.assert.Equal(${all}, 'x') }
function TestThrow(t) { throw new Error(${all}) }
function TestLate() { setTimeout(() => Promise.reject(new Error(${all})), 10) }
function TestPassed(t) { t.assert.Equal(process.env.HARMLESS_THREE, ${JSON.stringify(SECRETS.passed)}) }`,
  })
  const args = ['test', '-a', 'in', '-i', 'scripts.shop.desk', ...OUTPUTS, '-v', ...PASSED]
  const { code, stdout, stderr } = await run(dir, args)
  expect(code).toBe(1)
  const { results } = checkRun(join(dir, 'out/o.jsonl'), { complete: true })
  expect(results.map((result) => result.status)).toEqual(['passed', 'failed', 'failed', 'passed', 'passed'])
  expect(leaks(dir, [{ code, stdout, stderr, dir }])).toEqual([])
})

test('mistakes, hooks that fail, a crash of our own: error messages hide them too', async () => {
  const dir = project()
  withConnectors(dir)
  writeFiles(dir, {
    'in/scripts/hooks.ts': `export function bad() { throw new Error(${JSON.stringify(Object.values(SECRETS).join(' '))}) }`,
    // As soon as Viva handles uncaught errors.
    'in/crash.mjs': `const crash = () => {
  if (process.listenerCount('uncaughtException') === 0) return setImmediate(crash)
  throw new Error(process.env.MY_SERVICE_API_KEY)
}
crash()`,
    'in/bad.jsonl': `{"id": "T1", "input": "x", "assert": {"type": "${SECRETS.connector}"}}\n{"id": "T2", "inptu": ${JSON.stringify(SECRETS.environment)}}\n`,
    'in/unknown.jsonl': `{"id": "T1", "input": "x", "assert": {"type": "length", "min": 1}, "unheard_of_${SECRETS.referred}": 1}\n`,
  })
  const unnamed = ['test', '-a', 'in', ...PASSED]
  const base = [...unnamed, '-n', './in/agent.mjs#answer']
  const hook = join(dir, 'in/crash.mjs')
  const runs = [
    await run(dir, [...base, '-i', 'in/bad.jsonl']),
    await run(dir, [...base, '-i', 'in/unknown.jsonl', '-o', 'out/unknown.jsonl']),
    await run(dir, [...base, '-i', 'in/cases.jsonl', '--before', 'scripts:hooks.bad', '-o', 'out/before.jsonl']),
    await run(dir, [...base, '-i', 'in/cases.jsonl', '--after', 'scripts:hooks.bad', '-o', 'out/after.jsonl']),
    await run(dir, [...unnamed, '-i', 'hi', '-n', `exec:./missing --token ${SECRETS.connector}`]),
    await run(dir, [...unnamed, '-i', 'hi', '-n', SECRETS.environment]),
    await run(dir, [...base, '-i', 'hi', '-o', `out/${SECRETS.connector}.unknown`]),
    await run(dir, [...base, '-i', 'hi', '-r', './in/agent.mjs#answer']),
    await run(dir, [...base, '-i', 'in/cases.jsonl', '-o', 'out/crash.jsonl'], { NODE_OPTIONS: `--import=${hook}` }),
  ]
  expect(runs.map((item) => item.code)).toEqual([2, 0, 3, 1, 2, 2, 2, expect.any(Number), 3])
  for (const item of runs) expect(item.stdout + item.stderr).not.toBe('')
  expect(leaks(dir, runs)).toEqual([])
})

/** By the names alone: words, numbers, letters and blanks, none of which looks like a key. */
const VARIABLES = {
  STRIPE_KEY: 'qvzhwmtkrpl',
  ENCRYPTION_KEY: 'seven blue lamps',
  VIVA_QUEUE_KEY: 'umbrellastand',
  DB_PASS: '40417263',
  PGPASSWORD: 'Gartenzaun',
  SHOP_TOKEN: 'abcdefghij',
  SHOP_SECRET: '____----____',
  SENTRY_DSN: 'https://o1.errors.example/42',
}
/** They would hide half of every report. */
const ORDINARY = { A_KEY: '1', B_PASS: 'true', C_PASSWORD: 'test', D_TOKEN: 'hello', E_SECRET: 'password' }
const TELLER = `
const words = (${JSON.stringify([...Object.keys(VARIABLES), ...Object.keys(ORDINARY)])}).map((name) => process.env[name])
export const answer = () => ({ content: words.join(' | '), tool_calls: [{ name: 'store', args: { words } }] })
`

test('variables named like keys and passwords are hidden in every place, whatever their values look like', async () => {
  const dir = makeFolder({
    'in/agent.mjs': TELLER,
    'in/cases.jsonl': [
      { id: 'T1', input: 'tell', assert: Object.values(VARIABLES).map((value) => ({ type: 'contains', value })) },
      { id: 'T2', input: 'tell', assert: { type: 'equals', value: 'something else' } },
    ],
    'in/values.txt': `${Object.values(VARIABLES).join('\n')}\n`,
    'in/loop.yml':
      "cli: { backend: custom, command: sh, args: ['-c', 'cat in/values.txt; echo LOOP_COMPLETE'] }\nevent_loop: { max_iterations: 1 }\n",
  })
  const env = { ...VARIABLES, ...ORDINARY }
  const tell = ['test', '-n', './in/agent.mjs#answer', '-v']
  const runs = [
    await viva([...tell, '-i', 'in/cases.jsonl', ...OUTPUTS, '--record', 'out/tape.yaml'], { cwd: dir, env }),
    await viva([...tell, '-i', 'tell'], { cwd: dir, env }),
    await viva([...tell, '-i', 'in/cases.jsonl', '-o', 'out/p.jsonl', '--json'], { cwd: dir, env }),
    await viva(['run', 'tell', '-c', 'in/loop.yml', '--session', 'out/session.jsonl', '--record', 'out/loop.yaml'], {
      cwd: dir,
      env,
    }),
  ]
  expect(runs.map(({ code }) => code)).toEqual([1, 0, 1, 0])
  const { results } = checkRun(join(dir, 'out/o.jsonl'), { complete: true })
  expect(results.map(({ status }) => status)).toEqual(['passed', 'failed'])
  const hidden = Object.keys(VARIABLES).map(() => '[SECRET]')
  expect(results[0]?.['output']).toBe([...hidden, ...Object.values(ORDINARY)].join(' | '))
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('in') && statSync(join(dir, name)).isFile(),
  )
  expect(files).toEqual(expect.arrayContaining(['out/tape.yaml', 'out/o.html', 'out/session.jsonl', 'out/loop.yaml']))
  const written = [
    ...files.map((name) => [name, readFileSync(join(dir, name), 'utf8')] as const),
    ...runs.map(({ stdout, stderr }, index) => [`run ${index}`, stdout + stderr] as const),
  ]
  const found = written.flatMap(([name, text]) =>
    Object.values(VARIABLES).flatMap((value) => (text.includes(value) ? [`${name}: ${value}`] : [])),
  )
  expect(found).toEqual([])
})

/** By their looks, whatever the names say; short ones because something names them. */
const UNNAMED = {
  ACME: ['Zk3vQ9xT7mW1', 'pL5sR8bN'].join(''),
  GITHUB_PAT: ['9f86d081884c7d65', '9a2feaa0c55ad015'].join(''),
  DATABASE: 'postgres://app:hunt3r@db.example/app',
  PGPASSWORD: 'k1tten',
  IN_A_CONNECTOR: 'c-98',
  PASSED_ON: 'blue',
}
const SHOWN = {
  GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
  ALLOWED: ['x9Y8z7W6v5U4', 't3S2r1Q0'].join(''),
  HOSTNAME: '3f9a8c7d6e5b4a392817deadbeef4a39',
}

test('values that look random and everything that is named as a key are hidden, and which ones is said once', async () => {
  const names = [...Object.keys(UNNAMED), ...Object.keys(SHOWN)]
  const dir = makeFolder({
    'in/agent.mjs': `export const answer = () => ${JSON.stringify(names)}.map((name) => process.env[name]).join(' | ')`,
    'in/app.yao': '{}',
    'in/viva.config.json': { redactions: { allow: ['ALLOW*'] } },
    'in/connectors/c.conn.yao': { type: 'openai', options: { model: 'm', extra: '$ENV.IN_A_CONNECTOR' } },
    'in/cases.jsonl': [
      { id: 'T1', input: 'tell' },
      { id: 'T2', input: 'again' },
    ],
    'in/loop.yml': `cli: { backend: custom, command: sh, args: ['-c', 'echo $ACME LOOP_COMPLETE'] }\nevent_loop: { max_iterations: 1 }\n`,
  })
  const env = { ...UNNAMED, ...SHOWN }
  const tell = ['test', '-a', 'in', '-n', './in/agent.mjs#answer', '--pass-env', 'PASSED_ON']
  const runs = [
    await viva([...tell, '-i', 'in/cases.jsonl', ...OUTPUTS, '--record', 'out/tape.yaml'], { cwd: dir, env }),
    await viva([...tell, '-i', 'tell'], { cwd: dir, env }),
  ]
  const { results } = checkRun(join(dir, 'out/o.jsonl'), { complete: true })
  const shown = Object.values(SHOWN).join(' | ')
  const hidden = `[SECRET] | [SECRET] | postgres://app:[SECRET]@db.example/app | [SECRET] | [SECRET] | [SECRET] | ${shown}`
  expect(results.map((result) => result['output'])).toEqual([hidden, hidden])
  const said = `Hidden as [SECRET]: ${Object.keys(UNNAMED).toSorted().join(', ')} (looks random: ACME;`
  for (const { stderr } of runs) expect(stderr.split(said)).toHaveLength(2)
  const secrets = ['hunt3r', ...Object.values(UNNAMED)]
  const files = readdirSync(join(dir, 'out')).map((name) => readFileSync(join(dir, 'out', name), 'utf8'))
  const all = [...files, ...runs.flatMap(({ stdout, stderr }) => [stdout, stderr])].join('\n')
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([])

  const silent = await viva(['test', '-i', 'hi', '-n', 'builtin:echo'], { cwd: dir, env })
  expect(silent.stderr).not.toContain('Hidden')
  const loop = await viva(['run', 'tell', '-c', 'in/loop.yml', '--pass-env', 'ACME'], { cwd: dir, env })
  expect(loop.stdout).toContain('[SECRET] LOOP_COMPLETE')
  expect(loop.stderr).toContain('Hidden as [SECRET]: ACME\n')
})

// Joined, so that the file holds nothing that looks like a key.
const KEYS = {
  environment: ['Zq8vTn3KpW6rXy1L', 'mB5cHd9JgFs2QaEu7Ro4Vi0t'].join(''),
  uuid: ['3f2a9c11-7b6d', '4e21-9a77-aa1c5be0d9f3'].join('-'),
  password: ['Xk29fjq', '8LLwq'].join(''),
  expected: ['Pw77tyu', '3MMzx'].join(''),
  vendor: ['sk-pr', 'oj-', 'Tb5Nw8Qr2Lc7Vx4Mz9Kd'].join(''),
}

/** The answer to `name at`: what `name` stands for, after so many characters. */
const CUTTER = `
const KEYS = ${JSON.stringify(KEYS)}
const long = (words) => 'This is the long text of the answer, with ' + words + ' and some more words after it.'
export default (messages) => {
  const [name, at] = messages.at(-1).content.split(' ')
  if (name === 'json') return JSON.stringify({ password: KEYS.password, deep: { db: { password: KEYS.password } } })
  if (name === 'tool') return { content: 'ok', tool_calls: [{ name: 'login', arguments: { password: KEYS.password } }] }
  if (name === 'long') return long(KEYS[at] ? (at === 'password' ? 'the password: ' : '') + KEYS[at] : '')
  const text = 'x'.repeat(at) + ' ' + KEYS[name] + ' tail'.repeat(500)
  if (at % 2) throw new Error(text)
  return text
}`

test('quoted out of its context, cut in the middle, or in a diff, a secret is one', async () => {
  const long = (words: string): string =>
    `This is the long text of the answer, with ${words} and some more words after it.`
  const cuts = Array.from({ length: 40 }, (_, index) => 150 + index * 2)
  const cases = [
    { id: 'equals', input: 'json', assert: { type: 'equals', value: { password: KEYS.expected } } },
    { id: 'deep', input: 'json', expected: { deep: { db: { password: KEYS.expected } } } },
    {
      id: 'schema',
      input: 'json',
      assert: { type: 'schema', value: { type: 'object', properties: { password: { const: KEYS.expected } } } },
    },
    {
      id: 'one of',
      input: 'json',
      assert: { type: 'schema', value: { type: 'object', properties: { password: { enum: [KEYS.expected] } } } },
    },
    { id: 'path', input: 'json', assert: { type: 'json_path', path: '$.password', value: KEYS.expected } },
    { id: 'tool', input: 'tool', assert: { type: 'tool_called', name: 'login', args: { password: KEYS.expected } } },
    { id: 'near', input: 'long password', assert: { type: 'contains', value: `${KEYS.password.slice(0, -4)}zzzz` } },
    { id: 'diff 1', input: 'long password', expected: long(`the password: ${KEYS.expected}`) },
    { id: 'diff 2', input: 'long vendor', expected: long(KEYS.vendor.replace(/\d/g, '0')) },
    { id: 'diff 3', input: 'long uuid', expected: long('00000000-0000-0000-0000-000000000000') },
    ...cuts.flatMap((at) => [
      { id: `a ${at}`, input: `environment ${at}`, expected: 'right' },
      { id: `b ${at}`, input: `environment ${at + 1}`, expected: 'right' },
      { id: `c ${at}`, input: `vendor ${at}`, expected: 'right' },
      {
        id: `d ${at}`,
        input: `x ${at}`,
        assert: { type: 'agent', use: './judge.mjs', value: 'x', options: { metadata: { at } } },
      },
    ]),
  ]
  const judge = `export default (messages, ctx) => 'y'.repeat(ctx.metadata.at) + ' ${KEYS.vendor} is no verdict'`
  const dir = makeFolder({ 'cutter.mjs': CUTTER, 'judge.mjs': judge, 'in.jsonl': cases })
  const env = { MY_API_KEY: KEYS.environment, MY_TOKEN: KEYS.uuid }
  const whole = await viva(['test', '-i', 'in.jsonl', '-n', './cutter.mjs', '-v', ...OUTPUTS], { cwd: dir, env })
  expect(checkRun(join(dir, 'out/o.jsonl'), { complete: true }).results).toHaveLength(cases.length)
  const sinks = Object.fromEntries(
    readdirSync(join(dir, 'out')).map((name) => [name, readFileSync(join(dir, 'out', name), 'utf8')]),
  )
  // The wanted text of "near" has the beginning of one; nothing has eight characters of the middle or of another.
  const parts = [
    KEYS.environment.slice(0, 8),
    KEYS.environment.slice(-8),
    KEYS.vendor.slice(8, 16),
    KEYS.vendor.slice(-8),
  ]
  parts.push(KEYS.uuid.slice(0, 8), KEYS.uuid.slice(-8), KEYS.password, KEYS.expected)
  const found = Object.entries({ ...sinks, stdout: whole.stdout, stderr: whole.stderr }).flatMap(([sink, text]) =>
    parts.filter((part) => text.includes(part)).map((part) => `${sink}: ${part}`),
  )
  expect(found).toEqual([])
  expect(sinks['o.jsonl']).toContain('differs at $.deep.db.password')
})

test('patterns of the configuration replace what was said, never the words that events are made of', async () => {
  const dir = makeFolder({
    'viva.config.json': { redactions: { patterns: { user_id: 'user_[a-z0-9]+', word: 'passed|result|start|agent' } } },
    'cases.jsonl': [
      { id: 'T1', input: '{"user_abc": "user_xyz passed"}', assert: { type: 'contains', value: 'user_xyz' } },
    ],
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl'], { cwd: dir })
  expect(run.code).toBe(0)
  const [start, , result] = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
  expect(start).toMatchObject({ type: 'start', environment: { user_id: 'test-user' } })
  expect(result).toMatchObject({
    type: 'result',
    status: 'passed',
    output: expect.stringMatching(/^\{"\[USER_ID\]": "\[USER_ID-2\] \[WORD-\d\]"\}$/) as unknown,
  })
  const report = await viva(['report', 'out.jsonl', '-o', 'r.md'], { cwd: dir })
  expect([report.code, report.stderr]).toEqual([0, expect.not.stringContaining('error')])
})
