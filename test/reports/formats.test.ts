// A real run with every kind of outcome and text, read back by readers that are not ours.
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { readCtrf, readJunit, readTap } from '../support/report-readers.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

// Answers with what it is asked, but the first time it is asked for something flaky.
const AGENT = `
const seen = new Set()
export function run(messages) {
  const text = messages.at(-1).content
  if (text === 'throw') throw new Error('the service \\u001b[31mis down\\u001b[0m\\u0000')
  if (text.startsWith('flaky') && !seen.has(text)) { seen.add(text); return { content: 'not yet', cost_dollars: 0.001 } }
  return { content: text, usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 }, cost_dollars: 0.001 }
}
`

const HOSTILE = `]]>&<img src=x>"'\u0000\u0007\u001b[2J\u202e ␀ \u2028 \ud83d ok 1 # SKIP\n::error::forged\nnot ok 7\n...\n---`

const CASES = [
  { id: 'passes', name: '通过 🙂', input: '你好，世界', assert: { type: 'contains', value: '世界' } },
  { id: 'fails', input: 'wrong', assert: { type: 'equals', value: 'right' }, tags: ['slow', 'b'] },
  { id: 'hostile', name: HOSTILE, input: HOSTILE, assert: { type: 'equals', value: 'something else' } },
  { id: 'throws', input: 'throw' },
  { id: 'skipped', input: 'x', skip: true, skip_reason: 'waits for #12: ok 3 - forged' },
  {
    id: 'flaky',
    input: 'flaky one',
    assert: { type: 'contains', value: 'flaky' },
    retry: { max_attempts: 3, backoff_ms: 1, retry_on: ['assertion'] },
  },
  {
    id: 'turns',
    name: 'three turns',
    turns: [
      { input: 'first # TODO' },
      { input: 'second', assert: { type: 'contains', value: 'never said' } },
      { input: 'third' },
    ],
  },
]

const FORMATS = ['o.jsonl', 'o.json', 'o.md', 'o.html', 'o.xml', 'o.tap', 'o.ctrf.json', 'o.txt']

test('JUnit, TAP, CTRF and all other formats of one run are valid and say the same', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', ...FORMATS.flatMap((name) => ['-o', name])]
  const run = await viva(args, { cwd })
  expect(run.code, run.stderr).toBe(1)
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  const ids = CASES.map(({ id }) => id)

  const summary = parseEvents(text('o.jsonl')).at(-1)
  expect(summary).toMatchObject({ total: 7, passed: 2, failed: 4, skipped: 1, flaky: 1, flaky_ids: ['flaky'] })

  const junit = await readJunit(text('o.xml'))
  expect(junit).toMatchObject({ tests: 7, failures: 3, errors: 1, skipped: 1, flaky: 1 })
  expect(junit.names.map((name) => name.split(' - ')[0])).toEqual(ids)
  expect(junit.names[0]).toBe('passes - 通过 🙂')

  const tap = readTap(text('o.tap'))
  expect(tap).toMatchObject({ pass: 3, fail: 4, skip: 1, extra: [], problems: [] })
  expect(tap.names.map((name) => name.split(' - ')[0])).toEqual(ids)

  const ctrf = readCtrf(text('o.ctrf.json'))
  expect(ctrf.summary).toMatchObject({ tests: 7, passed: 2, failed: 4, skipped: 1, flaky: 1 })
  expect(ctrf.tests.map(({ status }) => status)).toEqual([
    'passed',
    'failed',
    'failed',
    'failed',
    'skipped',
    'passed',
    'failed',
  ])
  expect(ctrf.tests[5]).toMatchObject({ flaky: true })

  const report = JSON.parse(text('o.json')) as { summary: object; results: Array<{ id: string; status: string }> }
  expect(report.summary).toMatchObject({ total: 7, passed: 2, failed: 4, skipped: 1, cost_dollars: 0.007 })
  expect(report.results.map(({ id }) => id)).toEqual(ids)

  const html = await marked.parse(text('o.md'), { gfm: true })
  expect(html).not.toMatch(/<img|<script|<a /)
  expect(html.match(/<h3>[^<]*/g)?.map((heading) => heading.replace('<h3>', '').split(' ')[1])).toEqual([
    'fails',
    'hostile',
    'throws',
    'turns',
    'passes',
    'skipped',
    'flaky',
  ])
  expect(text('o.txt')).toContain('  Flaky:   1 (flaky)')
  for (const name of ['o.json', 'o.md', 'o.xml', 'o.tap', 'o.ctrf.json', 'o.txt']) {
    // oxlint-disable-next-line no-control-regex
    expect(text(name), name).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
  }
  for (const name of ['o.md', 'o.txt', 'o.tap']) expect(text(name), name).not.toContain('\u202e')
  // Nothing that a CI system or a terminal would obey comes out on the console either.
  expect(run.stdout).not.toMatch(/^::|^##\[|^ok \d|^not ok/m)
  // oxlint-disable-next-line no-control-regex
  expect(run.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/)
})

