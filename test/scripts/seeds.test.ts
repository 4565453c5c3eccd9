// Every script test of the documents, as written there, through the command line: console block and report.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Files, makeFolder, viva } from '../support/run-cli.js'
import { blockOf, readOwnCopy, readSeed } from '../support/seed-document.js'

const DESIGN = readSeed('000')
const REFERENCE = readSeed('002')
const SECOND = readSeed('003')

test('the copy of the examples says what the documents say', () => {
  for (const number of ['000', '002']) {
    const document = readSeed(number)
    for (const block of readOwnCopy(number).blocks) expect(document.blocks).toContainEqual(block)
  }
})

// The sibling that the sample tests; nothing of it is exported, and its id is not the one that was asked for.
const SETUP = `
function SystemReady(ctx: agent.Context): boolean {
  return ctx.User !== null
}
function Setup(ctx: agent.Context, data: { id: number }) {
  return { id: data.id + 1 }
}
`

/** The application of the sample: the agent's folder lies in the root, so that paths are those of the sample. */
function design(files: Files = {}): string {
  return makeFolder({
    'app.yao': '{}',
    'expense/package.yao': '{ "name": "Expense" }',
    'expense/src/setup.ts': SETUP,
    'expense/src/setup_test.ts': blockOf(DESIGN, 'Example Test File'),
    ...files,
  })
}

const withoutTimes = (text: string): string => text.replaceAll(/\(\d+(?:\.\d+)?m?s\)/g, '(time)')

test('the sample file gives the sample block, and the report the sample document, its failing test included', async () => {
  const cwd = design()
  const run = await viva(['agent', 'test', '-i', 'scripts.expense.setup', '-o', 'report.json'], { cwd })
  expect(run.code).toBe(1)
  const block = withoutTimes(blockOf(DESIGN, 'Script Test Output')).trimEnd()
  expect(withoutTimes(run.stdout).slice(0, block.length)).toBe(block)
  // What follows is how to go on.
  expect(run.stdout).toMatch(/1 failure:[\s\S]*To run just it again:\n {4}viva test -i scripts\.expense\.setup/)

  const sample = JSON.parse(blockOf(DESIGN, 'Script Test Report Format')) as Report
  const report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as Report
  expect(Object.keys(report)).toEqual(Object.keys(sample))
  const { stack, ...failed } = report.results[2] ?? {}
  expect(stack).toContain(`${join(cwd, 'expense/src/setup_test.ts')}:38:10`)
  expect(timeless({ ...report, results: [...report.results.slice(0, 2), failed] })).toEqual(timeless(sample))
  const keys = [...report.results.slice(0, 2), failed].map((result) => Object.keys(result))
  expect(keys).toEqual(sample.results.map((result) => Object.keys(result)))
})

interface Report {
  summary: { duration_ms: number }
  results: Array<Record<string, unknown>>
  metadata: Record<string, string>
}

/** Without what no two runs share; the types stay. */
function timeless(report: Report): unknown {
  return JSON.parse(
    JSON.stringify(report, (key, value: unknown) =>
      key === 'duration_ms' || /^(?:started_at|completed_at|version)$/.test(key) ? typeof value : value,
    ),
  )
}

