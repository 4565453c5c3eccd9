import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { conformanceRows } from '../../../../test/support/conformance.js'
import { UserError } from '../../../errors.js'
import { loadPackage } from './load.js'
import { choosePrompts } from './prompts.js'

const made: string[] = []

afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function app(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'viva-package-'))
  made.push(root)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

function load(root: string, id = 'greeter') {
  const dirOf = (other: string): string => join(root, 'assistants', ...other.split('.'))
  return loadPackage({ id, dir: dirOf(id), appRoot: root, agentDir: dirOf })
}

/** `file:line field message` of every problem, files relative to the root. */
async function problems(files: Record<string, string>): Promise<string[]> {
  const root = app(files)
  try {
    await load(root)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return error.problems.map(({ file, line, field, message, suggestion }) => {
      const place = `${file?.replace(`${root}/assistants/greeter/`, '').replace(`${root}/`, '')}:${line ?? '-'}`
      const near = suggestion === undefined ? '' : ` (${suggestion}?)`
      return `${place}${field ? ` ${field}` : ''}: ${message.replaceAll(root, '<root>')}${near}`
    })
  }
  return []
}

const PACKAGE = 'assistants/greeter/package.yao'

for (const { name, given, expect: wanted } of conformanceRows('mcp', 'mcp_ids'))
  test(`as the original: ${name}`, async () => {
    const files = given['files'] as string[]
    const root = app({
      [PACKAGE]: '{"name": "x"}',
      ...Object.fromEntries(files.map((file) => [file, '{"tools": {}}'])),
    })
    const pkg = await load(root)
    const found = await Promise.all((wanted['ids'] as string[]).map((id) => pkg.findServer(id)))
    expect(found.map((server) => server?.file)).toEqual(files.map((file) => join(root, file)))
  })

test('comments, trailing commas and a byte order mark are fine', async () => {
  const pkg = await load(app({ [PACKAGE]: '\uFEFF// agent\n{ "name": "x" /* y */, "connector": "mock", }\n' }))
  expect(pkg).toMatchObject({ name: 'x', connector: 'mock', maxTurn: 5, toolLoop: true, prompts: [], servers: [] })
})

test.each<[string, string, string[]]>([
  ['an empty file', '', ['package.yao:1: the file is empty; expected an object: { … }']],
  ['only comments', '// nothing\n', ['package.yao:1: there are only comments; expected { … }']],
  ['a list', '[{"name":"x"}]', ['package.yao:1: expected an object { "name": …, "connector": … }, found a list']],
  ['no name', '{\n "connector": "mock"\n}', ['package.yao:1: the agent has no name; expected "name": "…"']],
  ['a key twice', '{\n"name": "a",\n"name": "b"\n}', ['package.yao:3 name: "name" is given twice, first on line 2']],
  ['a near miss', '{"name":"x",\n"conector":"mock"}', ['package.yao:2 conector: unknown key "conector" (connector?)']],
  [
    'a prototype',
    '{"name":"x",\n"__proto__":{"polluted":1}}',
    ['package.yao:2 __proto__: "__proto__" is not allowed as a key'],
  ],
  [
    'wrong types',
    '{"name":7,\n"options":[],\n"disable_global_prompts":"yes",\n"modes":{"a":1}}',
    [
      'package.yao:1 name: name must be a string, found 7',
      'package.yao:2 options: options must be an object, found a list',
      'package.yao:3 disable_global_prompts: disable_global_prompts must be true or false, found "yes"',
      'package.yao:4 modes: modes must be a string or a list of strings, found an object',
    ],
  ],
  [
    'a typo below mcp',
    '{"name":"x",\n"mcp":{\n"server":["s"],\n"options":{"tool_lop":false,\n"max_turn":"2"}}}',
    [
      'package.yao:3 mcp.server: unknown key "server" (servers?)',
      'package.yao:4 mcp.options.tool_lop: unknown key "tool_lop" (tool_loop?)',
      'package.yao:5 mcp.options.max_turn: max_turn must be a number, found "2"',
    ],
  ],
  [
    'a choice of tools that is not one',
    '{"name":"x",\n"mcp":{"servers":[\n{"server_id":"s","tool":["a"]},\n{"server_id":"s","tools":"a"}]}}',
    [
      'package.yao:3 mcp.servers[0]: expected a server id or {server_id, tools}, found an object',
      'package.yao:4 mcp.servers[1]: expected a server id or {server_id, tools}, found an object',
    ],
  ],
  [
    'a missing server',
    '{"name":"x",\n"mcp":{\n"servers":["tols"]}}',
    [
      'package.yao:3 mcp.servers[0]: no tool server "tols" (looked for mcps/tols.mcp.yao in the agent\'s folder and the application\'s)',
    ],
  ],
])('%s is told with its line', async (_what, text, expected) => {
  expect(await problems({ [PACKAGE]: text })).toEqual(expected)
})

