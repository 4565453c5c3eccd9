// The embedded loop: delivery, completion, limits, and what the session says about them.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LoopCancelled } from '../../src/orchestrator/cancelled.js'
import { CancelledError, DeadlineError } from '../../src/time/deadline.js'
import { dataOf, event, loop } from '../support/run-loop.js'
import { makeFolder } from '../support/run-cli.js'

const answers = (...all: string[]) => ({ mock_responses: all.map((output) => ({ output })) })

const PING = {
  hats: {
    ping: { triggers: ['task.start', 'pong.done'], publishes: ['ping.done'] },
    pong: { triggers: ['ping.done'], publishes: ['pong.done'] },
  },
}

describe('a run with the built-in hats', () => {
  test('goes from planner to builder and back, and ends with the promise', async () => {
    const run = await loop({
      limits: { max_iterations: 5 },
      mock_responses: [
        { hat: 'planner', output: event('build.task', 'Do it') },
        { hat: 'builder', output: event('build.done', 'Did it'), usage: { input_tokens: 3, output_tokens: 4 } },
        { hat: 'planner', output: 'All done\nLOOP_COMPLETE' },
      ],
    })
    expect(run).toMatchObject({
      exit_code: 0,
      termination_reason: 'CompletionPromise',
      iterations: 3,
      hats: ['planner', 'builder', 'planner'],
      topics: ['task.start', 'build.task', 'build.done'],
      events_count: 3,
      mock_responses_consumed: 3,
      mock_responses_remaining: 0,
      tokens: 7,
      cost_dollars: 0,
    })
    expect(run.stdout).toContain('Did it')
    const turn = ['_meta.iteration', 'backend.call']
    expect(run.records.map(({ event: kind }) => kind).filter((kind) => kind !== 'ux.terminal.write')).toEqual(
      [['_meta.loop_start', 'bus.publish'], turn, 'bus.publish', turn, 'bus.publish', turn, '_meta.termination'].flat(),
    )
    expect(new Set(run.records.map(({ run_id }) => run_id))).toEqual(new Set(['run-test']))
    expect(dataOf(run.records, 'bus.publish')[1]).toEqual({
      topic: 'build.task',
      payload: 'Do it',
      source: 'planner',
      target: null,
      recipients: ['builder'],
    })
    expect(dataOf(run.records, 'backend.call')[1]).toMatchObject({ hat: 'builder', exit_code: 0, tokens: 7 })
  })

  test('publishes the events of the last iteration before the limit ends it', async () => {
    const run = await loop({
      limits: { max_iterations: 1 },
      mock_responses: [{ hat: 'planner', output: event('build.task', '…') }],
    })
    expect(run).toMatchObject({
      exit_code: 2,
      termination_reason: 'MaxIterations',
      topics: ['task.start', 'build.task'],
    })
  })

  test('ends with NoPendingEvents when no hat wants what was said', async () => {
    const run = await loop({ mock_responses: [{ output: event('unknown.topic') }] })
    expect(run).toMatchObject({ exit_code: 1, termination_reason: 'NoPendingEvents', iterations: 1 })
    expect(dataOf(run.records, 'bus.publish')[1]).toMatchObject({ topic: 'unknown.topic', recipients: [] })
  })
})

describe('mock responses that run out', () => {
  const two = [
    { hat: 'planner', output: event('build.task') },
    { hat: 'builder', output: event('build.done') },
  ]

  test('are an error with the counts', async () => {
    const run = await loop({ mock_responses: two })
    expect(run).toMatchObject({
      exit_code: 1,
      termination_reason: 'Error',
      iterations: 2,
      error: { code: 'MOCK_EXHAUSTED', message: expect.stringContaining('all 2 were consumed') },
    })
  })

  test('end the run where that is meant, and no iteration is counted for it', async () => {
    const run = await loop({ mock_responses: two, on_exhausted: 'stop' })
    expect(run).toMatchObject({
      exit_code: 0,
      termination_reason: 'MockExhausted',
      iterations: 2,
      hats: ['planner', 'builder'],
    })
    expect(run.error).toBeUndefined()
  })

  test('of which none matches are an error too, never an answer for another hat', async () => {
    const run = await loop({ mock_responses: [{ hat: 'builder', output: 'x' }], on_exhausted: 'error' })
    expect(run).toMatchObject({ termination_reason: 'Error', iterations: 0, mock_responses_remaining: 1 })
  })
})

