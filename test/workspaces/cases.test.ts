// Cases in workspaces, through the command line.
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { makeFolder, parseEvents, startViva, viva, type CliRun, type Files } from '../support/run-cli.js'
import { until } from '../faults/support.js'

/** Does what its last message says, in the folder it runs in. */
const PROGRAM = `
import { readFileSync } from 'node:fs'
const { messages } = JSON.parse(readFileSync(0, 'utf8'))
const fs = await import('node:fs')
await new Function('fs', 'print', 'return (async () => {' + messages.at(-1).content + '})()')(fs, (text) => process.stdout.write(text))
`
const ACP = fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url))

interface Ran {
  run: CliRun
  results: Record<string, ResultEvent>
  /** Where workspaces were made. */
  temporary: string
}

async function runCases(cases: object[], args: string[] = [], files: Files = {}): Promise<Ran> {
  const temporary = makeFolder()
  const cwd = makeFolder({ 'agent.mjs': PROGRAM, 'cases.jsonl': cases, ...files })
  const agent = args.includes('-n') ? [] : ['-n', 'exec:node agent.mjs']
  const run = await viva(['test', '-i', 'cases.jsonl', '--json', ...agent, ...args], {
    cwd,
    env: { TMPDIR: temporary },
  })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result') as unknown as ResultEvent[]
  return { run, temporary, results: Object.fromEntries(results.map((result) => [result.id, result])) }
}

function left(temporary: string): string[] {
  const inside = folders(temporary)
  // Looked at while it is being made, too.
  return existsSync(inside) ? readdirSync(inside) : []
}

test('a program works in its workspace, and its files are evidence', async () => {
  const { results, run, temporary } = await runCases([
    {
      id: 'W1',
      input:
        "fs.appendFileSync('a.txt', 'two\\n'); fs.mkdirSync('out'); fs.writeFileSync('out/b', 'new'); fs.rmSync('c'); print('done')",
      workspace: { fixtures: { 'a.txt': 'one\n', c: 'gone' }, scratchpad: '## Plan' },
      assert: [
        { type: 'file_exists', path: 'out/b' },
        { type: 'file_contains', path: 'a.txt', pattern: '^one\\ntwo$' },
        { type: 'file_contains', path: 'a.txt', pattern: 'two' },
        { type: 'file_not_contains', path: 'a.txt', pattern: 'three' },
        { type: 'file_exists', path: 'c', negate: true },
        { type: 'scratchpad_contains', pattern: 'Plan' },
        { type: 'exit_code', expected: 0 },
        { type: 'stdout_contains', pattern: '^done$' },
        { type: 'stderr_contains', pattern: 'warning', negate: true },
      ],
    },
  ])
  const result = results['W1']
  expect(
    result?.assertions?.map(({ passed }) => passed),
    run.stdout,
  ).toEqual([true, false, ...Array<boolean>(7).fill(true)])
  expect(result?.changes).toEqual([
    { path: 'a.txt', change: 'changed', additions: 1, deletions: 0, diff: '@@ -1,1 +1,2 @@\n one\n+two' },
    { path: 'c', change: 'deleted', additions: 0, deletions: 1, diff: expect.stringContaining('-gone') as string },
    {
      path: 'out/b',
      change: 'added',
      additions: 1,
      deletions: 0,
      diff: expect.stringContaining('@@ -0,0 +1,1 @@\n+new') as string,
    },
  ])
  expect(left(temporary)).toEqual([])
})

test('every attempt has a workspace of its own', async () => {
  const input =
    "const n = fs.readdirSync('.').length; fs.writeFileSync('x' + n, ''); print(String(n)); if (n < 9) process.exit(1)"
  const { results, temporary } = await runCases([
    {
      id: 'R',
      input,
      workspace: {},
      retry: { max_attempts: 3, backoff_ms: 1, retry_on: ['agent_error'] },
      assert: { type: 'contains', value: '9' },
    },
  ])
  expect(results['R']).toMatchObject({ attempts: 3, status: 'failed' })
  expect(results['R']?.changes?.map(({ path }) => path)).toEqual(['x1'])
  expect(left(temporary)).toEqual([])
})

