// Checks that ship with Viva: `viva:promptfoo/…` in a script assertion.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SHIPPED_CHECKS } from '../../src/model/shipped-check.js'
import { makeFolder, parseEvents, ROOT, viva } from '../support/run-cli.js'
import { shell } from '../support/shell.js'

const PYTHON = spawnSync(process.env['PYTHON'] ?? 'python3', ['--version']).status === 0

type Settings = Record<string, unknown>

/** Settings, an answer for which they hold, one for which they do not, and what the failure says. */
const CHECKS: Record<string, [settings: Settings, holds: string, fails: string, message: string]> = {
  'promptfoo/assert-set': [
    {
      threshold: 0.6,
      assert: [
        { type: 'contains', value: 'a' },
        { type: 'word-count', value: 1, weight: 3 },
      ],
    },
    'a',
    'b a',
    'score 0.2500, threshold 0.6: contains "a" (1); word-count 1 does not hold: 2 words (0)',
  ],
  'promptfoo/bleu': [{ value: ['the cat sat on the mat'] }, 'the cat sat on the mat', 'a dog', 'threshold 0.5'],
  'promptfoo/contains': [{ value: 'red' }, 'so red', 'so blue', 'contains "red" does not hold'],
  'promptfoo/contains-all': [{ value: ['a', 'b'] }, 'b a', 'a', 'contains-all ["a","b"] does not hold'],
  'promptfoo/contains-any': [{ value: ['a', 'b'] }, 'a', 'c', 'contains-any ["a","b"] does not hold'],
  'promptfoo/contains-json': [{ schema: { required: ['a'] } }, 'so {"a": 1}', 'so {"b": 1}', 'contains-json'],
  'promptfoo/equals': [{ value: { a: [1] } }, '{"a": [1]}', '{"a": [2]}', 'equals {"a":[1]} does not hold'],
  'promptfoo/finish-reason': [{ value: 'STOP' }, 'a', '', ''],
  'promptfoo/gleu': [{ value: ['the cat'] }, 'the cat', 'a dog', 'score 0.0000'],
  'promptfoo/icontains': [{ value: 'RED' }, 'so red', 'so blue', 'icontains "RED" does not hold'],
  'promptfoo/icontains-all': [{ value: ['A', 'b'] }, 'B a', 'a', 'icontains-all'],
  'promptfoo/icontains-any': [{ value: ['A', 'b'] }, 'a', 'c', 'icontains-any'],
  'promptfoo/is-json': [
    { schema: { properties: { day: { format: 'date' } } } },
    '{"day": "2024-02-29"}',
    '{"day": "2024-02-30"}',
    '/day must match format "date"',
  ],
  'promptfoo/is-xml': [{ value: ['a.b'] }, '<a><b/></a>', '<a/>', 'missing elements: a.b'],
  'promptfoo/javascript': [
    { value: 'output.length > 3' },
    'long',
    'no',
    'javascript "output.length > 3" does not hold',
  ],
  'promptfoo/levenshtein': [{ value: 'sitting', threshold: 3 }, 'kitten', 'dog', 'edit distance 6, at most 3'],
  'promptfoo/python': [{ value: 'len(output) > 3' }, 'long', 'no', 'python "len(output) > 3" does not hold'],
  'promptfoo/regex': [{ value: '^a+$' }, 'aa', 'ab', 'regex "^a+$" does not hold'],
  'promptfoo/starts-with': [{ value: 'a' }, 'ab', 'ba', 'starts-with "a" does not hold'],
  'promptfoo/word-count': [{ value: { min: 2 } }, 'a b', 'a', 'word-count {"min":2} does not hold: 1 words'],
}

function caseWith(id: string, input: string, use: string, metadata: Settings): object {
  return { id, input, assert: { type: 'script', use, options: { metadata } } }
}

test('there is a row for every check', () => {
  expect(Object.keys(CHECKS)).toEqual([...SHIPPED_CHECKS])
})

