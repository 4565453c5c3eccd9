// `test_report`: the reporters of every run give the reports that test tools promise.
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
