// `viva init`: what it finds in a folder and proposes, the menu, the preview, and commands that work as typed.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { INIT_KINDS } from '../../src/cli/rows/init-kinds.js'
import { BIN, makeFolder, ROOT, viva, type Files } from '../support/run-cli.js'
import { shell } from '../support/shell.js'
import { onTerminal } from '../support/terminal.js'

const [UP, DOWN] = ['\u001b[A', '\u001b[B']
const AGENT = { 'agent.ts': 'export async function run() {\n  return "hello"\n}\n' }
const OPEN_API = {
  openapi: '3.1.0',
  servers: [{ url: 'http://127.0.0.1:1/v2/' }],
  paths: {
    '/users/{id}': { post: { requestBody: body({ messages: {} }) } },
    '/feedback': { post: { requestBody: body({ rating: { type: 'number' } }) } },
    '/chat': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Chat' } } } },
        responses: { 200: body({ answer: { type: 'object', properties: { text: { type: 'string' } } } }) },
      },
    },
  },
  components: { schemas: { Chat: { properties: { messages: { type: 'array' } } } } },
}

function body(properties: object): object {
  return { content: { 'application/json': { schema: { properties } } } }
}

test.each<[what: string, files: Files, found: string, written: string[]]>([
  ['nothing', {}, '', ['agent.ts']],
  ['an agent', AGENT, '  agent.ts\n', []],
  ['an SDK', { 'package.json': { dependencies: { ai: '6' } } }, 'package.json: ai (AI SDK)', ['agent.ts']],
  ['a Python SDK', { 'requirements.txt': 'requests\nopenai-agents==0.4\n' }, 'openai-agents', ['agent.py']],
  ['an OpenAPI file', { 'openapi.json': OPEN_API }, 'http://127.0.0.1:1/v2/chat', ['viva.config.json']],
  ['another OpenAPI file', { 'openapi.yaml': 'openapi: 3.1.0\npaths: {}\n' }, 'takes "messages"', ['agent.ts']],
  ['a damaged OpenAPI file', { 'openapi.yaml': '{' }, 'takes "messages"', ['agent.ts']],
  ['a skill', { 'SKILL.md': '---\nname: x\n---\n' }, 'SKILL.md – test it with an agent that uses it', ['agent.ts']],
  [
    'an MCP server',
    { 'package.json': { dependencies: { '@modelcontextprotocol/sdk': '1' } } },
    '(MCP)',
    ['server.mjs'],
  ],
  ['a promptfoo suite', { 'promptfooconfig.yaml': 'prompts: [a]' }, 'viva import promptfooconfig.yaml', ['agent.ts']],
  ['a package.json that is none', { 'package.json': '[1' }, '', ['agent.ts']],
])('in a folder with %s', async (_what, files, found, written) => {
  const dir = makeFolder(files)
  const before = readdirSync(dir)
  const preview = await viva(['init', '--dry-run'], { cwd: dir })
  expect([preview.code, preview.stdout]).toEqual([0, expect.stringContaining(found)])
  expect(readdirSync(dir)).toEqual(before)
  const init = await viva(['init'], { cwd: dir })
  expect([init.code, init.stderr]).toEqual([0, ''])
  for (const path of written) {
    expect(preview.stdout).toContain(`  ${path}`)
    expect([path, existsSync(join(dir, path))]).toEqual([path, true])
  }
  for (const [path, text] of Object.entries(files))
    if (typeof text === 'string') expect(readFileSync(join(dir, path), 'utf8')).toBe(text)
})

test('cases for the agent that is there: what exists stays, the printed command passes', async () => {
  const dir = makeFolder({ ...AGENT, '.github/workflows/viva.yml': 'mine\n' })
  const init = await viva(['init'], { cwd: dir })
  expect(init.stdout).toContain('viva.yml (exists, kept)')
  expect(readFileSync(join(dir, '.github/workflows/viva.yml'), 'utf8')).toBe('mine\n')
  const [command = ''] = init.stdout.match(/^ {2}node .+$/m) ?? []
  expect(command).toContain('-n ./agent.ts#run')
  expect((await shell(command, { cwd: dir })).code).toBe(0)
  // The sample case can fail.
  writeFileSync(join(dir, 'agent.ts'), 'export const run = () => " "')
  expect((await shell(command, { cwd: dir })).code).toBe(1)
})

