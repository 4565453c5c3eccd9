// Which cases run, where they come from, and where the output goes.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'

const CASES = [
  { id: 'login-ok', input: 'a', tags: ['smoke', 'login'] },
  { id: 'login-bad', input: 'b', tags: ['login'] },
  { id: 'pay', name: 'Login first', input: 'c', tags: ['smoke'] },
  { id: 'pay-late', input: 'd' },
  ...Array.from({ length: 16 }, (_, index) => ({ id: `more-${index}`, input: 'x' })),
]

const folder = (): string => makeFolder({ 'cases.jsonl': CASES })
const idsOf = (run: CliRun): string[] =>
  parseEvents(run.stdout)
    .filter((event) => event.type === 'result')
    .map((event) => String(event['id']))
const run = (dir: string, ...args: string[]): Promise<CliRun> =>
  viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json', '-o', 'out.jsonl', '--force', ...args], {
    cwd: dir,
  })

test('--run is an unanchored regular expression on the id; -run is the same', async () => {
  const dir = folder()
  expect(idsOf(await run(dir, '--run', 'login'))).toEqual(['login-ok', 'login-bad'])
  expect(idsOf(await run(dir, '-run', '^pay$'))).toEqual(['pay'])
  expect(idsOf(await run(dir, '--run=(?i)LOGIN-.K'))).toEqual(['login-ok'])
  const none = await run(dir, '--run', 'nothing')
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no case matches --run nothing')])
})

test('--tag: any of them; together with --run, both', async () => {
  const dir = folder()
  expect(idsOf(await run(dir, '--tag', 'smoke'))).toEqual(['login-ok', 'pay'])
  expect(idsOf(await run(dir, '--tag', 'smoke', '--tag', 'login'))).toEqual(['login-ok', 'login-bad', 'pay'])
  expect(idsOf(await run(dir, '--tag', 'smoke', '--run', 'pay'))).toEqual(['pay'])
})

test('shards share the cases: each is in one of them, whatever else is in the file', async () => {
  const dir = folder()
  const shards = [
    idsOf(await run(dir, '--shard', '1/3')),
    idsOf(await run(dir, '--shard', '2/3')),
    idsOf(await run(dir, '--shard', '3/3')),
  ]
  expect(shards.flat().toSorted()).toEqual(CASES.map(({ id }) => id).toSorted())
  for (const shard of shards) expect(shard.length).toBeGreaterThan(0)
  writeFileSync(
    join(dir, 'cases.jsonl'),
    `{"id": "first of all", "input": "x"}\n${readFileSync(join(dir, 'cases.jsonl'), 'utf8')}`,
  )
  const again = idsOf(await run(dir, '--shard', '1/3')).filter((id) => id !== 'first of all')
  expect(again).toEqual(shards[0])
})

test('--dry-run prints what would run, runs nothing, and what it writes runs unchanged', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      {
        id: 'a',
        name: 'First',
        input: 'hello',
        assert: { type: 'contains', value: 'hello' },
        tags: ['x'],
        timeout: '5s',
        user: 'ann',
      },
      {
        id: 'b',
        input: { role: 'user', content: [{ type: 'text', text: 'parts' }] },
        expected: 'parts',
        metadata: { k: [1, { deep: true }] },
      },
      { id: 'c', input: 'x', skip: true, skip_reason: 'later' },
      {
        id: 'd',
        turns: [{ input: 'one', assertions: [{ type: 'equals', value: 'one' }] }, { input: 'two' }],
        final_assertions: ['awaiting_input'],
      },
    ],
  })
  const dry = await viva(['test', '-i', 'cases.jsonl', '-n', 'exec:touch called', '--dry-run', '-o', 'kept.jsonl'], {
    cwd: dir,
  })
  expect([dry.code, dry.stdout]).toEqual([
    0,
    '○ [a] First (1 assertion)\n○ [b] (0 assertions)\n○ [c] (skipped)\n○ [d] (2 turns)\n\n4 cases for exec:touch called; nothing was run, written to kept.jsonl\n',
  ])
  expect(existsSync(join(dir, 'called'))).toBe(false)
  const verdicts = async (file: string): Promise<unknown[]> => {
    const { stdout } = await viva(['test', '-i', file, '-n', 'builtin:echo', '--json'], { cwd: dir })
    const results = parseEvents(stdout).filter((event) => event.type === 'result')
    return results.map(({ id, name, status, output, assertions, turns, skip_reason }) => ({
      id,
      name,
      status,
      output,
      assertions,
      turns: JSON.stringify(turns)?.replaceAll(/"(start_ms|duration_ms|timestamp)":[^,}]*/g, ''),
      skip_reason,
    }))
  }
  expect(await verdicts('kept.jsonl')).toEqual(await verdicts('cases.jsonl'))
  expect(readFileSync(join(dir, 'kept.jsonl'), 'utf8').trim().split('\n')).toHaveLength(4)
})