test('what cannot be checked is an error, and a missing file fails with a clear text', async () => {
  const link = "fs.symlinkSync('/etc/passwd', 'link'); fs.symlinkSync('/etc', 'folder'); print('ok')"
  const none = { type: 'file_contains', path: 'none.txt', pattern: 'x' }
  const { results, run } = await runCases([
    { id: 'missing', input: "print('ok')", workspace: {}, assert: none },
    { id: 'linked', input: link, workspace: {}, assert: { type: 'file_contains', path: 'link', pattern: 'root' } },
    {
      id: 'parent',
      input: link,
      workspace: {},
      assert: { type: 'file_not_contains', path: 'folder/passwd', pattern: 'zzz' },
    },
    { id: 'no workspace', input: "print('ok')", assert: { type: 'file_not_contains', path: 'a', pattern: 'x' } },
    { id: 'no session', input: "print('ok')", workspace: {}, assert: { type: 'no_event', topic: 'a' } },
  ])
  expect(run.code).toBe(1)
  expect(results['missing']).toMatchObject({
    error_kind: 'assertion',
    error: 'assertion failed: none.txt does not exist',
  })
  for (const [id, error] of [
    ['linked', 'link leads outside the workspace'],
    ['parent', 'folder/passwd leads outside the workspace'],
    ['no workspace', 'there is no workspace'],
    ['no session', 'there is no session'],
  ] as const) {
    expect(results[id]?.error_kind).toBe('input')
    expect(results[id]?.error).toContain(error)
  }
  expect(run.stdout).not.toContain('root:x')
})

test('a path that leads out of the workspace is refused before anything runs', async () => {
  const assert = { type: 'file_contains', path: '../../../etc/passwd', pattern: 'root' }
  const { run, temporary } = await runCases([
    { id: 'A', input: 'x', workspace: {}, assert },
    { id: 'B', input: 'x', workspace: { fixtures: { '/tmp/pwn': 'x' } }, assert: { type: 'file_exists', path: 'a' } },
  ])
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('assert.path')
  expect(run.stderr).toContain('workspace.fixtures./tmp/pwn')
  expect(left(temporary)).toEqual([])
})

test('an exit code is evidence where the case asks for it, and a failure where it does not', async () => {
  const fail = "process.stderr.write('usage: …'); process.exit(2)"
  const said = "print('half'); process.exit(2)"
  const asks = (expected: number): object => ({ type: 'exit_code', expected })
  const { results } = await runCases([
    { id: 'asked', input: fail, assert: [asks(2), { type: 'stderr_contains', pattern: 'usage' }] },
    { id: 'other', input: fail, assert: asks(0) },
    { id: 'not asked', input: said, assert: { type: 'contains', value: 'half' } },
    { id: 'stderr alone', input: fail, assert: { type: 'stderr_contains', pattern: 'usage' } },
    { id: 'said', input: said, assert: [asks(2), { type: 'contains', value: 'half' }] },
    { id: 'first turn', turns: [{ input: said }, { input: "print('ok')", assert: asks(0) }], on_missing_input: 'end' },
    {
      id: 'each turn',
      turns: [
        { input: said, assert: asks(2) },
        { input: "print('ok')", assert: asks(0) },
      ],
    },
    { id: 'silent', input: '', assert: asks(0) },
    {
      id: 'silent and idle',
      input: '',
      workspace: { fixtures: { 'a.txt': 'made by the author' } },
      assert: { type: 'file_contains', path: 'a.txt', pattern: 'author' },
    },
    { id: 'silent and judged', input: '', assert: [asks(0), { type: 'not_contains', value: 'error' }] },
    {
      id: 'silent worker',
      input: "fs.writeFileSync('a', '')",
      workspace: {},
      assert: { type: 'file_exists', path: 'a' },
    },
  ])
  const statuses = Object.fromEntries(Object.entries(results).map(([id, { status }]) => [id, status]))
  expect(statuses).toEqual({
    asked: 'passed',
    other: 'failed',
    'not asked': 'failed',
    'stderr alone': 'failed',
    said: 'passed',
    'first turn': 'failed',
    'each turn': 'passed',
    silent: 'passed',
    'silent and idle': 'failed',
    'silent and judged': 'failed',
    'silent worker': 'passed',
  })
  expect(results['other']).toMatchObject({
    error_kind: 'assertion',
    error: 'assertion failed: exit code 2, expected 0',
  })
  expect(results['not asked']).toMatchObject({ error_kind: 'agent', exit_code: 2 })
})