test('--kind mcp with a command: cases from what the server lists, none of whose tools was called', async () => {
  const fixture = join(ROOT, 'test/fixtures/mcp/notes-server.mjs')
  const dir = makeFolder()
  const init = await viva(['init', '--kind', 'mcp', `node ${fixture}`], { cwd: dir })
  expect([init.code, init.stderr]).toEqual([0, ''])
  expect(init.stdout).toContain('nothing was called. Review each of them')
  const calls = readFileSync(join(dir, 'tests/calls.jsonl'), 'utf8')
  expect(calls).toContain('"find_note-answers"')
  const [command = ''] = init.stdout.match(/^ {2}node .+$/m) ?? []
  const run = await shell(`${command} --timeout 3s || true`, { cwd: dir })
  // It has a tool that never answers; the others do what their schemas say, or are skipped.
  expect(run.stdout).toContain('✓ [find_note-answers]')
  expect(run.stdout).toContain('✓ [find_note-refuses]')
  expect(run.stdout).toContain('○ [add_note-answers]')
  const routing = ['test', '-i', 'tests/routing.jsonl', '-n', 'builtin:echo', '--dry-run']
  expect((await viva(routing, { cwd: dir })).stdout).toContain('[find_note-is-chosen]')
}, 60_000)

interface Asked {
  id?: number
  method: string
  params: { protocolVersion: string }
}

test('--kind mcp writes no secret that the server lists, nor the password of its address', async () => {
  const key = ['sk-ant-api03', 'q8Xk2vTtYp0LmN4wR7sq8Xk2vTtYp0LmN4wR7s'].join('-')
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, method, params } = JSON.parse(body || '{}') as Asked
      const tool = { name: 'find', description: `Finds ${key}`, inputSchema: { type: 'object' } }
      const result =
        method === 'initialize'
          ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: {} }
          : { tools: [tool] }
      if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end()
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const dir = makeFolder()
  const address = `mcp:http://joe:swordfish@127.0.0.1:${(server.address() as AddressInfo).port}/`
  const init = await viva(['init', '--kind', 'mcp', address], { cwd: dir })
  expect([init.code, init.stderr]).toEqual([0, ''])
  const files = ['tests/calls.jsonl', 'tests/routing.jsonl', '.github/workflows/viva.yml']
  const written = [init.stdout, ...files.map((file) => readFileSync(join(dir, file), 'utf8'))]
  expect(written[2]).toMatch(/Finds \[\w+\]/)
  expect(written[3]).toContain('mcp:http://[SECRET]@127.0.0.1')
  for (const each of written) for (const secret of [key, 'swordfish']) expect(each).not.toContain(secret)
})

test.each([
  ['node nothing-there.mjs', 'could not be listed: no answer to initialize: the server exited with code 1'],
  ['mcp:no-such-program', 'no-such-program'],
])('--kind mcp %s writes nothing', async (server, words) => {
  const dir = makeFolder()
  const init = await viva(['init', '--kind', 'mcp', server], { cwd: dir })
  expect([init.code, init.stderr, readdirSync(dir)]).toEqual([2, expect.stringContaining(words), []])
})

test('an OpenAPI description becomes a named agent', async () => {
  const dir = makeFolder({ 'openapi.json': OPEN_API })
  const init = await viva(['init'], { cwd: dir })
  expect(JSON.parse(readFileSync(join(dir, 'viva.config.json'), 'utf8'))).toEqual({
    agents: { api: { target: 'http://127.0.0.1:1/v2/chat', response_path: '$.answer.text' } },
  })
  expect(init.stdout).toContain('test -i tests/cases.jsonl -n api\n')
})

test('commands name the Viva that printed them: installed here, on the path, or its file', async () => {
  const link = (folder: string): void => {
    mkdirSync(folder, { recursive: true })
    symlinkSync(realpathSync(BIN), join(folder, 'viva'))
  }
  chmodSync(BIN, 0o755)
  const firstCommand = async (dir: string, env: Record<string, string> = {}): Promise<string> =>
    /Try it:\n {2}(.+) test -i/.exec((await viva(['init'], { cwd: dir, env })).stdout)?.[1] ?? ''
  const bare = makeFolder()
  expect(await firstCommand(bare)).toBe(`node ${realpathSync(BIN)}`)
  const installed = makeFolder()
  link(join(installed, 'node_modules/.bin'))
  mkdirSync(join(installed, 'below'))
  expect(await firstCommand(join(installed, 'below'))).toBe('npx --no-install viva')
  const onPath = makeFolder()
  link(join(onPath, 'bin'))
  const PATH = (folder: string): string => `${folder}:${process.env['PATH'] ?? ''}`
  expect(await firstCommand(makeFolder(), { PATH: PATH(join(onPath, 'bin')) })).toBe('viva')
  // npx puts this on the path, and takes it away again.
  const passing = makeFolder()
  link(join(passing, 'node_modules/.bin'))
  expect(await firstCommand(makeFolder(), { PATH: PATH(join(passing, 'node_modules/.bin')) })).toMatch(/^node /)
})

