// Configurations of promptfoo: what is carried over, what is listed, and that nothing becomes green on the way.
import { spawnSync } from 'node:child_process'
import { createServer } from 'node:http'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkAssertion } from '../../src/pipeline/assert/compile.js'
import { importFile } from '../../src/import/import-file.js'
import type { Imported } from '../../src/import/imported.js'
import { writeSuite } from '../../src/import/write-suite.js'
import { runTests } from '../../src/library/run-tests.js'
import { makeFolder, viva } from '../support/run-cli.js'
import { SUITES } from './promptfoo-suites.js'

const options = {
  expect: 'judge' as const,
  checkSpec: (spec: Record<string, unknown>): string[] => {
    const found = checkAssertion(spec, 'assert')
    return Array.isArray(found) ? found.map(({ message }) => message) : []
  },
}

const PYTHON = spawnSync(process.env['PYTHON'] ?? 'python3', ['--version']).status === 0
/** Nothing to carry over: promptfoo has no verdict on these either. */
const REFUSED = 'what promptfoo refuses is not green'
const counted = { suites: 0, found: 0, carried: 0 }

async function imported(name: string): Promise<{ suite: Imported; dir: string }> {
  const dir = makeFolder(SUITES[name]?.files ?? {})
  const suite = await importFile(join(dir, 'promptfooconfig.yaml'), options)
  writeSuite(suite, 'promptfooconfig.yaml', join(dir, 'out'), false)
  return { suite, dir: join(dir, 'out') }
}

/** One letter a case, in order. */
async function verdicts(dir: string): Promise<string> {
  const events: Array<{ type: string; id?: string; status?: string; error_kind?: string }> = []
  await runTests(
    { input: join(dir, 'tests'), connector: 'echo', output: [join(dir, 'events.jsonl')] },
    { env: { PATH: process.env['PATH'] ?? '' }, cwd: dir },
  )
  for (const line of readFileSync(join(dir, 'events.jsonl'), 'utf8').split('\n'))
    if (line.includes('"type":"result"')) events.push(JSON.parse(line) as (typeof events)[number])
  return events
    .map(({ status, error_kind: kind }) => (status === 'failed' && kind !== 'assertion' ? 'e' : (status ?? '?')[0]))
    .join('')
}

/** A judge's key is asked for before the first case. */
const NO_KEY = 'judges'

test.each(Object.keys(SUITES).filter((name) => name !== NO_KEY))('%s', async (name) => {
  const { suite, dir } = await imported(name)
  const wanted = SUITES[name]?.verdicts.replaceAll('y', PYTHON ? 'p' : 'e').replaceAll('n', PYTHON ? 'f' : 'e')
  expect(await verdicts(dir)).toBe(wanted)
  if (name !== REFUSED) {
    counted.suites += 1
    counted.found += suite.deterministic.found
    counted.carried += suite.deterministic.carried
  }
  const lost = suite.notes.filter(({ kind }) => kind === 'lost')
  for (const note of lost)
    expect(note).toMatchObject({ line: expect.any(Number) as number, reason: expect.stringMatching(/\S/) as string })
  const skipped = suite.cases.filter((item) => item['skip'] === true)
  for (const item of skipped) {
    expect(item['skip_reason']).toMatch(/^not carried over: .+ \(.+:\d+\)/)
    expect(item['metadata']).toMatchObject({
      import: expect.arrayContaining([
        expect.objectContaining({ from: expect.stringMatching(/:\d+$/) as string, lost: true }),
      ]) as unknown[],
    })
  }
  const notes = readFileSync(join(dir, 'IMPORT.md'), 'utf8')
  for (const { reason } of lost) expect(notes).toContain(reason.replaceAll(/\s+/g, ' '))
})

test(NO_KEY, async () => {
  const { dir } = await imported(NO_KEY)
  await expect(verdicts(dir)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(/^the judge of .+ has no model: .*OPENAI_API_KEY/) as string,
  })
  expect(existsSync(join(dir, 'events.jsonl'))).toBe(false)
})

test('nine tenths of what needs no judgement is carried over', () => {
  expect(counted.suites).toBeGreaterThanOrEqual(30)
  expect(counted.found).toBeGreaterThan(100)
  expect(counted.carried / counted.found).toBeGreaterThanOrEqual(0.9)
})