test('every check holds, fails and can be turned round; a failure says what was expected and what came', async () => {
  const rows = Object.entries(CHECKS).filter(([check]) => PYTHON || check !== 'promptfoo/python')
  const cases = rows.flatMap(([check, [settings, holds, fails]]) => [
    caseWith(`${check} holds`, holds, `viva:${check}`, settings),
    ...(fails === '' ? [] : [caseWith(`${check} fails`, fails, `viva:${check}`, settings)]),
    ...(check.endsWith('assert-set')
      ? []
      : [caseWith(`${check} not`, holds, `viva:${check}`, { ...settings, not: true })]),
  ])
  const dir = makeFolder({ 'cases.jsonl': cases })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'events.jsonl'], { cwd: dir })
  const results = parseEvents(readFileSync(join(dir, 'events.jsonl'), 'utf8')).filter(({ type }) => type === 'result')
  const byId = new Map(results.map((result) => [result['id'] as string, result]))
  for (const [check, [settings, , fails, message]] of rows) {
    expect([check, byId.get(`${check} holds`)?.['status']]).toEqual([check, 'passed'])
    const name = check.slice('promptfoo/'.length)
    if (!check.endsWith('assert-set'))
      expect(byId.get(`${check} not`)).toMatchObject({
        status: 'failed',
        error_kind: 'assertion',
        error: expect.stringContaining(`not-${name} `) as string,
      })
    if (fails === '') continue
    const failed = byId.get(`${check} fails`)
    expect(failed).toMatchObject({ error_kind: 'assertion', error: expect.stringContaining(message) as string })
    const { schema, value } = settings
    const isCode = name === 'javascript' || name === 'python'
    if (name !== 'assert-set')
      expect(failed).toMatchObject({ assertions: [{ actual: fails, ...(!isCode && { expected: schema ?? value }) }] })
  }
})

const MEMBER = { type: 'contains', value: 'a' }

const SLIPS: Array<[use: string, settings: Settings, message: string]> = [
  ['is-jsn', {}, 'assert.use: there is no check "viva:promptfoo/is-jsn" – did you mean "viva:promptfoo/is-json"?'],
  ['is-refusal', {}, 'there is no check "viva:promptfoo/is-refusal"; there are promptfoo/assert-set, promptfoo/bleu'],
  ['contains', {}, 'assert.options.metadata.value: is missing'],
  ['contains', { vale: 'a', value: 'b' }, 'unknown field "vale"; did you mean "value"?'],
  ['contains', { value: 'a', not: 'true' }, 'assert.options.metadata.not: must be boolean'],
  ['contains-all', { value: [] }, 'assert.options.metadata.value: must have at least 1 element'],
  ['word-count', { value: {} }, 'must be a number of words, or min and max'],
  ['word-count', { value: { min: 3, max: 2 }, not: true }, 'must be a number of words, or min and max'],
  ['python', { file: 'a.py', value: 'True' }, 'takes value or file'],
  ['assert-set', { assert: [] }, 'assert.options.metadata.assert: must have at least 1 element'],
  ['assert-set', { threshold: 0, assert: [MEMBER] }, 'assert.options.metadata.threshold: must be above 0'],
  ['assert-set', { not: true, assert: [MEMBER] }, 'unknown field "not"'],
  [
    'assert-set',
    { assert: [{ type: 'is-jsn' }] },
    'metadata.assert[0].type: there is no check "viva:promptfoo/is-jsn"',
  ],
  ['assert-set', { assert: [{ type: 'regex' }] }, 'assert.options.metadata.assert[0].value: is missing'],
]

test('an unknown check, and settings that it does not take, are errors when the cases are loaded', async () => {
  const bad = SLIPS.map(([check, settings], at) => caseWith(`c${at}`, 'a', `viva:promptfoo/${check}`, settings))
  const elsewhere = [
    { assert: { type: 'script', use: 'viva:promptfoo/is-json', negate: true } },
    { assert: { type: 'agent', use: 'viva:promptfoo/is-json' } },
    { before: 'viva:promptfoo/is-json' },
    { simulator: { use: 'viva:promptfoo/is-json', goal: 'x' } },
  ].map((fields, at) => ({ id: `e${at}`, input: 'a', ...fields }))
  const dir = makeFolder({ 'cases.jsonl': [...bad, ...elsewhere] })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo'], { cwd: dir })
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('nothing was run')])
  const lines = run.stderr.split('\n')
  const problemsOf = (line: number): string => lines.filter((text) => text.includes(`cases.jsonl:${line}:`)).join('\n')
  for (const [at, [, , message]] of SLIPS.entries()) expect(problemsOf(at + 1)).toContain(message)
  expect(problemsOf(bad.length + 1)).toContain('write "not": true')
  // A check judges answers, and does nothing else.
  for (const line of [2, 3, 4]) expect(problemsOf(bad.length + line)).toContain('viva:promptfoo/is-json')
})

