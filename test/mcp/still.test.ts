// Without --allow-live, run_cases runs what answers from a script or a recording, and starts nothing: the server is watched.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva, type Files } from '../support/run-cli.js'
import { connect, type Called } from './support.js'

/** Writes down every program, thread of a user and connection that this process tries to open, and refuses it. */
const WATCH = `
  import { createRequire, syncBuiltinESMExports } from 'node:module'
  import { appendFileSync } from 'node:fs'
  const require = createRequire(import.meta.url)
  const refuse = (owner, name, what) => {
    owner[name] = (...args) => {
      appendFileSync(process.env.WATCHED, what + ' ' + String(args[0]) + '\\n')
      throw new Error('refused: ' + what)
    }
  }
  const programs = require('node:child_process')
  for (const name of ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync']) refuse(programs, name, name)
  const net = require('node:net')
  refuse(net.Socket.prototype, 'connect', 'connect')
  refuse(net.Server.prototype, 'listen', 'listen')
  for (const name of ['lookup', 'resolve']) refuse(require('node:dns'), name, name)
  syncBuiltinESMExports()
`

const CASE = { id: 'a', input: 'hello', assert: { type: 'contains', value: 'hello' } }
const PACKAGE = { name: 'Greeter', connector: 'mock' }
const GREETER: Files = {
  'app.yao': {},
  'assistants/greeter/package.yao': PACKAGE,
  'assistants/greeter/mock.yml': '- output: hello you\n',
  'assistants/greeter/tests/inputs.jsonl': [CASE],
}
const INPUT = { input: 'assistants/greeter/tests/inputs.jsonl' }
/** If it is run, it leaves this behind. */
const TRACE = `import { writeFileSync } from 'node:fs'\nwriteFileSync('ran.txt', 'x')\n`

interface Watched {
  called: Called
  /** What the server tried to open. */
  opened: string
  project: string
}

async function runCases(files: Files, args: object, env: Record<string, string> = {}): Promise<Watched> {
  const project = makeFolder(files)
  const watch = makeFolder({ 'watch.mjs': WATCH, opened: '' })
  const { call } = await connect('stdio', {
    project,
    cwd: project,
    args: ['--project', project],
    env: { NODE_OPTIONS: `--import ${join(watch, 'watch.mjs')}`, WATCHED: join(watch, 'opened'), ...env },
  })
  const called = await call('run_cases', args)
  return { called, opened: readFileSync(join(watch, 'opened'), 'utf8'), project }
}

test('the watch sees what is opened', async () => {
  const project = makeFolder({ ...GREETER, 'agent.mjs': 'export const run = () => "hello"' })
  const watch = makeFolder({ 'watch.mjs': WATCH, opened: '' })
  const env = { NODE_OPTIONS: `--import ${join(watch, 'watch.mjs')}`, WATCHED: join(watch, 'opened') }
  const { call } = await connect('stdio', { project, cwd: project, args: ['--project', project, '--allow-live'], env })
  await call('run_cases', { ...INPUT, agent: './agent.mjs#run' })
  expect(readFileSync(join(watch, 'opened'), 'utf8')).toMatch(/^spawn/)
})

test.each<[what: string, files: Files, args: object]>([
  ['a package with a mock connector', GREETER, INPUT],
  ['the echo', { 'cases.jsonl': [CASE] }, { input: 'cases.jsonl', agent: 'builtin:echo' }],
])('%s runs, and starts nothing', async (_what, files, args) => {
  const { called, opened, project } = await runCases(files, args)
  expect([called.isError, called.text]).toEqual([false, expect.any(String)])
  expect(called.value).toMatchObject({ exit_code: 0, total: 1, passed: 1 })
  expect(opened).toBe('')
  // The verdicts are real.
  const wrong = { ...CASE, assert: { type: 'contains', value: 'goodbye' } }
  const [file = ''] = Object.keys(files).filter((name) => name.endsWith('.jsonl'))
  const failed = await runCases({ ...files, [file]: [wrong] }, args)
  expect([failed.called.value['exit_code'], failed.opened]).toEqual([1, ''])
  expect(readdirSync(project).length).toBeGreaterThan(0)
})

test('recorded answers and a cassette of a real agent run, and start nothing', async () => {
  const files: Files = { 'agent.mjs': `${TRACE}export const run = () => "hello there"`, 'cases.jsonl': [CASE] }
  const made = makeFolder(files)
  const run = await viva(
    ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--record', 'c.yaml', '-o', 'run.jsonl'],
    { cwd: made },
  )
  expect(run.code).toBe(0)
  const kept: Files = { ...files }
  for (const name of ['c.yaml', 'run.jsonl']) kept[name] = readFileSync(join(made, name), 'utf8')
  for (const args of [
    { input: 'cases.jsonl', agent: 'recorded:run.jsonl' },
    { input: 'cases.jsonl', agent: './agent.mjs#run', replay: 'c.yaml' },
  ]) {
    const { called, opened, project } = await runCases(kept, args)
    expect([args, called.text, opened]).toEqual([args, expect.stringContaining('"passed":1'), ''])
    expect(existsSync(join(project, 'ran.txt'))).toBe(false)
  }
})

const named = (agent: unknown): Files => ({
  ...GREETER,
  'viva.config.json': { agents: { it: agent } },
})
const SPEAKS = 'export const run = () => "hello"'

