// A run recorded once answers from its cassette: strictly, positionally, and in a fresh workspace.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataOf, event, loop, type LoopOptions } from '../support/run-loop.js'
import { makeFolder } from '../support/run-cli.js'
import { standIns } from '../support/stand-in.js'

const ANSWERS = [
  { hat: 'planner', output: event('build.task', 'Auth'), files: { '.agent/scratchpad.md': '## Plan\n- auth' } },
  {
    hat: 'builder',
    output: event('build.done', 'Done'),
    files: { 'src/auth.rs': 'fn auth() {}' },
    usage: { input_tokens: 30, output_tokens: 12 },
  },
  { hat: 'planner', output: 'LOOP_COMPLETE' },
]

async function record(path: string, options: LoopOptions = {}) {
  return loop({ mock_responses: ANSWERS, recording: { mode: 'record', path }, ...options })
}

const replay = (path: string, options: LoopOptions = {}, more: object = {}) =>
  loop({ backend: 'replay', ...options, recording: { mode: 'replay', path, ...more } })

describe('a recorded run', () => {
  test('is a cassette with hats, tokens, files and why it ended', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    const run = await record(path)
    expect(run).toMatchObject({ termination_reason: 'CompletionPromise', recording: { recorded: 3 } })
    const text = readFileSync(path, 'utf8')
    expect(text).toMatch(/^ {6}hat: planner$/m)
    expect(text).toContain('tokens: 42')
    expect(text).toContain('src/auth.rs: fn auth() {}')
    expect(text).toContain('termination_reason: CompletionPromise')
    expect(text).toContain('backend: mock')
    expect(text).not.toContain(run.cwd)
  })

  test('is replayed strictly in another workspace: same end, same files, no cost', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    const recorded = await record(path)
    const run = await replay(path)
    expect(run).toMatchObject({
      termination_reason: 'CompletionPromise',
      iterations: 3,
      hats: recorded.hats,
      topics: recorded.topics,
      cost_dollars: 0,
      recording: { replayed: 3, recorded: 0, passed_through: 0, unused: 0 },
    })
    expect(readFileSync(join(run.cwd, 'src/auth.rs'), 'utf8')).toBe('fn auth() {}')
  })

  test('does not answer another task: both hashes, the difference, and no pass', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    await record(path)
    const run = await replay(path, { task: 'Build something else' })
    expect(run).toMatchObject({
      termination_reason: 'Error',
      exit_code: 1,
      iterations: 0,
      error: { code: 'REPLAY_MISMATCH' },
    })
    const told = run.error?.problems.map(({ message }) => message).join('\n')
    expect(told).toMatch(/Expected hash: sha256:.*\nActual hash: {3}sha256:/)
    expect(told).toContain('+ Build something else')
    expect((await replay(path, { task: 'Build something else' }, { strict: false })).termination_reason).toBe(
      'CompletionPromise',
    )
  })

  test('that lacks an answer ends in an error, or where the run is meant to end there', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    const two = { mock_responses: ANSWERS.slice(0, 2), on_exhausted: 'stop' as const }
    expect((await record(path, two)).termination_reason).toBe('MockExhausted')
    expect((await replay(path)).error).toMatchObject({
      code: 'REPLAY_MISMATCH',
      message: expect.stringContaining('no interaction 2 (hat: planner)'),
    })
    expect(await replay(path, { on_exhausted: 'stop' })).toMatchObject({
      termination_reason: 'MockExhausted',
      exit_code: 0,
    })
  })

  test('answers by position within a hat, whatever order the hats come in', async () => {
    const path = join(makeFolder(), 'order.yaml')
    const config = {
      hats: {
        a: { triggers: ['task.start', 'b.done'], publishes: ['a.done'] },
        b: { triggers: ['a.done'], publishes: ['b.done'] },
      },
    }
    await record(path, {
      config,
      mock_responses: [
        { hat: 'a', output: event('a.done', '1') },
        { hat: 'b', output: event('b.done', '1') },
        { hat: 'a', output: 'LOOP_COMPLETE' },
      ],
    })
    const other = { hats: { ...config.hats, a: { ...config.hats.a, triggers: ['task.start', 'a.done', 'b.done'] } } }
    const run = await replay(path, { config: other }, { strict: false })
    // Both get `a.done`: the second answer of `a` comes before the first of `b`.
    expect([run.hats, run.termination_reason]).toEqual([['a', 'a'], 'CompletionPromise'])
    expect(run.recording).toMatchObject({ replayed: 2, unused: 1 })
  })

  test('keeps the events that were emitted by command', async () => {
    const path = join(makeFolder(), 'emit.yaml')
    const script = 'echo \'{"topic":"build.task","payload":"emitted"}\' >> "$VIVA_EVENTS_FILE"; echo said'
    await loop({
      backend: { type: 'custom', command: 'sh', args: ['-c', script] },
      limits: { max_iterations: 1 },
      recording: { mode: 'record', path },
    })
    const run = await replay(path, { limits: { max_iterations: 1 } })
    expect(dataOf(run.records, 'bus.publish').map(({ topic, payload }) => [topic, payload])).toEqual([
      ['task.start', 'Build it'],
      ['build.task', 'emitted'],
    ])
  })

  test('keeps a failed call as a failed call', async () => {
    const path = join(makeFolder(), 'failed.yaml')
    await record(path, { mock_responses: [{ output: 'LOOP_COMPLETE', exit_code: 3 }], limits: { max_iterations: 1 } })
    const run = await replay(path, { limits: { max_iterations: 1 } })
    expect(run.termination_reason).toBe('MaxIterations')
    expect(dataOf(run.records, 'backend.call')[0]?.exit_code).toBe(3)
  })

  test('is not replaced by one that broke off', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    await record(path)
    const before = readFileSync(path, 'utf8')
    const run = await record(path, { mock_responses: ANSWERS.slice(0, 1) })
    expect(run.warnings.join()).toContain('nothing was recorded')
    expect(readFileSync(path, 'utf8')).toBe(before)
    expect((await record(path)).termination_reason).toBe('CompletionPromise')
  })
})