test('in a group, and in a script test', async () => {
  const use = 'viva:promptfoo/contains'
  const part = (value: string): object => ({ type: 'script', use, options: { metadata: { value } } })
  const dir = makeFolder({
    'cases.jsonl': [
      { id: 'a', input: 'red', assert: { type: 'any', assertions: [part('blue'), part('red')] } },
      { id: 'b', input: 'red', assert: { type: 'all', assertions: [part('blue'), part('red')] } },
    ],
    'app.yao': {},
    'assistants/x/package.yao': { name: 'x' },
    'assistants/x/src/own_test.ts': `export function TestOwn(t: any) {
  t.assert.Check('red', ${JSON.stringify(part('red'))})
  t.assert.Check('red', ${JSON.stringify(part('blue'))})
}`,
  })
  const cases = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json'], { cwd: dir })
  expect([
    cases.code,
    parseEvents(cases.stdout).flatMap(({ type, status }) => (type === 'result' ? [status] : [])),
  ]).toEqual([1, ['passed', 'failed']])
  const scripts = await viva(['test', '-i', 'scripts.x.own'], { cwd: dir })
  expect([scripts.code, scripts.stdout]).toEqual([1, expect.stringContaining('contains "blue" does not hold')])
  expect(scripts.stdout).not.toContain('"red" does not hold')
})

test.skipIf(!PYTHON)(
  'a check in Python stays what it was before the first case, whatever the agent writes',
  async () => {
    const check = (body: string): string => `def get_assert(output, context):\n    return ${body}\n`
    const metadata = { file: 'scripts/own.py' }
    const set = { threshold: 0.5, assert: [{ type: 'python', ...metadata }] }
    const dir = makeFolder({
      'viva.config.json': {},
      'cases.jsonl': [
        caseWith('a', 'x', 'viva:promptfoo/python', metadata),
        caseWith('b', 'x', 'viva:promptfoo/assert-set', set),
      ],
      'scripts/own.py': check(`output == 'right'`),
      'agent.mjs': `import { writeFileSync } from 'node:fs'
export function run() {
  writeFileSync('scripts/own.py', ${JSON.stringify(check('True'))})
  return 'wrong'
}`,
    })
    const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run'], { cwd: dir })
    expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('2 failed')])
    expect(run.stdout).toContain('python "scripts/own.py" does not hold')
  },
)

test('from an installed package: checks, scaffolds and types are where they are looked for', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      caseWith('a', '{"a": 1}', 'viva:promptfoo/is-json', { schema: { required: ['a'] } }),
      ...(PYTHON ? [caseWith('b', 'long', 'viva:promptfoo/python', { value: 'len(output) > 3' })] : []),
    ],
    'promptfooconfig.yaml': `prompts: ['{{text}}']
providers: [echo]
tests: [{vars: {text: Hello}, assert: [{type: javascript, value: file://check.js}]}]
`,
    'check.js': "module.exports = (output) => output === 'Hello'\n",
  })
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: ROOT, stdio: 'pipe' })
  const [{ files }] = JSON.parse(listed.toString()) as [{ files: Array<{ path: string }> }]
  const installed = join(dir, 'node_modules/viva')
  for (const { path } of files) if (!/^examples|\.map$/.test(path)) cpSync(join(ROOT, path), join(installed, path))
  symlinkSync(join(ROOT, 'node_modules'), join(installed, 'node_modules'))
  const run = async (args: string): Promise<number | null> =>
    (await shell(`node node_modules/viva/bin/viva.js ${args}`, { cwd: dir })).code
  expect(await run('test -i cases.jsonl -n builtin:echo')).toBe(0)
  expect(await run('import promptfooconfig.yaml -o imported')).toBe(0)
  expect(await run('test -i imported/tests/cases.jsonl')).toBe(0)
  expect(await run('init scaffold --kind function')).toBe(0)
  expect(await run('init types --types')).toBe(0)
  expect(readFileSync(join(dir, 'types/viva.d.ts'), 'utf8')).toContain('declare namespace testing')
})