test('a suite holds its cases, its prompts and its connectors, and no script of ours', async () => {
  const { suite, dir } = await imported('json and schemas')
  expect(suite.deterministic.carried).toBe(8)
  const all = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(dir, path)).isFile(),
  )
  expect(all.toSorted()).toEqual([
    'IMPORT.md',
    'assistants/text/package.yao',
    'assistants/text/prompts.yml',
    'connectors/echo.conn.yao',
    'connectors/gpt-4o-mini.conn.yao',
    'tests/cases.jsonl',
    'viva.config.json',
  ])
  expect(suite.cases[0]?.['assert']).toEqual([
    {
      type: 'script',
      use: 'viva:promptfoo/is-json',
      options: { metadata: { schema: { type: 'object', required: ['a'] } } },
    },
  ])
})

test('a check in a file is copied as it is, beside a script that calls it', async () => {
  const { dir } = await imported('javascript in files')
  expect(readdirSync(join(dir, 'scripts')).toSorted()).toEqual([
    'check.js',
    'check_check.js',
    'check_more_long.js',
    'more.mjs',
  ])
  expect(readFileSync(join(dir, 'scripts/check.js'), 'utf8')).toBe(SUITES['javascript in files']?.files['check.js'])
})

test('files of one name, and one that is called like a script of ours, do not replace each other', async () => {
  const saying = (word: string): string => `module.exports = (output) => output.includes('${word}')\n`
  const dir = makeFolder({
    'a/is.js': saying('one'),
    'b/is.js': saying('two'),
    'check_is.js': saying('three'),
    'promptfooconfig.yaml': `prompts: ['{{text}}']
providers: [echo]
tests:
  - {vars: {text: one two three}, assert: [{type: javascript, value: file://a/is.js}, {type: javascript, value: file://b/is.js}, {type: javascript, value: file://check_is.js}]}
  - {vars: {text: one two}, assert: [{type: javascript, value: file://check_is.js}]}
  - {vars: {text: one three}, assert: [{type: javascript, value: file://b/is.js}]}
`,
  })
  await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
  expect(await verdicts(join(dir, 'out'))).toBe('pff')
})

test('providers become connectors without a key; one that is lost leaves no default, and -n or -c runs the cases', async () => {
  const { suite, dir } = await imported('providers and parameters')
  const connectors = readdirSync(join(dir, 'connectors')).map((file) => file.replace('.conn.yao', ''))
  expect(connectors).toEqual([
    'claude',
    'echo',
    'gemini-2-5-flash',
    'gpt-4o',
    'ollama-chat-llama3',
    'openrouter-meta-llama-llama-3-1-8b-instr',
  ])
  expect(readFileSync(join(dir, 'connectors/claude.conn.yao'), 'utf8')).toContain('$ENV.ANTHROPIC_API_KEY')
  const all = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path))
  for (const path of all) expect(readFileSync(join(dir, path), 'utf8')).not.toContain('sk-ant-secret')
  expect(suite.notes.map(({ reason }) => reason)).toEqual([
    'provider file://provider.js: there is no file provider.js inside the folder; its cases run with -n or -c',
  ])
  const plain = await viva(['test', '-i', join(dir, 'tests')], { cwd: dir })
  expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('unknown connector "not-carried-over"')])
  for (const way of [
    ['-c', 'echo'],
    ['-n', 'builtin:echo'],
  ])
    expect((await viva(['test', '-i', join(dir, 'tests'), ...way], { cwd: dir })).code).toBe(0)
})

test('models alone: prompts × providers are variants', async () => {
  const dir = makeFolder({
    'promptfooconfig.yaml': `prompts: ['a {{text}}', {raw: 'b {{text}}', label: two}]
providers: [openai:gpt-4o, {id: openai:responses:gpt-5, config: {reasoning: {effort: low}, max_output_tokens: 50}}]
tests: [{vars: {text: x}, assert: [{type: contains, value: x}]}]
`,
  })
  const { files } = await importFile(join(dir, 'promptfooconfig.yaml'), options)
  expect(JSON.parse(files.get('viva.config.json') ?? '')).toMatchObject({
    variants: [
      { name: 'a-text--gpt-4o', target: 'a-text', connector: 'gpt-4o' },
      { name: 'a-text--gpt-5', target: 'a-text', connector: 'gpt-5' },
      { name: 'two--gpt-4o', target: 'two', connector: 'gpt-4o' },
      { name: 'two--gpt-5', target: 'two', connector: 'gpt-5' },
    ],
  })
  expect(JSON.parse(files.get('connectors/gpt-5.conn.yao') ?? '')).toMatchObject({
    type: 'openai-responses',
    options: { model: 'gpt-5', reasoning: { effort: 'low' }, max_output_tokens: 50 },
  })
})