describe('what the tape does not know', () => {
  const program = () => {
    const made = standIns(['my-agent'])
    return { ...made, backend: { type: 'custom', command: 'my-agent' } }
  }

  test('goes to the backend where that is allowed, and is counted', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    await record(path, { mock_responses: ANSWERS.slice(0, 2), on_exhausted: 'stop' })
    const { own, env, backend, calls } = program()
    const run = await replay(path, { own, env, backend }, { on_missing: 'live' })
    expect(run).toMatchObject({
      termination_reason: 'CompletionPromise',
      recording: { replayed: 2, passed_through: 1 },
    })
    expect(calls()).toHaveLength(1)
  })

  test('is added to it where that is wanted', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    await record(path, { mock_responses: ANSWERS.slice(0, 2), on_exhausted: 'stop' })
    const { own, env, backend } = program()
    await replay(path, { own, env, backend }, { on_missing: 'record' })
    expect(await replay(path)).toMatchObject({ termination_reason: 'CompletionPromise', recording: { replayed: 3 } })
  })

  test('goes to the backend that the cassette names', async () => {
    const path = join(makeFolder(), 'auth.yaml')
    const { own, env, calls } = standIns(['gemini'])
    await loop({
      own,
      env: { ...env, STAND_IN_ANSWER: event('build.task') },
      backend: 'gemini',
      limits: { max_iterations: 1 },
      recording: { mode: 'record', path },
    })
    const run = await replay(path, { own, env }, { on_missing: 'live' })
    expect(run.termination_reason).toBe('CompletionPromise')
    expect(calls()).toHaveLength(2)
  })
})

test('a cassette that does not exist, or is broken, is an error before anything runs', async () => {
  const dir = makeFolder({ 'broken.yaml': 'interactions: [' })
  await expect(replay(join(dir, 'none.yaml'))).rejects.toMatchObject({ code: 'NO_CASSETTE' })
  await expect(replay(join(dir, 'broken.yaml'))).rejects.toMatchObject({ code: 'BAD_CASSETTE' })
})

test('a cassette cannot write outside the workspace', async () => {
  const dir = makeFolder()
  const path = join(dir, 'evil.yaml')
  await record(path)
  writeFileSync(path, readFileSync(path, 'utf8').replace('src/auth.rs:', '../../evil.txt:'))
  const run = await replay(path)
  expect(run.error).toMatchObject({ code: 'BAD_FILE_PATH' })
  expect(existsSync(join(run.cwd, '../../evil.txt'))).toBe(false)
  rmSync(path)
})
