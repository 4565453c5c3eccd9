// What a person gets who mistypes: everything that is wrong at once, where it is, what was probably meant, and nothing run.
import { cpSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, ROOT, viva, type CliRun, type Files } from '../support/run-cli.js'

/** A program that leaves a trace: if it is called, the trace is there. */
const TRACE = 'exec:touch called'

function expectError(run: CliRun, ...words: Array<string | RegExp>): void {
  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(/^error: /)
  expect(run.stderr).toMatch(/\n {2}code: ([A-Z_]+) \(more: viva explain \1\)\n$/)
  for (const each of words) expect(run.stderr).toMatch(each)
}

test('ten different mistakes in a file are ten errors with line, field and suggestion', async () => {
  const dir = makeFolder()
  cpSync(join(ROOT, 'test/fixtures/cases/ten-mistakes.jsonl'), join(dir, 'ten.jsonl'))
  const run = await viva(['test', '-i', 'ten.jsonl', '-n', TRACE], { cwd: dir })
  expectError(run)
  const lines = run.stderr.split('\n').filter((line) => line.startsWith('  ten.jsonl:'))
  expect(lines.map((line) => Number(/:(\d+):/.exec(line)?.[1]))).toEqual([2, 3, 5, 6, 7, 11, 13, 14, 15, 16])
  expect(run.stderr).toContain('ten.jsonl:3:29: asert: unknown field "asert" – did you mean "assert"?')
  expect(run.stderr).toContain('ten.jsonl:6:29: timeout: unknown unit "d" in duration "30d"')
  expect(run.stderr).toContain('error: ten.jsonl has 10 problems; nothing was run')
  expect(readdirSync(dir)).toEqual(['ten.jsonl'])
})

test('a field that an assertion does not know is an error', async () => {
  const rubric = { type: 'rubric', use: './judge.mjs#rate', criterion: 'is polite', votes: 3 }
  const any = { type: 'any', assertions: [{ type: 'contains', value: 'x', shade: 1 }] }
  const dir = makeFolder({
    'judge.mjs': "export const rate = () => ({ content: { reasoning: 'fine', score: 5 } })",
    'cases.jsonl': [
      { id: 'a', input: 'x', assert: { type: 'contains', value: 'x', colour: 'red', comment: 'why' } },
      { id: 'b', input: 'x', assert: [rubric, any] },
    ],
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', TRACE], { cwd: dir })
  expectError(run, /cases\.jsonl has 3 problems; nothing was run/)
  expect(run.stderr).toContain(
    'cases.jsonl:1:63: assert.colour: unknown field "colour" in contains; it takes value, ignore_case',
  )
  expect(run.stderr).toContain('assert[0].votes: unknown field "votes" in rubric')
  expect(run.stderr).toContain('assert[1].assertions[0].shade: unknown field "shade" in contains')
})

test('a field that the case does not know is an error where nothing is checked', async () => {
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'a', input: 'x', must_say: 'hello' }] })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', TRACE], { cwd: dir })
  expectError(run, /cases\.jsonl:1:\d+: must_say: unknown field "must_say" in a case that checks nothing/)
})

test.each([
  ['timeout', 'abc', /^error: defaults\.timeout in viva\.config\.json: bad duration "abc"/],
  ['parallel', 0, /^error: defaults\.parallel in viva\.config\.json: expected a whole number from 1/],
  ['shard', '9/2', /^error: defaults\.shard in viva\.config\.json: expected i\/n/],
])('a bad default is blamed on the configuration: %s', async (key, value, message) => {
  const dir = makeFolder({
    'viva.config.json': { defaults: { [key]: value } },
    'cases.jsonl': [{ id: 'a', input: 'x' }],
  })
  expectError(await viva(['test', '-i', 'cases.jsonl', '-n', TRACE], { cwd: dir }), message)
  if (key === 'parallel') return
  const flag = await viva(['test', '-i', 'cases.jsonl', '-n', TRACE, `--${key}`, 'nonsense'], { cwd: dir })
  expectError(flag, new RegExp(`^error: --${key}: `))
})

test('what the configuration is read too late for is refused, not ignored', async () => {
  const dir = makeFolder({ 'viva.config.json': { defaults: { app: 'x' } }, 'cases.jsonl': [{ id: 'a', input: 'x' }] })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', TRACE], { cwd: dir })
  expectError(run, /^error: defaults\.app in viva\.config\.json: .*too late/, /give --app on the command line/)
})