test('standard output is evidence of its own', async () => {
  const input = `print('{"content": "hi", "tool_calls": []}')`
  const raw = { type: 'stdout_contains', pattern: '"content"' }
  const { results } = await runCases([
    { id: 'A', input, assert: [raw, { type: 'equals', value: 'hi' }] },
    { id: 'B', input, assert: [{ ...raw, negate: true }] },
  ])
  expect(results['A']).toMatchObject({ status: 'passed', output: 'hi', stdout: '{"content": "hi", "tool_calls": []}' })
  expect(results['B']?.status).toBe('failed')
})

test('workspaces of failed cases are kept on request', async () => {
  const { results, temporary } = await runCases(
    [
      { id: 'P', input: "print('a')", workspace: {}, assert: { type: 'contains', value: 'a' } },
      {
        id: 'F',
        input: "fs.writeFileSync('trace', 'here'); print('a')",
        workspace: {},
        assert: { type: 'contains', value: 'b' },
      },
    ],
    ['--keep-workspaces'],
  )
  expect(results['P']?.workspace).toBeUndefined()
  expect(readFileSync(join(results['F']?.workspace ?? '', 'trace'), 'utf8')).toBe('here')
  expect(left(temporary)).toHaveLength(1)
})

test('ACP agents, modules and packages work in the workspace too', async () => {
  const where = { id: 'where', input: 'where', workspace: {}, assert: { type: 'regex', value: '/folders/case-' } }
  const acp = await runCases([where], ['-n', `acp:node ${ACP}`])
  expect(acp.results['where']?.status, acp.run.stdout + acp.run.stderr).toBe('passed')
  expect(left(acp.temporary)).toEqual([])

  const MODULE = `import { writeFileSync } from 'node:fs'
export const run = (messages, ctx, { workspace }) => { writeFileSync(workspace + '/made', ctx.workspace); return 'ok' }`
  const made = {
    id: 'made',
    input: 'x',
    workspace: {},
    assert: { type: 'file_contains', path: 'made', pattern: '/folders/case-' },
  }
  const module = await runCases([made], ['-n', './module.mjs#run'], { 'module.mjs': MODULE })
  expect(module.results['made']?.status, module.run.stdout).toBe('passed')

  const HOOKS = `import { writeFileSync } from 'node:fs'
export function Create(ctx) { return null }
export function Next(ctx) { writeFileSync(ctx.workspace + '/made', ctx.workspace); return { data: 'ok' } }`
  const app = { 'assistants/desk/package.yao': '{"name": "desk"}', 'assistants/desk/src/index.ts': HOOKS }
  const packaged = await runCases([made], ['-n', 'desk'], app)
  expect(packaged.results['made']?.status, packaged.run.stdout + packaged.run.stderr).toBe('passed')

  const echo = await runCases(
    [{ ...made, assert: { type: 'file_not_contains', path: 'a', pattern: 'b' } }],
    ['-n', 'builtin:echo'],
  )
  expect(echo.results['made']).toMatchObject({ status: 'failed', error_kind: 'input' })
  expect(echo.results['made']?.error).toContain('builtin:echo cannot work in one')
})

test('a scripted model writes files to the workspace, and none without one', async () => {
  const app = {
    'app.yao': '{}',
    'assistants/desk/package.yao': '{"name": "desk", "connector": "mock"}',
    'assistants/desk/prompts.yml': '- role: system\n  content: You write files.\n',
    'assistants/desk/mock.yml': '- output: written\n  files: {"src/a.txt": made}\n',
  }
  const assert = [{ type: 'contains', value: 'written' }]
  const { results, run } = await runCases(
    [
      {
        id: 'in',
        input: 'x',
        workspace: {},
        assert: [...assert, { type: 'file_contains', path: 'src/a.txt', pattern: '^made$' }],
      },
      { id: 'out', input: 'x', assert },
    ],
    ['-n', 'desk'],
    app,
  )
  expect(results['in']?.status, run.stdout + run.stderr).toBe('passed')
  expect(results['out']).toMatchObject({ status: 'failed', error: expect.stringContaining('no workspace') as string })
})