test('--dry-run -o writes one case file, replaces none unasked, and leaves the outputs of the configuration alone', async () => {
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'a', input: 'hello' }],
    'kept.jsonl': 'mine\n',
    'viva.config.json': { defaults: { output: ['kept.jsonl', 'report.md'] } },
  })
  const dry = (...args: string[]): ReturnType<typeof viva> =>
    viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--dry-run', ...args], { cwd: dir })
  const two = await dry('-o', 'a.jsonl', '-o', 'b.json')
  expect([two.code, two.stderr]).toEqual([
    2,
    expect.stringContaining('a dry run writes one case file, but -o names 2\n  hint: give -o once'),
  ])
  const old = await dry('-o', 'kept.jsonl')
  expect([old.code, old.stderr]).toEqual([
    2,
    expect.stringMatching(
      /kept\.jsonl already exists\n {2}hint: replace it \(--force\), or name another file with -o\n/,
    ),
  ])
  expect(await dry()).toMatchObject({ code: 0, stdout: expect.stringMatching(/nothing was run\n$/) })
  expect(readFileSync(join(dir, 'kept.jsonl'), 'utf8')).toBe('mine\n')
  expect(readdirSync(dir).toSorted()).toEqual(['cases.jsonl', 'kept.jsonl', 'viva.config.json'])
  expect((await dry('-o', 'kept.jsonl', '--force')).code).toBe(0)
  expect(readFileSync(join(dir, 'kept.jsonl'), 'utf8')).toContain('"hello"')
})

test('a dry run of script tests lists them with their lines', async () => {
  const dir = makeFolder({
    'app.yao': '{}',
    'assistants/a/package.yao': '{"name": "a"}',
    'assistants/a/src/m_test.ts': 'function TestOne(t) {}\n\nconst TestTwo = (t) => {}\n',
  })
  const dry = await viva(['test', '-i', 'scripts.a.m', '--dry-run'], { cwd: dir })
  expect(dry).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/TestOne.*m_test\.ts:1\n.*TestTwo.*m_test\.ts:3\n/),
  })
  const written = await viva(['test', '-i', 'scripts.a.m', '--dry-run', '-o', 'tests.jsonl'], { cwd: dir })
  expect([written.code, written.stderr]).toEqual([2, expect.stringContaining('script tests are not cases')])
})

test('cases from standard input; the output has nowhere to go but where -o says', async () => {
  const dir = makeFolder()
  const stdin =
    '# by hand\n{"id": "a", "input": "hello", "assert": {"type": "contains", "value": "hello"}}\n{"id": "b", "input": "x", "expected": "y"}\n'
  const piped = await viva(['test', '-i', '-', '-n', 'builtin:echo'], { cwd: dir, stdin })
  expect([piped.code, piped.stdout]).toEqual([1, expect.stringContaining('✗ [b]')])
  const bad = await viva(['test', '-i', '-', '-n', 'builtin:echo'], { cwd: dir, stdin: '{"id": "a"}\n' })
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('-:1:1: "call", "input"')])
})

test('message mode: the answer alone on standard output, everything else on standard error', async () => {
  const dir = makeFolder({
    'agent.mjs':
      'export const run = () => ({ content: { a: [1] } })\nexport const fail = () => { throw new Error("broken") }\n',
  })
  const text = await viva(['test', '-i', 'hello\nthere', '-n', 'builtin:echo'], { cwd: dir })
  expect(text).toMatchObject({ code: 0, stdout: 'hello\nthere\n', stderr: 'answered, nothing checked\n' })
  const data = await viva(['test', '-i', 'x', '-n', './agent.mjs#run', '-v'], { cwd: dir })
  expect(JSON.parse(data.stdout)).toEqual({ a: [1] })
  expect(data.stderr).toContain('viva · ./agent.mjs#run · 1 case')
  const failed = await viva(['test', '-i', 'x', '-n', './agent.mjs#fail'], { cwd: dir })
  expect([failed.code, failed.stdout, failed.stderr]).toEqual([
    1,
    '',
    expect.stringContaining('the agent failed: broken'),
  ])
  expect(readdirSync(dir)).toEqual(['agent.mjs'])
  const kept = await viva(['test', '-i', 'hello', '-n', 'builtin:echo', '-o', 'out.jsonl', '-o', 'out.md'], {
    cwd: dir,
  })
  expect(kept.stdout).toBe('hello\n')
  expect(parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8')).map((event) => event.type)).toEqual([
    'start',
    'case_start',
    'result',
    'summary',
  ])
  expect(readFileSync(join(dir, 'out.md'), 'utf8')).toContain('T001')
})

