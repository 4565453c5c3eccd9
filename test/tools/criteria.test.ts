// What test tools promise, one by one: setting up, running, asserting, inspecting, cleaning up.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { makeFolder, startViva } from '../support/run-cli.js'
import { event } from '../support/run-loop.js'
import { testTools, type TestedTools } from '../support/open-tools.js'

const DONE = 'LOOP_COMPLETE'

async function withWorkspace(setup: object = {}): Promise<TestedTools & { path: string }> {
  const opened = await testTools()
  const { workspace_path } = await opened.call('test_setup', { workspace_id: 'w', ...setup })
  return { ...opened, path: String(workspace_path) }
}

const run = (tools: TestedTools, mock_responses: unknown[], more: object = {}) =>
  tools.call('test_run', { workspace_id: 'w', task: 'Build it', mock_responses, ...more })

const assert = async (tools: TestedTools, ...assertions: object[]) => {
  const { results } = await tools.call('test_assert', { workspace_id: 'w', assertions })
  return (results as Array<{ passed: boolean }>).map(({ passed }) => passed)
}

describe('workspaces', () => {
  test('only the session remains where it is preserved, and the id is free again', async () => {
    const tools = await withWorkspace({ fixtures: { 'a/b.txt': 'x' } })
    await run(tools, [DONE])
    const gone = await tools.call('test_cleanup', { workspace_id: 'w', preserve_session: true })
    expect(gone).toEqual({ deleted: true, preserved_files: ['session.jsonl'] })
    expect(readdirSync(tools.path)).toEqual(['session.jsonl'])
    await expect(tools.call('test_inspect', { workspace_id: 'w' })).rejects.toMatchObject({ code: 'UNKNOWN_WORKSPACE' })
    await tools.call('test_setup', { workspace_id: 'w' })
  })

  test('an unknown workspace is an error that lists the known ones', async () => {
    const tools = await withWorkspace()
    for (const [name, args] of [
      ['test_run', { task: 'x' }],
      ['test_assert', { assertions: [{ type: 'exit_code', expected: 0 }] }],
      ['test_inspect', {}],
      ['test_cleanup', {}],
      ['test_report', { format: 'tap', test_name: 'x' }],
      ['test_diff', { baseline: 'initial' }],
    ] as const)
      await expect(tools.call(name, { workspace_id: 'v', ...args })).rejects.toMatchObject({
        code: 'UNKNOWN_WORKSPACE',
        hint: 'known workspaces: w',
      })
  })

  test('files that an agent acts on are named', async () => {
    const { call } = await testTools()
    const made = await call('test_setup', { workspace_id: 'w', fixtures: { '.claude/settings.json': '{}', a: '' } })
    expect(made).toMatchObject({ active_files: ['.claude/settings.json'], warnings: [/configuration/] })
  })

  test('a workspace that was swapped for a link between two calls is not touched', async () => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    const other = makeFolder({ 'keep.txt': 'x' })
    rmSync(tools.path, { recursive: true })
    symlinkSync(other, tools.path)
    const changed = { code: 'WORKSPACE_CHANGED' }
    await expect(run(tools, [DONE])).rejects.toMatchObject(changed)
    await expect(tools.call('test_cleanup', { workspace_id: 'w' })).rejects.toMatchObject(changed)
    expect(readdirSync(other)).toEqual(['keep.txt'])
  })

  test.each(['sessions', '.agent'])('what an earlier run left is not moved through a link called %s', async (name) => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    const outside = makeFolder({ 'events.jsonl': 'keep' })
    rmSync(join(tools.path, name), { recursive: true, force: true })
    symlinkSync(outside, join(tools.path, name))
    await expect(run(tools, [DONE])).rejects.toMatchObject({ code: 'BAD_PATH' })
    expect(readdirSync(outside)).toEqual(['events.jsonl'])
  })
})

