// The helpers that ship with Viva, made one's own by ejecting; and agents that write the report.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** A connector that answers each built-in helper, and keeps the prompts it was sent. */
const CONNECTOR = { label: 'Helpers', type: 'mock', options: { script: 'scripts.model.Answer' } }
const MODEL = `
import { appendFileSync } from 'node:fs'
export function Answer({ messages }) {
  appendFileSync('prompts.jsonl', JSON.stringify(messages) + '\\n')
  const text = messages.at(-1).content
  if (text.startsWith('You are examining')) return '{"passed": true, "score": 1, "reason": "It is polite"}'
  const { test_mode, turn_number } = JSON.parse(text)
  if (test_mode === 'generator') return '{"cases": [{"id": "G1", "input": "made up"}]}'
  return turn_number > 2 ? '{"goal_achieved": true, "reasoning": "done"}' : '{"input": "message ' + turn_number + '"}'
}
`

const CASES = [
  { id: 'judged', input: 'Good morning', assert: { type: 'agent', value: 'is polite' } },
  {
    id: 'led',
    simulator: { metadata: { goal: 'say two things' } },
    final_assertions: { type: 'contains', value: '2' },
  },
  { id: 'checked', checkpoints: [{ id: 'c', assertion: { type: 'contains', value: 'message 2' } }], simulator: {} },
]

function app(config: object = { helpers: { connector: 'helpers' } }): string {
  return makeFolder({
    'app.yao': '{}',
    'viva.config.json': config,
    'connectors/helpers.conn.yao': CONNECTOR,
    'scripts/model.ts': MODEL,
    'cases.jsonl': CASES,
  })
}

const ARGS = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--json']
const results = (text: string) => parseEvents(text).filter((event) => event.type === 'result')

test('built-in judge, user and case writer work with the configured connector', async () => {
  const cwd = app()
  const run = await viva(ARGS, { cwd })
  expect(results(run.stdout)).toMatchObject([
    { id: 'judged', status: 'passed', assertions: [{ message: 'It is polite' }] },
    { id: 'led', status: 'passed', total_turns: 2, simulator: 'viva.user' },
    { id: 'checked', status: 'passed', checkpoints: [{ reached_at_turn: 2 }] },
  ])
  const made = await viva(['test', '-i', 'agents:viva.cases?count=1', '-n', 'builtin:echo', '--json'], { cwd })
  expect(results(made.stdout)).toMatchObject([{ id: 'G1', status: 'passed', output: 'made up' }])
  const unnamed = await viva(['test', '-i', 'agents:?count=1', '-n', 'builtin:echo', '--json'], { cwd })
  expect(results(unnamed.stdout)).toMatchObject([{ id: 'G1', status: 'passed', output: 'made up' }])
  const prompts = readFileSync(join(cwd, 'prompts.jsonl'), 'utf8')
  for (const words of ['You are an examiner', 'You play a person', 'You write test cases']) {
    expect(prompts).toContain(words)
  }
})

test('without a connector the error says how to give one; -c is one', async () => {
  const cwd = app({})
  const run = await viva(ARGS, { cwd })
  expect([run.code, run.stdout, run.stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/the judge of judged has no model[^]*helpers\.connector[^]*options\.connector[^]*-c/),
  ])
  const how =
    'has no connector: set helpers.connector in viva.config, pass -c, give options.connector, or name an agent'
  for (const input of ['agents:viva.cases', 'agents:']) {
    const made = await viva(['test', '-i', input, '-n', 'builtin:echo'], { cwd })
    expect(made.code).toBe(2)
    expect(made.stderr).toContain(`viva.cases ${how}`)
  }
  const given = await viva([...ARGS, '-c', 'helpers'], { cwd })
  expect(given.code).toBe(0)
})

test('a script generator must be named', async () => {
  const run = await viva(['test', '-i', 'scripts:', '-n', 'builtin:echo'], { cwd: app() })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('scripts: names no script')
})