test('--help lists the kinds; a kind that does not exist gets a suggestion', async () => {
  const dir = makeFolder()
  const { stdout } = await viva(['init', '--help'], { cwd: dir })
  const shown = stdout.split('\n').map((line) => line.replaceAll(/ +/g, ' '))
  for (const { name, about } of INIT_KINDS)
    expect(shown).toContainEqual(expect.stringContaining(` ${name} ${about.slice(0, 20)}`))
  const wrong = await viva(['init', '--kind', 'pyton'], { cwd: dir })
  expect([wrong.code, wrong.stderr, readdirSync(dir)]).toEqual([2, expect.stringContaining('did you mean python?'), []])
})

test('the menu: arrow keys, a preview, a question; nothing is written before it', async () => {
  const dir = makeFolder()
  const terminal = onTerminal(['init'], { cwd: dir })
  await terminal.saw('❯ function')
  terminal.type(DOWN)
  await terminal.saw('❯ http')
  terminal.type(DOWN)
  await terminal.saw('❯ python')
  terminal.type(`${UP}${UP}${UP}`)
  await terminal.saw('❯ orchestrator')
  terminal.type(`${DOWN}3\r`)
  await terminal.saw('agent.py')
  await terminal.saw('Write these files? [Y/n]')
  expect(readdirSync(dir)).toEqual([])
  terminal.type('\r')
  await terminal.saw('Try it:')
  expect(await terminal.code).toBe(0)
  expect(existsSync(join(dir, 'agent.py'))).toBe(true)
  expect(terminal.screen()).not.toContain('\u001b')
})

test.each<[what: string, key: string, atQuestion?: boolean]>([
  ['q', 'q'],
  ['Escape', '\u001b'],
  ['Ctrl-C', '\u0003'],
  ['no to the question', 'n', true],
  ['Ctrl-C at the question', '\u0003', true],
])('leaving with %s writes nothing', async (_what, key, atQuestion = false) => {
  const dir = makeFolder()
  const terminal = onTerminal(['init'], { cwd: dir })
  await terminal.saw('to leave')
  if (atQuestion) {
    terminal.type('\r')
    await terminal.saw('[Y/n]')
  }
  terminal.type(key)
  await terminal.saw('Nothing was written.')
  expect(await terminal.code).toBe(130)
  expect(readdirSync(dir)).toEqual([])
})

test('the menu begins with what was found, and fits a narrow terminal', async () => {
  const dir = makeFolder({
    ...AGENT,
    'promptfooconfig.yaml': 'prompts: [a]',
    'package.json': { dependencies: { ai: '6' } },
  })
  const terminal = onTerminal(['init'], { cwd: dir, columns: 40 })
  await terminal.saw('❯ import')
  terminal.type(DOWN)
  await terminal.saw('❯ ./agent.ts#run')
  terminal.type(UP)
  await terminal.saw('❯ import')
  expect(terminal.screen().match(/What do you want to test/g)).toHaveLength(1)
  terminal.type('\r')
  await terminal.saw('import promptfooconfig.yaml -o viva-tests')
  expect(await terminal.code).toBe(0)
  expect(existsSync(join(dir, 'tests'))).toBe(false)
})

test('a file in the place of the folder is refused, and what was kept is not announced', async () => {
  const dir = makeFolder({ 'server.mjs': '', 'tests/calls.jsonl': '{}\n' })
  const file = await viva(['init', '--kind', 'mcp', 'server.mjs', '--dry-run'], { cwd: dir })
  expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('init --kind mcp "node server.mjs"')])
  const fixture = join(ROOT, 'test/fixtures/mcp/lying/server.mjs')
  const init = await viva(['init', '--kind', 'mcp', `node ${fixture}`], { cwd: dir })
  expect(init.stdout).toContain('tests/calls.jsonl (exists, kept)')
  expect(init.stdout).not.toContain('skipped until then')
}, 60_000)