test('--pass-env names one variable each time, and one that is set', async () => {
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'a', input: 'x' }] })
  const args = ['test', '-i', 'cases.jsonl', '-n', TRACE]
  const several = await viva([...args, '--pass-env', 'A,B'], { cwd: dir })
  expectError(several, /^error: --pass-env: expected the name of one variable .*found "A,B"/)
  const unset = await viva([...args, '--pass-env', 'NOT_SET', '--pass-env', 'IS_SET'], {
    cwd: dir,
    env: { IS_SET: '' },
  })
  expect(unset.stderr).toContain('warning: --pass-env NOT_SET: this variable is not set')
  expect(unset.stderr).not.toContain('IS_SET:')
})

test('mistakes in assertions are found before anything runs', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      { id: 'fine', input: 'x' },
      { id: 'type', input: 'x', assert: { type: 'contain', value: 'x' } },
      { id: 'missing', input: 'x', assert: { type: 'contains' } },
      { id: 'regex', input: 'x', assert: { type: 'regex', value: '(' } },
      { id: 'path', input: 'x', assert: { type: 'json_path', path: '$.a[', value: 1 } },
      { id: 'key', input: 'x', assert: { type: 'contains', value: 'x', negated: true } },
      { id: 'both', input: 'x', assert: [], assertions: [] },
      { id: 'none', input: 'x', assert: { type: 'event_sequence', topics: [] } },
      { id: 'few', input: 'x', assert: { type: 'agent', value: 'x', votes: 0 } },
    ],
  })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', TRACE], { cwd: dir })
  expectError(
    run,
    /:2:.*unknown assertion type: contain – did you mean "contains"/,
    /:3:.*value/,
    /:4:.*missing closing \)/,
    /:5:.*\$\.a\[/,
    /:6:.*negated.*"negate"/,
    /:7:.*assert/,
    /:8:.*topics: must have at least 1 element, found \[\]/,
    /:9:.*votes: must be at least 1, found 0/,
  )
  expect(existsSync(join(dir, 'called'))).toBe(false)
})

test('an unknown key is one warning per name, an error with --strict', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      { id: 'a', input: 'x', expected: 'x', owner: 'ann' },
      { id: 'b', input: 'x', expected: 'x', owner: 'bob' },
    ],
  })
  const lax = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo'], { cwd: dir })
  expect(lax.code).toBe(0)
  expect(lax.stderr.match(/^warning: .*owner/gm)).toHaveLength(1)
  const strict = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--strict'], { cwd: dir })
  expectError(strict, /:1:\d+: owner: unknown field/, /:2:\d+: owner: unknown field/)
})

test.each([
  [['tset'], /unknown command 'tset'/, /Did you mean test\?/],
  [['tset', '--help'], /unknown command 'tset'/, /Did you mean test\?/],
  [['agent', 'tset'], /unknown command 'tset'/, /Did you mean test\?/],
  [['test', '--inptu', 'x'], /unknown option '--inptu'/, /Did you mean --input\?/],
  [['test', '-i', 'x', '--paralel', '4'], /unknown option '--paralel'/, /Did you mean --parallel\?/],
  [['test', '-i', 'x', 'y'], /too many arguments/, /hint: /],
  [['test', '-i'], /'-i, --input <source>' argument missing/, /hint: /],
  [['report'], /missing required argument 'events'/, /hint: /],
  [['compare', 'a', 'b', '--fail-on', 'regresion'], /--fail-on/, /did you mean regression\?/],
  [['test', '-i', 'x', '--on-missing-input', 'skp'], /--on-missing-input/, /did you mean skip\?/],
  [['test'], /-i is missing/, /-i tests\/inputs\.jsonl/],
  [['test', '-i', 'x', '--parallel', '0'], /--parallel: expected a whole number from 1/],
  [['test', '-i', 'x', '--parallel', 'many'], /--parallel: .*found "many"/],
  [['test', '-i', 'x', '--runs', '2.5'], /--runs: expected a whole number .*or auto/],
  [['test', '-i', 'x', '--timeout', '5'], /--timeout: .*needs a unit/],
  [['test', '-i', 'x', '--min-pass-rate', '101'], /--min-pass-rate: .*from 0.01 to 100/],
  [['test', '-i', 'x', '--shard', '3/2'], /--shard: expected i\/n/],
  [['test', '-i', 'x', '--run', '('], /--run: missing closing \)/],
  [['test', '-i', 'x', '--interactive', '--skip-interactive'], /cannot be used together/],
  [['test', '-i', 'x.jsonl'], /file not found: x\.jsonl/, /no case file in/],
  [['test', '-i', 'x', '-n', 'builtin:ecko'], /builtin:ec/],
  [['test', '-i', 'x', '-n', 'no.such'], /no agent called "no\.such"/, /there are no agent packages here/],
  [['test', '-i', 'x', '-n', 'agent.py'], /no agent called "agent\.py"/, /-n "exec:python3 agent\.py"/],
  [['test', '-i', 'x', '-n', 'python3 agent.py'], /no agent called/, /-n "exec:python3 agent\.py"/],
  [['test', '-i', 'x', '-n', './gone.ts#run'], /gone\.ts/],
  [['test', '-i', 'x', '-n', 'builtin:echo', '--ctx', 'gone.json'], /--ctx/],
  [['test', '-i', 'x', '-n', 'builtin:echo', '-o', 'x.pdf'], /cannot tell the format of .*x\.pdf/, /\.jsonl/],
  [
    ['test', '-i', 'x', '-n', 'builtin:echo', '-r', 'report.htlm'],
    /no reporter called "report\.htlm"/,
    /did you mean "report\.html"/,
  ],
  [['test', '-i', 'x', '-n', 'builtin:echo', '-a', 'gone'], /--app: no such folder/],
  [['test', '-i', 'scripts.a'], /scripts\.a/],
  [['test', '--resume', 'gone.jsonl'], /no such file/],
  [['report', 'gone.jsonl'], /no such file/],
  [['schema', 'caes'], /no schema called "caes"/, /did you mean case\?/],
  [['eject', 'viva.jugde'], /no built-in helper called "viva\.jugde"/],
  [['completion', 'tcsh'], /no completion for "tcsh"/],
  [['history', 'slow'], /no view called "slow"/],
])('viva %j', async (args, ...words) => {
  expectError(await viva(args, { cwd: makeFolder() }), ...(words as RegExp[]))
})

