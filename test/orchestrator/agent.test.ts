// The loop as the agent of a case: events, hats and files are evidence.
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'
import { event } from '../support/run-loop.js'

const mock_responses = [
  { hat: 'planner', output: event('build.task', 'Handle errors') },
  { hat: 'builder', output: event('build.done', 'Did it'), files: { 'src/api.ts': 'try {} catch {}' } },
  { hat: 'planner', output: 'LOOP_COMPLETE' },
]

async function run(assert: unknown[], options: object = { mock_responses }) {
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'Add errors', workspace: {}, options, assert }] })
  return viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:', '-o', 'events.jsonl'], { cwd })
}

test('assertions see how it ended, who played and what was written', async () => {
  const { code, stdout, stderr } = await run([
    { type: 'exit_code', expected: 0 },
    { type: 'termination_reason', expected: 'completion_promise' },
    { type: 'hat_sequence', hats: ['planner', 'builder', 'planner'] },
    { type: 'event_sequence', topics: ['task.start', 'build.task', 'build.done'] },
    { type: 'file_contains', path: 'src/api.ts', pattern: 'catch' },
    { type: 'stdout_contains', pattern: 'Handle errors' },
  ])
  expect([code, stdout + stderr]).toEqual([0, expect.any(String)])
})

test('a wrong expectation fails, and so do answers that run out', async () => {
  expect((await run([{ type: 'no_event', topic: 'build.done' }])).code).toBe(1)
  const short = await run([{ type: 'event_occurred', topic: 'build.task' }], {
    mock_responses: mock_responses.slice(0, 1),
  })
  expect([short.code, short.stdout + short.stderr]).toEqual([1, expect.stringContaining('consumed')])
})

test('no backend is an error that says what to name', async () => {
  const { code, stdout, stderr } = await run([{ type: 'exit_code', expected: 0 }], {})
  expect(code).not.toBe(0)
  expect(stdout + stderr).toContain('mock_responses')
})