describe('delivery', () => {
  test('only the target gets the event; with an unknown one no hat does, and that is recorded', async () => {
    const config = { hats: { a: { triggers: ['task.start'] }, b: { triggers: ['x.y'] }, c: { triggers: ['x.*'] } } }
    const run = await loop({
      config,
      mock_responses: [
        { hat: 'a', output: event('x.y', '1', 'c') + event('x.y', '2', 'nobody') + event('x.y', '3') },
        { hat: 'c', output: 'LOOP_COMPLETE' },
      ],
    })
    expect(dataOf(run.records, 'bus.publish').map(({ recipients }) => recipients)).toEqual([
      ['a'],
      ['c'],
      [],
      ['b', 'c'],
    ])
    expect(run.hats).toEqual(['a', 'c'])
  })

  test('hats that take everything get what no other hat wants', async () => {
    const config = { hats: { any: { triggers: ['*'] }, builder: { triggers: ['build.task'] } } }
    const run = await loop({
      config,
      mock_responses: [{ output: event('build.task') }, { output: event('odd.one') }, { output: 'LOOP_COMPLETE' }],
    })
    expect(run.hats).toEqual(['any', 'builder', 'any'])
  })

  test('a hat that publishes nothing publishes its default, unless it failed', async () => {
    const config = {
      hats: { any: { triggers: ['*'] }, builder: { triggers: ['build.task'], default_publishes: 'build.done' } },
    }
    const good = await loop({
      config,
      mock_responses: [{ output: event('build.task') }, { output: 'forgot' }, { output: event('LOOP_COMPLETE') }],
    })
    expect(good).toMatchObject({
      termination_reason: 'CompletionPromise',
      topics: ['task.start', 'build.task', 'build.done', 'LOOP_COMPLETE'],
    })
    const bad = await loop({
      config,
      limits: { max_iterations: 2 },
      mock_responses: [{ output: event('build.task') }, { output: 'died', exit_code: 1 }],
    })
    expect(bad.topics).toEqual(['task.start', 'build.task'])
  })

  test('a hat has no more turns than it may have', async () => {
    const config = { hats: { ping: { ...PING.hats.ping, max_activations: 2 }, pong: PING.hats.pong } }
    const run = await loop({
      config,
      ...answers(event('ping.done', '1'), event('pong.done', '1'), event('ping.done', '2'), event('pong.done', '2')),
      limits: { max_iterations: 10 },
    })
    expect(run).toMatchObject({ termination_reason: 'NoPendingEvents', hats: ['ping', 'pong', 'ping', 'pong'] })
    expect(run.topics.at(-1)).toBe('ping.exhausted')
  })
})

describe('completion', () => {
  test('is rejected until the required events were seen', async () => {
    const run = await loop({
      config: { event_loop: { required_events: ['build.done'] } },
      mock_responses: [
        { output: 'LOOP_COMPLETE' },
        { trigger_pattern: 'no event "build.done"', output: event('build.task') },
        { output: event('build.done') },
        { output: 'LOOP_COMPLETE' },
      ],
    })
    expect(run).toMatchObject({ termination_reason: 'CompletionPromise', iterations: 4 })
    expect(run.topics).toEqual(['task.start', 'task.resume', 'build.task', 'build.done'])
  })

  test('never comes from an answer that failed', async () => {
    const run = await loop({
      limits: { max_iterations: 1 },
      mock_responses: [{ output: 'LOOP_COMPLETE', exit_code: 1 }],
    })
    expect(run).toMatchObject({ termination_reason: 'MaxIterations', exit_code: 2 })
  })

  test('comes before the limit', async () => {
    const run = await loop({ limits: { max_iterations: 1 }, mock_responses: [{ output: 'LOOP_COMPLETE' }] })
    expect(run).toMatchObject({ termination_reason: 'CompletionPromise', exit_code: 0 })
  })

  test('may have another promise', async () => {
    const run = await loop({ config: { completion_promise: 'ALL DONE' }, mock_responses: ['x\nALL DONE'] })
    expect(run.termination_reason).toBe('CompletionPromise')
  })
})

