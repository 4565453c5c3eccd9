// Every `yao agent test` command of the design and the reference, run by a shell as written, with `yao` read as `viva`.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { shell } from '../support/shell.js'
import { makeFolder, parseEvents, writeFiles } from '../support/run-cli.js'

const APP = fileURLToPath(new URL('../fixtures/seeds/commands-app', import.meta.url))

interface Ran {
  stdout: string
  stderr: string
  root: string
  cwd: string
  /** Of the event file: the documented default beside the input, unless -o named one. */
  events: Array<Record<string, unknown> & { type: string }>
}

type Check = (ran: Ran) => void

const start =
  (wanted: object): Check =>
  ({ events }) =>
    expect(events[0]).toMatchObject(wanted)
const file =
  (name: string, wanted: RegExp): Check =>
  ({ cwd }) =>
    expect(readFileSync(join(cwd, name), 'utf8')).toMatch(wanted)
const says =
  (wanted: RegExp): Check =>
  ({ stdout }) =>
    expect(stdout).toMatch(wanted)
const noFile: Check = ({ root }) => expect(outputsBelow(root)).toEqual([])
const passed =
  (count: number): Check =>
  ({ events }) =>
    expect(events.at(-1)).toMatchObject({ type: 'summary', passed: count, failed: 0, exit_code: 0 })
const identity = (user_id: string, team_id: string): Check =>
  start({ environment: { user_id, team_id, locale: 'en-us' } })
const logs =
  (...wanted: RegExp[]): Check =>
  ({ stdout }) =>
    wanted.forEach((each) => expect(stdout).toMatch(each))
const stable =
  (runs: number): Check =>
  ({ events }) => {
    expect(events.filter((event) => event.type === 'result')).toHaveLength(4 * runs)
    for (const event of events.filter((each) => each.type === 'stability'))
      expect(event).toMatchObject({ runs, passed: runs, pass_rate: 100, stable: true, classification: 'stable' })
  }
const report =
  (name: string, runs: number): Check =>
  ({ cwd }) => {
    const document = JSON.parse(readFileSync(join(cwd, name), 'utf8'))
    expect(document.results.map((result: { id: string }) => result.id)).toEqual(['T001', 'T002', 'T003', 'T006'])
    // What the workflow does with it: jq -e '.results | all(.pass_rate >= 80)'
    if (runs > 1) expect(document.results.every((result: { pass_rate: number }) => result.pass_rate >= 80)).toBe(true)
    expect(document.summary).toMatchObject({ runs_per_case: runs, overall_pass_rate: 100 })
  }

const KEYWORD = 'assistants/keyword'
const SETUP =
  /Script Test: scripts\.expense\.setup\n[\s\S]*Script: .*expense\/src\/setup_test\.ts\n {2}Tests: (\d) functions?/
const tests =
  (...names: string[]): Check =>
  ({ stdout }) =>
    expect([...stdout.matchAll(/^► \[(\w+)\]/gm)].map(([, name]) => name)).toEqual(names)
const ALL = ['TestSystemReady', 'TestSystemReadyWithInvalidContext', 'TestSetupError', 'TestSetupWho']

