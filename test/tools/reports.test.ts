// `test_report`: the reporters of every run produce the reports that test tools promise.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectGolden } from '../support/golden.js'
import { event } from '../support/run-loop.js'
import { testTools } from '../support/open-tools.js'

/** What is different each time. */
const steady = (text: string): string =>
  text
    .replaceAll(/run-[a-z0-9]+-[0-9a-f]+/g, 'run-x')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-01T00:00:00.000Z')
    .replaceAll(/(time=)"[\d.]+"/g, '$1"0.001"')
    .replaceAll(/("?(?:duration_ms|duration|start|stop|cost_dollars)"?: ?)[\d.]+/g, '$10')
    .replaceAll(/"reportId": ?"[^"]+"/g, '"reportId": "x"')
    .replaceAll(/("expected": 60000,\s+"actual": )[\d.]+/g, '$10')
    .replaceAll(/("version"(?::| value=) ?")[\d.]+/g, '$1x')
    .replaceAll(/[\d.]+s < 60s/g, '0.1s < 60s')

test.each([
  ['junit', 'junit.xml'],
  ['tap', 'tap.tap'],
  ['json', 'json.json'],
  ['ctrf', 'ctrf.json'],
])('%s', async (format, file) => {
  const { call } = await testTools()
  const workspace_id = 'w'
  await call('test_setup', { workspace_id })
  await call('test_run', {
    workspace_id,
    task: 'Implement auth',
    mock_responses: [
      event('build.task'),
      { output: event('build.blocked'), files: { 'src/main.rs': 'fn main() {}' } },
      'LOOP_COMPLETE',
    ],
  })
  await call('test_assert', {
    workspace_id,
    assertions: [
      { type: 'exit_code', expected: 0 },
      { type: 'termination_reason', expected: 'CompletionPromise' },
    ],
  })
  await call('test_assert', {
    workspace_id,
    assertions: [
      { type: 'event_sequence', topics: ['task.start', 'build.done'] },
      { type: 'file_exists', path: 'src/main.rs' },
      { type: 'duration', max_secs: 60 },
      { type: 'file_exists', path: 'src/auth.rs' },
    ],
  })
  const report = await call('test_report', { workspace_id, format, test_name: 'auth_flow', include_traces: true })
  expect(report).toMatchObject({ format, tests: 6, passed: 4, failed: 2, skipped: 0 })
  expect(String(report['report_path'])).toMatch(new RegExp(`/reports/${file.replace('.', '\\.')}$`))
  const text = readFileSync(String(report['report_path']), 'utf8')
  expect(text).toContain('session.jsonl')
  expectGolden(steady(text), `tools/${file}`)
})

/** The samples of the seed, word for word. */
const SEED_TAP = `TAP version 14
1..5
ok 1 - exit_code: expected 0, got 0
ok 2 - termination_reason: expected CompletionPromise
not ok 3 - event_sequence: wrong order
  ---
  expected: [task.start, build.done]
  actual: [task.start, build.blocked]
  ...
ok 4 - file_exists: src/main.rs
ok 5 - duration: 45.2s < 60s max
`
const SEED_JUNIT = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="ralph-e2e" tests="5" failures="1" time="45.2">
  <testsuite name="auth_flow" tests="5" failures="1">
    <testcase name="exit_code" classname="auth_flow" time="0.001"/>
    <testcase name="event_sequence" classname="auth_flow" time="0.002">
      <failure message="Expected [task.start, build.done] but got [task.start, build.blocked]"/>
    </testcase>
    <system-out>Session trace available at: session.jsonl</system-out>
  </testsuite>
</testsuites>
`

test("the seed's samples: TAP to the byte, of JUnit every element and attribute but the name of the suites", async () => {
  const { call } = await testTools()
  const workspace_id = 'w'
  await call('test_setup', { workspace_id })
  const blocked = { output: event('build.blocked'), files: { 'src/main.rs': 'fn main() {}' } }
  await call('test_run', { workspace_id, task: 'Implement auth', mock_responses: [blocked, 'LOOP_COMPLETE'] })
  await call('test_assert', {
    workspace_id,
    assertions: [
      { type: 'exit_code', expected: 0 },
      { type: 'termination_reason', expected: 'CompletionPromise' },
      { type: 'event_sequence', topics: ['task.start', 'build.done'] },
      { type: 'file_exists', path: 'src/main.rs' },
      { type: 'duration', max_secs: 60 },
    ],
  })
  const report = async (format: string, include_traces: boolean): Promise<string> => {
    const { report_path } = await call('test_report', { workspace_id, format, test_name: 'auth_flow', include_traces })
    return readFileSync(String(report_path), 'utf8')
  }
  expect((await report('tap', false)).replace(/[\d.]+s < 60s/, '45.2s < 60s')).toBe(SEED_TAP)
  const junit = await report('junit', true)
  for (const [, tag = '', attributes = ''] of SEED_JUNIT.matchAll(/<([a-z-]+)((?: [a-z]+="[^"]*")*)\/?>/g)) {
    const wanted = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].filter(
      ([, name, value]) => name !== 'time' && value !== 'ralph-e2e',
    )
    const found = [...junit.matchAll(new RegExp(`<${tag}( [^>]*)?>`, 'g'))].some(([element]) =>
      wanted.every(([, name, value]) =>
        element.toLowerCase().includes(` ${name}="${String(value).toLowerCase()}${name === 'message' ? '' : '"'}`),
      ),
    )
    expect([tag, attributes, found]).toEqual([tag, attributes, true])
  }
  expect(junit).toContain('<system-out>Session trace available at: session.jsonl</system-out>')
})
