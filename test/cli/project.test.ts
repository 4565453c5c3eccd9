// From an empty folder to verdicts, and everything that can be made of a finished run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BIN, makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'
import { standIns } from '../support/stand-in.js'
import { INIT_KINDS } from '../../src/cli/rows/init-kinds.js'
import { shell } from '../support/shell.js'

/** A checkout is neither installed nor on the path. */
const VIVA = `node ${realpathSync(BIN)}`

test.each(INIT_KINDS.map(({ name }) => name))(
  'viva init --kind %s in an empty folder: the printed commands pass, offline, and so does the workflow',
  async (kind) => {
    const dir = makeFolder({ '.gitignore': 'dist/' })
    const init = await viva(['init', '--kind', kind], { cwd: dir })
    expect(init.code).toBe(0)
    const [written = ''] = init.stdout.split('\n\n')
    for (const path of written.split('\n').map((line) => line.trim()))
      expect([path, existsSync(join(dir, path))]).toEqual([path, true])
    expect(readFileSync(join(dir, '.gitignore'), 'utf8')).toBe('dist/\n.viva/\n')
    const commands = init.stdout.slice(init.stdout.indexOf('Try it:')).match(/^ {2}.+$/gm) ?? []
    const tests = commands.filter((command) => command.startsWith(`  ${VIVA} test`))
    expect(tests.length).toBeGreaterThan(0)
    const server = commands.find((command) => command.endsWith(' &'))?.slice(0, -2)
    if (server !== undefined) await startServer(server, dir)
    for (const command of tests) expect([command, (await shell(command, { cwd: dir })).code]).toEqual([command, 0])
    // The workflow that was written runs the same.
    const workflow = readFileSync(join(dir, '.github/workflows/viva.yml'), 'utf8')
    const steps = [...workflow.matchAll(/^ +(npx --no-install viva .+)$/gm)].map(([, step = '']) => step)
    expect(steps).toHaveLength(tests.length)
    for (const step of steps) expect([step, (await shell(step, { cwd: dir })).code]).toEqual([step, 0])
    // Nothing of a run is among the tests.
    expect(readdirSync(join(dir, '.viva/runs')).length).toBeGreaterThan(0)
  },
)