test('prompts.yaml is prompts.yml', async () => {
  const pkg = await load(app({ [PACKAGE]: '{"name":"x"}', 'assistants/greeter/prompts.yaml': '- content: hi\n' }))
  expect(pkg.prompts).toEqual([{ role: 'system', content: 'hi' }])
})

test('a typo in the name of a tool, a prompt or a server is told with its line', async () => {
  expect(
    await problems({
      [PACKAGE]: '{"name":"x","mcp":{"servers":[\n{"server_id":"s","tools":["fnid"]}]}}',
      'assistants/greeter/prompts.yml': '- rol: user\n  content: hi\n',
      'assistants/greeter/mcps/s.mcp.yao': '{"tools":{"find":"scripts.a.Find"}}',
      'assistants/greeter/mcps/t.mcp.yao': '{"command":"node",\n"arguemnts":["x.mjs"]}',
    }),
  ).toEqual([
    'prompts.yml:1: unknown field "rol" (role?)',
    'mcps/t.mcp.yao:2 arguemnts: unknown field "arguemnts" (arguments?)',
    'package.yao:2 mcp.servers[0]: the tool server "s" has no tool "fnid"; did you mean "find"?',
  ])
})

test('a broken line is reported with its number and content', async () => {
  const [first] = await problems({ [PACKAGE]: '{\n  "name": "x"\n  "connector": "mock"\n}' })
  expect(first).toBe('package.yao:3: comma expected, found "\\"connector\\": \\"mock\\""')
})

test('unknown keys are kept, ignored and warned of; those of front ends are known', async () => {
  const root = app({ [PACKAGE]: '{"name":"x","placeholder":{"title":"t"},"company_policy":true,"kb":{},"uses":null}' })
  const dir = join(root, 'assistants', 'greeter')
  const warnings: string[] = []
  const pkg = await loadPackage({
    id: 'greeter',
    dir,
    appRoot: root,
    agentDir: () => undefined,
    warn: (text) => void warnings.push(text),
  })
  expect(pkg.name).toBe('x')
  expect(warnings).toEqual([`${dir}/package.yao: unknown key "company_policy", ignored`])
})

test('what is not built is refused by name', async () => {
  const fields = {
    uses: { vision: 'agents.eyes' },
    sandbox: { command: 'x' },
    kb: { collections: ['a'] },
    search: true,
  }
  expect(await problems({ [PACKAGE]: JSON.stringify({ name: 'x', ...fields }) })).toEqual([
    'package.yao:1 uses.vision: "uses.vision" is not supported (nothing searches or reads images, audio or web pages for it): without it the agent would behave differently',
    'package.yao:1 sandbox: "sandbox" is not supported (nothing runs in a sandbox): without it the agent would behave differently',
    'package.yao:1 kb: "kb" is not supported (nothing is looked up in a knowledge base): without it the agent would behave differently',
    'package.yao:1 search: "search" is not supported (nothing is searched for): without it the agent would behave differently',
  ])
})

