import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { agentContext } from '../../test/support/agent-request.js'
import { http } from '../../test/support/http.js'
import { openConnectors } from '../connectors/registry.js'
import { UserError } from '../errors.js'
import type { VivaConfig } from '../model/config.js'
import type { ScriptRuntime } from '../model/script.js'
import { createProcesses } from '../../test/support/processes.js'
import { openAgents, type Agents } from './resolve.js'
import { agentIdOf } from './resolve-id.js'

const made: string[] = []
const opened: Agents[] = []

afterEach(async () => {
  for (const agents of opened.splice(0)) await agents.close()
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const FILES = {
  'app.yao': '{}',
  'assistants/expense/package.yao': '{"name":"Expense","connector":"mock"}',
  'assistants/expense/mock.yml': '- output: filed\n- output: filed again\n',
  'assistants/expense/tests/inputs.jsonl': '',
  'assistants/workers/system/keyword/package.yao': '{"name":"Keyword","connector":"echo"}',
  'assistants/workers/system/keyword/locales/en-us.yml': 'hello: Hello\n',
  'assistants/workers/system/keyword/locales/fr.yml': 'hello: Bonjour\n',
  'assistants/expense/src/helper.ts': '',
  'agents/agent.mjs': 'export const run = (messages) => `module: ${messages.at(-1).content}`\n',
}

function app(files: Record<string, string> = FILES): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'viva-resolve-')))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

const scripts: ScriptRuntime = { find: refuse, runFile: refuse, call: refuse, close: () => Promise.resolve() }

function refuse(): Promise<never> {
  return Promise.reject(new Error('no script may run here'))
}

function open(appRoot: string, config: VivaConfig = {}, cwd = appRoot): Agents {
  const env = { PATH: process.env['PATH'] }
  const agents = openAgents({
    http,
    appRoot,
    cwd,
    config,
    connectors: openConnectors({ appRoot, env, http }),
    scripts,
    processes: createProcesses(),
    callProcess: refuse,
    pass_env: [],
    env,
  })
  opened.push(agents)
  return agents
}

async function ask(agents: Agents, target: string | undefined, dir: string): Promise<[string, unknown]> {
  const agent = await agents.resolve(target, { dir })
  const reply = await agent.send({
    messages: [{ role: 'user', content: 'hi' }],
    context: agentContext({ assistant_id: '' }),
    options: {},
    call: { lane: 'agent', role: 'a' },
    signal: AbortSignal.timeout(10_000),
  })
  return [agent.id, reply.content]
}

async function failure(work: Promise<unknown>): Promise<UserError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof UserError)) throw new Error(`expected a UserError, got ${String(error)}`)
  return error
}

test('an id, with or without the prefix, is a folder below assistants', async () => {
  const root = app()
  const agents = open(root)
  expect(await ask(agents, 'expense', root)).toEqual(['expense', 'filed'])
  expect(await ask(agents, 'assistants.workers.system.keyword', root)).toEqual(['workers.system.keyword', 'hi'])
  expect(await agents.get('agents:expense')).toBe(await agents.resolve('expense', { dir: root }))
})

test('without -n the first package.yao from the input upward is the agent', async () => {
  const root = app()
  const agents = open(root)
  expect(await ask(agents, undefined, join(root, 'assistants/expense/tests'))).toEqual(['expense', 'filed'])
  expect(await ask(agents, undefined, join(root, 'assistants/workers/system/keyword'))).toEqual([
    'workers.system.keyword',
    'hi',
  ])
})

test('a folder outside assistants is an agent by its own name', async () => {
  const root = app({ 'greeter/package.yao': '{"name":"x","connector":"echo"}', 'greeter/tests/a.jsonl': '' })
  const agents = open(join(root, 'greeter'))
  expect(await ask(agents, undefined, join(root, 'greeter/tests'))).toEqual(['greeter', 'hi'])
  expect(await ask(agents, 'greeter', root)).toEqual(['greeter', 'hi'])
  expect(await agents.list()).toEqual(['greeter'])
})

test('targets need no package: echo, modules, commands, folders', async () => {
  const root = app()
  const agents = open(root)
  expect(await ask(agents, 'builtin:echo', root)).toEqual(['builtin:echo', 'hi'])
  expect(await ask(agents, './agents/agent.mjs#run', root)).toEqual(['./agents/agent.mjs#run', 'module: hi'])
  expect((await ask(agents, 'exec:cat', root))[1]).toMatchObject({})
  expect(await ask(agents, './assistants/expense', root)).toEqual(['expense', 'filed'])
})

test('names in the configuration refer to targets and ids', async () => {
  const root = app()
  const agents = open(
    root,
    {
      agents: { mine: './agents/agent.mjs#run', echo: { target: 'builtin:echo', description: 'd' }, alias: 'expense' },
    },
    '/',
  )
  expect(await ask(agents, 'mine', root)).toEqual(['mine', 'module: hi'])
  expect(await ask(agents, 'echo', root)).toEqual(['echo', 'hi'])
  expect(await ask(agents, 'alias', root)).toEqual(['expense', 'filed'])
  expect(await agents.list()).toEqual(['alias', 'echo', 'expense', 'mine', 'workers.system.keyword'])
})

