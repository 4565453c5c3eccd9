// The loop as the agent of a case: events, hats and files are evidence.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'
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

test('scripted answers start no program: a hat with a backend of its own is an error', async () => {
  const cwd = makeFolder()
  const backend = { type: 'custom', command: 'touch', args: [join(cwd, 'started')] }
  const hats = {
    planner: { triggers: ['task.start'], publishes: ['build.task'] },
    builder: { triggers: ['build.task'], publishes: ['build.done'], backend },
  }
  writeFiles(cwd, {
    'hats.yml': { hats },
    'cases.jsonl': [{ id: 'T1', input: 'x', options: { mock_responses, on_exhausted: 'stop' }, assert: EXITS }],
  })
  const { code, stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:hats.yml'], { cwd })
  expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('builder (custom)')])
  expect(readdirSync(cwd)).not.toContain('started')
})

test('no backend is an error that says what to name', async () => {
  const { code, stdout, stderr } = await run([{ type: 'exit_code', expected: 0 }], {})
  expect(code).not.toBe(0)
  expect(stdout + stderr).toContain('mock_responses')
})

test('the result describes the run: iterations, hats, events, the end, and the files', async () => {
  const folder = makeFolder({
    'cases.jsonl': [{ id: 'T1', input: 'Add errors', workspace: {}, options: { mock_responses }, assert: EXITS }],
  })
  const { code, stdout, stderr } = await viva(
    ['test', '-i', 'cases.jsonl', '-n', 'orchestrator:', '-o', 'events.jsonl', '-o', 'report.md', '-v'],
    { cwd: folder },
  )
  expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('3 iterations, CompletionPromise, exit code 0')])
  expect(stdout + stderr).toMatch(/· 1 planner \(\d+ms\): build\.task → builder\n {2}· 2 builder/)
  const result = resultOf(folder)
  expect(result.session?.iterations.map(({ n, hat }) => [n, hat])).toEqual([
    [1, 'planner'],
    [2, 'builder'],
    [3, 'planner'],
  ])
  expect(result.session).toMatchObject({
    events: [
      { topic: 'task.start', payload: 'Add errors', source: null, recipients: ['planner'], iteration: 0 },
      { topic: 'build.task', payload: 'Handle errors', source: 'planner', recipients: ['builder'], iteration: 1 },
      { topic: 'build.done', payload: 'Did it', source: 'builder', recipients: ['planner'], iteration: 2 },
    ],
    termination_reason: 'CompletionPromise',
    exit_code: 0,
  })
  expect(result.changes?.map(({ path }) => path)).toContain('src/api.ts')
  const report = readFileSync(join(folder, 'report.md'), 'utf8')
  expect(report).toContain('**Timeline:** 3 iterations, CompletionPromise, exit code 0')
  expect(report).toContain('- added src/api.ts (+1 -0)')
})

test('a case that timed out says how far it got, and no secret is in it', async () => {
  const slow = [
    { hat: 'planner', output: event('build.task', 'use S3CR3T-of-ours-42') },
    { hat: 'builder', output: 'LOOP_COMPLETE', delay_ms: 600_000 },
  ]
  const folder = makeFolder({
    'cases.jsonl': [
      { id: 'T1', input: 'x', timeout: '3s', workspace: {}, options: { mock_responses: slow }, assert: EXITS },
    ],
  })
  const { code } = await viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:', '-o', 'events.jsonl'], {
    cwd: folder,
    env: { OUR_API_KEY: 'S3CR3T-of-ours-42' },
  })
  expect(code).toBe(1)
  const result = resultOf(folder)
  expect(result).toMatchObject({ status: 'failed', error_kind: 'timeout', error: 'timeout after 3s' })
  expect(result.session?.iterations.map(({ hat }) => hat)).toEqual(['planner', 'builder'])
  expect(result.session?.events.map(({ topic }) => topic)).toEqual(['task.start', 'build.task'])
  expect(readFileSync(join(folder, 'events.jsonl'), 'utf8')).not.toContain('S3CR3T')
})