test('a built-in reporter without -o has standard output to itself', async () => {
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'a', input: 'hello', assert: { type: 'contains', value: 'hello' } }] })
  const out = async (reporter: string, ...more: string[]): Promise<string> => {
    const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-r', reporter, ...more], { cwd })
    expect(run.code, run.stderr).toBe(0)
    return run.stdout
  }
  expect(JSON.parse(await out('report.json'))).toMatchObject({ summary: { total: 1, passed: 1 } })
  expect(await out('report.markdown')).toMatch(/^# Agent Test Report\n/)
  expect(await out('report.html')).toMatch(/^<!doctype html>/)
  expect(await out('report.summary')).toMatch(/^─+\n {2}Summary\n/)
  expect((await readJunit(await out('report.junit'))).tests).toBe(1)
  expect(readTap(await out('report.tap'))).toMatchObject({ pass: 1, fail: 0, problems: [] })
  expect(readCtrf(await out('report.ctrf')).summary).toMatchObject({ tests: 1, passed: 1 })
  // The reporter decides the format, whatever the file is called.
  expect(await out('report.markdown', '-o', 'report.text')).toContain('✓ [a]')
  expect(readFileSync(join(cwd, 'report.text'), 'utf8')).toMatch(/^# Agent Test Report\n/)
  const wrong = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '-r', 'report.pdf'], { cwd })
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('report.markdown')])
})

test.each([
  ['a skipped case with --strict', ['passes', 'skipped'], ['--strict'], /1 case skipped \(--strict\)/],
  ['a flaky case with --fail-on-flaky', ['flaky'], ['--fail-on-flaky'], /1 flaky case \(--fail-on-flaky\)/],
  ['nothing but skipped cases', ['skipped'], [], /no case reached a verdict/],
  ['a spent budget', ['passes', 'flaky'], ['--max-cost', '0.001'], /1 case not run: --max-cost/],
])('%s makes a red run, also for readers that know nothing but tests', async (_name, ids, args, reason) => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES.filter(({ id }) => ids.includes(id)) })
  const outputs = FORMATS.flatMap((name) => ['-o', name])
  const env = { GITHUB_ACTIONS: 'true' }
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', ...args, ...outputs], { cwd, env })
  expect(run.code, run.stderr).toBe(1)
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  expect(parseEvents(text('o.jsonl')).at(-1)).toMatchObject({ failed: 0, reasons: [expect.stringMatching(reason)] })
  expect(await readJunit(text('o.xml'))).toMatchObject({ failures: 0, errors: 1 })
  expect(text('o.xml')).toMatch(reason)
  expect(readTap(text('o.tap'))).toMatchObject({ fail: 1, extra: [], problems: [] })
  const ctrf = readCtrf(text('o.ctrf.json'))
  expect(ctrf.summary).toMatchObject({ failed: 1 })
  expect(ctrf.tests.at(-1)).toMatchObject({ status: 'failed', message: expect.stringMatching(reason) as string })
  expect(run.stderr).toMatch(/^::error title=outside any test%3A the run::/m)
  for (const name of ['o.json', 'o.md', 'o.html', 'o.txt']) expect(text(name), name).toMatch(reason)
})

test('in GitHub Actions failed cases are annotations at their line, and the report is the job summary', async () => {
  const cwd = makeFolder({
    'agent.mjs': AGENT,
    'tests/cases.jsonl': CASES,
    'assistants/x/package.yao': '{ "name": "x" }',
    'assistants/x/src/a_test.ts': '\nfunction TestBroken(t) { t.assert.Equal(1, 2, "not the same") }\n',
    'summary.md': 'before\n',
  })
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: join(cwd, 'summary.md') }
  const run = await viva(['test', '-i', 'tests/cases.jsonl', '-n', './agent.mjs#run'], { cwd, env })
  const annotations = `${run.stdout}\n${run.stderr}`.split('\n').filter((line) => line.startsWith('::'))
  expect(annotations.map((line) => line.slice(0, line.indexOf('::', 2)).split(',title=')[0])).toEqual([
    '::error file=tests/cases.jsonl,line=2',
    '::error file=tests/cases.jsonl,line=3',
    '::error file=tests/cases.jsonl,line=4',
    '::error file=tests/cases.jsonl,line=7',
  ])
  const summary = readFileSync(join(cwd, 'summary.md'), 'utf8')
  expect(summary).toMatch(/^before\n# Agent Test Report\n/)
  expect(summary).toContain('### ❌ fails - Failed')
  const scripts = await viva(['test', '-i', 'scripts.x.a'], { cwd, env })
  expect(scripts.stderr).toContain(
    '::error file=assistants/x/src/a_test.ts,line=2,title=scripts.x.a.TestBroken::assertion failed: not the same\n',
  )
})

test.each([
  ['report', ['report', 'run.jsonl', '-o', 'link.md']],
  ['compare', ['compare', 'run.jsonl', 'run.jsonl', '-o', 'link.md']],
  ['shard-plan', ['shard-plan', 'run.jsonl', '--shards', '2', '-o', 'run.jsonl']],
])('viva %s does not replace the run that it reads', async (_, args) => {
  const cwd = makeFolder()
  await viva(['test', '-i', 'hello there', '-n', 'builtin:echo', '-o', 'run.jsonl'], { cwd })
  symlinkSync('run.jsonl', join(cwd, 'link.md'))
  const before = readFileSync(join(cwd, 'run.jsonl'), 'utf8')
  const { code, stderr } = await viva(args, { cwd })
  expect([code, stderr]).toEqual([2, expect.stringContaining('a run is read from it')])
  expect(readFileSync(join(cwd, 'run.jsonl'), 'utf8')).toBe(before)
})