async function startServer(command: string, cwd: string): Promise<void> {
  const child = spawn('sh', ['-c', `exec ${command}`], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
}

test('viva doctor: what a run needs is there, or what to do about it; no value of a variable is shown', async () => {
  const dir = makeFolder({
    'viva.config.json': { agents: { desk: 'http://127.0.0.1:1/chat' } },
    'connectors/openai/a.conn.yao': {
      type: 'openai',
      options: { model: 'm', key: '$ENV.DESK_KEY', host: 'http://127.0.0.1:1' },
    },
  })
  const env = { DESK_KEY: 'sk-desk-99182' }
  const fine = await viva(['doctor'], { cwd: dir, env })
  expect([fine.code, fine.stdout]).toEqual([0, expect.stringMatching(/✓ key +DESK_KEY is set/)])
  expect(fine.stdout).toMatch(/! endpoint +http:\/\/127\.0\.0\.1:1 .*connection refused/)
  expect(fine.stdout).not.toContain('99182')
  const unset = await viva(['doctor', '--json'], { cwd: dir })
  expect([unset.code, JSON.parse(unset.stdout)]).toMatchObject([1, { ok: false }])
  expect(unset.stdout).toContain('DESK_KEY is not set')
  writeFileSync(join(dir, 'viva.config.json'), '{"defaults": {"timout": 5}}')
  const typo = await viva(['doctor'], { cwd: dir, env })
  expect([typo.code, typo.stdout]).toEqual([
    1,
    expect.stringMatching(/✗ project +unknown option "timout".*\n.*timeout\?/),
  ])
  writeFileSync(join(dir, 'viva.config.json'), '{')
  writeFileSync(join(dir, 'connectors/openai/b.conn.yao'), '{"type": "opnai"}')
  const broken = await viva(['doctor'], { cwd: dir, env })
  expect([broken.code, broken.stdout]).toEqual([
    1,
    expect.stringMatching(/✗ project[\s\S]*✗ connector .*b\.conn\.yao.*opnai/),
  ])
})

test('viva doctor --backend: starts each, says what it lacks, and asks its model only with --try', async () => {
  const program = standIns(['claude', 'codex', 'kiro-cli'])
  const dir = makeFolder()
  const doctor = (args: string[], env: Record<string, string> = {}) =>
    viva(['doctor', ...args], { cwd: dir, env: { PATH: program.own['PATH'] ?? '', ...env } })
  const key = 'sk-ant-4471xz09'
  const fine = await doctor(['-b', 'claude', '-b', 'kiro'], { ANTHROPIC_API_KEY: key })
  expect([fine.code, fine.stdout]).toEqual([
    0,
    expect.stringMatching(
      /✓ claude +1\.2\.3 \(.*\/claude\)\n✓ claude +gets ANTHROPIC_API_KEY\n✓ kiro[\s\S]*! kiro +cannot report/,
    ),
  ])
  expect(fine.stdout).not.toContain(key)
  const lacking = await doctor(['--backend', 'gemini', '--backend', 'codex', '--json'])
  expect(lacking.code).toBe(1)
  expect(JSON.parse(lacking.stdout).findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ state: 'bad', what: 'gemini', text: expect.stringContaining('gemini') }),
    ]),
  )
  const tried = await doctor(['-b', 'claude', '--try'], { ANTHROPIC_API_KEY: key })
  expect([tried.code, tried.stdout]).toEqual([
    0,
    expect.stringMatching(/✓ claude +answers a prompt \(40 tokens, \$0\.25/),
  ])
  const wrong = await Promise.all([doctor(['-b', 'cluade']), doctor(['--try'])])
  expect(wrong.map(({ code, stderr }) => [code, stderr])).toEqual([
    [2, expect.stringContaining('did you mean "claude"')],
    [2, expect.stringContaining('needs --backend')],
  ])
})

test('viva init in a folder of its own; nothing that exists is replaced unless asked', async () => {
  const dir = makeFolder()
  const init = await viva(['init', 'my-agent'], { cwd: dir })
  const commands = init.stdout.slice(init.stdout.indexOf('Try it:') + 'Try it:'.length).trim()
  expect(commands).toMatch(/^cd my-agent\n/)
  expect((await shell(commands, { cwd: dir })).code).toBe(0)
  writeFileSync(join(dir, 'my-agent/agent.ts'), '// Mine')
  const again = await viva(['init', 'my-agent', '--kind', 'function'], { cwd: dir })
  expect([again.code, again.stdout, again.stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/agent\.ts[\s\S]*nothing was written[\s\S]*--force/),
  ])
  expect(readFileSync(join(dir, 'my-agent/agent.ts'), 'utf8')).toBe('// Mine')
  expect((await viva(['init', 'my-agent', '--kind', 'function', '--force'], { cwd: dir })).code).toBe(0)
  expect(readFileSync(join(dir, 'my-agent/agent.ts'), 'utf8')).not.toContain('Mine')
  const types = makeFolder()
  expect((await viva(['init', '--types'], { cwd: types })).code).toBe(0)
  expect(readdirSync(types)).toEqual(['viva.d.ts'])
})

const CASES = [
  { id: 'ok', input: 'fine', assert: { type: 'contains', value: 'fine' } },
  { id: 'wrong', name: 'Wrong answer', input: 'red', expected: 'blue' },
  { id: 'later', input: 'x', skip: true, skip_reason: 'not yet' },
]

async function finishedRun(): Promise<string> {
  const dir = makeFolder({ 'cases.jsonl': CASES })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'run.jsonl'], { cwd: dir })
  expect(run.code).toBe(1)
  return dir
}