test('a run that was recorded shows the same when it is played back', async () => {
  const assert = [
    { type: 'hat_sequence', hats: ['planner', 'builder', 'planner'] },
    { type: 'event_occurred', topic: 'build.done', payload_pattern: 'Did' },
    { type: 'termination_reason', expected: 'CompletionPromise' },
    { type: 'file_exists', path: 'src/api.ts' },
  ]
  const options = { mock_responses }
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'Add errors', workspace: {}, options, assert }] })
  for (const how of ['--record', '--replay']) {
    const { code, stdout, stderr } = await viva(
      ['test', '-i', 'cases.jsonl', '-n', 'orchestrator:', how, 'tape.yaml', '-o', `${how}.jsonl`],
      { cwd },
    )
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('unknown field') as string])
  }
})

const EXITS = [{ type: 'exit_code', expected: 0 }]

function resultOf(folder: string): ResultEvent {
  const events = parseEvents(readFileSync(join(folder, 'events.jsonl'), 'utf8'))
  const result = events.find((each) => each.type === 'result')
  if (!result) throw new Error('no result')
  return result as unknown as ResultEvent
}

test('the session of the loop is not a file of its hats: snapshot_matches holds run after run, and in a replay', async () => {
  const cwd = makeFolder({
    'cases.jsonl': [
      {
        id: 'T1',
        input: 'Add errors',
        workspace: { fixtures: { 'a.txt': 'a' } },
        options: { mock_responses },
        assert: [{ type: 'snapshot_matches', snapshot_id: 'state' }],
      },
    ],
  })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'orchestrator:', '-o', 'events.jsonl', '--force']
  const first = await viva([...args, '-U', '--record', 'tape.yaml'], { cwd })
  expect([first.code, first.stdout + first.stderr]).toEqual([0, expect.any(String)])
  expect((await viva(args, { cwd })).code).toBe(0)
  const replay = await viva([...args, '--replay', 'tape.yaml'], { cwd })
  expect([replay.code, replay.stdout + replay.stderr]).toEqual([0, expect.any(String)])
  expect(readFileSync(join(cwd, 'tape.yaml'), 'utf8')).not.toContain('_meta.loop_start')
})

test('recorded: the session is judged again; one that was cut to size is not evidence', async () => {
  const assert = [
    { type: 'hat_sequence', hats: ['planner', 'builder', 'planner'] },
    { type: 'no_event', topic: 'build.blocked' },
    { type: 'span', name: 'builder', times: { exact: 1 } },
    { type: 'termination_reason', expected: 'CompletionPromise' },
  ]
  const long = [{ ...mock_responses[0], output: event('build.task', 'x'.repeat(600)) }, ...mock_responses.slice(1)]
  const cases = [
    { id: 'T1', input: 'Add errors', options: { mock_responses }, assert },
    { id: 'T2', input: 'Add errors', options: { mock_responses: long }, assert },
  ]
  const cwd = makeFolder({ 'cases.jsonl': cases })
  expect((await viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:', '-o', 'events.jsonl'], { cwd })).code).toBe(0)
  const again = await viva(['test', '-i', 'cases.jsonl', '-n', 'recorded:events.jsonl', '-o', 'again.jsonl'], { cwd })
  const [whole, cut] = parseEvents(readFileSync(join(cwd, 'again.jsonl'), 'utf8')).filter(
    ({ type }) => type === 'result',
  )
  expect([again.code, whole, cut]).toMatchObject([1, { status: 'passed' }, { status: 'failed', error_kind: 'input' }])
})

test('what the turn before left is not moved through a link that its agent made', async () => {
  const outside = makeFolder({ 'events.jsonl': 'keep' })
  const agent = `import { rmSync, symlinkSync } from 'node:fs'
    for (const name of ['sessions', '.agent']) {
      rmSync(name, { recursive: true, force: true })
      symlinkSync(${JSON.stringify(outside)}, name)
    }
    console.log('LOOP_COMPLETE')`
  const cwd = makeFolder({
    'agent.mjs': agent,
    'cases.jsonl': [{ id: 'T1', workspace: {}, turns: [{ input: 'a' }, { input: 'b' }] }],
  })
  const cli = { backend: 'custom', command: process.execPath, args: [join(cwd, 'agent.mjs')] }
  writeFiles(cwd, { 'hats.yml': { cli } })
  const { code } = await viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:hats.yml', '-o', 'e.jsonl'], { cwd })
  expect(code).toBe(1)
  expect(readdirSync(outside)).toEqual(['events.jsonl'])
})