/** The command, the folder it is run in, and what it has to have done besides exit code 0. */
const COMMANDS: Array<[command: string, cwd: string, ...checks: Check[]]> = [
  // Quick start
  ['-i "hello world"', KEYWORD, says(/^\{"keywords"/), noFile],
  ['-i "hello world" -n keyword.agent', '.', says(/"keywords"/), noFile],
  [
    '-i assistants/keyword/tests/inputs.jsonl',
    '.',
    start({ agent_id: 'keyword', connector: 'mock', total_cases: 4 }),
    passed(4),
  ],
  ['-i assistants/keyword/tests/inputs.jsonl --runs 5', '.', stable(5)],
  [
    '-i assistants/keyword/tests/inputs.jsonl -r report.html -o report.html',
    '.',
    file('report.html', /^<!doctype html>[\s\S]*T006/i),
  ],
  ['-i scripts.expense.setup -v', '.', says(SETUP), tests(...ALL), logs(/user=test-user team=test-team/), noFile],
  [
    '-i scripts.expense.tools -u admin -t ops-team -v',
    '.',
    logs(/ {2}User: admin\n {2}Team: ops-team/, /user=admin team=ops-team/),
    noFile,
  ],
  // Usage
  ['-i tests/inputs.jsonl', KEYWORD, start({ agent_id: 'keyword', input: 'tests/inputs.jsonl' }), passed(4)],
  ['-i tests/inputs.jsonl -c openai.gpt4', KEYWORD, start({ connector: 'openai.gpt4' }), passed(4)],
  ['-i tests/inputs.jsonl -n my.agent', KEYWORD, start({ agent_id: 'my.agent' }), passed(4)],
  ['-i tests/inputs.jsonl -u test-user -t test-team', KEYWORD, identity('test-user', 'test-team'), passed(4)],
  ['-i tests/inputs.jsonl --runs 5', KEYWORD, stable(5)],
  ['-i tests/inputs.jsonl --timeout 10m', KEYWORD, start({ options: { timeout: '10m' } }), passed(4)],
  ['-i tests/inputs.jsonl --parallel 4', KEYWORD, start({ options: { parallel: 4 } }), passed(4)],
  [
    '-i tests/inputs.jsonl --parallel 8 --timeout 2m',
    KEYWORD,
    start({ options: { parallel: 8, timeout: '2m' } }),
    passed(4),
  ],
  ['-i tests/inputs.jsonl -o /path/to/results.jsonl', KEYWORD, passed(4)],
  ['-i tests/inputs.jsonl -r report.html -o report.html', KEYWORD, file('report.html', /^<!doctype html>[\s\S]*T006/i)],
  [
    '-i tests/inputs.jsonl -r report.markdown -o report.md',
    KEYWORD,
    file('report.md', /^# Agent Test Report\n[\s\S]*\| Agent\s*\| keyword/),
  ],
  [
    '-i tests/inputs.jsonl -n keyword.agent -c deepseek.v3 -u test-user -t test-team --runs 3 --timeout 10m --parallel 4 -r report.html -o report.html',
    KEYWORD,
    file('report.html', /^<!doctype html>[\s\S]*deepseek\.v3/i),
  ],
  // Input modes
  ['-i "Extract keywords from this text"', KEYWORD, says(/"AI"/), noFile],
  ['-i "Extract keywords from this text" -n keyword.agent', '.', says(/"AI"/), noFile],
  ['-i "你好世界" -n keyword.agent -c deepseek.v3', '.', says(/deepseek\/v3/), noFile],
  ['-i scripts.expense.tools -u admin -t ops-team', '.', says(/ {2}User: admin\n {2}Team: ops-team/)],
  ['-i scripts.expense.setup --timeout 30s', '.', tests(...ALL)],
  ['-i scripts.expense.setup -run TestSystemReady', '.', tests('TestSystemReady', 'TestSystemReadyWithInvalidContext')],
  ['-i scripts.expense.setup -run "TestSystem.*"', '.', tests('TestSystemReady', 'TestSystemReadyWithInvalidContext')],
  // Script testing
  ['-i scripts.expense.setup -u admin -t ops-team -v', '.', logs(/user=admin team=ops-team/)],
  ['-i scripts.expense.setup --timeout 30s -v', '.', tests(...ALL)],
  [
    '-i scripts.expense.setup --run TestSystemReady',
    '.',
    tests('TestSystemReady', 'TestSystemReadyWithInvalidContext'),
  ],
  ['-i scripts.expense.setup --run "TestSystem.*"', '.', tests('TestSystemReady', 'TestSystemReadyWithInvalidContext')],
  ['-i scripts.expense.setup --run ".*Error.*"', '.', tests('TestSetupError')],
  [
    '-i scripts.expense.setup --ctx tests/context.json -v',
    '.',
    logs(/user=test-user-123 team=test-team-456 .*department=engineering/),
  ],
  // Identity, reporters, CI
  [
    '-i tests/inputs.jsonl -u admin -t prod-team -o report.json',
    KEYWORD,
    report('report.json', 1),
    file('report.json', /"user_id": "admin",\s+"team_id": "prod-team"/),
  ],
  [
    '-i tests/inputs.jsonl -r report.beautiful -o report.html',
    KEYWORD,
    file('report.html', /^<!doctype html><title>Beautiful/),
  ],
  [
    '-i tests/inputs.jsonl -r report.slack -o summary.txt',
    KEYWORD,
    file('summary.txt', /^:white_check_mark: 4 of 4 passed/),
  ],
  [
    '-i assistants/keyword/tests/inputs.jsonl -u ci-user -t ci-team --runs 3 -o report.json',
    '.',
    report('report.json', 3),
  ],
  // The reference
  ['-i "Extract keywords from: AI and machine learning"', KEYWORD, says(/"AI"/), noFile],
  ['-i tests/inputs.jsonl -o report.html', KEYWORD, file('report.html', /^<!doctype html>/i)],
  [
    '-i scripts.expense.setup --run "TestSystemReady" -v',
    '.',
    tests('TestSystemReady', 'TestSystemReadyWithInvalidContext'),
  ],
  ['-i tests/inputs.jsonl --runs 5 -o stability.json', KEYWORD, report('stability.json', 5)],
  ['-i scripts.expense.setup -v --fail-fast', '.', tests(...ALL)],
]

function app(): string {
  const root = makeFolder()
  cpSync(APP, root, { recursive: true })
  return root
}

function outputsBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /output-\d{14}(-\d+)?\.jsonl$/.test(name),
  )
}

function eventsIn(root: string, command: string): Ran['events'] {
  const named = command.includes('results.jsonl') ? ['path/to/results.jsonl'] : outputsBelow(root)
  // By default the events stand beside the input; a report by itself leaves none.
  const expected = command.includes('.jsonl') && (!/ -[or] /.test(command) || command.includes('results.jsonl')) ? 1 : 0
  expect(named).toHaveLength(expected)
  if (named[0] === undefined) return []
  if (!command.includes('results.jsonl')) expect(named[0]).toMatch(/^assistants\/keyword\/tests\/output-\d{14}\.jsonl$/)
  return parseEvents(readFileSync(join(root, named[0]), 'utf8'))
}