test('viva report: every format, as a file and printed; the console summary without any', async () => {
  const dir = await finishedRun()
  const names = ['r.json', 'r.md', 'r.html', 'r.xml', 'r.tap', 'r.ctrf.json', 'r.txt', 'r.jsonl']
  const files = await viva(['report', 'run.jsonl', ...names.flatMap((name) => ['-o', name])], { cwd: dir })
  expect([files.code, files.stdout]).toEqual([0, ''])
  const read = (name: string): string => readFileSync(join(dir, name), 'utf8')
  expect(JSON.parse(read('r.json'))).toMatchObject({ summary: { total: 3, passed: 1, failed: 1, skipped: 1 } })
  expect(read('r.md')).toMatch(/^# Agent Test Report/)
  expect(read('r.html')).toMatch(/^<!doctype html>/i)
  expect(read('r.xml')).toMatch(/^<\?xml[\s\S]*<testsuites?[^>]* failures="1"/)
  expect(read('r.tap')).toMatch(/^TAP version 14\n/)
  expect(JSON.parse(read('r.ctrf.json'))).toMatchObject({
    results: { summary: { tests: 3, passed: 1, failed: 1, skipped: 1 } },
  })
  expect(read('r.txt')).toContain('Failed:  1')
  expect(read('r.jsonl')).toBe(read('run.jsonl'))
  for (const [format, name] of [
    ['json', 'r.json'],
    ['markdown', 'r.md'],
    ['junit', 'r.xml'],
    ['tap', 'r.tap'],
    ['ctrf', 'r.ctrf.json'],
  ] as const)
    expect([format, (await viva(['report', 'run.jsonl', '--format', format], { cwd: dir })).stdout]).toEqual([
      format,
      read(name),
    ])
  expect((await viva(['report', 'run.jsonl'], { cwd: dir })).stdout).toContain('Failed: wrong')
  const unknown = await viva(['report', 'run.jsonl', '-o', 'fine.md', '-o', 'x.docx'], { cwd: dir })
  expect([unknown.code, existsSync(join(dir, 'fine.md'))]).toEqual([2, false])
})

test('viva extract: one file per result, from events and from the JSON report', async () => {
  const dir = await finishedRun()
  await viva(['report', 'run.jsonl', '-o', 'run.json'], { cwd: dir })
  expect((await viva(['extract', 'run.jsonl', '-o', 'md'], { cwd: dir })).code).toBe(0)
  expect((await viva(['extract', 'run.json', '-o', 'json', '--format', 'json'], { cwd: dir })).code).toBe(0)
  expect(readdirSync(join(dir, 'md'))).toHaveLength(3)
  const wrong = readdirSync(join(dir, 'md')).find((name) => name.startsWith('wrong')) ?? ''
  expect(readFileSync(join(dir, 'md', wrong), 'utf8')).toMatch(/Wrong answer[\s\S]*red[\s\S]*blue/)
  const documents = readdirSync(join(dir, 'json')).map(
    (name) => JSON.parse(readFileSync(join(dir, 'json', name), 'utf8')) as { id: string },
  )
  expect(documents.map(({ id }) => id).toSorted()).toEqual(['later', 'ok', 'wrong'])
  expect((await viva(['extract', 'run.jsonl'], { cwd: dir })).stderr).toContain('viva extract needs a folder')
})

test('viva compare: what changed, in four formats, and an exit code for CI', async () => {
  const dir = await finishedRun()
  const changed = [
    { ...CASES[0], assert: { type: 'contains', value: 'something else' } },
    { ...CASES[1], expected: 'red' },
  ]
  writeFileSync(join(dir, 'cases.jsonl'), changed.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'new.jsonl'], { cwd: dir })
  const compare = (...args: string[]): Promise<CliRun> =>
    viva(['compare', 'run.jsonl', 'new.jsonl', ...args], { cwd: dir })
  const shown = await compare()
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/ok[\s\S]*wrong/)])
  expect((await compare('--fail-on', 'newly-failing', '-o', 'd.md', '-o', 'd.json', '-o', 'd.html')).code).toBe(1)
  // One case that changed its mind is no proof, but its assertions are not the same.
  expect((await compare('--fail-on', 'regression', '--allow-changed-cases')).code).toBe(0)
  expect((await compare('--fail-on', 'regression')).code).toBe(1)
  expect(JSON.stringify(JSON.parse(readFileSync(join(dir, 'd.json'), 'utf8')))).toContain('"ok"')
  expect(readFileSync(join(dir, 'd.html'), 'utf8')).toMatch(/^<!doctype html>/i)
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-o', 'again.jsonl'], { cwd: dir })
  const same = await viva(['compare', 'new.jsonl', 'again.jsonl', '--fail-on', 'newly-failing'], { cwd: dir })
  expect(same.code).toBe(0)
})