test('a before hook can prepare the workspace, and a script can judge what changed', async () => {
  const HOOK = `import { writeFileSync } from 'node:fs'
export function Prepare(ctx: any) { writeFileSync(ctx.workspace + '/given', 'by the hook') }
export function Check(output: any, input: any, expected: any, { evidence }: any) { return evidence.changes.length === 2 && evidence.changes[1].diff.includes('+read: by the hook') }`
  const { results, run } = await runCases(
    [
      {
        id: 'H',
        input: "fs.writeFileSync('read', 'read: ' + fs.readFileSync('given', 'utf8')); print('ok')",
        workspace: {},
        before: 'scripts:hooks.Prepare',
        assert: [
          { type: 'file_contains', path: 'read', pattern: 'by the hook' },
          { type: 'script', script: 'scripts.hooks.Check' },
        ],
      },
    ],
    [],
    { 'app.yao': '{}', 'scripts/hooks.ts': HOOK },
  )
  expect(results['H']?.status, run.stdout + run.stderr).toBe('passed')
})

test('secrets in files do not reach the results', async () => {
  const secret = `sk-proj-${'aB3'.repeat(16)}`
  const { run } = await runCases([
    {
      id: 'S',
      input: `fs.writeFileSync('a', 'key ' + '${secret.slice(0, 20)}' + '${secret.slice(20)}'); print('ok')`,
      workspace: {},
      assert: { type: 'file_contains', path: 'a', pattern: 'nothing of the kind' },
    },
  ])
  expect(run.stdout).toContain('"changes"')
  expect(run.stdout).not.toContain(secret)
})

test('a workspace snapshot is accepted once and compared after that', async () => {
  const write = (text: string): object => ({
    id: 'S',
    input: `fs.writeFileSync('a.txt', '${text}'); fs.writeFileSync('b', Buffer.from([0, 255])); fs.writeFileSync('.agent/scratchpad.md', String(Math.random())); fs.writeFileSync('session.jsonl', ''); print('ok')`,
    workspace: { fixtures: { keep: 'same' } },
    assert: {
      type: 'snapshot_matches',
      snapshot_id: 'approved_state',
      redactions: { patterns: { $TIMESTAMP: true }, paths: ["$.files['.agent/scratchpad.md']"] },
    },
  })
  const cwd = makeFolder({ 'agent.mjs': PROGRAM, 'cases.jsonl': [write('at 2026-01-01T10:00:00Z')] })
  const test = (args: string[] = []): Promise<CliRun> =>
    viva(['test', '-i', 'cases.jsonl', '-n', 'exec:node agent.mjs', '-o', 'out.jsonl', '--force', ...args], {
      cwd,
      env: { TMPDIR: makeFolder() },
    })
  const missing = await test()
  expect(missing.code).toBe(1)
  expect(missing.stdout).toContain('there is no snapshot to compare with')
  expect((await test(['-U'])).code).toBe(0)
  expect(existsSync(join(cwd, 'snapshots/cases/workspace/approved_state.snap'))).toBe(true)
  writeFileSync(join(cwd, 'cases.jsonl'), JSON.stringify(write('at 2027-02-02T11:00:00Z')))
  expect((await test()).code).toBe(0)
  writeFileSync(join(cwd, 'cases.jsonl'), JSON.stringify(write('other')))
  expect((await test()).code).toBe(1)
})

test('what an agent wrote is recorded, and written again when it is played back', async () => {
  const input =
    "fs.writeFileSync('a', 'made'); fs.rmSync('b'); fs.mkdirSync('c'); fs.writeFileSync('c/d', Buffer.from([0])); print('ok'); process.exit(3)"
  const assert = [
    { type: 'file_contains', path: 'a', pattern: 'made' },
    { type: 'file_exists', path: 'b', negate: true },
    { type: 'exit_code', expected: 3 },
    { type: 'stdout_contains', pattern: 'ok' },
  ]
  const cases = [{ id: 'R', input, workspace: { fixtures: { b: 'x' } }, assert }]
  const cwd = makeFolder({ 'agent.mjs': PROGRAM, 'cases.jsonl': cases })
  const test = (name: string, args: string[]): Promise<CliRun> =>
    viva(['test', '-i', 'cases.jsonl', '-n', 'exec:node agent.mjs', '-o', `${name}.jsonl`, ...args], {
      cwd,
      env: { TMPDIR: makeFolder() },
    })
  const recorded = await test('one', ['--record', 'tape.yaml'])
  expect(recorded.code, recorded.stdout).toBe(0)
  expect(recorded.stdout + recorded.stderr).toContain('only small text files are recorded; left out: c/d')
  writeFileSync(join(cwd, 'agent.mjs'), 'process.exit(9)')
  const replayed = await test('two', ['--replay', 'tape.yaml'])
  expect(replayed.code, replayed.stdout).toBe(0)
  const tape = readFileSync(join(cwd, 'tape.yaml'), 'utf8')
  writeFileSync(join(cwd, 'tape.yaml'), tape.replace(/^(\s+)a: made$/m, '$1../a: made'))
  const led = await test('three', ['--replay', 'tape.yaml'])
  expect(led.code).toBe(1)
  expect(led.stdout).toContain('may lead outside the workspace')
})

