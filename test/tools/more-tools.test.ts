// `test_chaos`, `test_benchmark`, `test_compare`, `test_coverage`, and what snapshots leave out.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { event } from '../support/run-loop.js'
import { testTools } from '../support/open-tools.js'

const RESPONSES = [event('build.task', 'one'), event('build.done', 'done'), 'LOOP_COMPLETE']
const run = { workspace_id: 'w', task: 'Build it', mock_responses: RESPONSES }

async function workspace(setup: object = {}) {
  const opened = await testTools()
  await opened.call('test_setup', { workspace_id: 'w', ...setup })
  return opened
}

describe('test_chaos', () => {
  test('the same seed gives the same faults, and the work gets done all the same', async () => {
    const { call } = await workspace()
    const chaos = { ...run, faults: ['error', 'timeout', 'slow'], delay_ms: 1, seed: 3, max_iterations: 20 }
    const first = await call('test_chaos', chaos)
    const second = await call('test_chaos', chaos)
    expect(first).toMatchObject({ termination_reason: 'CompletionPromise', seed: 3 })
    expect(first['injected'].length).toBeGreaterThan(0)
    expect(second['injected']).toEqual(first['injected'])
    expect(first['calls']).toBe(first['iterations'])
  })

  test.each([
    ['error', 'ConsecutiveFailures'],
    ['timeout', 'ConsecutiveFailures'],
    ['malformed', 'NoPendingEvents'],
    ['dropped', 'ValidationFailure'],
  ])('%s on every call ends with %s', async (fault, reason) => {
    const { call } = await workspace()
    const mock_responses = Array.from({ length: 9 }, () => event('task.resume', 'go on'))
    const ran = await call('test_chaos', {
      ...run,
      mock_responses,
      faults: [fault],
      rate: 1,
      delay_ms: 1,
      max_iterations: 9,
    })
    expect(ran).toMatchObject({ termination_reason: reason, exit_code: 1 })
  })

  test('a run that nothing happened to is an error', async () => {
    const { call } = await workspace()
    await expect(call('test_chaos', { ...run, rate: 0 })).rejects.toMatchObject({ code: 'NO_FAULT' })
  })
})

test('test_benchmark runs from the beginning each time, and sums up', async () => {
  const { call } = await workspace()
  const measured = await call('test_benchmark', {
    ...run,
    runs: 3,
    mock_responses: [
      { output: 'LOOP_COMPLETE', files: { 'new.txt': 'x' }, usage: { input_tokens: 1, output_tokens: 2 } },
    ],
  })
  expect(measured).toMatchObject({
    runs: 3,
    succeeded: 3,
    success_rate: 1,
    termination_reasons: { CompletionPromise: 3 },
    iterations: { min: 1, mean: 1, max: 1 },
    tokens: { p50: 3 },
    total_cost_dollars: 0,
  })
  expect(new Set(measured['run_ids']).size).toBe(3)
})

describe('test_compare', () => {
  test('two runs', async () => {
    const { call } = await workspace()
    await call('test_run', run)
    await call('test_run', {
      ...run,
      mock_responses: [event('build.task', 'two'), event('build.blocked'), 'LOOP_COMPLETE'],
    })
    const compared = await call('test_compare', { workspace_id: 'w', left: 'run:1', right: 'run:last' })
    expect(compared).toMatchObject({
      same: false,
      differences: [{ what: 'topics', left: ['task.start', 'build.task', 'build.done'] }],
      outputs: [{ turn: '001 planner' }, { turn: '002 builder' }],
    })
    expect(compared['outputs'][0].diff).toContain('-<event topic="build.task">one</event>')
    const itself = await call('test_compare', { workspace_id: 'w', left: 'run:1', right: 'run:1' })
    expect(itself).toMatchObject({ same: true, differences: [], outputs: [] })
  })

  test('two cassettes', async () => {
    const { call } = await workspace()
    await call('test_record', { ...run, backend: 'mock', cassette_name: 'a' })
    const further = [
      event('build.task', 'one'),
      event('build.done', 'done'),
      event('build.task', 'more'),
      event('build.done'),
      'LOOP_COMPLETE',
    ]
    await call('test_record', { ...run, mock_responses: further, backend: 'mock', cassette_name: 'b' })
    expect(await call('test_compare', { workspace_id: 'w', left: 'cassette:a', right: 'cassette:b' })).toMatchObject({
      same: false,
      differences: [
        { what: 'iterations', left: 3, right: 5 },
        { what: 'hats', left: ['planner', 'builder', 'planner'] },
      ],
    })
  })

  test.each([
    ['run:9', 'UNKNOWN_RUN'],
    ['cassette:../x', 'BAD_NAME'],
    ['cassette:x', 'NO_CASSETTE'],
    ['x', 'BAD_ARGUMENTS'],
  ])('%s is an error', async (left, code) => {
    const { call } = await workspace()
    await call('test_run', run)
    await expect(call('test_compare', { workspace_id: 'w', left, right: 'run:1' })).rejects.toMatchObject({ code })
  })
})

