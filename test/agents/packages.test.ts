// Agent packages through the command line: which prompts and which connector a call has.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

/** Every package has a model that answers with the system prompts it was given. */
const APP: Files = {
  'app.yao': {},
  'agent/prompts.yml': '- content: everywhere\n',
  'scripts/model.ts':
    "export function Tell(request) { return { output: request.messages.filter((m) => m.role === 'system').map((m) => m.content).join(', ') } }\n",
  'connectors/teller.conn.yao': { type: 'mock', options: { script: 'scripts.model.Tell' } },
  'connectors/other.conn.yao': { type: 'mock', options: { responses: ['from the other'] } },
  'assistants/a/package.yao': { name: 'A', connector: 'teller' },
  'assistants/a/prompts.yml': '- content: own\n',
  'assistants/a/prompts/chat/short.yml': '- content: short\n',
}

async function answers(cases: object[], args: string[] = [], files: Files = {}): Promise<unknown[]> {
  const dir = makeFolder({ ...APP, ...files, 'cases.jsonl': cases })
  const { stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '--json', ...args], { cwd: dir })
  const results = parseEvents(stdout).filter((event) => event.type === 'result')
  if (results.length === 0) throw new Error(stderr)
  return results.map(({ output, error }) => output ?? error)
}

test('metadata chooses the prompts: the hook over it, the package below it', async () => {
  const ask = (id: string, metadata: object, options: object = {}) => ({ id, input: 'hi', metadata, options })
  expect(
    await answers([
      ask('plain', {}),
      ask('preset', { __prompt_preset: 'chat.short' }),
      ask('alone', { __disable_global_prompts: true }),
      ask('both', { __disable_global_prompts: true, __prompt_preset: 'chat.short' }),
      ask('option', { __disable_global_prompts: true }, { disable_global_prompts: false }),
      ask('unknown', { __prompt_preset: 'chat.shrt' }),
      ask('no text', { __prompt_preset: 7 }),
      ask('no flag', { __disable_global_prompts: 'yes' }),
    ]),
  ).toEqual([
    'everywhere, own',
    'everywhere, short',
    'own',
    'short',
    'everywhere, own',
    expect.stringContaining('has no prompt preset "chat.shrt"'),
    expect.stringContaining('metadata.__prompt_preset must be the name of a preset, found 7'),
    expect.stringContaining('metadata.__disable_global_prompts must be true or false, found "yes"'),
  ])
  const hook = "export function Create() { return { disable_global_prompts: false, prompt_preset: 'chat.short' } }\n"
  const asked = [ask('hook', { __disable_global_prompts: true, __prompt_preset: 'none' })]
  expect(await answers(asked, [], { 'assistants/a/src/index.ts': hook })).toEqual(['everywhere, short'])
})

test('hooks that another file defines run', async () => {
  const files = {
    'assistants/a/src/index.ts': "export * from './hooks'\n",
    'assistants/a/src/hooks.ts': "export function Next() { return { data: 'hooked' } }\n",
  }
  expect(await answers([{ id: 'T1', input: 'hi' }], [], files)).toEqual(['hooked'])
})

test('a package whose `uses` only switches something off loads; anything else in it is refused', async () => {
  const load = (fields: object): Promise<unknown[]> =>
    answers([{ id: 'T1', input: 'hi' }], [], {
      'assistants/a/package.yao': { name: 'A', connector: 'teller', ...fields },
    })
  const off = [
    { uses: { search: 'disabled', vision: false, audio: '', fetch: null } },
    { uses: 'disabled', search: 'disabled' },
    { uses: {}, kb: false },
    { uses: { search: 'disabled' }, search: { web: { provider: 'tavily' } } },
  ]
  for (const fields of off) expect(await load(fields), JSON.stringify(fields)).toEqual(['everywhere, own'])
  const on: Array<[uses: unknown, field: string]> = [
    [{ search: 'disabled', vision: 'agents.eyes' }, 'uses.vision'],
    [{ vision: true }, 'uses.vision'],
    [{ search: 'Disable' }, 'uses.search'],
    ['eyes', 'uses'],
  ]
  for (const [uses, field] of on)
    await expect(load({ uses }), JSON.stringify(uses)).rejects.toThrow(`"${field}" is not supported`)
  await expect(load({ sandbox: { network: false } })).rejects.toThrow('"sandbox" is not supported')
})