describe('loops that get nowhere', () => {
  test('five failures in a row', async () => {
    const run = await loop({
      limits: { max_iterations: 20 },
      mock_responses: Array.from({ length: 6 }, () => ({ output: '', exit_code: 1 })),
    })
    expect(run).toMatchObject({ termination_reason: 'ConsecutiveFailures', exit_code: 1, iterations: 5 })
    expect(run.hats).toEqual(['planner', 'planner', 'planner', 'planner', 'planner'])
  })

  test('a success in between starts the count again', async () => {
    const failed = Array.from({ length: 4 }, () => ({ output: '', error: 'rate_limit: slow down' }))
    const run = await loop({
      limits: { max_iterations: 20 },
      mock_responses: [...failed, { output: event('build.task') }, ...failed, { output: 'LOOP_COMPLETE' }],
    })
    expect(run.termination_reason).toBe('CompletionPromise')
  })

  test('the same task blocked three times', async () => {
    const round = [{ output: event('build.task', 'A') }, { output: event('build.blocked', 'no') }]
    const run = await loop({ limits: { max_iterations: 20 }, mock_responses: [...round, ...round, ...round, ...round] })
    expect(run).toMatchObject({ termination_reason: 'LoopThrashing', exit_code: 1, iterations: 6 })
  })

  test('three different blocked tasks do not count', async () => {
    const round = (task: string) => [{ output: event('build.task', task) }, { output: event('build.blocked', 'no') }]
    const run = await loop({
      limits: { max_iterations: 6 },
      mock_responses: [...round('A'), ...round('B'), ...round('C')],
    })
    expect(run.termination_reason).toBe('MaxIterations')
  })

  test('three identical events in a row', async () => {
    const config = { hats: { a: { triggers: ['task.start', 'a.again'] } } }
    const again = { output: event('a.again', 'same') }
    const run = await loop({ config, limits: { max_iterations: 20 }, mock_responses: [again, again, again, again] })
    expect(run).toMatchObject({ termination_reason: 'LoopStale', exit_code: 1, iterations: 3 })
  })

  test('malformed events and nothing else', async () => {
    const run = await loop({ mock_responses: ['<event>a</event><event>b</event><event topic="x">'] })
    expect(run).toMatchObject({ termination_reason: 'ValidationFailure', exit_code: 1 })
    expect(dataOf(run.records, 'bus.malformed').map(({ reason }) => reason)).toEqual([
      'no topic',
      'no topic',
      'no </event>',
    ])
  })
})

describe('what ends a run', () => {
  test('max_runtime ends a mock in the middle of its answer; the session so far stays', async () => {
    const run = await loop({
      limits: { max_runtime_secs: 0.05 },
      mock_responses: [{ output: 'late', delay_ms: 60_000 }],
    })
    expect(run).toMatchObject({ termination_reason: 'MaxRuntime', exit_code: 2, iterations: 1 })
    expect(run.records.map(({ event: kind }) => kind)).toEqual([
      '_meta.loop_start',
      'bus.publish',
      '_meta.iteration',
      'backend.call',
      '_meta.termination',
    ])
  })

  test.each([
    [new LoopCancelled(), 'Cancelled', 0],
    [new CancelledError(), 'Interrupted', 130],
    [new DeadlineError('1s'), 'Stopped', 1],
    [new Error('Ctrl-C'), 'Interrupted', 130],
  ])('%s from outside', async (reason, termination_reason, exit_code) => {
    const controller = new AbortController()
    const run = await loop({
      signal: controller.signal,
      mock_responses: [{ output: 'late', delay_ms: 60_000 }],
      emit: ({ event: kind }) => kind === '_meta.iteration' && controller.abort(reason),
    })
    expect(run).toMatchObject({ termination_reason, exit_code })
  })

  test('tokens', async () => {
    const run = await loop({
      limits: { max_tokens: 10 },
      mock_responses: [{ output: event('build.task'), usage: { input_tokens: 6, output_tokens: 5 } }, { output: 'x' }],
    })
    expect(run).toMatchObject({ termination_reason: 'MaxCost', exit_code: 2, iterations: 1 })
  })
})

