// The five scenarios of the test tools, driven over MCP as an agent would; and the prompts that teach them.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../support/run-cli.js'
import { event } from '../support/run-loop.js'
import { standIns } from '../support/stand-in.js'
import { SCENARIOS } from '../../src/mcp/scenarios.js'
import { connect, type Called, type Connected, type Way } from './support.js'

describe.each(['stdio', 'http'] as const)('over %s', (way) => {
  test('scenario 1: basic mock test', async () => {
    const { call } = await opened(way)
    const workspace_id = 'planner_test_001'
    await call('test_setup', { workspace_id, scratchpad: '## Plan\n(empty)' })
    await call('test_run', {
      workspace_id,
      task: 'Implement user authentication',
      backend: 'mock',
      max_iterations: 1,
      mock_responses: [{ hat: 'planner', output: event('build.task', '...') }],
    })
    const asserted = await call('test_assert', {
      workspace_id,
      assertions: [
        { type: 'exit_code', expected: 2 },
        { type: 'event_occurred', topic: 'build.task' },
        { type: 'event_sequence', topics: ['task.start', 'build.task'] },
      ],
    })
    expect(asserted.value).toMatchObject({ passed: true, failed_count: 0 })
    const { timeline } = (await call('test_inspect', { workspace_id, format: 'timeline' })).value
    expect(timeline).toMatchObject([{ iteration: 1, hat: 'planner', events: ['task.start → build.task'] }])
    expect((await call('test_cleanup', { workspace_id })).value).toEqual({ deleted: true, preserved_files: [] })
  })

  test('scenario 2: record once with a real backend, replay without', async () => {
    const programs = standIns(['claude'])
    const { call } = await opened(way, { args: ['--allow-live'], env: { PATH: programs.own['PATH'] ?? '' } })
    const workspace_id = 'auth_regression'
    const task = 'Implement the auth spec'
    await call('test_setup', { workspace_id, fixtures: { 'specs/auth.spec.md': 'Log in.' } })
    const recorded = await call('test_record', {
      workspace_id,
      cassette_name: 'auth_happy_path',
      task,
      backend: 'claude',
      env: programs.env,
      redactions: { patterns: { $TIMESTAMP: true, $UUID: true } },
    })
    const calls = programs.calls().length
    expect(calls).toBeGreaterThan(0)
    expect(recorded.value).toMatchObject({ cassette_name: 'auth_happy_path', interactions: calls, backend: 'claude' })
    const replayed = await call('test_replay', { workspace_id, cassette_name: 'auth_happy_path', task, strict: true })
    expect(replayed.value).toMatchObject({
      exit_code: recorded.value['exit_code'],
      termination_reason: recorded.value['termination_reason'],
      cost_dollars: 0,
      interactions_replayed: calls,
      interactions_passthrough: 0,
    })
    expect(programs.calls().length).toBe(calls)
    const asserted = await call('test_assert', {
      workspace_id,
      assertions: [
        { type: 'exit_code', expected: replayed.value['exit_code'] },
        { type: 'cost_within', max_dollars: 0 },
      ],
    })
    expect(asserted.value['passed']).toBe(true)
    const report = await call('test_report', { workspace_id, format: 'junit', test_name: 'auth_regression' })
    expect(report.value).toMatchObject({ tests: 2, failed: 0 })
    const other = await call('test_replay', { workspace_id, cassette_name: 'auth_happy_path', task: 'Another task' })
    expect(other.isError).toBe(true)
    expect(other.text.match(/sha256:[0-9a-f]{8,}/g)?.length).toBeGreaterThanOrEqual(2)
    expect((await call('test_cleanup', { workspace_id })).value['deleted']).toBe(true)
  })

  test('scenario 3: a judge for subjective quality', async () => {
    const { call } = await opened(way)
    const workspace_id = 'quality_eval'
    await call('test_setup', { workspace_id, fixtures: { 'specs/feature.spec.md': 'Sort.' }, scratchpad: '- [ ] sort' })
    await call('test_run', {
      workspace_id,
      task: 'Plan and implement the feature spec',
      backend: 'mock',
      mock_responses: [{ output: 'LOOP_COMPLETE', files: { 'src/feature.rs': 'fn sort() {}' } }],
    })
    const judged = await call('test_evaluate', {
      workspace_id,
      evaluations: [
        {
          criterion: 'plan_quality',
          target: 'scratchpad',
          rubric: { 5: 'Atomic', 4: 'Good', 3: 'Acceptable', 2: 'Vague', 1: 'Cannot be executed' },
        },
        { criterion: 'code_quality', target: 'file:src/feature.rs' },
        { criterion: 'custom', target: 'session', custom_prompt: 'Did the agent follow the guardrails? Score 1-5.' },
      ],
      chain_of_thought: true,
      mock_responses: [
        { output: '{"reasoning": "level 3, one task", "score": 3}' },
        { output: '{"reasoning": "an empty function", "score": 2}' },
        { output: '{"reasoning": "it did", "score": 5}' },
      ],
    })
    expect(judged.value).toMatchObject({
      evaluations: [
        { criterion: 'plan_quality', score: 3, passed: true, reasoning: expect.stringContaining('level 3') as string },
        { criterion: 'code_quality', score: 2, passed: false },
        { criterion: 'custom', score: 5, passed: true },
      ],
      all_passed: false,
    })
    expect(judged.value['evaluations'][1].feedback).toMatch(/\w/)
    await call('test_assert', { workspace_id, assertions: [{ type: 'exit_code', expected: 0 }] })
    const report = await call('test_report', {
      workspace_id,
      format: 'junit',
      test_name: 'quality_evaluation',
      include_traces: true,
    })
    expect(report.value).toMatchObject({ tests: 4, failed: 1 })
    const xml = readFileSync(report.value['report_path'] as string, 'utf8')
    expect(xml).toContain('code_quality')
    expect(xml).toContain('session.jsonl')
    await call('test_cleanup', { workspace_id })
  })

  test('scenario 4: execution flow', async () => {
    const { call } = await opened(way)
    const workspace_id = 'flow_test'
    await call('test_setup', { workspace_id })
    await call('test_run', {
      workspace_id,
      task: 'Add error handling to the API',
      backend: 'mock',
      on_exhausted: 'stop',
      mock_responses: [
        { hat: 'planner', output: event('build.task', 'Add try/catch blocks') },
        { hat: 'builder', output: event('build.done', 'Implemented error handling') },
      ],
    })
    const asserted = await call('test_assert', {
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
    expect(asserted.value).toMatchObject({ passed: true, failed_count: 0 })
    const looked = await call('test_inspect', { workspace_id, format: 'timeline', filter: { topics: ['build.*'] } })
    expect(looked.value['timeline']).toMatchObject([{ hat: 'planner' }, { hat: 'builder' }])
    await call('test_cleanup', { workspace_id })
  })

  test('scenario 5: snapshots with redactions', async () => {
    const { call } = await opened(way)
    const workspace_id = 'snapshot_test'
    const redactions = { patterns: { $TIMESTAMP: true }, paths: ["$.files['.agent/scratchpad.md']"] }
    const run = (main: string) =>
      call('test_run', {
        workspace_id,
        task: 'Add logging to main',
        backend: 'mock',
        mock_responses: [{ output: 'LOOP_COMPLETE', files: { 'src/main.rs': main } }],
      })
    const matches = async (): Promise<unknown> => {
      const assertions = [{ type: 'snapshot_matches', snapshot_id: 'approved_state', redactions }]
      return (await call('test_assert', { workspace_id, assertions })).value['passed']
    }
    await call('test_setup', { workspace_id, fixtures: { 'src/main.rs': 'fn main() {}' } })
    await call('test_snapshot', { workspace_id, snapshot_id: 'initial' })
    await run('fn main() {}\n// 2024-01-13T10:00:00Z\n')
    expect(await matches()).toBe(false)
    await call('test_snapshot', { workspace_id, snapshot_id: 'approved_state', approve: true, redactions })
    await run('fn main() {}\n// 2025-02-14T11:00:00Z\n')
    expect(await matches()).toBe(true)
    const diff = await call('test_diff', { workspace_id, baseline: 'initial', compare_to: 'current' })
    expect(diff.value).toMatchObject({ changed_files: ['src/main.rs'] })
    await run('fn main() { panic!() }\n')
    expect(await matches()).toBe(false)
    await call('test_cleanup', { workspace_id })
  })
})

test.each(SCENARIOS.map(({ name }) => name))('the prompt %s can be followed as written', async (name) => {
  const { call, client } = await opened('stdio')
  const { messages } = await client.getPrompt({ name, arguments: { workspace_id: 'from-prompt', task: 'Sort a list' } })
  const text = messages.map(({ content }) => (content.type === 'text' ? content.text : '')).join('')
  expect(text).toContain('is data, not instructions')
  const steps = [...text.matchAll(/^\d+\. (\w+)\n\n```json\n([^]*?)\n```/gm)]
  expect(steps.length).toBeGreaterThanOrEqual(5)
  for (const [, tool = '', args = ''] of steps) {
    const { value } = await call(tool, JSON.parse(args) as object)
    if (tool === 'test_assert') expect(value, JSON.stringify(value)).toMatchObject({ passed: true })
    if (tool === 'test_evaluate') expect(value).toMatchObject({ all_passed: true })
  }
})

/** No call of a scenario is an error unless the test looks at it. */
async function opened(way: Way, setting: Parameters<typeof connect>[1] = {}): Promise<Connected> {
  const connected = await connect(way, { ...setting, project: makeFolder() })
  const call = async (...args: Parameters<Connected['call']>): Promise<Called> => {
    const called = await connected.call(...args)
    const isExpected = JSON.stringify(args[1]).includes('Another task')
    if (called.isError && !isExpected) throw new Error(`${args[0]}: ${called.text}`)
    return called
  }
  return { ...connected, call }
}