describe('runs', () => {
  test('three responses are consumed in order and all events are in the session', async () => {
    const tools = await withWorkspace()
    const ran = await run(tools, [event('build.task', '1'), event('build.done', '2'), DONE])
    expect(ran).toMatchObject({
      iterations: 3,
      mock_responses_consumed: 3,
      mock_responses_remaining: 0,
      events_count: 3,
    })
    const lines = readFileSync(join(tools.path, 'session.jsonl'), 'utf8').trim().split('\n')
    const records = lines.map((line) => JSON.parse(line) as { event: string; run_id: string; data: { topic?: string } })
    expect(records.flatMap(({ data }) => data.topic ?? [])).toEqual(['task.start', 'build.task', 'build.done'])
    expect(new Set(records.map(({ run_id }) => run_id))).toEqual(new Set([ran['run_id']]))
  })

  test('a run that takes too long ends with MaxRuntime and a partial session', async () => {
    const tools = await withWorkspace()
    const ran = await run(tools, [event('build.task'), { output: DONE, delay_ms: 60_000 }], { max_runtime_secs: 1 })
    expect(ran).toMatchObject({ termination_reason: 'MaxRuntime', exit_code: 2, iterations: 2 })
    expect(await assert(tools, { type: 'event_occurred', topic: 'build.task' })).toEqual([true])
  })

  test('responses that are used up are an error with the count, and the session shows what happened', async () => {
    const tools = await withWorkspace()
    await expect(run(tools, [event('build.task')])).rejects.toMatchObject({
      code: 'MOCK_EXHAUSTED',
      message: expect.stringContaining('all 1 were consumed'),
    })
    expect(await assert(tools, { type: 'termination_reason', expected: 'Error' })).toEqual([true])
  })

  test('scripted answers start no program: a hat with a backend of its own is an error', async () => {
    const backend = { type: 'custom', command: 'touch', args: ['started'] }
    for (const own of ['claude', backend]) {
      const hats = {
        planner: { triggers: ['task.start'], publishes: ['build.task'] },
        builder: { triggers: ['build.task'], backend: own },
      }
      const tools = await withWorkspace({ config: { hats } })
      for (const more of [{}, { backend: 'mock' }, { backend: 'mock', max_iterations: 1 }])
        await expect(run(tools, [event('build.task'), DONE], more)).rejects.toMatchObject({ code: 'NOT_SCRIPTED' })
      const record = { workspace_id: 'w', task: 'x', backend: 'mock', mock_responses: [DONE], cassette_name: 'a' }
      await expect(tools.call('test_record', record)).rejects.toMatchObject({ code: 'NOT_SCRIPTED' })
      await expect(assert(tools, { type: 'exit_code', expected: 0 })).rejects.toMatchObject({ code: 'NOTHING_RAN' })
      expect(readdirSync(tools.path)).not.toContain('started')
    }
  })

  test('a backend that is allowed by name is started for the hats that name it, and no other', async () => {
    const builder = `import { writeFileSync } from 'node:fs'
      writeFileSync('started', '')
      console.log('LOOP_COMPLETE')`
    const files = { 'builder.mjs': builder }
    const hatsOf = (project: string) => ({
      planner: { triggers: ['task.start'], publishes: ['build.task'] },
      builder: {
        triggers: ['build.task'],
        backend: { type: 'custom', command: process.execPath, args: [join(project, 'builder.mjs')] },
      },
    })
    const tools = await testTools({ files, env: { PATH: process.env['PATH'] } })
    const { workspace_path } = await tools.call('test_setup', {
      workspace_id: 'w',
      config: { hats: hatsOf(tools.project) },
    })
    const started = join(String(workspace_path), 'started')
    for (const allow_backends of [[], ['claude'], ['mock'], ['node']])
      await expect(run(tools, [event('build.task')], { allow_backends })).rejects.toMatchObject({
        code: 'NOT_SCRIPTED',
      })
    expect(existsSync(started)).toBe(false)
    const allow_backends = ['custom']
    expect(await run(tools, [event('build.task')], { allow_backends })).toMatchObject({
      termination_reason: 'CompletionPromise',
      backend: 'mock',
      mock_responses_consumed: 1,
    })
    expect(existsSync(started)).toBe(true)
    const about = { workspace_id: 'w', task: 'x', backend: 'mock', cassette_name: 'a', allow_backends }
    const recorded = await tools.call('test_record', { ...about, mock_responses: [event('build.task')] })
    expect(recorded).toMatchObject({ termination_reason: 'CompletionPromise', interactions: 2 })
  })

  test('where nothing live is allowed, no backend can be allowed by name', async () => {
    const hats = {
      planner: { triggers: ['task.start'], backend: { type: 'custom', command: 'touch', args: ['started'] } },
    }
    const tools = await testTools({ allow_live: false })
    await tools.call('test_setup', { workspace_id: 'w', config: { hats } })
    const about = { workspace_id: 'w', task: 'x', backend: 'mock', mock_responses: [DONE], allow_backends: ['custom'] }
    for (const [name, more] of [
      ['test_run', {}],
      ['test_record', { cassette_name: 'a' }],
    ] as const)
      await expect(tools.call(name, { ...about, ...more })).rejects.toMatchObject({ code: 'LIVE_REFUSED' })
  })

  test('a second run continues from what is there with a warning, in its own session', async () => {
    const tools = await withWorkspace()
    const first = await run(tools, [{ output: DONE, files: { 'new.txt': '1' } }])
    const second = await run(tools, [DONE])
    expect(first['warnings']).toBeUndefined()
    expect(second['warnings']).toEqual([expect.stringContaining('new.txt')])
    const old = readFileSync(join(tools.path, 'sessions/session-001.jsonl'), 'utf8')
    expect(old).toContain(String(first['run_id']))
    expect(readFileSync(join(tools.path, 'session.jsonl'), 'utf8')).toContain(String(second['run_id']))
  })

  test('a run that could not begin leaves nothing to assert on, not even an earlier run', async () => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    await expect(run(tools, [DONE], { backend: 'nobody' })).rejects.toMatchObject({ code: 'UNUSED_MOCK_RESPONSES' })
    await expect(assert(tools, { type: 'exit_code', expected: 0 })).rejects.toMatchObject({ code: 'NOTHING_RAN' })
  })

  test('what has not happened yet in a run that goes on is not taken for something that never happens', async () => {
    const tools = await withWorkspace()
    const stop = new AbortController()
    let running: Promise<unknown> = Promise.resolve()
    await new Promise<void>((resolve) => {
      const mock_responses = [event('build.task'), { output: event('build.blocked'), delay_ms: 600_000 }]
      const onProgress = ({ progress }: { progress: number }): void => (progress === 2 ? resolve() : undefined)
      const options = { signal: stop.signal, onProgress }
      running = tools.call('test_run', { workspace_id: 'w', task: 'x', mock_responses }, options)
    })
    const notEnded = { code: 'RUN_NOT_ENDED' }
    await expect(assert(tools, { type: 'no_event', topic: 'build.blocked' })).rejects.toMatchObject(notEnded)
    const evaluations = [{ criterion: 'safety', target: 'session' }]
    const mock_responses = ['{"reasoning": "fine", "score": 5}']
    await expect(tools.call('test_evaluate', { workspace_id: 'w', evaluations, mock_responses })).rejects.toMatchObject(
      notEnded,
    )
    stop.abort()
    await running
    expect(await assert(tools, { type: 'termination_reason', expected: 'Interrupted' })).toEqual([true])
  })

  test('a run that was killed has no verdicts', async () => {
    const tools = await withWorkspace()
    const mock_responses = [event('build.task'), { output: event('build.blocked'), delay_ms: 600_000 }]
    const args = JSON.stringify({ workspace_id: 'w', task: 'x', mock_responses })
    const { process: started, done } = startViva(['tool', 'test_run', args], {
      cwd: tools.project,
      env: { TMPDIR: tools.temporary },
    })
    await vi.waitFor(async () => {
      const { iterations } = await tools.call('test_inspect', { workspace_id: 'w', format: 'summary' })
      expect(iterations).toBe(2)
    }, 20_000)
    started.kill('SIGKILL')
    await done
    await expect(assert(tools, { type: 'iterations', max: 2 })).rejects.toMatchObject({ code: 'RUN_NOT_ENDED' })
  })

  test('tokens that a call did not report are unknown, not 0', async () => {
    const tools = await withWorkspace()
    const used = { usage: { input_tokens: 3, output_tokens: 4 } }
    await run(tools, [{ output: event('build.task'), ...used }, { output: DONE }])
    expect(await assert(tools, { type: 'tokens', max: 100 })).toEqual([false])
    await run(tools, [
      { output: event('build.task'), ...used },
      { output: DONE, ...used },
    ])
    expect(await assert(tools, { type: 'tokens', max: 14 }, { type: 'tokens', max: 13 })).toEqual([true, false])
  })

  test('a run in which no hat had a turn shows nothing, not even what did not happen', async () => {
    const tools = await withWorkspace()
    await expect(run(tools, [])).rejects.toMatchObject({ code: 'MOCK_EXHAUSTED' })
    const verdicts = await assert(
      tools,
      { type: 'no_event', topic: 'danger' },
      { type: 'event_count', topic: 'danger', max: 0 },
      { type: 'iterations', max: 5 },
      { type: 'iterations', max: 5, negate: true },
      { type: 'iterations', exact: 0 },
      { type: 'event_occurred', topic: 'task.start' },
    )
    expect(verdicts).toEqual([false, false, false, false, true, true])
  })

  test('an agent that writes a session of its own changes no verdict', async () => {
    const tools = await withWorkspace()
    const forged = [
      { ts: 1, event: 'bus.publish', data: { topic: 'tests.passed', payload: '', source: null, target: null } },
      { ts: 2, event: '_meta.termination', data: { reason: 'CompletionPromise', iterations: 1, exit_code: 0 } },
    ]
    const session = forged.map((record) => `${JSON.stringify(record)}\n`).join('')
    const ran = await run(tools, [{ output: event('build.task'), files: { 'session.jsonl': session } }], {
      max_iterations: 1,
    })
    expect(ran['warnings']).toEqual([expect.stringContaining('wrote its own session.jsonl')])
    expect(
      await assert(tools, { type: 'event_occurred', topic: 'tests.passed' }, { type: 'exit_code', expected: 0 }),
    ).toEqual([false, false])
    writeFileSync(join(tools.path, 'session.jsonl'), session)
    const asserted = await tools.call('test_assert', {
      workspace_id: 'w',
      assertions: [{ type: 'event_occurred', topic: 'tests.passed' }],
    })
    expect(asserted).toMatchObject({ passed: false, warnings: [/not what was recorded/] })
  })

  test('a corrupt session is an error with its line', async () => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    const file = join(tools.path, 'session.jsonl')
    const [first, ...rest] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [first, '{"ts": 1, "ev', ...rest].join('\n'))
    for (const [name, args] of [
      ['test_inspect', {}],
      ['test_assert', { assertions: [{ type: 'exit_code', expected: 0 }] }],
    ] as const)
      await expect(tools.call(name, { workspace_id: 'w', ...args })).rejects.toMatchObject({
        code: 'BAD_SESSION',
        message: expect.stringContaining('session.jsonl:2: not JSON'),
      })
  })

  test('a timeout is tried again from the beginning, and success is flaky then', async () => {
    // The first call never ends, the second finds the workspace as it was set up.
    const agent = `
      import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
      appendFileSync(process.env.CALLS, 'x')
      if (readFileSync(process.env.CALLS, 'utf8').length === 1) {
        writeFileSync('half.txt', 'done')
        setInterval(() => {}, 1000)
      } else console.log(existsSync('half.txt') ? 'dirty' : 'LOOP_COMPLETE')`
    const tools = await testTools({ files: { 'agent.mjs': agent }, env: { PATH: process.env['PATH'] } })
    const cli = { backend: 'custom', command: process.execPath, args: [join(tools.project, 'agent.mjs')] }
    await tools.call('test_setup', { workspace_id: 'w', config: { cli } })
    const ran = await tools.call('test_run', {
      workspace_id: 'w',
      task: 'x',
      backend: 'custom',
      env: { CALLS: join(tools.project, 'calls') },
      max_runtime_secs: 3,
      retry: { max_attempts: 3, backoff_ms: 1 },
    })
    expect(ran).toMatchObject({
      termination_reason: 'CompletionPromise',
      attempts: 2,
      flaky: true,
      failure_history: [{ attempt: 1, error: 'timeout after 3s' }],
    })
  })

  test('scripted answers go on across attempts, and a retry that succeeds is flaky', async () => {
    const tools = await withWorkspace()
    const late = { output: DONE, delay_ms: 60_000 }
    const retry = { max_attempts: 3, backoff_ms: 1 }
    const more = { max_runtime_secs: 1, retry }
    const flaky = { attempts: 2, flaky: true, failure_history: [{ attempt: 1, error: 'timeout after 1s' }] }
    expect(await run(tools, [late, { output: DONE, files: { a: '' } }], more)).toMatchObject({
      termination_reason: 'CompletionPromise',
      mock_responses_consumed: 2,
      mock_responses_remaining: 0,
      ...flaky,
    })
    const assertions = [
      { type: 'exit_code', expected: 0 },
      { type: 'exit_code', expected: 1 },
    ]
    expect(await tools.call('test_assert', { workspace_id: 'w', assertions })).toMatchObject({
      failed_count: 1,
      ...flaky,
    })
    const report = async (format: string) => {
      const { report_path } = await tools.call('test_report', { workspace_id: 'w', format, test_name: 'x' })
      return readFileSync(String(report_path), 'utf8')
    }
    expect(await report('junit')).toMatch(/<flakyError message="attempt 1: timeout after 1s"[^]*<rerunError /)
    expect(await report('tap')).toContain(
      'ok 1 - exit_code: expected 0, got 0\n  ---\n  flaky: true\n  attempts: 2\n  ...\nnot ok 2',
    )
    expect(JSON.parse(await report('ctrf')).results).toMatchObject({
      tests: [{ flaky: true, retries: 1, retryAttempts: [{ message: 'timeout after 1s' }] }, { retries: 1 }],
    })
    expect(JSON.parse(await report('json'))).toMatchObject({
      summary: { flaky: 1 },
      results: [
        { status: 'passed', flaky: true, attempts: 2, failure_history: [{ error: 'timeout after 1s' }] },
        { status: 'failed', attempts: 2 },
      ],
    })
    // Neither the answers nor the attempts of one call reach the next.
    expect(await run(tools, [DONE], more)).toMatchObject({ attempts: 1, mock_responses_consumed: 1 })
    const again = await tools.call('test_assert', { workspace_id: 'w', assertions: assertions.slice(0, 1) })
    expect(again).not.toHaveProperty('flaky')
  })

  test('attempts that all fail are not flaky', async () => {
    const tools = await withWorkspace()
    const late = { output: DONE, delay_ms: 60_000 }
    await run(tools, [late, late], { max_runtime_secs: 1, retry: { max_attempts: 2, backoff_ms: 1 } })
    const asserted = await tools.call('test_assert', {
      workspace_id: 'w',
      assertions: [{ type: 'termination_reason', expected: 'MaxRuntime' }],
    })
    expect(asserted).toMatchObject({ passed: true, attempts: 2 })
    expect(asserted).not.toHaveProperty('flaky')
  })

  test('what is not to be tried again is not', async () => {
    const tools = await withWorkspace()
    const ran = await run(tools, [{ output: DONE, delay_ms: 60_000 }], {
      max_runtime_secs: 1,
      retry: { max_attempts: 3, backoff_ms: 1, no_retry_on: ['timeout'] },
    })
    expect(ran).toMatchObject({ termination_reason: 'MaxRuntime', attempts: 1 })
  })

  test.each([
    [{ 'A\nB': '1' }, /is not the name of an environment variable/],
    [{ 'A=B': '1' }, /is not the name/],
    [{ A: 'x\u0000y' }, /without NUL/],
  ])('the environment %j is refused', async (env, message) => {
    const tools = await withWorkspace()
    await expect(run(tools, [DONE], { env })).rejects.toMatchObject({ message: expect.stringMatching(message) })
  })
})