test('a lost prompt fails the run, and is not called carried over', async () => {
  const dir = makeFolder(SUITES['one of two prompts is lost']?.files ?? {})
  const { stdout } = await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
  expect(stdout).toContain('the prompt "no {{text | urlencode}}": the filter "urlencode" is not carried over')
  expect(readFileSync(join(dir, 'out/IMPORT.md'), 'utf8')).not.toContain('Everything was carried over')
  const run = await viva(['agent', 'test', '-i', 'out/tests'], { cwd: dir })
  expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('Skipped: 2')])
})

test('endpoints and programs are agents, asked as promptfoo asks them', async () => {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { message, user } = JSON.parse(body) as { message: string; user: string }
      response.end(JSON.stringify({ reply: { text: `${String(request.headers['x-who'])} ${user}: ${message}` } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  try {
    const dir = makeFolder({
      'promptfooconfig.yaml': `prompts: ['Say {{text}}', 'Tell {{text}}']
providers:
  - id: http://127.0.0.1:${port}/chat
    config:
      method: POST
      headers: {x-who: 'me {{text}}'}
      body: {message: '{{prompt}}', user: '{{text}}'}
      transformResponse: json.reply.text
  - {id: file://mine.js, config: {mark: '!'}}
  - python:mine.py
tests:
  - {vars: {text: hi}, assert: [{type: icontains, value: 'hi'}, {type: regex, value: '(Say|Tell) hi'}]}
`,
      'mine.js': `module.exports = class {
  constructor({ config }) { this.mark = config.mark }
  id() { return 'mine' }
  async callApi(prompt, { vars }) { return { output: prompt + this.mark + vars.text } }
}`,
      'mine.py': `def call_api(prompt, options, context):
    print("noise")
    return {"output": prompt + context["vars"]["text"]}
`,
    })
    const made = await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
    expect(made.stdout).toContain('2 cases from a promptfoo configuration; ')
    const run = await viva(['test', '-i', 'out/tests', '--json'], { cwd: dir })
    expect([run.code, run.stderr]).toEqual([PYTHON ? 0 : 1, expect.any(String)])
  } finally {
    server.close()
  }
})

test('a rubricPrompt becomes a judge of the suite; agents of SDKs are named, not taken for models', async () => {
  const dir = makeFolder({
    'promptfooconfig.yaml': `prompts: ['{{text}}']
providers: ['openai:codex-sdk']
defaultTest:
  options:
    rubricPrompt:
      - {role: system, content: 'Grade strictly. {{rubric}}'}
      - {role: user, content: 'Output: {{output}} for {{text}}'}
tests:
  - {vars: {text: x}, assert: [{type: llm-rubric, value: is polite}]}
  - {vars: {text: y}, assert: [{type: llm-rubric, value: is short}]}
`,
  })
  const { cases, files, notes } = await importFile(join(dir, 'promptfooconfig.yaml'), options)
  expect(cases).toMatchObject([
    { input: 'x', assert: [{ type: 'agent', use: 'agents:judges.rubric-1', value: 'is polite' }] },
    { input: 'y', assert: [{ use: 'agents:judges.rubric-1', options: { metadata: { text: 'y' } } }] },
  ])
  expect(files.get('assistants/judges/rubric-1/prompts.yml')).toContain('Grade strictly. (the criteria in the message)')
  expect(notes[0]?.reason).toContain('it is an agent, not a model: test it with -n acp:codex-acp')
})

test('tests that could not be read are missing, and the import says so with its exit code', async () => {
  const dir = makeFolder({
    'promptfooconfig.yaml': `prompts: ['{{text}}']
providers: [echo]
tests:
  - good.yaml
  - gone.yaml
`,
    'good.yaml': '[{vars: {text: a}, assert: [{type: contains, value: a}]}]\n',
  })
  const { code, stdout } = await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
  expect([code, stdout]).toEqual([1, expect.stringContaining('exit code 1: 1 entry of tests could not be read')])
  expect(stdout).toContain('promptfooconfig.yaml:5: tests: there is no file gone.yaml')
  expect(await verdicts(join(dir, 'out'))).toBe('ps')
})

/** What tells it from the skip of an author. */
test('every skip that an import wrote says what was lost', async () => {
  const key = 'sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90'
  const dir = makeFolder({
    'promptfooconfig.yaml': `prompts: ['{{text}}']
providers: [echo]
tests:
  - {vars: {text: ${key}}, assert: [{type: contains, value: a}]}
  - {vars: {text: a}, assert: [{type: is-html}]}
  - {vars: {text: a}, assert: [{type: contains, value: a}]}
  - gone.yaml
`,
  })
  await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
  const lines = readFileSync(join(dir, 'out/tests/cases.jsonl'), 'utf8').trim().split('\n')
  const lost = lines.map((line) => {
    const { skip = false, metadata } = JSON.parse(line) as { skip?: boolean; metadata?: { import?: object[] } }
    return [skip, metadata?.import?.some((note) => 'lost' in note) ?? false]
  })
  expect(lost).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [true, true],
  ])
})

test('whatever is not carried over is listed, also where no case depends on it', async () => {
  const config = (more: string): string =>
    `prompts: ['{{text}}']\nproviders: [echo]\n${more}tests: [{vars: {text: a}, assert: [{type: contains, value: a}]}]\n`
  const dir = makeFolder({
    'all.yaml': config('description: d\nevaluateOptions: {repeat: 2, timeoutMs: 1500, showProgressBar: false}\n'),
    'some.yaml': config(
      'shared: {x: 1}\ntagz: {a: b}\nderivedMetrics: [{name: f, value: a}]\nenv: {OPENAI_API_KEY: x}\nevaluateOptions: {maxEvalTimeMs: 5}\n',
    ),
  })
  const [all, some] = await Promise.all(
    ['all', 'some'].map(async (name) => {
      await viva(['import', `${name}.yaml`, '-o', name], { cwd: dir })
      return readFileSync(join(dir, name, 'IMPORT.md'), 'utf8')
    }),
  )
  expect(all).toContain('Everything was carried over.')
  expect(JSON.parse(readFileSync(join(dir, 'all/viva.config.json'), 'utf8'))).toMatchObject({
    defaults: { runs: 2, timeout: '1500ms' },
  })
  expect(some).not.toContain('Everything was carried over')
  for (const line of [
    'some.yaml:3: the unknown key "shared"',
    'some.yaml:4: the unknown key "tagz"; did you mean "tags"?',
    'some.yaml:5: derivedMetrics',
    'some.yaml:6: env.OPENAI_API_KEY',
    'some.yaml:7: evaluateOptions.maxEvalTimeMs',
  ])
    expect(some).toContain(`- ${line}\n`)
  const run = await viva(['test', '-i', 'some/tests'], { cwd: dir })
  expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/^[✓✗] .*1 passed/m)])
})