test('problems in all files of a package are reported together', async () => {
  const found = await problems({
    [PACKAGE]: '{"name":"x","mcp":{"servers":["tools"]}}',
    'assistants/greeter/prompts.yml': '- role: sytem\n  content: hi\n- role: user\n',
    'assistants/greeter/prompts/chat/odd.yml': 'role: system\n',
    'assistants/greeter/prompts/dup.yml': '- role: user\n  role: system\n  content: x\n',
    'assistants/greeter/locales/en-us.yml': '- a\n',
    'assistants/greeter/mcps/tools.mcp.yao': '{\n"transport": "pigeon"\n}',
    'assistants/greeter/mcps/other.mcp.yao': '{\n"transport": "stdio",\n"args": "x"\n}',
    'agent/prompts.yml': '- content: "see @assets/none.md"\n',
  })
  expect(found).toEqual([
    'prompts.yml:1: role must be one of system, developer, user, assistant, found "sytem"',
    'prompts.yml:3: content must be text, found nothing',
    'prompts/chat/odd.yml:1: expected a list of prompts (- role: system, content: …), found an object',
    'prompts/dup.yml:2: Map keys must be unique',
    'agent/prompts.yml:1: @assets/none.md does not exist (looked for <root>/agent/assets/none.md)',
    'locales/en-us.yml:1: expected translations by name (name: …)',
    'mcps/other.mcp.yao:1 command: expected command, a string, found nothing',
    'mcps/other.mcp.yao:3 args: expected a list of strings, found "x"',
    'mcps/tools.mcp.yao:2 transport: transport must be process, stdio, http or sse, found "pigeon"',
  ])
})

test('prompts: the application first, files inlined, presets by path', async () => {
  const pkg = await load(
    app({
      [PACKAGE]: '{"name":"x","prompt_presets":{"short":[{"role":"system","content":"be short"}]}}',
      'agent/prompts.yml': '- content: everywhere\n',
      'assistants/greeter/prompts.yml':
        '- role: system\n  name: rules\n  content: @assets/rules.md\n- role: user\n  content: |\n    Read @assets/rules.md now.\n',
      'assistants/greeter/assets/rules.md': 'rule one: "quotes" stay\n',
      'assistants/greeter/prompts/chat/friendly.yml': '- role: system\n  content: be friendly\n',
    }),
  )
  const contents = (choice: Parameters<typeof choosePrompts>[1]): string[] =>
    choosePrompts(pkg, choice).map((prompt) => prompt.content)
  expect(contents({ withoutGlobal: false })).toEqual([
    'everywhere',
    'rule one: "quotes" stay',
    'Read rule one: "quotes" stay now.\n',
  ])
  expect(pkg.prompts[0]).toEqual({ role: 'system', name: 'rules', content: 'rule one: "quotes" stay' })
  expect(contents({ withoutGlobal: true, preset: 'chat.friendly' })).toEqual(['be friendly'])
  expect(contents({ withoutGlobal: true, mode: 'short' })).toEqual(['be short'])
  expect(contents({ withoutGlobal: true, mode: 'no such preset' })).toHaveLength(2)
  expect(() => contents({ withoutGlobal: true, preset: 'chat.freindly' })).toThrow(
    'has no prompt preset "chat.freindly"',
  )
})

test('assets outside the folder are refused, also behind a link', async () => {
  const files = { [PACKAGE]: '{"name":"x"}', 'secret.md': 'secret', 'assistants/greeter/assets/a.md': 'a' }
  const up = await problems({
    ...files,
    'assistants/greeter/prompts.yml': '- content: see @assets/../../../secret.md\n',
  })
  expect(up).toEqual(["prompts.yml:1: @assets/../../../secret.md is outside the agent's assets folder"])
  const root = app({ ...files, 'assistants/greeter/prompts.yml': '- content: see @assets/link.md\n' })
  symlinkSync(join(root, 'secret.md'), join(root, 'assistants/greeter/assets/link.md'))
  await expect(load(root)).rejects.toThrow('has a problem')
})