describe('the workspace', () => {
  test('scripted answers write files in it, and only in it', async () => {
    const run = await loop({
      mock_responses: [
        { output: 'LOOP_COMPLETE', files: { 'src/main.rs': 'fn main() {}', '.agent/scratchpad.md': '## Done' } },
      ],
    })
    expect(readFileSync(join(run.cwd, 'src/main.rs'), 'utf8')).toBe('fn main() {}')
    await expect(loop({ mock_responses: [{ output: '', files: { '../evil': 'x' } }] })).rejects.toMatchObject({
      code: 'BAD_MOCK_RESPONSES',
    })
  })

  test('a link that leads out of it is not written through', async () => {
    const outside = makeFolder({ 'precious.txt': 'precious' })
    const cwd = makeFolder()
    symlinkSync(outside, join(cwd, 'link'))
    symlinkSync(join(outside, 'precious.txt'), join(cwd, 'file'))
    for (const path of ['link/precious.txt', 'file']) {
      const run = await loop({ cwd, mock_responses: [{ output: 'LOOP_COMPLETE', files: { [path]: 'x' } }] })
      expect(run.error).toMatchObject({ code: 'BAD_FILE_PATH' })
    }
    expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('precious')
  })

  test('each run has a fresh session and events file, and the old ones are kept', async () => {
    const first = await loop({ mock_responses: ['first\nLOOP_COMPLETE'] })
    writeFileSync(join(first.cwd, '.agent/events.jsonl'), '{"topic":"stale.event"}\n')
    const second = await loop({ cwd: first.cwd, mock_responses: ['second\nLOOP_COMPLETE'] })
    expect(second.topics).toEqual(['task.start'])
    expect(existsSync(join(first.cwd, 'sessions/session-001.jsonl'))).toBe(true)
    expect(existsSync(join(first.cwd, '.agent/events-001.jsonl'))).toBe(true)
  })

  test.each(['short', 'of equal length', 'longer than all that it replaces'])(
    'an events file that is rewritten instead of appended to loses no event: %s',
    async (payload) => {
      const line = (topic: string, text: string): string => `${JSON.stringify({ topic, payload: text })}\n`
      const first = line('build.task', 'of equal length'.padEnd(18))
      const files = (text: string) => ({ output: 'x', files: { '.agent/events.jsonl': text } })
      const mock_responses = [files(first), files(line('build.blocked', payload)), 'LOOP_COMPLETE']
      const { topics } = await loop({ mock_responses })
      expect(topics).toEqual(['task.start', 'build.task', 'build.blocked'])
      expect(line('build.blocked', 'of equal length')).toHaveLength(first.length)
    },
  )

  test('prompts show the scratchpad, and are the same for the same state, wherever it is', async () => {
    const files = { '.agent/scratchpad.md': '## Plan\n- one' }
    const run = () => loop({ files, mock_responses: [{ trigger_pattern: '## Plan', output: 'LOOP_COMPLETE' }] })
    const [a, b] = [await run(), await run()]
    expect([a.termination_reason, b.termination_reason]).toEqual(['CompletionPromise', 'CompletionPromise'])
    const hash = ({ records }: typeof a) => dataOf(records, 'backend.call')[0]?.prompt_hash
    expect(hash(a)).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(hash(a)).toBe(hash(b))
  })

  test('a scratchpad that is a link to elsewhere is not shown', async () => {
    const outside = makeFolder({ 'secret.txt': 'TOP-SECRET-TEXT' })
    const cwd = makeFolder()
    mkdirSync(join(cwd, '.agent'))
    symlinkSync(join(outside, 'secret.txt'), join(cwd, '.agent/scratchpad.md'))
    const run = await loop({ cwd, mock_responses: [{ trigger_pattern: 'TOP-SECRET', output: 'x' }] })
    expect(run.error).toMatchObject({ code: 'MOCK_EXHAUSTED' })
  })

  test('a session that something else has changed is worth nothing', async () => {
    const cwd = makeFolder()
    const changes = ({ event: kind }: { event: string }): void => {
      if (kind === '_meta.iteration') writeFileSync(join(cwd, 'session.jsonl'), '')
    }
    await expect(loop({ cwd, emit: changes, mock_responses: ['LOOP_COMPLETE'] })).rejects.toMatchObject({
      code: 'SESSION_CHANGED',
      exitCode: 3,
    })
  })

  test('secrets reach neither the session nor its terminal output', async () => {
    const secret = 'sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c'
    const run = await loop({
      own: { MY_API_KEY: secret, PATH: process.env['PATH'] },
      task: `use ${secret}`,
      mock_responses: [
        { output: `${event('build.task', `key ${secret}`)} ${secret}` },
        { output: `${secret}\nLOOP_COMPLETE` },
      ],
    })
    const text = readFileSync(run.session_file, 'utf8')
    expect(text).not.toContain(secret)
    for (const { bytes } of dataOf(run.records, 'ux.terminal.write'))
      expect(Buffer.from(bytes, 'base64').toString()).not.toContain(secret)
  })
})