test.each(COMMANDS.map(([command, cwd, ...checks], index) => ({ command, cwd, checks, index })))(
  'yao agent test $command',
  async ({ command, cwd, checks, index }) => {
    const root = app()
    // Both spellings take turns; the only thing changed in a command is the absolute path, which is not ours to write to.
    const line = `viva ${index % 2 === 0 ? 'agent test' : 'test --classic'} ${command.replace('/path/to', join(root, 'path/to'))}`
    const run = await shell(line, { cwd: join(root, cwd) })
    expect(run.code, run.stderr).toBe(0)
    const ran: Ran = { ...run, root, cwd: join(root, cwd), events: eventsIn(root, command) }
    for (const check of checks) check(ran)
  },
)

const SEEDS = new URL('../../../shared/seeds/', import.meta.url)

test.skipIf(!existsSync(SEEDS))('these are all commands of the two documents', () => {
  const written = readdirSync(SEEDS)
    .filter((name) => /^00[02]_/.test(name))
    .map((name) => readFileSync(new URL(name, SEEDS), 'utf8').replaceAll(/ *\\\n\s*/g, ' '))
    .flatMap((text) => [...text.matchAll(/^\s*yao agent test (-.+)$/gm)].map(([, words = '']) => words.trim()))
  expect([...new Set(written)].toSorted()).toEqual(COMMANDS.map(([command]) => command).toSorted())
})

test('continued over several lines, as the documents print it', async () => {
  const root = app()
  const line = `viva agent test -i assistants/keyword/tests/inputs.jsonl \\
      -u ci-user -t ci-team \\
      --runs 3 \\
      -o report.json
    jq -e '.results | all(.pass_rate >= 80)' report.json || test "$(command -v jq)" = ""`
  expect(await shell(line, { cwd: root })).toMatchObject({ code: 0 })
  expect(JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')).environment).toEqual({
    user_id: 'ci-user',
    team_id: 'ci-team',
    locale: 'en-us',
  })
})

// Exit codes: 0 is what the commands above give.

test('1: some tests failed, of an agent or of a script', async () => {
  const root = app()
  writeFiles(root, {
    'assistants/keyword/tests/inputs.jsonl':
      '{"id": "T001", "input": "Hello", "assert": {"type": "contains", "value": "nowhere"}}\n',
    'assistants/expense/src/tools.ts': 'export function Total() { return 2 }\n',
  })
  const agent = await shell('viva agent test -i assistants/keyword/tests/inputs.jsonl -o report.json', { cwd: root })
  const script = await shell('viva agent test -i scripts.expense.tools -o script.json', { cwd: root })
  expect([agent.code, script.code]).toEqual([1, 1])
  expect(JSON.parse(readFileSync(join(root, 'report.json'), 'utf8')).summary).toMatchObject({ total: 1, failed: 1 })
  expect(JSON.parse(readFileSync(join(root, 'script.json'), 'utf8'))).toMatchObject({
    type: 'script_test',
    script: 'scripts.expense.tools',
    script_path: expect.stringMatching(/expense\/src\/tools_test\.ts$/),
    summary: { total: 1, passed: 0, failed: 1, skipped: 0 },
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    results: [
      {
        name: 'TestTotal',
        status: 'failed',
        assertion: { type: 'Equal', expected: 3500, actual: 2 },
        logs: ['user=test-user team=test-team'],
      },
    ],
  })
})

test('2: a configuration error, and nothing was run', async () => {
  const root = app()
  for (const words of [
    '-i tests/nothing.jsonl',
    '-i assistants/keyword/tests/inputs.jsonl -n no.such',
    '-i assistants/keyword/tests/inputs.jsonl -c openai.gpt5',
    '-i assistants/keyword/tests/inputs.jsonl -r no.such',
    '-i scripts.expense.nothing',
    '-i scripts.expense',
  ]) {
    const run = await shell(`viva agent test ${words}`, { cwd: root })
    expect([words, run.code, run.stdout]).toEqual([words, 2, ''])
    expect(run.stderr).toMatch(
      /^error: .+\n(?: {2}.+\n)* {2}hint: .+\n {2}code: [A-Z_]+(?: \(more: viva explain [A-Z_]+\))?\n$/,
    )
  }
  expect(outputsBelow(root)).toEqual([])
})

test('3: a runtime error: everything passed, and the report could not be made', async () => {
  const root = app()
  writeFiles(root, { 'assistants/report/beautiful/mock.yml': '- error: out of paint\n' })
  const line = 'viva agent test -i assistants/keyword/tests/inputs.jsonl -r report.beautiful -o report.html'
  const run = await shell(line, { cwd: root })
  expect(run.code).toBe(3)
  expect(run.stderr).toContain('out of paint')
  expect(existsSync(join(root, 'report.html'))).toBe(false)
})