test('an ejected helper is the project’s own: its edited prompt is used', async () => {
  const cwd = app()
  const ejected = await viva(['eject', 'viva.judge'], { cwd })
  expect(ejected.code).toBe(0)
  expect(ejected.stdout).toContain('assistants/viva/judge: yours to edit')
  const prompts = join(cwd, 'assistants/viva/judge/prompts.yml')
  writeFileSync(prompts, readFileSync(prompts, 'utf8').replace('You are an examiner.', 'You are OUR examiner.'))
  await viva([...ARGS, '--run', 'judged'], { cwd })
  const sent = readFileSync(join(cwd, 'prompts.jsonl'), 'utf8')
  expect(sent).toContain('You are OUR examiner.')
  expect(sent).not.toContain('You are an examiner.')

  const twice = await viva(['eject', 'judge'], { cwd })
  expect(twice.code).toBe(2)
  expect(twice.stderr).toContain('already ejected')
  expect((await viva(['eject', 'judge', '--force'], { cwd })).code).toBe(0)
  expect(readFileSync(prompts, 'utf8')).toContain('You are an examiner.')

  const unknown = await viva(['eject', 'judeg'], { cwd })
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('no built-in helper called "judeg"')
  expect(unknown.stderr).toContain('viva.judge, viva.user, viva.cases')
})

const REPORTER = `
import { writeFileSync } from 'node:fs'
export const writes = (messages, ctx) => {
  writeFileSync('asked.json', JSON.stringify(ctx.metadata))
  const { report, format } = JSON.parse(messages[0].content)
  return '# ' + format + ': ' + report.summary.passed + ' of ' + report.summary.total + ' passed'
}
export const throws = () => { throw new Error('out of ink') }
export const silent = () => ''
export const data = () => ({ content: { passed: 1 } })
`

function reported(): string {
  return makeFolder({
    'reporter.mjs': REPORTER,
    'good.jsonl': [{ id: 'a', input: 'x' }],
    'mixed.jsonl': [
      { id: 'a', input: 'x' },
      { id: 'b', input: 'x', assert: { type: 'contains', value: 'y' } },
    ],
  })
}

test('an agent writes the report, to the file or to standard output', async () => {
  const cwd = reported()
  const args = ['test', '-i', 'mixed.jsonl', '-n', 'builtin:echo', '-r', './reporter.mjs#writes']
  const run = await viva([...args, '-o', 'report.md', '-o', 'out.jsonl', '-v'], { cwd })
  expect(run.code).toBe(1)
  expect(readFileSync(join(cwd, 'report.md'), 'utf8').trim()).toBe('# markdown: 1 of 2 passed')
  expect(JSON.parse(readFileSync(join(cwd, 'asked.json'), 'utf8'))).toMatchObject({
    test_mode: 'reporter',
    format: 'markdown',
    options: { verbose: true, include_outputs: true },
    report: { summary: { total: 2, passed: 1, failed: 1 }, results: [{ id: 'a' }, { id: 'b' }] },
  })
  const printed = await viva([...args, '--run', 'a'], { cwd })
  expect(printed.stdout).toContain('# text: 1 of 1 passed')
})

test('a report that was not written is an error shown, and exit 3 where all cases passed', async () => {
  const cwd = reported()
  const run = (file: string, reporter: string) =>
    viva(['test', '-i', file, '-n', 'builtin:echo', '-r', reporter, '-o', 'report.md', '-o', 'out.jsonl', '--force'], {
      cwd,
    })
  const wrong: Array<[string, string]> = [
    ['./reporter.mjs#throws', 'out of ink'],
    ['./reporter.mjs#silent', 'is not the text of a document'],
    ['./reporter.mjs#data', 'is not the text of a document: {"passed":1}'],
    ['nobody.here', 'nobody.here'],
  ]
  for (const [reporter, text] of wrong) {
    const good = await run('good.jsonl', reporter)
    expect(good.stderr, reporter).toContain(text)
    expect(good.code, reporter).toBe(reporter === 'nobody.here' ? 2 : 3)
    expect(existsSync(join(cwd, 'report.md')), reporter).toBe(false)
    expect(good.stderr, reporter).not.toContain('Report: ')
    if (reporter === 'nobody.here') continue
    const summary = parseEvents(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).at(-1)
    expect(summary).toMatchObject({ type: 'summary', passed: 1, failed: 0, exit_code: 3 })
    expect(good.stderr).toContain('exit code 3: every case passed, but a report could not be written')
    expect(summary?.['report_errors']).toMatchObject([expect.stringContaining(text)])
  }
  const mixed = await run('mixed.jsonl', './reporter.mjs#throws')
  expect(mixed.stderr).toContain('out of ink')
  expect(mixed.code).toBe(1)
})