test('two runs side by side share nothing', async () => {
  const own = (name: string) => [
    { output: event('build.task', name), delay_ms: 5 },
    { output: event('build.done', name), delay_ms: 5 },
    { output: 'LOOP_COMPLETE', delay_ms: 5 },
  ]
  const runs = await Promise.all(['a', 'b', 'c', 'd'].map((name) => loop({ mock_responses: own(name) })))
  for (const [index, run] of runs.entries()) {
    expect(run.hats).toEqual(['planner', 'builder', 'planner'])
    const payloads = dataOf(run.records, 'bus.publish').map(({ payload }) => payload)
    expect(payloads).toEqual(['Build it', 'abcd'[index], 'abcd'[index]])
  }
})

test('what cannot run is said before anything is written', async () => {
  const cwd = makeFolder()
  const refused = async (options: Parameters<typeof loop>[0], code: string): Promise<void> =>
    expect(loop({ cwd, ...options })).rejects.toMatchObject({ code })
  await refused({}, 'NO_MOCK_RESPONSES')
  await refused({ backend: 'cluade' }, 'UNKNOWN_BACKEND')
  await refused({ backend: 'replay' }, 'NO_CASSETTE')
  await refused({ backend: 'custom' }, 'NO_COMMAND')
  await refused({ backend: { type: 'custom', command: 'no-such-program-here' } }, 'COMMAND_NOT_FOUND')
  await refused({ backend: 'kiro', own: { PATH: '/nowhere' } }, 'COMMAND_NOT_FOUND')
  for (const limits of [{ max_cost: 1 }, { max_tokens: 1 }])
    await refused({ backend: { type: 'custom', command: 'true' }, limits }, 'COST_UNKNOWN')
  await refused({ backend: { type: 'custom', command: 'true' }, mock_responses: ['x'] }, 'UNUSED_MOCK_RESPONSES')
  for (const backend of [
    'claude',
    'ralph',
    'replay',
    { type: 'custom', command: 'true' },
    { type: 'codex', args: ['-x'] },
  ])
    await refused({ config: { hats: { a: { triggers: ['x'], backend } } }, mock_responses: ['x'] }, 'NOT_SCRIPTED')
  await refused({ config: { hats: { a: { trigers: ['x'] } } } }, 'BAD_LOOP_CONFIG')
  await refused({ mock_responses: [{ outptu: 'x' }] }, 'BAD_MOCK_RESPONSES')
  expect(existsSync(join(cwd, 'session.jsonl'))).toBe(false)
})