test('the wrong kind of file is called by its name', async () => {
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'a', input: 'x' }] })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl'], { cwd: dir })
  expectError(
    await viva(['test', '-i', 'out.jsonl', '-n', 'builtin:echo'], { cwd: dir }),
    /the event file of a run, not a case file/,
  )
  expectError(await viva(['report', 'cases.jsonl'], { cwd: dir }), /not a run file/)
})

const CONFIGS: Array<[string, Files, RegExp[]]> = [
  ['a key', { 'viva.config.json': { default: {} } }, [/viva\.config\.json/, /"?default"?.*did you mean "defaults"/]],
  [
    'a default',
    { 'viva.config.json': { defaults: { paralel: 4 } } },
    [/unknown option "paralel"/, /did you mean parallel\?/],
  ],
  [
    'a value',
    { 'viva.config.json': { defaults: { parallel: 'four' } } },
    [/defaults\.parallel in viva\.config\.json: expected a whole number/, /"four"/],
  ],
  [
    'an agent',
    { 'viva.config.yaml': 'agents:\n  bot:\n    traget: builtin:echo\n' },
    [/traget.*did you mean "target"/],
  ],
  [
    'a header that is no text',
    { 'viva.config.yaml': 'agents:\n  bot:\n    target: http://127.0.0.1:9\n    headers: { x-retry: 1 }\n' },
    [/agents\.bot\.headers\.x-retry: x-retry must be a string, found number 1/],
  ],
  ['no JSON', { 'viva.config.json': '{\n  "agents": }\n' }, [/viva\.config\.json:2:13: not JSON/]],
  [
    'a line',
    { 'viva.config.json': '{\n  "agents": {},\n  "keep_runs": -3\n}\n' },
    [/viva\.config\.json:3:3: keep_runs/],
  ],
  [
    'a key twice',
    { 'viva.config.json': '{"agents": {},\n "agents": {}}' },
    [/viva\.config\.json:2:2: agents: duplicate key/],
  ],
  ['no YAML', { 'viva.config.yaml': 'a: [' }, [/viva\.config\.yaml/]],
  [
    'a quote that is not closed',
    { 'viva.config.yaml': 'agents:\n  a: {target: "x\n' },
    [/viva\.config\.yaml: Missing closing "quote at line 3, column 1\n/],
  ],
  [
    'a module that throws',
    { 'viva.config.mjs': 'throw new Error("oops")' },
    [/viva\.config\.mjs could not be loaded: oops/],
  ],
  [
    'a package that is not there',
    { 'viva.config.ts': 'import "nowhere-at-all"' },
    [/viva\.config\.ts/, /npm install nowhere-at-all/],
  ],
]

test.each(CONFIGS)('a mistake in the configuration: %s', async (_, files, words) => {
  const dir = makeFolder({ ...files, 'cases.jsonl': [{ id: 'a', input: 'x' }] })
  expectError(await viva(['test', '-i', 'cases.jsonl', '-n', TRACE], { cwd: dir }), ...words)
  expect(existsSync(join(dir, 'called'))).toBe(false)
})