test('viva history: runs, a case, flaky, slowest; pruned on request', async () => {
  const dir = makeFolder({ 'cases.jsonl': CASES, 'app.yao': '{}' })
  const history = (...args: string[]): Promise<CliRun> => viva(['history', ...args], { cwd: dir })
  expect((await history()).stdout).toContain('nothing yet')
  for (let run = 0; run < 2; run++)
    await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--history', '-r', 'summary'], { cwd: dir })
  const runs = JSON.parse((await history('runs', '--format', 'json')).stdout) as Array<{
    passed: number
    failed: number
  }>
  expect(runs).toMatchObject([
    { passed: 1, failed: 1 },
    { passed: 1, failed: 1 },
  ])
  expect((await history('case', 'wrong')).stdout.match(/failed/g)).toHaveLength(2)
  expect((await history('slowest')).stdout).toMatch(/^case +runs/)
  expect((await history('flaky')).code).toBe(0)
  expect((await history('prune', '--limit', '1')).stdout).toContain('1 run removed, the newest 1 kept')
  expect(JSON.parse((await history('runs', '--format', 'json')).stdout)).toHaveLength(1)
})

test('viva eject: the helper becomes an agent of the project, and is used from then on', async () => {
  const dir = makeFolder({
    'app.yao': '{}',
    'viva.config.json': { helpers: { connector: 'judge' } },
    'connectors/judge.conn.yao': { type: 'mock', options: { script: 'scripts.judge.Verdict' } },
    'scripts/judge.ts':
      'export function Verdict({ messages }) { return { output: { passed: messages[0].content.includes("EDITED"), reason: "by the prompt" } } }\n',
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'agent', value: 'is polite' } }],
  })
  const run = (): Promise<CliRun> => viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json'], { cwd: dir })
  expect((await run()).code).toBe(1)
  const eject = await viva(['eject', 'viva.judge'], { cwd: dir })
  expect([eject.code, eject.stdout]).toEqual([0, expect.stringContaining('assistants/viva/judge')])
  const prompts = join(dir, 'assistants/viva/judge/prompts.yml')
  writeFileSync(prompts, `- role: system\n  content: EDITED\n${readFileSync(prompts, 'utf8')}`)
  expect((await run()).code).toBe(0)
  expect((await viva(['eject', 'viva.judge'], { cwd: dir })).code).toBe(2)
  expect(readFileSync(prompts, 'utf8')).toContain('EDITED')
})

test('a place where init or eject cannot write is an error with a next step, not a hang', async () => {
  const dir = makeFolder({ 'app.yao': '{}', assistants: 'a file', taken: 'a file' })
  for (const args of [
    ['init', '/proc/x/y'],
    ['init', 'taken'],
    ['eject', 'viva.judge'],
  ]) {
    const run = await viva(args, { cwd: dir })
    expect([args, run.code, run.stderr]).toEqual([args, 2, expect.stringMatching(/cannot write .*\n.*\S/)])
  }
})

test('an application in a folder above: run from anywhere inside it', async () => {
  const dir = makeFolder()
  await viva(['init', '--kind', 'package'], { cwd: dir })
  const inside = join(dir, 'assistants/greeter/tests/deep')
  mkdirSync(inside)
  const file = await viva(['test', '-i', '../inputs.jsonl', '--json'], { cwd: inside })
  expect([file.code, parseEvents(file.stdout)[0]?.['agent_id']]).toEqual([0, 'greeter'])
  const message = await viva(['test', '-i', 'Hello'], { cwd: inside })
  expect([message.code, message.stdout]).toEqual([0, 'Hello! What is your name?\n'])
  const scripts = await viva(['test', '-i', 'scripts.greeter.*'], { cwd: inside })
  expect(scripts.code).toBe(0)
})