describe('assertions', () => {
  test('a subsequence of events passes, the wrong order fails', async () => {
    const tools = await withWorkspace()
    await run(tools, [event('build.task'), event('build.done'), DONE])
    expect(
      await assert(
        tools,
        { type: 'event_sequence', topics: ['task.start', 'build.done'] },
        { type: 'event_sequence', topics: ['build.done', 'task.start'] },
        { type: 'hat_sequence', hats: ['planner', 'builder', 'planner'] },
        { type: 'iteration_count', hat: 'planner', min: 2, max: 5 },
        { type: 'hat_transition', from: 'builder', to: 'reviewer' },
        { type: 'event_count', topic: 'build.*', exact: 2 },
        { type: 'stdout_contains', pattern: 'LOOP_.*' },
      ),
    ).toEqual([true, false, true, true, false, true, true])
  })

  test('the scratchpad and files are looked at as they are', async () => {
    const tools = await withWorkspace({ scratchpad: '## Completed' })
    await run(tools, [{ output: DONE, files: { 'src/main.rs': 'fn main() {}' } }])
    expect(
      await assert(
        tools,
        { type: 'scratchpad_contains', pattern: 'Completed' },
        { type: 'file_exists', path: 'src/main.rs' },
        { type: 'file_not_contains', path: 'src/other.rs', pattern: 'TODO' },
      ),
    ).toEqual([true, true, false])
  })

  test.each([
    ['none', [], /no assertions/],
    ['a bound that nothing meets', [{ type: 'iterations', min: 3, max: 1 }], /min/],
    [
      'a file outside',
      [{ type: 'file_contains', path: '../../etc/passwd', pattern: 'root' }],
      /outside the workspace|\.\./,
    ],
    [
      'an absolute path',
      [{ type: 'file_contains', path: '/etc/passwd', pattern: 'root' }],
      /outside the workspace|absolute/,
    ],
    ['whether it asks for input', [{ type: 'awaiting_input', value: false }], /cannot be checked in a workspace/],
    ['the state of a store', [{ type: 'state_equals', value: {} }], /cannot be checked in a workspace/],
    [
      'a judge',
      [{ type: 'all', assertions: [{ type: 'rubric', criterion: 'x' }] }],
      /cannot be checked in a workspace/,
    ],
    ['a type that is none', [{ type: 'exit_cod', expected: 0 }], /exit_cod/],
  ])('%s is an error', async (_, assertions, message) => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    await expect(tools.call('test_assert', { workspace_id: 'w', assertions })).rejects.toMatchObject({
      name: 'UserError',
      message: expect.stringMatching(message),
    })
    await expect(tools.call('test_report', { workspace_id: 'w', format: 'tap', test_name: 'x' })).rejects.toMatchObject(
      { code: 'NOTHING_CHECKED' },
    )
  })

  test('a link that leads out is not a file of the workspace', async () => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    const secret = makeFolder({ 'secret.txt': 'hunter2' })
    symlinkSync(join(secret, 'secret.txt'), join(tools.path, 'link.txt'))
    symlinkSync(secret, join(tools.path, 'folder'))
    const asserted = await tools.call('test_assert', {
      workspace_id: 'w',
      assertions: ['link.txt', 'folder/secret.txt'].map((path) => ({ type: 'file_contains', path, pattern: 'h.*2' })),
    })
    expect(asserted).toMatchObject({ passed: false, failed_count: 2 })
    expect(JSON.stringify(asserted)).not.toContain('hunter2')
    expect(JSON.stringify(asserted)).toContain('outside the workspace')
  })
})