test('test_coverage counts what all runs have exercised', async () => {
  const { call } = await workspace()
  await expect(call('test_coverage', { workspace_id: 'w' })).rejects.toMatchObject({ code: 'NOTHING_RAN' })
  await call('test_run', { ...run, mock_responses: ['LOOP_COMPLETE'] })
  expect(await call('test_coverage', { workspace_id: 'w' })).toMatchObject({
    hats: { exercised: ['planner'], missed: ['builder'], percent: 50 },
    transitions: { known: ['planner → builder', 'builder → planner'], exercised: [] },
  })
  await call('test_run', {
    ...run,
    mock_responses: [event('build.task'), `${event('build.done')}${event('odd.topic')}`, 'LOOP_COMPLETE'],
  })
  expect(await call('test_coverage', { workspace_id: 'w' })).toMatchObject({
    runs: 2,
    hats: { missed: [], percent: 100 },
    topics: { missed: ['task.resume', 'build.blocked'] },
    transitions: { missed: [], percent: 100 },
    unexpected_topics: ['odd.topic'],
  })
})

test('a snapshot by globs is compared with what the same globs take', async () => {
  const { call } = await workspace({ fixtures: { 'src/a.txt': '1', 'b.txt': '1' } })
  const taken = await call('test_snapshot', { workspace_id: 'w', snapshot_id: 'sources', include_patterns: ['src/**'] })
  expect(taken).toMatchObject({ files: { 'src/a.txt': '1' }, file_count: 1, total_bytes: 1 })
  const files = { 'src/a.txt': '1\n2\n', 'src/new.txt': 'x', 'b.txt': '2' }
  await call('test_run', { ...run, mock_responses: [{ output: 'LOOP_COMPLETE', files }] })
  expect(await call('test_diff', { workspace_id: 'w', baseline: 'sources' })).toMatchObject({
    changed_files: [join('src', 'a.txt')],
    added_files: ['src/new.txt'],
    deleted_files: [],
  })
  await expect(call('test_diff', { workspace_id: 'w', baseline: 'nothing' })).rejects.toMatchObject({
    code: 'UNKNOWN_SNAPSHOT',
  })
})

test('test_coverage counts tools against those that exist, and says when they were not listed', async () => {
  const { call } = await workspace()
  const mock_responses = [
    { output: 'LOOP_COMPLETE', tool_calls: [{ name: 'Read' }, { name: 'Bash' }, { name: 'Read' }] },
  ]
  await call('test_run', { ...run, mock_responses })
  expect((await call('test_coverage', { workspace_id: 'w' }))['tools']).toEqual({
    known: ['Read', 'Bash'],
    exercised: ['Read', 'Bash'],
    missed: [],
    percent: 100,
    observed_only: true,
  })
  expect((await call('test_coverage', { workspace_id: 'w', tools: ['Read', 'Edit'] }))['tools']).toEqual({
    known: ['Read', 'Edit', 'Bash'],
    exercised: ['Read', 'Bash'],
    missed: ['Edit'],
    percent: 66.7,
  })
})