test('comments on tests stand above their cases, once, and importing again changes nothing', async () => {
  const dir = makeFolder({
    'promptfooconfig.yaml': `# about the file
prompts: ['{{text}}', 'Say {{text}}']
providers: [echo]
tests:
  # Greetings.
  # They must stay short.
  - vars: {text: [hi, ho]} # both of them
    assert:
      # A comma is enough.
      - {type: contains, value: h}
  - vars: {text: '# not a comment'}
    assert: [{type: contains, value: comment}]

  # The key is ${'ghp_' + 'a1B2c3D4'.repeat(5)}0
  - vars: {text: bye}
    assert: [{type: contains, value: b}]
    # Ask Ann.
# about the rest
description: Greetings
`,
  })
  const read = async (): Promise<string> => {
    await viva(['import', 'promptfooconfig.yaml', '-o', 'out', '--force'], { cwd: dir })
    return readFileSync(join(dir, 'out/tests/cases.jsonl'), 'utf8')
  }
  const first = await read()
  const shown = first
    .trim()
    .split('\n')
    .map((line) => (line.startsWith('{') ? (JSON.parse(line) as { id: string }).id : line))
  expect(shown).toEqual([
    '# Greetings.',
    '# They must stay short.',
    '# both of them',
    '# A comma is enough.',
    'test-1',
    'test-2',
    'test-3',
    expect.stringMatching(/^# The key is \[/),
    '# Ask Ann.',
    'test-4',
  ])
  expect(await read()).toBe(first)
  expect((await viva(['test', '-i', 'out/tests', '-c', 'echo'], { cwd: dir })).code).toBe(0)
})

test('a configuration whose tests a model writes has none to run', async () => {
  const dir = makeFolder({
    'promptfooconfig.yaml': `prompts: ['{{prompt}}']
providers: [echo]
redteam: {purpose: to sell anvils, plugins: [harmful]}
`,
  })
  const { cases } = await importFile(join(dir, 'promptfooconfig.yaml'), options)
  expect(cases).toMatchObject([{ skip: true, skip_reason: expect.stringContaining('redteam') as string }])
})

test('a price of the provider is carried over; without one, cost is said to be an error', async () => {
  const yaml = (config: string): string => `prompts: ['{{text}}']
providers: [{id: openai:gpt-4o-mini, config: ${config}}]
tests: [{vars: {text: a}, assert: [{type: cost, threshold: 1}]}]
`
  const dir = makeFolder({ 'a.yaml': yaml('{cost: 0.00002}'), 'b.yaml': yaml('{}') })
  const priced = await viva(['import', 'a.yaml', '-o', 'a'], { cwd: dir })
  expect(priced.stdout).not.toContain('stricter')
  const connector = readFileSync(join(dir, 'a/connectors/gpt-4o-mini.conn.yao'), 'utf8')
  expect(JSON.parse(connector)).toMatchObject({ price: { input: 20, output: 20 } })
  const { stdout } = await viva(['import', 'b.yaml', '-o', 'b'], { cwd: dir })
  expect(stdout).toContain('cost: an error here as long as the model has no price')
})

test('answers are data where promptfoo reads them so', async () => {
  const yaml = (type: string): string => `prompts: ['{{text}}']
providers: [{id: openai:gpt-4o-mini, config: {response_format: {type: ${type}}}}]
tests: [{vars: {text: '{"a": 1}'}, assert: [{type: javascript, value: output.a === 1}]}]
`
  const dir = makeFolder({ 'json_schema.yaml': yaml('json_schema'), 'json_object.yaml': yaml('json_object') })
  for (const [type, verdict] of [
    ['json_schema', 'p'],
    ['json_object', 'f'],
  ] as const) {
    await viva(['import', `${type}.yaml`, '-o', type], { cwd: dir })
    expect(await verdicts(join(dir, type))).toBe(verdict)
  }
})

test('through the command line: refuses to replace, takes --force, says what it left behind', async () => {
  const dir = makeFolder(SUITES['parsers are listed']?.files ?? {})
  const first = await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toContain('4 cases from a promptfoo configuration, 4 of them skipped')
  expect(first.stdout).toContain('promptfooconfig.yaml:4: is-html has no counterpart')
  const again = await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('nothing was written')])
  expect((await viva(['import', 'promptfooconfig.yaml', '-o', 'out', '--force'], { cwd: dir })).code).toBe(0)
  const run = await viva(['agent', 'test', '-i', 'out/tests', '-c', 'echo'], { cwd: dir })
  expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('Skipped: 4')])
  expect((await viva(['import', 'promptfooconfig.yaml'], { cwd: dir })).stderr).toContain('needs a folder')
  expect((await viva(['import', 'nope.yaml', '-o', 'x'], { cwd: dir })).code).toBe(2)
  expect(existsSync(join(dir, 'x'))).toBe(false)
})