test('an agent cannot approve its own files', async () => {
  const agent = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    mkdirSync(process.env.SNAPSHOTS, { recursive: true })
    writeFileSync(process.env.SNAPSHOTS + '/state.snap', '{\\n  "files": {}\\n}\\n')
    console.log('LOOP_COMPLETE')`
  const tools = await testTools({ files: { 'agent.mjs': agent }, env: { PATH: process.env['PATH'] } })
  const cli = { backend: 'custom', command: process.execPath, args: [join(tools.project, 'agent.mjs')] }
  await tools.call('test_setup', { workspace_id: 'w', config: { cli } })
  const SNAPSHOTS = join(tools.project, 'snapshots/workspace')
  await tools.call('test_run', { workspace_id: 'w', task: 'x', backend: 'custom', env: { SNAPSHOTS } })
  const matches = () =>
    tools.call('test_assert', { workspace_id: 'w', assertions: [{ type: 'snapshot_matches', snapshot_id: 'state' }] })
  expect(await matches()).toMatchObject({ passed: false, results: [{ error: /was changed during the run/ }] })
  await run(tools, [DONE])
  expect(await matches()).toMatchObject({ passed: false, results: [{ error: /was changed during the run/ }] })
  const about = { workspace_id: 'w', snapshot_id: 'state', approve: true }
  await expect(tools.call('test_snapshot', { ...about, include_patterns: ['a/**'] })).rejects.toThrow(/never match/)
  await tools.call('test_snapshot', about)
  expect(await matches()).toMatchObject({ passed: true })
})

describe('inspection', () => {
  test('a page of records, and where to continue', async () => {
    const tools = await withWorkspace()
    await run(tools, [event('build.task'), event('build.done'), event('build.task'), event('build.blocked'), DONE], {
      max_iterations: 9,
    })
    const first = await tools.call('test_inspect', { workspace_id: 'w', limit: 10 })
    expect(first).toMatchObject({ truncated: true, next_offset: 10 })
    expect(first['records']).toHaveLength(10)
    const rest = await tools.call('test_inspect', { workspace_id: 'w', limit: 1000, offset: 10 })
    expect(rest['records'].length + 10).toBe(rest['total_matched'])
    const topics = await tools.call('test_inspect', { workspace_id: 'w', filter: { topics: ['build.*'] } })
    expect(topics['records'].map(({ data }: { data: { topic: string } }) => data.topic)).toEqual([
      'build.task',
      'build.done',
      'build.task',
      'build.blocked',
    ])
    const late = await tools.call('test_inspect', {
      workspace_id: 'w',
      filter: { event_types: ['_meta.iteration'], after_iteration: 1, before_iteration: 4 },
    })
    expect(late['records'].map(({ data }: { data: { n: number } }) => data.n)).toEqual([2, 3])
    const summary = await tools.call('test_inspect', { workspace_id: 'w', format: 'summary' })
    expect(summary).toMatchObject({ iterations: 5, hats_used: ['planner', 'builder'], by_topic: { 'build.task': 2 } })
  })

  test('a pattern that would take forever does not', async () => {
    const tools = await withWorkspace()
    await run(tools, [event('build.task', 'a'.repeat(5000)), event('build.done'), DONE])
    const found = await tools.call('test_inspect', { workspace_id: 'w', filter: { payload_pattern: '(a+)+$' } })
    expect(found['total_matched']).toBe(1)
  })
})

describe('reports', () => {
  test('paths outside are refused and nothing is written', async () => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    await assert(tools, { type: 'exit_code', expected: 0 })
    for (const output_path of ['/tmp/viva-report.xml', '../report.xml', 'a/../../b.xml'])
      await expect(
        tools.call('test_report', { workspace_id: 'w', format: 'junit', test_name: 'x', output_path }),
      ).rejects.toMatchObject({ code: 'BAD_PATH' })
    expect(existsSync(join(tools.path, 'reports'))).toBe(false)
  })

  test('a suite name never becomes a path', async () => {
    const tools = await withWorkspace()
    await run(tools, [DONE])
    await assert(tools, { type: 'exit_code', expected: 0 })
    const report = await tools.call('test_report', {
      workspace_id: 'w',
      format: 'tap',
      test_name: '../../evil',
      save: true,
    })
    expect(readdirSync(join(tools.project, 'reports'))).toHaveLength(1)
    expect(String(report['saved_path'])).toMatch(/reports\/[^/]+\.tap$/)
  })
})

test('a hat that there is not is an error, and a topic that looks misspelt is warned of', async () => {
  const { call } = await testTools()
  await call('test_setup', { workspace_id: 'w' })
  await call('test_run', { workspace_id: 'w', task: 'x', mock_responses: ['LOOP_COMPLETE'] })
  const check = (assertion: object) => call('test_assert', { workspace_id: 'w', assertions: [assertion] })
  for (const assertion of [
    { type: 'iteration_count', hat: 'plannr', max: 5 },
    { type: 'hat_transition', from: 'planner', to: 'bilder', negate: true },
  ]) {
    const { passed, results } = await check(assertion)
    expect([passed, results[0].error]).toEqual([false, expect.stringContaining('did you mean')])
  }
  expect((await check({ type: 'iteration_count', hat: 'builder', max: 0 }))['passed']).toBe(true)
  const near = await check({ type: 'no_event', topic: 'build.bloked' })
  expect(near).toMatchObject({ passed: true, warnings: [expect.stringContaining('"build.blocked"')] })
  for (const topic of ['build.blocked', 'deploy.prod', 'build.*'])
    expect(await check({ type: 'no_event', topic })).not.toHaveProperty('warnings')
})
