// Scenarios 1, 3, 4 and 5 of test tools, from TypeScript; scenario 2 is in record-replay.test.ts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tools } from '../../src/index.js'
import { makeFolder } from '../support/run-cli.js'
import { event } from '../support/run-loop.js'

async function open() {
  const project = makeFolder()
  return { project, ...(await tools.open({ project, temporary: makeFolder(), env: {} })) }
}

test('scenario 1: a planner answers task.start with build.task', async () => {
  const { test_setup, test_run, test_assert, test_inspect, test_cleanup } = await open()
  const workspace_id = 'planner_test_001'
  await test_setup({ workspace_id, scratchpad: '## Plan\n(empty)' })
  const run = await test_run({
    workspace_id,
    task: 'Implement user authentication',
    backend: 'mock',
    max_iterations: 1,
    mock_responses: [{ hat: 'planner', output: event('build.task', '...') }],
  })
  expect(run).toMatchObject({ exit_code: 2, termination_reason: 'MaxIterations', mock_responses_consumed: 1 })
  const asserted = await test_assert({
    workspace_id,
    assertions: [
      { type: 'exit_code', expected: 2 },
      { type: 'event_occurred', topic: 'build.task' },
      { type: 'event_sequence', topics: ['task.start', 'build.task'] },
    ],
  })
  expect(asserted).toMatchObject({ passed: true, failed_count: 0, run_id: run.run_id })
  const { timeline } = await test_inspect({ workspace_id, format: 'timeline' })
  expect(timeline).toMatchObject([{ iteration: 1, hat: 'planner', events: ['task.start → build.task'] }])
  expect(await test_cleanup({ workspace_id })).toEqual({ deleted: true, preserved_files: [] })
})

test('scenario 3: a judge scores plan, code and session', async () => {
  const { test_setup, test_run, test_evaluate, test_assert, test_report } = await open()
  const workspace_id = 'quality_eval'
  await test_setup({ workspace_id, fixtures: { 'specs/feature.spec.md': 'Sort.' }, scratchpad: '- [ ] sort' })
  await test_run({
    workspace_id,
    task: 'Plan and implement the feature spec',
    mock_responses: [{ output: 'LOOP_COMPLETE', files: { 'src/feature.rs': 'fn sort() {}' } }],
  })
  const judged = await test_evaluate({
    workspace_id,
    evaluations: [
      {
        criterion: 'plan_quality',
        target: 'scratchpad',
        rubric: { 5: 'Atomic', 4: 'Good', 3: 'Fair', 2: 'Vague', 1: 'None' },
      },
      { criterion: 'code_quality', target: 'file:src/feature.rs' },
      { criterion: 'custom', target: 'session', custom_prompt: 'Did the agent follow the guardrails? Score 1-5.' },
    ],
    chain_of_thought: true,
    mock_responses: [
      { hat: 'judge', trigger_pattern: 'ready to be acted on', output: '{"reasoning": "level 3: fair", "score": 3}' },
      { hat: 'judge', output: '{"reasoning": "empty", "score": 2}' },
      { hat: 'judge', output: '{"reasoning": "it did", "score": 5}' },
    ],
  })
  expect(judged).toMatchObject({
    evaluations: [
      { criterion: 'plan_quality', score: 3, max_score: 5, reasoning: 'level 3: fair', passed: true },
      { criterion: 'code_quality', score: 2, threshold: 3, passed: false },
      { criterion: 'custom', score: 5, threshold: 3, passed: true },
    ],
    overall_score: 3.33,
    all_passed: false,
  })
  expect(judged.evaluations[0]?.feedback).toBe('Level 3: Fair. The next level is 4: Good.')
  expect(judged.evaluations[1]?.feedback).toMatch(/^Level 2: Significant mistakes\. It takes level 3 to pass: Works/)
  await test_assert({ workspace_id, assertions: [{ type: 'exit_code', expected: 0 }] })
  const report = await test_report({
    workspace_id,
    format: 'junit',
    test_name: 'quality_evaluation',
    include_traces: true,
  })
  expect(report).toMatchObject({ tests: 4, passed: 3, failed: 1 })
  const xml = readFileSync(report.report_path, 'utf8')
  expect(xml).toContain('<testcase name="code_quality" classname="quality_evaluation"')
  expect(xml).toContain('score 2, at least 3 needed: empty')
  expect(xml).toContain('<system-out>Session trace available at: session.jsonl</system-out>')
})