test.for([
  ['tests', /cannot write \S+cases\.jsonl: \S+tests is not a folder/],
  ['IMPORT.md/x', /cannot write \S+IMPORT\.md: it is a folder/],
] as const)('%s in the way: nothing is written, even with --force', async ([blocking, message]) => {
  const dir = makeFolder({ ...SUITES['parsers are listed']?.files, [`out/${blocking}`]: 'mine' })
  const run = await viva(['import', 'promptfooconfig.yaml', '-o', 'out', '--force'], { cwd: dir })
  expect([run.code, run.stderr]).toEqual([2, expect.stringMatching(message)])
  const left = readdirSync(join(dir, 'out'), { recursive: true, encoding: 'utf8' })
  expect(left.filter((name) => statSync(join(dir, 'out', name)).isFile())).toEqual([blocking])
})

test('where promptfoo passes what shows nothing, the import is stricter and says so', async () => {
  const dir = makeFolder(SUITES['what shows nothing']?.files ?? {})
  const { stdout } = await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: dir })
  expect(stdout).toMatch(/stricter than before:[\s\S]*not-javascript: a script that gives NaN is an error here/)
  expect(stdout).toContain('threshold 0: the test cannot fail')
  const notes = readFileSync(join(dir, 'out/IMPORT.md'), 'utf8')
  expect(notes).toMatch(/## Stricter than before\n\n- .*\(test-1\): not-javascript/)
  const [first = ''] = readFileSync(join(dir, 'out/tests/cases.jsonl'), 'utf8').split('\n')
  expect(JSON.parse(first)).toMatchObject({ metadata: { import: [{ stricter: true }] } })
  expect((await viva(['test', '-i', 'out/tests', '-c', 'echo'], { cwd: dir })).code).toBe(1)
})