test('--json: events and nothing else, each line whole, the same as in the file', async () => {
  const dir = folder()
  const { stdout, stderr } = await run(dir, '-v', '--parallel', '4')
  expect(stdout).toBe(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
  expect(stderr).toMatch(/^Events: .*out\.jsonl\n$/)
})

test('the default output is beside the input and is never overwritten', async () => {
  const dir = makeFolder({ 'tests/cases.jsonl': [{ id: 'a', input: 'x' }] })
  const start = (): Promise<CliRun> => viva(['test', '-i', 'tests/cases.jsonl', '-n', 'builtin:echo'], { cwd: dir })
  await Promise.all([start(), start(), start(), start()])
  const written = readdirSync(join(dir, 'tests')).filter((name) => name.startsWith('output-'))
  expect(written).toHaveLength(4)
  for (const name of written) {
    expect(name).toMatch(/^output-\d{14}(-[2-9])?\.jsonl$/)
    expect(parseEvents(readFileSync(join(dir, 'tests', name), 'utf8')).at(-1)).toMatchObject({
      type: 'summary',
      passed: 1,
    })
  }
})

test('an event file is not overwritten without --force; reports are', async () => {
  const dir = folder()
  writeFileSync(join(dir, 'out.jsonl'), 'mine\n')
  writeFileSync(join(dir, 'out.md'), 'old\n')
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'out.jsonl', '-o', 'out.md']
  const refused = await viva(args, { cwd: dir })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/out\.jsonl.*exist[\s\S]*--force/)])
  expect(readFileSync(join(dir, 'out.jsonl'), 'utf8')).toBe('mine\n')
  expect((await viva([...args, '--force'], { cwd: dir })).code).toBe(0)
  expect(readFileSync(join(dir, 'out.md'), 'utf8')).toContain('# Agent Test Report')
})

test('several formats at once, and an output that cannot be written is found first', async () => {
  const dir = folder()
  writeFileSync(join(dir, 'taken'), '')
  const refused = await viva(['test', '-i', 'cases.jsonl', '-n', 'exec:touch called', '-o', 'taken/out.json'], {
    cwd: dir,
  })
  expect([refused.code, existsSync(join(dir, 'called'))]).toEqual([2, false])
  const args = [
    'out.jsonl',
    'out.json',
    'out.md',
    'out.html',
    'out.xml',
    'out.tap',
    'out.ctrf.json',
    'out.txt',
  ].flatMap((name) => ['-o', name])
  const all = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', ...args], { cwd: dir })
  expect([all.code, all.stderr.match(/^Report: /gm)?.length]).toEqual([0, 7])
  for (const name of args.filter((word) => word !== '-o'))
    expect(readFileSync(join(dir, name), 'utf8').length).toBeGreaterThan(100)
})

test('a reader that goes away does not end the run', async () => {
  const dir = folder()
  const { shell } = await import('../support/shell.js')
  const head = await shell('set +o pipefail; viva test -i cases.jsonl -n builtin:echo -o out.jsonl | head -1', {
    cwd: dir,
  })
  expect(head.code).toBe(0)
  expect(parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8')).at(-1)).toMatchObject({
    type: 'summary',
    passed: 20,
  })
})

test('colour only where it is wanted', async () => {
  const dir = makeFolder({ 'c.jsonl': [{ id: 'a', input: 'x', expected: 'y' }] })
  const colored = async (env: Record<string, string>, ...args: string[]): Promise<boolean> =>
    (await viva(['test', '-i', 'c.jsonl', '-n', 'builtin:echo', ...args], { cwd: dir, env })).stdout.includes('\u001b[')
  expect(await colored({})).toBe(false)
  expect(await colored({ FORCE_COLOR: '1' })).toBe(true)
  expect(await colored({ FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false)
  expect(await colored({ FORCE_COLOR: '1' }, '--no-color')).toBe(false)
})

test.each<[string, object, (run: CliRun) => void]>([
  ['json', { json: true }, (run) => expect(idsOf(run)).toHaveLength(20)],
  [
    'dry_run',
    { dry_run: true },
    (run) => expect(run.stdout).toMatch(/\n20 cases for builtin:echo; nothing was run, written to out\.jsonl\n$/),
  ],
  [
    'input',
    { json: true, input: 'cases.jsonl', tag: ['smoke'] },
    (run) => expect(idsOf(run)).toEqual(['login-ok', 'pay']),
  ],
])('%s is a default like any other', async (key, defaults, check) => {
  const dir = makeFolder({ 'cases.jsonl': CASES, 'viva.config.json': { defaults } })
  const input = key === 'input' ? [] : ['-i', 'cases.jsonl']
  const done = await viva(['test', ...input, '-n', 'builtin:echo', '-o', 'out.jsonl'], { cwd: dir })
  expect(done.code).toBe(0)
  check(done)
})