test('scenario 4: the flow of hats and events', async () => {
  const { test_setup, test_run, test_assert, test_inspect } = await open()
  const workspace_id = 'flow_test'
  await test_setup({ workspace_id })
  await test_run({
    workspace_id,
    task: 'Add error handling to the API',
    backend: 'mock',
    on_exhausted: 'stop',
    mock_responses: [
      { hat: 'planner', output: event('build.task', 'Add try/catch blocks') },
      { hat: 'builder', output: event('build.done', 'Implemented error handling') },
    ],
  })
  const asserted = await test_assert({
    workspace_id,
    assertions: [
      { type: 'exit_code', expected: 0 },
      { type: 'hat_transition', from: 'planner', to: 'builder' },
      { type: 'hat_sequence', hats: ['planner', 'builder'] },
      { type: 'iteration_count', hat: 'planner', exact: 1 },
      { type: 'event_sequence', topics: ['task.start', 'build.task', 'build.done'] },
      { type: 'no_event', topic: 'build.blocked' },
      { type: 'stdout_contains', pattern: 'error handling' },
    ],
  })
  expect(asserted).toMatchObject({ passed: true, failed_count: 0 })
  const { timeline } = await test_inspect({ workspace_id, format: 'timeline', filter: { topics: ['build.*'] } })
  expect(timeline?.map(({ events }) => events)).toEqual([['task.start → build.task'], ['build.task → build.done']])
})

test('scenario 5: the files are those that were approved, whatever the time and the scratchpad', async () => {
  const { project, test_setup, test_run, test_assert, test_snapshot, test_diff } = await open()
  const workspace_id = 'snapshot_test'
  const redactions = { patterns: { $TIMESTAMP: true }, paths: ["$.files['.agent/scratchpad.md']"] }
  const run = (scratchpad: string, log: string) =>
    test_run({
      workspace_id,
      task: 'Add logging to main',
      mock_responses: [{ output: 'LOOP_COMPLETE', files: { 'src/main.rs': log, '.agent/scratchpad.md': scratchpad } }],
    })
  const matches = (more: object = {}) =>
    test_assert({
      workspace_id,
      assertions: [{ type: 'snapshot_matches', snapshot_id: 'approved_state', redactions, ...more }],
    })
  await test_setup({ workspace_id, fixtures: { 'src/main.rs': 'fn main() {}' }, scratchpad: '' })
  await test_snapshot({ workspace_id, snapshot_id: 'initial' })
  await run('first', 'fn main() {}\n// 2024-01-13T10:00:00Z\n')
  await expect(matches()).resolves.toMatchObject({ passed: false })
  const approved = await test_snapshot({ workspace_id, snapshot_id: 'approved_state', approve: true, redactions })
  expect(approved.approved_path).toBe(join(project, 'snapshots/workspace/approved_state.snap'))
  await run('second', 'fn main() {}\n// 2025-02-14T11:00:00Z\n')
  await expect(matches()).resolves.toMatchObject({ passed: true })
  const diff = await test_diff({ workspace_id, baseline: 'initial', compare_to: 'current' })
  expect(diff).toMatchObject({ changed_files: ['.agent/scratchpad.md', 'src/main.rs'], added_files: [] })
  expect(diff.diffs['src/main.rs']).toMatchObject({ additions: 2, deletions: 1, hunks: [{ start: 1 }] })
  await run('third', 'fn main() { panic!() }\n')
  await expect(matches()).resolves.toMatchObject({ passed: false })
  await expect(test_snapshot({ workspace_id, snapshot_id: 'initial' })).rejects.toMatchObject({ code: 'BAD_NAME' })
})