test('what is too much or too deep is refused with its line, and writes nothing', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `v${index}: [a, b, c, d, e, f, g, h]`).join(', ')
  const dir = makeFolder({
    'many.yaml': `prompts: [x]\nproviders: [echo]\ntests:\n  - {vars: {${many}}}\n`,
    'deep.yaml': `prompts: [x]\nproviders: [echo]\ntests: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
  })
  const run = async (file: string): Promise<[number | null, string]> => {
    const { code, stderr } = await viva(['import', file, '-o', 'out'], { cwd: dir })
    return [code, stderr]
  }
  expect(await run('many.yaml')).toEqual([2, expect.stringContaining('many.yaml:4: more than 20000 combinations')])
  expect(await run('deep.yaml')).toEqual([2, expect.stringMatching(/deep\.yaml:3:\d+: nesting deeper than/)])
  expect(existsSync(join(dir, 'out'))).toBe(false)
})

test('a secret is in no file, name or note of the suite, and what held one is not green', async () => {
  const key = (letter: string): string => `sk-proj-${letter}b12Cd34Ef56Gh78Ij90Kl12Mn34Op56Qr78St90`
  const files = {
    'promptfooconfig.yaml': `prompts: ['{{text}}']
providers:
  - {id: openai:gpt-4o, config: {apiKey: ${key('A')}, apiBaseUrl: 'https://me:${key('B')}@proxy.example/v1'}}
  - exec:curl -H 'Authorization: Bearer ${key('C')}'
tests:
  - {vars: {text: aa}, assert: [{type: javascript, value: file://check.js}]}
  - {vars: {text: bb}, assert: [{type: contains, value: bb}]}
`,
    'check.js': `const key = '${key('D')}'\nmodule.exports = (output) => output.length > 1\n`,
    'prompt.yaml': `prompts: ['Use ${key('E')} for {{text}}']\nproviders: [echo]\ntests: [{vars: {text: aa}}]\n`,
  }
  const dir = makeFolder(files)
  for (const [file, verdict] of [
    ['promptfooconfig.yaml', 'sp'],
    ['prompt.yaml', 's'],
  ] as const) {
    const out = join(dir, `out-${file}`)
    const { code, stdout } = await viva(['import', file, '-o', out], { cwd: dir })
    const all = readdirSync(out, { recursive: true, encoding: 'utf8' })
    const texts = all.filter((path) => /\.\w+$/.test(path)).map((path) => readFileSync(join(out, path), 'utf8'))
    const found = [stdout, ...all, ...texts].filter((text) => /Cd34|cd34/.test(text))
    expect([code, found]).toEqual([0, []])
    expect(stdout).toContain('held a secret')
    expect(await verdicts(out)).toBe(verdict)
  }
  // Nothing of an ordinary suite looks like one.
  const plain = makeFolder(SUITES['providers and parameters']?.files ?? {})
  const { stdout } = await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: plain })
  expect(stdout).not.toContain('held a secret')
  const scripts = makeFolder(SUITES['python']?.files ?? {})
  expect((await viva(['import', 'promptfooconfig.yaml', '-o', 'out'], { cwd: scripts })).stdout).not.toContain('secret')
})