test('an agent that fills its workspace is ended', async () => {
  const fill = "fs.writeFileSync('big', Buffer.alloc(3e6));"
  const asks = { type: 'file_exists', path: 'big' }
  const { results, temporary } = await runCases(
    [
      { id: 'goes on', input: `${fill} await new Promise((go) => setTimeout(go, 1e8))`, workspace: {}, assert: asks },
      { id: 'ends', input: `${fill} print('ok')`, workspace: {}, assert: asks },
      { id: 'small', input: "fs.writeFileSync('big', ''); print('ok')", workspace: {}, assert: asks },
    ],
    ['--workspace-quota', '2'],
  )
  for (const id of ['goes on', 'ends']) {
    expect(results[id]).toMatchObject({ status: 'failed', error_kind: 'agent' })
    expect(results[id]?.error).toContain('the workspace is too large: it holds 2.9 MB, at most 2.0 MB are allowed')
  }
  expect(results['small']?.status).toBe('passed')
  expect(left(temporary)).toEqual([])
})

test('two runs at once share the registry and lose nothing', async () => {
  const temporary = makeFolder()
  const cases = Array.from({ length: 12 }, (_none, index) => ({
    id: `C${index}`,
    input: `fs.writeFileSync('own', '${index}'); print('ok')`,
    workspace: { fixtures: { given: `${index}` } },
    assert: [
      { type: 'file_contains', path: 'own', pattern: `^${index}$` },
      { type: 'file_contains', path: 'given', pattern: `^${index}$` },
    ],
  }))
  const cwd = makeFolder({ 'agent.mjs': PROGRAM, 'cases.jsonl': cases })
  const start = (name: string): Promise<CliRun> =>
    viva(
      [
        'test',
        '-i',
        'cases.jsonl',
        '-n',
        'exec:node agent.mjs',
        '--parallel',
        '4',
        '-o',
        `${name}.jsonl`,
        '--keep-workspaces',
      ],
      {
        cwd,
        env: { TMPDIR: temporary },
      },
    )
  const runs = await Promise.all([start('one'), start('two')])
  expect(runs.map(({ code, stdout }) => (code === 0 ? 0 : stdout))).toEqual([0, 0])
  expect(left(temporary)).toEqual([])
})

test('after a kill the next run a day later sweeps what was ours, and nothing else', async () => {
  const temporary = makeFolder()
  const hang = {
    id: 'H',
    input: "fs.writeFileSync('here', ''); await new Promise((go) => setTimeout(go, 1e8))",
    workspace: {},
    assert: { type: 'file_exists', path: 'here' },
  }
  const quick = { id: 'Q', input: "print('ok')", workspace: {}, assert: { type: 'contains', value: 'ok' } }
  const cwd = makeFolder({ 'agent.mjs': PROGRAM, 'hang.jsonl': [hang], 'quick.jsonl': [quick] })
  const env = { TMPDIR: temporary }
  const args = (file: string): string[] => [
    'test',
    '-i',
    file,
    '-n',
    'exec:node agent.mjs',
    '-o',
    `${file}.out.jsonl`,
    '--force',
  ]
  const started = startViva(args('hang.jsonl'), { cwd, env })
  await until(
    () => left(temporary).some((name) => existsSync(join(folders(temporary), name, 'here'))),
    'the agent to work',
  )
  started.process.kill('SIGKILL')
  await started.done
  const [ours = ''] = left(temporary)
  mkdirSync(join(folders(temporary), 'case-0000000000000000-AAAAAA'))

  expect((await viva(args('quick.jsonl'), { cwd, env })).code).toBe(0)
  expect(left(temporary).toSorted()).toEqual(['case-0000000000000000-AAAAAA', ours].toSorted())
  const registry = join(folders(temporary), '../registry')
  for (const name of readdirSync(registry)) utimesSync(join(registry, name), 0, 0)
  expect((await viva(args('quick.jsonl'), { cwd, env })).code).toBe(0)
  expect(left(temporary)).toEqual(['case-0000000000000000-AAAAAA'])
  expect(readdirSync(registry)).toEqual([])
})

