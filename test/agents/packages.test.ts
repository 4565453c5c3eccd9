// Agent packages through the command line: which prompts and which connector a call has.
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
  ]
  for (const fields of off) expect(await load(fields), JSON.stringify(fields)).toEqual(['everywhere, own'])
  for (const uses of [{ search: 'disabled', vision: 'agents.eyes' }, { vision: true }, { search: 'Disable' }, 'eyes'])
    await expect(load({ uses }), JSON.stringify(uses)).rejects.toThrow('"uses" is not supported')
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
    expect.stringContaining('returned "uses", which is not supported'),
  ])
})