test('tool servers: the own ones, those of other agents, those of the application', async () => {
  const pkg = await load(
    app({
      [PACKAGE]: '{"name":"x","mcp":{"servers":["tools",{"agents.other.deep.db":["find"]},{"web":{"tools":["get"]}}]}}',
      'assistants/greeter/mcps/tools.mcp.yao': '{"tools":{"setup":"scripts.greeter.tools.Setup"}}',
      'assistants/greeter/mcps/mapping/tools/schemes/setup.in.yao':
        '{"type":"object","description":"Sets up","properties":{"a":{"type":"string"}},"x-process-args":["$args.a"]}',
      'assistants/other/package.yao': '{"name":"other"}',
      'assistants/other/mcps/deep/db.mcp.yao':
        '{"transport":"stdio","command":"node","arguments":["db.mjs"],"env":{"KEY":"$ENV.DB_KEY"}}',
      'mcps/web.mcp.yao': '{"transport":"http","url":"http://127.0.0.1:1/mcp","authorization_token":"$ENV.T"}',
    }),
  )
  expect(pkg.servers.map((ref) => ref.tools)).toEqual([undefined, ['find'], ['get']])
  expect(await pkg.findServer('tools')).toMatchObject({
    transport: 'process',
    tools: [
      {
        name: 'setup',
        process: 'scripts.greeter.tools.Setup',
        description: 'Sets up',
        args: ['$args.a'],
        input_schema: { type: 'object' },
      },
    ],
  })
  expect(await pkg.findServer('agents.other.deep.db')).toMatchObject({
    transport: 'stdio',
    args: ['db.mjs'],
    cwd: join(pkg.appRoot, 'assistants/other'),
  })
  expect(await pkg.findServer('web')).toMatchObject({ transport: 'http', headers: { authorization: 'Bearer $ENV.T' } })
  expect(await pkg.findServer('../../etc')).toBeUndefined()
})

test.each<[string, string, { create: boolean; next: boolean } | undefined]>([
  ['function Create(ctx) {}', 'functions', { create: true, next: false }],
  ['export const Next = (ctx) => null', 'constants', { create: false, next: true }],
  ['// function Create() {}\n/* function Next() {} */ function Helper() {}', 'comments', undefined],
  ['async function Create() {}\nfunction NextThing() {}', 'longer names', { create: true, next: false }],
  ['function make() {}\nexport { make as Create }', 'renamed exports', { create: true, next: false }],
  ["const accept = '*/*'\nexport function Next() {}\nconst any = '*/*'", 'no comments', { create: false, next: true }],
  ["import Next from './other'\nexport { Next }", 'imports', { create: false, next: true }],
  ["export * from './more'", 'all of another file', { create: true, next: true }],
  ['export const { Create } = { Create() {} }', 'parts of an object', { create: true, next: false }],
  ['module.exports = { Next() {} }', 'CommonJS', { create: false, next: true }],
  ["import type { Next } from './other'\nexport const next: Next = 1", 'types', undefined],
])('hooks are known from the source: %s', async (source, _what, expected) => {
  const more = {
    'more/index.ts': "export function Create() {}\nexport * from '../last'",
    'last.js': 'export const Next = 1',
  }
  const files = Object.entries({ 'index.ts': source, ...more }).map(([name, text]) => [
    `assistants/greeter/src/${name}`,
    text,
  ])
  const pkg = await load(app({ [PACKAGE]: '{"name":"x"}', ...Object.fromEntries(files) }))
  if (expected) expect(pkg.hooks).toMatchObject(expected)
  else expect(pkg.hooks).toBeUndefined()
})

test.each([
  ['export function Next( {', 'src/index.ts:1: Expected `}` but found `EOF`'],
  ['\nexport function next() {}', 'src/index.ts:2: "next" is not called: no hook has this name (Next?)'],
  ['export default { Next() {} }', 'src/index.ts:-: hooks are exported by name (export function Next), not by default'],
  [
    "export * from '@acme/hooks'",
    "src/index.ts:-: cannot see what @acme/hooks exports; write export { Next } from '@acme/hooks'",
  ],
])('a hook that would be overlooked is a problem: %s', async (source, expected) => {
  expect(await problems({ [PACKAGE]: '{"name":"x"}', 'assistants/greeter/src/index.ts': source })).toEqual([expected])
})

test('hooks in a file that nothing reads are a problem; another file of that name is none', async () => {
  const files = { [PACKAGE]: '{"name":"x"}', 'assistants/greeter/src/index.jsx': 'export const Page = 1' }
  expect(await problems({ ...files, 'assistants/greeter/src/index.mts': 'export function Next() {}' })).toEqual([
    'src/index.mts:-: hooks are read from src/index.ts or src/index.js: rename this file',
  ])
})