test('the good practices run as written: helpers, error cases, cleaned up global state', async () => {
  const practices = DESIGN.blocks.filter(({ heading }) => heading === 'Best Practices').map(({ text }) => text)
  expect(practices).toHaveLength(4)
  // Two of them leave the body of a function out.
  const written = practices.map((text) => text.replaceAll('{ ... }', '{ t.log("left out") }')).join('\n')
  const cwd = design({
    'expense/src/practice.ts': `
export const GlobalConfig = { value: 'original' }
function Setup(ctx: agent.Context) {
  return ctx.Metadata.config === null ? { error: new Error('config is missing') } : {}
}
`,
    'expense/src/practice_test.ts': `// @ts-nocheck
${written}
function TestTheGlobalIsAsBefore(t) { t.assert.Equal(GlobalConfig.value, 'original') }
`,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.expense.practice', '-v'], { cwd })
  expect(run.stdout.match(/\[Test\w+\]/g)).toEqual([
    '[TestSetupCreatesDatabase]',
    '[TestSetupInitializesCache]',
    '[TestSetup]',
    '[TestFeatureA]',
    '[TestSetupWithMissingConfig]',
    '[TestWithGlobalState]',
    '[TestTheGlobalIsAsBefore]',
  ])
  expect(run.stdout).toContain('Summary: 7 passed, 0 failed, 0 skipped')
  expect(run.stdout).toContain('    │ left out')
  expect(run.code).toBe(0)
})

test('the context file is what tests see, and beats -u and -t', async () => {
  const file = DESIGN.blocks.find(
    ({ heading, language }) => heading === 'Custom Context Configuration' && language === 'json',
  )
  const context = JSON.parse(file?.text ?? '') as { authorized: object; metadata: object; client: object }
  const cwd = design({
    'tests/context.json': context,
    'expense/src/ctx_test.ts': `
function TestContext(t: testing.T, ctx: agent.Context) {
  const given = ${JSON.stringify(context)}
  t.assert.Equal(ctx.authorized, given.authorized)
  t.assert.Equal(ctx.metadata, given.metadata)
  t.assert.Equal(ctx.client, given.client)
  t.assert.Equal([ctx.User.ID, ctx.Team.ID, ctx.Locale, ctx.referer], ['admin', 'team-001', 'zh-cn', given.referer])
  t.assert.Equal([ctx.Client.Type, ctx.Client.IP, ctx.Metadata.trace_id], ['web', '192.168.1.100', 'trace-456'])
}
function TestIdentity(t: testing.T, ctx: agent.Context) {
  t.assert.Equal([ctx.User.ID, ctx.Team.ID, ctx.AssistantID], ['admin', 'ops-team', 'expense'])
}`,
  })
  const args = ['agent', 'test', '-i', 'scripts.expense.ctx', '-u', 'someone', '-t', 'some-team']
  const run = await viva([...args, '--run', 'TestContext', '--ctx', 'tests/context.json'], { cwd })
  expect(run.stdout).toContain('Summary: 1 passed, 0 failed, 0 skipped')
  expect(run.stdout).toContain('  User: admin\n  Team: team-001\n')
  const flags = await viva([...args.slice(0, 4), '-u', 'admin', '-t', 'ops-team', '-run', 'TestId'], { cwd })
  expect(flags.stdout).toContain('Summary: 1 passed, 0 failed, 0 skipped')
})

test('the sample of the reference, every assertion and control method of its tables', async () => {
  const rows = REFERENCE.tables['Available Assertions'] ?? []
  const methods = rows.map(([cell = '']) => /t\.assert\.(\w+)/.exec(cell)?.[1] ?? '')
  expect(methods).toHaveLength(8)
  const values: Record<string, string> = {
    True: 'true',
    False: 'false',
    Equal: '{ a: 1 }, { a: 1 }',
    NotEqual: '1, 2',
    Nil: 'null',
    NotNil: '0',
    Contains: '"text", "ex"',
    Len: '[1, 2], 2',
  }
  const calls = methods.map((name) => `t.assert.${name}(${values[name]}, "msg")`).join('\n  ')
  const cwd = makeFolder({
    'assistants/expense/package.yao': '{ "name": "Expense" }',
    'assistants/expense/src/setup.ts': `
export function SystemReady(ctx: agent.Context) {
  return { success: true, status: 'ready', data: { user: ctx.User.ID } }
}`,
    'assistants/expense/src/setup_test.ts': `${blockOf(REFERENCE, 'Test Function Signature')}
export function TestMethods(t: testing.T) {
  ${calls}
}
export function TestLog(t: testing.T) { t.Log("a message") }
export function TestError(t: testing.T) { t.Error("marked"); t.Log("goes on") }
export function TestFatal(t: testing.T) { t.Fatal("stopped"); t.Log("never") }
export function TestSkip(t: testing.T) { t.Skip("not now"); t.Log("never") }
`,
  })
  const run = await viva(['test', '-i', 'scripts.expense.setup', '-v', '-o', 'report.json'], { cwd })
  expect(run.code).toBe(1)
  const { results } = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as Report
  expect(
    results.map(({ name, status, error, logs, skip_reason }) => ({ name, status, error, logs, skip_reason })),
  ).toEqual([
    { name: 'TestSystemReady', status: 'passed', logs: [] },
    { name: 'TestMethods', status: 'passed', logs: [] },
    { name: 'TestLog', status: 'passed', logs: ['a message'] },
    { name: 'TestError', status: 'failed', error: 'marked', logs: ['marked', 'goes on'] },
    { name: 'TestFatal', status: 'failed', error: 'stopped', logs: [] },
    { name: 'TestSkip', status: 'skipped', skip_reason: 'not now', logs: [] },
  ])
  expect(run.stdout).toContain('► [TestSkip] ...\n  ○ SKIPPED')
})

// The agent of the sample answers by a script; its validator says what the mock says.
const AGENTS: Files = {
  'app.yao': '{}',
  'assistants/expense/package.yao': '{ "name": "Expense", "connector": "mock" }',
  'assistants/expense/prompts.yml': '- { role: system, content: You file expenses. }',
  'assistants/expense/mock.yml': '- { trigger_pattern: Travel, output: "Please confirm: travel, $500" }',
  'assistants/workers/test/validator/package.yao': '{ "name": "Validator", "connector": "mock" }',
  'assistants/workers/test/validator/prompts.yml': '- { role: system, content: You judge. }',
}

test.each([
  ['passed', '{"passed": true, "reason": "asks"}', undefined],
  ['failed', '{"passed": false, "reason": "does not ask"}', 'assertion failed: does not ask'],
])('a script calls an agent, and an agent judges: %s', async (status, verdict, error) => {
  const cwd = makeFolder({
    ...AGENTS,
    'assistants/workers/test/validator/mock.yml': `- output: '${verdict}'`,
    'assistants/expense/src/response_test.ts': blockOf(SECOND, 'Script Testing with Agent Assertions'),
  })
  const run = await viva(['test', '-i', 'scripts.expense.response', '-o', 'report.json'], { cwd })
  const { results } = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8')) as Report
  expect(results[0], run.stderr).toMatchObject({ name: 'TestExpenseResponse', status })
  expect(results[0]?.['error']).toBe(error)
  expect(run.code).toBe(status === 'passed' ? 0 : 1)
})