function folders(temporary: string): string {
  return join(temporary, readdirSync(temporary)[0] ?? '', 'folders')
}

test('the beginning of a long error output is not taken for empty', async () => {
  const { results } = await runCases([
    {
      id: 'tail',
      input: "console.error('panic'); console.error(('a'.repeat(100) + '\\n').repeat(1000)); print('done')",
      workspace: {},
      assert: [{ type: 'stderr_contains', pattern: 'panic', negate: true }],
    },
  ])
  expect(results['tail']).toMatchObject({ status: 'failed', error_kind: 'input' })
})

test('files too deep to be read are seen all the same', async () => {
  const deep = `for (let n = 0; n < 20; n++) { fs.mkdirSync('d'.repeat(250)); process.chdir('d'.repeat(250)) }; fs.writeFileSync('hidden', 'x'); print('done')`
  const { results, temporary } = await runCases([
    { id: 'deep', input: deep, workspace: {}, assert: [{ type: 'exit_code', expected: 0 }] },
  ])
  expect(results['deep']?.changes).toEqual([{ path: expect.stringMatching(/^d+\//) as string, change: 'added' }])
  expect(left(temporary)).toEqual([])
})

test('what a recording has not kept is not taken for missing', async () => {
  const wrote =
    "fs.writeFileSync('a.bin', Buffer.from([0, 255])); fs.writeFileSync('big.txt', 'x'.repeat(300_000)); fs.symlinkSync('.', 'link'); fs.mkdirSync('.git'); fs.writeFileSync('.git/HEAD', 'x'); fs.writeFileSync('z.txt', 'kept'); print('done')"
  const absent = (path: string): object => ({ type: 'file_exists', path, negate: true })
  const cases = [
    ...['a.bin', './big.txt', 'link/z.txt', '.git/HEAD', 'z.txt'].map((path, index) => ({
      id: `N${index}`,
      input: wrote,
      workspace: {},
      assert: [absent(path)],
    })),
    { id: 'kept', input: wrote, workspace: {}, assert: [{ type: 'file_contains', path: 'z.txt', pattern: 'kept' }] },
  ]
  const tape = join(makeFolder(), 'tape.yaml')
  const live = await runCases(cases, ['--record', tape])
  const replayed = await runCases(cases, ['--replay', tape])
  for (const { results } of [live, replayed])
    expect(Object.values(results).map(({ id, status }) => [id, status])).toEqual([
      ...[0, 1, 2, 3, 4].map((index) => [`N${index}`, 'failed']),
      ['kept', 'passed'],
    ])
  expect(replayed.results['N0']?.assertions?.[0]?.error).toBe(
    'a.bin is not in the recording: only small text files are',
  )
})

test('a long text that nobody touched has not changed', async () => {
  const long = 'line\n'.repeat(300_000)
  const { results } = await runCases([
    {
      id: 'L',
      input: "fs.appendFileSync('b.txt', 'x'); fs.copyFileSync('a.txt', 'c.txt'); print('done')",
      workspace: { fixtures: { 'a.txt': long, 'b.txt': long } },
      assert: [{ type: 'stdout_contains', pattern: 'done' }],
    },
  ])
  expect(results['L']?.changes).toEqual([
    { path: 'b.txt', change: 'changed' },
    { path: 'c.txt', change: 'added' },
  ])
})

test('a file that is not text is there byte for byte, and bytes that cannot be decoded are refused', async () => {
  const written = (base64: string): object => ({
    id: 'B',
    input: "print(fs.readFileSync('a.bin').toString('hex'))",
    workspace: { fixtures: { 'a.bin': { base64 } } },
    assert: [
      { type: 'stdout_contains', pattern: '^89ff0000$' },
      { type: 'file_exists', path: 'a.bin' },
    ],
  })
  const { results, run } = await runCases([written('if8AAA==')])
  expect(results['B']?.status, run.stderr).toBe('passed')
  expect(results['B']?.changes).toBeUndefined()
  for (const bad of ['if8AAA', 'if8AAB==', 'not base64!', 'if8A-_=='])
    expect((await runCases([written(bad)])).run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('workspace.fixtures.a.bin: the content is not valid base64') as string,
    })
  const other = { ...written(''), workspace: { fixtures: { a: { text: 'x' } } } }
  expect((await runCases([other])).run.stderr).toContain('workspace.fixtures.a')
})