test('an unknown agent: what was meant, where it was looked for, which there are', async () => {
  const root = app()
  const error = await failure(open(root).resolve('expnse', { dir: root }))
  expect(error.message).toBe('no agent called "expnse"; did you mean "expense"?')
  expect(error.hint).toBe(
    `looked for ${root}/assistants/expnse/package.yao and ${root}/expnse/package.yao; agents here: expense, workers.system.keyword`,
  )
})

test('nothing found upward: what to say, and the agents there are', async () => {
  const root = app()
  const error = await failure(open(root).resolve(undefined, { dir: join(root, 'assistants') }))
  expect(error.message).toBe(`no agent to test: no -n, and no package.yao in ${root}/assistants or above`)
  expect(error.hint).toContain('say what to test: -n ./agent.ts#run')
  expect(error.hint).toContain('agents here: expense, workers.system.keyword')
})

test.each<[what: string, files: Record<string, string>, hint: string | undefined]>([
  ['agent.ts', { 'agent.ts': 'export const other = () => 1\nexport async function run() {}' }, 'try -n ./agent.ts#run'],
  ['a default export', { 'agent.mjs': 'export default function () {}' }, 'try -n ./agent.mjs'],
  ['src/agent.js', { 'src/agent.js': 'export const chat = async () => 1' }, 'try -n ./src/agent.js#chat'],
  ['agent.py', { 'agent.py': 'print(1)' }, 'try -n "exec:python3 agent.py"'],
  [
    'two',
    { 'agent.py': '', 'agent.ts': 'export function run() {}' },
    'try -n ./agent.ts#run or -n "exec:python3 agent.py"',
  ],
  [
    'one exported function',
    { 'bot.ts': 'export function reply() {}', 'a.test.ts': 'export function x() {}' },
    'try -n ./bot.ts#reply',
  ],
  ['several exported functions', { 'bot.ts': 'export function a() {}\nexport function b() {}' }, undefined],
  ['only values', { 'agent.ts': 'export const limit = 3\nexport interface A {}' }, undefined],
  ['a file that does not parse', { 'agent.ts': 'export function run( {' }, undefined],
])('nothing found upward, in a folder with %s', async (_what, files, hint) => {
  const root = app(files)
  const error = await failure(open(root).resolve(undefined, { dir: root }))
  if (hint === undefined) expect(error.hint).toMatch(/^say what to test: /)
  else expect(error.hint).toBe(hint)
})

test.each(['../secret', 'a/../../secret', '..', 'expense..x', 'a\0b', 'a b'])(
  'an id never leads out of the root: %j',
  async (id) => {
    const root = app({ 'secret/package.yao': '{"name":"s"}', 'app/app.yao': '{}' })
    const error = await failure(open(join(root, 'app')).get(id))
    expect(error.code).toBe('UNKNOWN_AGENT')
  },
)

test('a link out of the root is not an agent', async () => {
  const root = app({ 'secret/package.yao': '{"name":"s"}', 'app/assistants/x/package.yao': '{"name":"x"}' })
  symlinkSync(join(root, 'secret'), join(root, 'app/assistants/link'))
  expect((await failure(open(join(root, 'app')).get('link'))).code).toBe('UNKNOWN_AGENT')
})

test.each([
  ['carrier:pigeon', '"carrier:pigeon" is not a kind of agent that Viva knows'],
  ['builtin:parrot', '"builtin:parrot" is not a kind of agent that Viva knows'],
  ['./none.ts#run', 'none.ts'],
])('a target that cannot be: %s', async (target, message) => {
  const root = app()
  expect((await failure(open(root).resolve(target, { dir: root }))).message).toContain(message)
})

test('helpers are found like agents, built-in ones too', async () => {
  const agents = open(app())
  expect((await agents.resolveHelper('agents:expense')).id).toBe('expense')
  expect((await agents.resolveHelper('builtin:echo')).id).toBe('builtin:echo')
})

test('two names for one target keep their own settings', async () => {
  const target = 'http://127.0.0.1:9/v1'
  const agents = open(app(), { agents: { one: { target, description: 'One' }, two: { target, description: 'Two' } } })
  const [one, two] = [await agents.get('one'), await agents.get('two')]
  expect([one.description, two.description]).toEqual(['One', 'Two'])
})

test('messages of an agent by language', async () => {
  const agents = open(app())
  expect(await agents.messages('workers.system.keyword', 'fr')).toEqual({ hello: 'Bonjour' })
  expect(await agents.messages('workers.system.keyword', 'xx')).toEqual({ hello: 'Hello' })
  expect(await agents.messages('nobody', 'fr')).toBeUndefined()
})

test.each([
  ['/app/assistants/workers/system/keyword', 'workers.system.keyword'],
  ['/app/assistants/keyword', 'keyword'],
  ['/srv/assistants/old/assistants/a/b', 'a.b'],
  ['/home/me/greeter', 'greeter'],
])('the id of %s', (dir, id) => expect(agentIdOf(dir)).toBe(id))