test('a hook may switch off what there is not', async () => {
  const create = (returned: string): Files => ({
    'assistants/a/src/index.ts': `export function Create() { return ${returned} }\n`,
  })
  const ask = [{ id: 'T1', input: 'hi' }]
  expect(await answers(ask, [], create("{ uses: { search: 'disabled' }, search: 'disabled' }"))).toEqual([
    'everywhere, own',
  ])
  expect(await answers(ask, [], create("{ uses: { search: 'agents.finder' } }"))).toEqual([
    expect.stringContaining('returned "uses.search", which is not supported'),
  ])
})

const squeezed = (text: string): string => text.replaceAll(/\s+/g, '')

const NEEDY: Files = {
  ...APP,
  'assistants/a/package.yao': {
    name: 'A',
    connector: 'teller',
    uses: { search: 'builtin' },
    kb: { collections: ['x'] },
  },
  'assistants/a/sandbox.yao': { version: '2.0', runner: { name: 'claude' } },
  'cases.jsonl': [{ id: 'T1', input: 'hi', assert: [{ type: 'contains', value: 'own' }] }],
}

test('what a package needs is refused, with the setting that tests it without', async () => {
  const dir = makeFolder(NEEDY)
  const { code, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a'], { cwd: dir })
  expect(code).toBe(2)
  expect(stderr).toContain('sandbox.yao:1: not supported (nothing runs in a sandbox)')
  expect(stderr).toContain('"testing": {"without": ["search", "kb", "sandbox"]} in the configuration')
  const some = makeFolder({ ...NEEDY, 'viva.config.json': { testing: { without: ['search', 'kb'] } } })
  expect((await viva(['test', '-i', 'cases.jsonl', '-n', 'a'], { cwd: some })).code).toBe(2)
  const typo = makeFolder({ ...NEEDY, 'viva.config.json': { testing: { without: ['serach'] } } })
  expect((await viva(['test', '-i', 'cases.jsonl', '-n', 'a'], { cwd: typo })).stderr).toContain(
    'without[0] must be one of search, web',
  )
})

test('every report says what the agent was tested without', async () => {
  const without = ['search', 'kb', 'sandbox', 'audio']
  const dir = makeFolder({ ...NEEDY, 'viva.config.json': { testing: { without } } })
  const { code, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '-o', 'out.jsonl'], { cwd: dir })
  expect(code).toBe(0)
  expect(stdout).toContain('Tested without kb, sandbox, search')
  const events = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
  for (const type of ['result', 'summary'])
    expect(events.find((event) => event.type === type)).toMatchObject({ without: ['kb', 'sandbox', 'search'] })
  const said: Record<string, string> = {
    'r.json': '"without":["kb","sandbox","search"]',
    'r.ctrf.json': '"without":["kb","sandbox","search"]',
    'r.md': '| Tested without | kb, sandbox, search |',
    'r.xml': '<property name="tested_without" value="kb, sandbox, search"/>',
    'r.tap': '# tested without kb, sandbox, search',
    'r.txt': 'Tested without kb, sandbox, search',
    'r.html': '"without":["kb","sandbox","search"]',
  }
  for (const [file, text] of Object.entries(said)) {
    await viva(['report', 'out.jsonl', '-o', file], { cwd: dir })
    expect(squeezed(readFileSync(join(dir, file), 'utf8')), file).toContain(squeezed(text))
  }
})

test('what a hook asks for can be left out as well, and is reported', async () => {
  const dir = makeFolder({
    ...APP,
    'viva.config.json': { testing: { without: ['uses'] } },
    'assistants/a/src/index.ts': "export function Create() { return { uses: { vision: 'agents.eyes' } } }\n",
    'cases.jsonl': [{ id: 'T1', input: 'hi', assert: [{ type: 'contains', value: 'own' }] }],
  })
  const { code, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a'], { cwd: dir })
  expect([code, stdout]).toEqual([0, expect.stringContaining('Tested without vision')])
})

test('metadata of the Next hook is in the result, with the step it comes from', async () => {
  const cwd = makeFolder({
    'app.yao': '{}',
    'assistants/a/package.yao': { name: 'a' },
    'assistants/a/src/index.ts':
      "function Next() { return { data: 'hi', metadata: { intent: 'greeting', score: 0.9 } } }\n",
    'cases.jsonl': [{ id: 'T1', input: 'hello', assert: { type: 'equals', value: 'hi' } }],
  })
  const { code, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '--json'], { cwd })
  const result = parseEvents(stdout).find((event) => event.type === 'result')
  expect({ code, trace: result?.['trace'] }).toMatchObject({
    code: 0,
    trace: [{ kind: 'hook', name: 'Next', detail: { metadata: { intent: 'greeting', score: 0.9 } } }],
  })
})
