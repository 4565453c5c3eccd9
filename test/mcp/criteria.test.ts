// What the test tools promise, criterion by criterion, as an agent sees it over MCP.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, test } from 'vitest'
import { event } from '../support/run-loop.js'
import { standIns } from '../support/stand-in.js'
import { connect, type Connected } from './support.js'

const FLOW = [event('build.task', 'one'), event('build.done', 'two'), 'Successfully completed\nLOOP_COMPLETE']

describe.each(['stdio', 'http'] as const)('over %s', (way) => {
  test('setup and teardown', async () => {
    const { call, temporary } = await connect(way)
    const made = await call('test_setup', { workspace_id: 'test_001', fixtures: { 'a/b.txt': 'x' } })
    const path = made.value['workspace_path'] as string
    expect(path.startsWith(temporary) && existsSync(path)).toBe(true)
    await run(call, 'test_001', FLOW)
    await call('test_cleanup', { workspace_id: 'test_001' })
    expect(existsSync(path)).toBe(false)
    const unknown = await call('test_inspect', { workspace_id: 'test_001' })
    expect(unknown.text).toContain('no workspace called "test_001"')
    const again = await call('test_setup', { workspace_id: 'test_001', fixtures: { 'a/b.txt': 'x' } })
    await run(call, 'test_001', FLOW)
    const kept = await call('test_cleanup', { workspace_id: 'test_001', preserve_session: true })
    expect(kept.value['preserved_files']).toEqual(['session.jsonl'])
    expect(readdirSync(again.value['workspace_path'] as string)).toEqual(['session.jsonl'])
  })

  test('execution: responses in order, time limits, a real backend', async () => {
    const programs = standIns(['claude'])
    const { call } = await connect(way, { args: ['--allow-live'], env: { PATH: programs.own['PATH'] ?? '' } })
    await call('test_setup', { workspace_id: 'w' })
    const ran = await run(call, 'w', FLOW)
    expect(ran.value).toMatchObject({ iterations: 3, mock_responses_consumed: 3, mock_responses_remaining: 0 })
    const session = readFileSync(ran.value['session_file'] as string, 'utf8')
    for (const topic of ['task.start', 'build.task', 'build.done']) expect(session).toContain(`"topic":"${topic}"`)
    const late = await call('test_run', {
      workspace_id: 'w',
      task: 'x',
      max_runtime_secs: 1,
      mock_responses: [event('build.task', 'first'), { output: 'late', delay_ms: 60_000 }].map(asResponse),
    })
    expect(late.value['termination_reason']).toBe('MaxRuntime')
    expect((await call('test_inspect', { workspace_id: 'w' })).text).toContain('first')
    const real = await call('test_run', { workspace_id: 'w', task: 'x', backend: 'claude', env: programs.env })
    expect(real.value).toMatchObject({ termination_reason: 'CompletionPromise', cost_dollars: 0.25 })
    expect((await call('test_inspect', { workspace_id: 'w', format: 'summary' })).value['iterations']).toBe(1)
    const used = await run(call, 'w', [event('build.task', 'only')])
    expect(used.isError).toBe(true)
    expect(used.text).toMatch(/1 .*(used|consumed)/)
  })

  test('assertions, on flow and hats too', async () => {
    const { call } = await connect(way)
    await call('test_setup', { workspace_id: 'w', scratchpad: '## Completed' })
    await run(call, 'w', [
      FLOW[0],
      { output: event('build.done', 'two'), files: { 'src/main.rs': 'fn main() {}' } },
      FLOW[2],
    ])
    const verdicts = async (...assertions: object[]): Promise<boolean[]> => {
      const { results } = (await call('test_assert', { workspace_id: 'w', assertions })).value
      return (results as Array<{ passed: boolean }>).map(({ passed }) => passed)
    }
    const right = await verdicts(
      { type: 'exit_code', expected: 0 },
      { type: 'event_sequence', topics: ['task.start', 'build.done'] },
      { type: 'scratchpad_contains', pattern: 'Completed' },
      { type: 'file_exists', path: 'src/main.rs' },
      { type: 'hat_transition', from: 'planner', to: 'builder' },
      { type: 'hat_sequence', hats: ['planner', 'builder', 'planner'] },
      { type: 'iteration_count', hat: 'planner', min: 2, max: 5 },
      { type: 'stdout_contains', pattern: 'Successfully.*' },
    )
    expect(right).toEqual(right.map(() => true))
    const wrong = await verdicts(
      { type: 'exit_code', expected: 1 },
      { type: 'event_sequence', topics: ['build.done', 'task.start'] },
      { type: 'scratchpad_contains', pattern: 'Nowhere' },
      { type: 'file_exists', path: 'src/missing.rs' },
      { type: 'hat_sequence', hats: ['planner', 'builder'] },
      { type: 'iteration_count', hat: 'planner', min: 3 },
      { type: 'stdout_contains', pattern: '^Successfully nothing$' },
    )
    expect(wrong).toEqual(wrong.map(() => false))
    const missing = await call('test_assert', {
      workspace_id: 'w',
      assertions: [{ type: 'hat_transition', from: 'builder', to: 'reviewer' }],
    })
    expect(missing.value['passed']).toBe(false)
    expect(missing.text).toContain('planner')
  })

  test('inspection', async () => {
    const { call } = await connect(way)
    await call('test_setup', { workspace_id: 'w' })
    const many = Array.from({ length: 25 }, (_, index) => [
      event('build.task', `task ${index}`),
      event('build.done', `done ${index}`),
    ]).flat()
    await run(call, 'w', [...many, 'LOOP_COMPLETE'], { max_iterations: 60 })
    const first = await call('test_inspect', { workspace_id: 'w', limit: 10 })
    expect(first.value['records'].length).toBe(10)
    expect(first.value['truncated']).toBe(true)
    const filtered = await call('test_inspect', { workspace_id: 'w', limit: 20, filter: { topics: ['build.*'] } })
    const topics = (filtered.value['records'] as Array<{ data: { topic: string } }>).map(({ data }) => data.topic)
    expect(new Set(topics)).toEqual(new Set(['build.task', 'build.done']))
    const lines = (await call('test_inspect', { workspace_id: 'w', format: 'timeline', limit: 3 })).value['timeline']
    expect(lines[0]).toMatchObject({ iteration: 1, hat: 'planner', duration_ms: expect.any(Number) as number })
  })

  test('snapshots and diffs', async () => {
    const { call } = await connect(way)
    await call('test_setup', { workspace_id: 'w', fixtures: { 'a.txt': 'one\ntwo\n' } })
    await call('test_snapshot', { workspace_id: 'w', snapshot_id: 'before' })
    await run(call, 'w', [{ output: 'LOOP_COMPLETE', files: { 'a.txt': 'one\nthree\n', 'b.txt': 'new\n' } }])
    const { value } = await call('test_diff', { workspace_id: 'w', baseline: 'before', compare_to: 'current' })
    expect(value).toMatchObject({ changed_files: ['a.txt'], added_files: ['b.txt'], deleted_files: [] })
    expect(JSON.stringify(value['diffs']['a.txt'])).toContain('three')
  })

  test('record and replay', async () => {
    const programs = standIns(['claude'])
    const { call } = await connect(way, { args: ['--allow-live'], env: { PATH: programs.own['PATH'] ?? '' } })
    const recorded = { workspace_id: 'w', cassette_name: 'auth_flow', task: 'the task', env: programs.env }
    await call('test_setup', { workspace_id: 'w' })
    const kept = await call('test_record', { ...recorded, backend: 'claude' })
    const cassette = readFileSync(kept.value['cassette_path'] as string, 'utf8')
    expect(cassette).toMatch(/^interactions:$/m)
    expect(cassette).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[^\n]*\n *output/)
    const calls = programs.calls().length
    const { env: _env, ...replay } = recorded
    expect((await call('test_replay', replay)).value).toMatchObject({ exit_code: 0, cost_dollars: 0 })
    expect(programs.calls().length).toBe(calls)
    const strict = await call('test_replay', { ...replay, task: 'other', strict: true })
    expect(strict.isError).toBe(true)
    expect(new Set(strict.text.match(/sha256:[0-9a-f]+/g)).size).toBeGreaterThanOrEqual(2)
    const through = await call('test_replay', { ...recorded, task: 'other', allow_passthrough: true })
    expect(through.value['interactions_passthrough']).toBeGreaterThan(0)
    expect(programs.calls().length).toBeGreaterThan(calls)
  })

  test('judges and reports', async () => {
    const { call } = await connect(way)
    await call('test_setup', {
      workspace_id: 'w',
      scratchpad: '- [ ] sort',
      fixtures: { 'src/main.rs': 'fn main() {}' },
    })
    await run(call, 'w', ['LOOP_COMPLETE'])
    const judged = await call('test_evaluate', {
      workspace_id: 'w',
      evaluations: [
        { criterion: 'plan_quality', target: 'scratchpad', rubric: { 5: 'a', 4: 'b', 3: 'c', 2: 'd', 1: 'e' } },
        { criterion: 'code_quality', target: 'file:src/main.rs' },
      ],
      chain_of_thought: true,
      mock_responses: [
        { output: '{"reasoning": "level 4, b", "score": 4}' },
        { output: '{"reasoning": "it does nothing", "score": 1}' },
      ],
    })
    expect(judged.value['evaluations']).toMatchObject([
      { score: 4, passed: true, reasoning: 'level 4, b' },
      { score: 1, passed: false, feedback: expect.stringMatching(/\w/) as string },
    ])
    await call('test_assert', { workspace_id: 'w', assertions: [{ type: 'exit_code', expected: 3 }] })
    const report = await call('test_report', {
      workspace_id: 'w',
      format: 'junit',
      test_name: 't',
      include_traces: true,
    })
    expect(report.value).toMatchObject({ tests: 3, passed: 1, failed: 2 })
    const xml = readFileSync(report.value['report_path'] as string, 'utf8')
    expect(xml).toContain('<testsuite')
    expect(xml).toMatch(/exit code 0, expected 3/)
    expect(xml).toContain('session.jsonl')
    expect(dirname(report.value['report_path'] as string)).toMatch(/reports$/)
  })
})

function asResponse(response: unknown): unknown {
  return typeof response === 'string' ? { output: response } : response
}

function run(call: Connected['call'], workspace_id: string, responses: unknown[], more: object = {}) {
  const mock_responses = responses.map(asResponse)
  return call('test_run', { workspace_id, task: 'Build it', backend: 'mock', mock_responses, ...more })
}