test.each<[what: string, files: Files, args: object]>([
  ['a module', { ...GREETER, 'agent.mjs': TRACE + SPEAKS }, { ...INPUT, agent: './agent.mjs#run' }],
  ['a program', named('exec:touch ran.txt'), { ...INPUT, agent: 'it' }],
  ['an endpoint', named('http://127.0.0.1:9/v1'), { ...INPUT, agent: 'it' }],
  ['a server', named({ url: 'http://127.0.0.1:9/ask' }), { ...INPUT, agent: 'it' }],
  ['A2A', named('a2a:http://127.0.0.1:9'), { ...INPUT, agent: 'it' }],
  ['ACP', named('acp:touch ran.txt'), { ...INPUT, agent: 'it' }],
  ['a model', named('openai:gpt-5-mini'), { ...INPUT, agent: 'it' }],
  [
    'a loop with a backend',
    { ...GREETER, 'hats.yml': 'cli: {backend: custom, command: touch, args: [ran.txt]}' },
    { ...INPUT, agent: 'orchestrator:hats.yml' },
  ],
  ['hooks', { ...GREETER, 'assistants/greeter/src/index.ts': `${TRACE}export function Next() { return null }` }, INPUT],
  [
    'script tests',
    { ...GREETER, 'assistants/greeter/src/x_test.ts': `${TRACE}export function TestX(t) { t.assert.True(true) }` },
    { input: 'scripts.greeter.x' },
  ],
  [
    'a script assertion',
    {
      ...GREETER,
      'assistants/greeter/src/check.ts': `${TRACE}export function Check() { return true }`,
      'assistants/greeter/tests/inputs.jsonl': [
        { ...CASE, assert: { type: 'script', script: 'scripts.greeter.check.Check' } },
      ],
    },
    INPUT,
  ],
  [
    'a hook before the run',
    {
      ...GREETER,
      'assistants/greeter/src/env.ts': `${TRACE}export function Before() { return {} }`,
      'viva.config.json': { defaults: { before: 'scripts.greeter.env.Before' } },
    },
    INPUT,
  ],
  [
    'cases in a module',
    { ...GREETER, 'cases.mjs': `${TRACE}export default [{ id: 'a', input: 'hello' }]` },
    { input: 'cases.mjs', agent: 'greeter' },
  ],
  [
    'a package of an SDK',
    {
      ...GREETER,
      'assistants/greeter/package.yao': { ...PACKAGE, connector: 'sdk' },
      'connectors/sdk.conn.yao': {
        type: 'ai-sdk',
        options: { package: 'some-sdk', model: 'm', host: 'http://127.0.0.1:9' },
      },
      'node_modules/some-sdk/package.json': { name: 'some-sdk', main: 'index.js' },
      'node_modules/some-sdk/index.js':
        "require('node:fs').writeFileSync('ran.txt', 'x'); exports.createSome = () => () => ({})",
    },
    INPUT,
  ],
  ['a fleet', { ...GREETER, 'viva.config.json': { defaults: { queue: 'redis://127.0.0.1:9' } } }, INPUT],
  ['telemetry', { ...GREETER, 'viva.config.json': { defaults: { otel: 'http://127.0.0.1:9' } } }, INPUT],
])('%s is refused, and not started', async (_what, files, args) => {
  const { called, opened, project } = await runCases(files, args, { OPENAI_API_KEY: 'sk-test-0000000000' })
  const passed = called.isError ? 0 : called.value['passed']
  expect([passed, called.text, opened]).toEqual([0, expect.stringMatching(/live agents are disabled/), ''])
  expect(existsSync(join(project, 'ran.txt'))).toBe(false)
})

test('a judge that is a model gives no verdict', async () => {
  const files: Files = {
    ...GREETER,
    'assistants/greeter/tests/inputs.jsonl': [{ ...CASE, assert: { type: 'judge', criteria: 'is kind' } }],
    'viva.config.json': { helpers: { connector: 'openai:gpt-5-mini' } },
  }
  const { called, opened } = await runCases(files, INPUT, { OPENAI_API_KEY: 'sk-test-0000000000' })
  expect([called.isError ? 0 : called.value['passed'], opened]).toEqual([0, ''])
})

test('validate_cases says what is wrong with a file or with cases, and starts nothing', async () => {
  const files: Files = {
    ...GREETER,
    'typo.jsonl': [
      { id: 'a', input: 'x', asert: 'y' },
      { id: 'b', input: 'x', assert: { type: 'contains' } },
    ],
  }
  const project = makeFolder(files)
  const { call } = await connect('stdio', { project })
  expect((await call('validate_cases', INPUT)).value).toEqual({ valid: true, cases: 1, problems: [], warnings: [] })
  const { value } = await call('validate_cases', { input: 'typo.jsonl' })
  expect(value).toMatchObject({
    valid: false,
    problems: [{ line: 1, field: 'asert', suggestion: 'assert' }, { line: 2 }],
  })
  const inline = await call('validate_cases', { cases: [CASE, { ...CASE, assert: { type: 'contans', value: 'x' } }] })
  expect(inline.value).toMatchObject({ valid: false, problems: [{}, {}] })
  expect(JSON.stringify(inline.value)).toContain('contains')
  expect((await call('validate_cases', { cases: [CASE] })).value).toMatchObject({ valid: true, cases: 1 })
  for (const args of [{}, { input: 'typo.jsonl', cases: [CASE] }])
    expect((await call('validate_cases', args)).text).toContain('input or cases, and not both')
  expect((await call('validate_cases', { input: '../x.jsonl' })).text).toContain('OUTSIDE_PROJECT')
  expect(existsSync(join(project, '.viva'))).toBe(false)
})
