// Who is asking, and what the configuration sets: everything reaches the agent.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, ROOT, viva, type Files } from '../support/run-cli.js'

type Json = Record<string, unknown>

const AGENT = `export const run = (messages, ctx, { signal, ...options }) => ({ content: { ctx, options } })\n`

interface Asked {
  ctx: Json
  options: Json
  start: Json
}

async function asked(args: string[], files: Files = {}, testCase: object = {}): Promise<Asked> {
  const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'T1', input: 'x', ...testCase }], ...files })
  const name = args.includes('-n') ? [] : ['-n', './agent.mjs#run']
  const { stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '--json', ...name, ...args], { cwd: dir })
  const [start, , result] = parseEvents(stdout)
  if (!start || !result) throw new Error(stderr)
  return { ...(result['output'] as Omit<Asked, 'start'>), start }
}

test('defaults', async () => {
  const { ctx, start } = await asked([])
  expect(ctx).toMatchObject({
    locale: 'en-us',
    referer: 'test',
    accept: 'standard',
    client: { type: 'test', ip: '127.0.0.1' },
    authorized: { user_id: 'test-user', team_id: 'test-team', sub: 'test-user', tenant_id: 'test-team' },
    metadata: {},
  })
  expect(start['environment']).toEqual({ user_id: 'test-user', team_id: 'test-team', locale: 'en-us' })
})

test('-u, -t and --locale reach the agent and beat the case', async () => {
  const { ctx, start } = await asked(
    ['-u', 'admin', '-t', 'ops', '--locale', 'zh-cn'],
    {},
    { user: 'case-user', team: 'case-team' },
  )
  expect(ctx).toMatchObject({ locale: 'zh-cn', authorized: { user_id: 'admin', team_id: 'ops' } })
  expect(start['environment']).toEqual({ user_id: 'admin', team_id: 'ops', locale: 'zh-cn' })
})

test('the context file beats the flags, field by field', async () => {
  const file = {
    authorized: {
      sub: 'user-12345',
      client_id: 'my-app',
      scope: 'read write',
      session_id: 'sess-abc123',
      user_id: 'admin',
      tenant_id: 'acme-corp',
      remember_me: false,
      constraints: {
        owner_only: false,
        creator_only: false,
        editor_only: false,
        team_only: true,
        extra: { department: 'engineering', region: 'us-west' },
      },
    },
    metadata: { request_id: 'req-123', trace_id: 'trace-456', custom_field: 'custom_value' },
    client: { type: 'web', user_agent: 'Mozilla/5.0', ip: '192.168.1.100' },
    locale: 'zh-cn',
    referer: 'https://example.com/dashboard',
  }
  const { ctx } = await asked(
    ['--ctx', 'context.json', '-u', 'flag-user', '-t', 'flag-team', '--locale', 'de'],
    { 'context.json': file },
    { metadata: { own: 1 } },
  )
  expect(ctx).toMatchObject({
    ...file,
    authorized: { ...file.authorized, team_id: 'flag-team' },
    metadata: { ...file.metadata, own: 1 },
  })
})

test('every case has its own chat id', async () => {
  const dir = makeFolder({
    'agent.mjs': AGENT,
    'cases.jsonl': [
      { id: 'a', input: 'x' },
      { id: 'b', turns: [{ input: '1' }, { input: '2' }] },
    ],
  })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '--json', '-n', './agent.mjs#run'], { cwd: dir })
  const [a, b] = parseEvents(stdout).filter((event) => event.type === 'result')
  const chat = (output: unknown): unknown => (output as { ctx: { chat_id: string } }).ctx.chat_id
  const turns = ((b?.['turns'] ?? []) as Array<{ output: unknown }>).map(({ output }) => chat(output))
  expect(new Set([chat(a?.['output']), ...turns]).size).toBe(2)
})

test('chat_id of the context file is the chat of the only case, and begins that of every other', async () => {
  const files = { 'agent.mjs': AGENT, 'ctx.json': { chat_id: 'c-42' } }
  const args = ['--json', '-n', './agent.mjs#run', '--ctx', 'ctx.json']
  const chats = async (cases: object[], more: string[] = []): Promise<string[]> => {
    const dir = makeFolder({ ...files, 'cases.jsonl': cases })
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', ...args, ...more], { cwd: dir })
    return parseEvents(stdout)
      .filter((event) => event.type === 'result')
      .map(({ output }) => (output as { ctx: { chat_id: string } }).ctx.chat_id)
  }
  const one = { id: 'a', input: 'x' }
  expect(await chats([one])).toEqual(['c-42'])
  for (const several of [await chats([one, { id: 'b', input: 'x' }]), await chats([one], ['--runs', '2'])]) {
    expect(new Set(several).size).toBe(2)
    for (const chat of several) expect(chat).toMatch(/^c-42-./)
  }
})

test('metadata and options: the case’s, then its options over it, then -c', async () => {
  const given = {
    metadata: { a: 1, b: 1 },
    options: { metadata: { b: 2 }, connector: 'mine', search: false, mode: 'fast' },
  }
  expect(await asked([], {}, given)).toMatchObject({
    ctx: { metadata: { a: 1, b: 2 } },
    options: { metadata: { a: 1, b: 2 }, connector: 'mine', search: false, mode: 'fast' },
  })
})

test('the configuration sets defaults, and a flag beats it', async () => {
  const config = { defaults: { user: 'config-user', locale: 'fr', parallel: 3, output: ['configured.jsonl'] } }
  const { ctx, start } = await asked(['--locale', 'de'], { 'viva.config.json': config })
  expect(ctx).toMatchObject({ locale: 'de', authorized: { user_id: 'config-user' } })
  expect(start['options']).toMatchObject({ parallel: 3 })
})

test.each<[string, string | object]>([
  ['viva.config.json', { agents: { bot: './agent.mjs#run' } }],
  ['viva.config.yaml', 'agents:\n  bot: { target: "./agent.mjs#run" }\n'],
  ['viva.config.mjs', 'export default { agents: { bot: "./agent.mjs#run" } }\n'],
  ['viva.config.js', 'export default { agents: { bot: "./agent.mjs#run" } }\n'],
  ['viva.config.ts', 'const target: string = "./agent.mjs#run"\nexport default { agents: { bot: { target } } }\n'],
])('named agents in %s', async (name, config) => {
  const files = { [name]: config, 'package.json': '{"type": "module"}' }
  expect((await asked(['-n', 'bot'], files)).start).toMatchObject({ agent_id: 'bot' })
})

test('viva.config.ts imports packages, defineConfig among them', async () => {
  const files = {
    'viva.config.ts': `import { defineConfig } from 'viva'
import { target } from 'our-agents'
export default defineConfig({ agents: { bot: { target } } })
`,
    'node_modules/our-agents/package.json': { name: 'our-agents', type: 'module', exports: './index.js' },
    'node_modules/our-agents/index.js': 'export const target = "./agent.mjs#run"',
    'node_modules/viva/package.json': { name: 'viva', type: 'module', exports: './index.js' },
    'node_modules/viva/index.js': `export * from ${JSON.stringify(pathToFileURL(join(ROOT, 'dist/index.js')).href)}`,
  }
  expect((await asked(['-n', 'bot'], files)).start).toMatchObject({ agent_id: 'bot' })
})
