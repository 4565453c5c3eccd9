// `test_record` and `test_replay`: a run that is kept, and the same run without its backend.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testTools } from '../support/open-tools.js'

/** Answers as a planner and a builder would, and counts how often it is asked. */
const AGENT = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
const prompt = process.argv.at(-1)
appendFileSync(process.env.CALLS, 'x')
if (prompt.includes('build.task') && prompt.includes('Do the task of the pending event')) {
  mkdirSync('src', { recursive: true })
  writeFileSync('src/auth.rs', 'pub fn login() {}')
  console.log('<event topic="build.done">Wrote src/auth.rs</event>')
} else if (prompt.includes('Wrote src/auth.rs')) console.log('LOOP_COMPLETE')
else console.log('<event topic="build.task">Write auth for call_abc123def456</event>')
`

async function recorded(more: object = {}) {
  const tools = await testTools({ files: { 'agent.mjs': AGENT }, env: { PATH: process.env['PATH'] } })
  const { call, project } = tools
  const agent = { backend: 'custom', command: process.execPath, args: [join(project, 'agent.mjs')] }
  const { workspace_path } = await call('test_setup', {
    workspace_id: 'auth',
    fixtures: { 'specs/auth.spec.md': 'Log in.' },
    scratchpad: '## Plan',
    config: { cli: agent },
  })
  const calls = join(project, 'calls')
  const record = await call('test_record', {
    workspace_id: 'auth',
    cassette_name: 'auth_happy_path',
    task: 'Implement the auth spec',
    backend: 'custom',
    env: { CALLS: calls },
    redactions: { patterns: { $TIMESTAMP: true, $UUID: true } },
    ...more,
  })
  const count = (): number => readFileSync(calls, 'utf8').length
  const replay = (args: object = {}) =>
    call('test_replay', {
      workspace_id: 'auth',
      cassette_name: 'auth_happy_path',
      task: 'Implement the auth spec',
      ...args,
    })
  return { ...tools, calls, record, count, replay, workspace_path: String(workspace_path) }
}

test('scenario 2: recorded once, replayed strictly in the same workspace', async () => {
  const { call, record, count, replay, workspace_path } = await recorded()
  expect(record).toMatchObject({
    cassette_path: join(workspace_path, 'cassettes/auth_happy_path.yaml'),
    cassette_name: 'auth_happy_path',
    interactions: 3,
    termination_reason: 'CompletionPromise',
  })
  const cassette = readFileSync(String(record['cassette_path']), 'utf8')
  expect(cassette).toMatch(/^# cassette: .*\n# recorded: .*\n# backend: .*\n# iterations: 3\n/)
  expect(cassette).toContain('prompt_hash: sha256:')
  expect(cassette).toContain('Write auth for [UUID]')
  expect(count()).toBe(3)
  expect(await replay({ strict: true })).toMatchObject({
    exit_code: 0,
    termination_reason: 'CompletionPromise',
    iterations: 3,
    interactions_replayed: 3,
    interactions_passthrough: 0,
    cost_dollars: 0,
    session_file: join(workspace_path, 'session.jsonl'),
  })
  expect(count()).toBe(3)
  expect(existsSync(join(workspace_path, 'sessions/session-001.jsonl'))).toBe(true)
  const asserted = await call('test_assert', {
    workspace_id: 'auth',
    assertions: [
      { type: 'exit_code', expected: 0 },
      { type: 'termination_reason', expected: 'CompletionPromise' },
      { type: 'file_exists', path: 'src/auth.rs' },
      { type: 'cost_within', max_dollars: 0 },
    ],
  })
  expect(asserted['results'].filter((result: { passed: boolean }) => !result.passed)).toEqual([])
  const report = await call('test_report', {
    workspace_id: 'auth',
    format: 'junit',
    test_name: 'auth_regression',
    save: true,
  })
  expect(report).toMatchObject({ tests: 4, passed: 4, failed: 0 })
  await call('test_cleanup', { workspace_id: 'auth' })
  expect(readFileSync(String(report['saved_path']), 'utf8')).toContain('classname="auth_regression"')
})

test('a task that was not recorded is an error with both hashes and the difference', async () => {
  const { replay } = await recorded()
  const error = await replay({ task: 'Implement something else' }).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'REPLAY_MISMATCH', message: expect.stringContaining('hat: planner') })
  const shown = (error as { problems: Array<{ message: string }> }).problems.map(({ message }) => message).join('\n')
  expect(shown).toMatch(/Expected hash: +sha256:/)
  expect(shown).toMatch(/Actual hash: +sha256:/)
  expect(shown).toContain('Implement something else')
})

test('by position alone another task is answered as well', async () => {
  const { replay } = await recorded()
  expect(await replay({ task: 'Implement something else', strict: false })).toMatchObject({ interactions_replayed: 3 })
})

test('what is not recorded is passed through where that is allowed, and listed', async () => {
  const { replay, calls, count } = await recorded()
  const ran = await replay({ task: 'Implement something else', allow_passthrough: true, env: { CALLS: calls } })
  expect(ran).toMatchObject({ termination_reason: 'CompletionPromise', interactions_passthrough: 3 })
  expect(ran['passed_through']).toHaveLength(3)
  expect(ran['passed_through'][0]).toMatchObject({ hat: 'planner', prompt_hash: expect.stringMatching(/^sha256:/) })
  expect(count()).toBe(6)
})

test('a cassette that is saved is played in another workspace, and a damaged one is an error', async () => {
  const { call, project, count } = await recorded({ save: true })
  const setup = { scratchpad: '## Plan', fixtures: { 'specs/auth.spec.md': 'Log in.' } }
  const { workspace_path } = await call('test_setup', { workspace_id: 'other', ...setup })
  const replay = { workspace_id: 'other', cassette_name: 'auth_happy_path', task: 'Implement the auth spec' }
  expect(await call('test_replay', replay)).toMatchObject({ termination_reason: 'CompletionPromise' })
  expect(count()).toBe(3)
  expect(readFileSync(join(String(workspace_path), 'src/auth.rs'), 'utf8')).toBe('pub fn login() {}')
  const file = join(project, 'cassettes/auth_happy_path.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 300))
  await expect(call('test_replay', replay)).rejects.toMatchObject({ name: 'UserError' })
})

test('patterns of the recording are in its answers too, and it replays strictly', async () => {
  const patterns = { session_token: 'call_[a-z0-9]+' }
  const { record, replay, count } = await recorded({ redactions: { patterns } })
  const cassette = readFileSync(String(record['cassette_path']), 'utf8')
  expect(cassette).not.toContain('call_abc123def456')
  expect(cassette).toContain('<event topic="build.task">Write auth for [SESSION_TOKEN]</event>')
  expect(await replay({ strict: true })).toMatchObject({ exit_code: 0, interactions_replayed: 3 })
  expect(count()).toBe(3)
})

test('a cassette that is not there is named with those that are', async () => {
  const { call } = await recorded()
  await expect(call('test_replay', { workspace_id: 'auth', cassette_name: 'auth', task: 'x' })).rejects.toMatchObject({
    code: 'NO_CASSETTE',
    hint: 'known cassettes: auth_happy_path',
  })
})

test('real backends are refused where they are not allowed, wherever they are named', async () => {
  const { call } = await testTools({ allow_live: false })
  await call('test_setup', { workspace_id: 'a', config: { cli: { backend: 'custom', command: 'touch' } } })
  const hats = { planner: { triggers: ['task.start'], backend: 'claude' } }
  await call('test_setup', { workspace_id: 'b', config: { hats } })
  const refused = { code: 'LIVE_REFUSED' }
  await expect(call('test_run', { workspace_id: 'a', task: 'x', backend: 'claude' })).rejects.toMatchObject(refused)
  await expect(call('test_run', { workspace_id: 'a', task: 'x' })).rejects.toMatchObject(refused)
  await expect(call('test_run', { workspace_id: 'b', task: 'x', mock_responses: [] })).rejects.toMatchObject({
    code: 'NOT_SCRIPTED',
  })
  await expect(
    call('test_replay', { workspace_id: 'a', cassette_name: 'c', task: 'x', allow_passthrough: true }),
  ).rejects.toMatchObject(refused)
})

test('what a recording has not kept counts neither as there nor as missing', async () => {
  const agent = `import { writeFileSync } from 'node:fs'
writeFileSync('leak.bin', Buffer.from([0, 255, 1]))
writeFileSync('kept.txt', 'text')
console.log('LOOP_COMPLETE')`
  const { call, project } = await testTools({ files: { 'agent.mjs': agent }, env: { PATH: process.env['PATH'] } })
  const cli = { backend: 'custom', command: process.execPath, args: [join(project, 'agent.mjs')] }
  await call('test_setup', { workspace_id: 'w', config: { cli } })
  const about = { workspace_id: 'w', cassette_name: 'c', task: 'x' }
  await call('test_record', { ...about, backend: 'custom' })
  await call('test_replay', about)
  const check = (assertion: object) => call('test_assert', { workspace_id: 'w', assertions: [assertion] })
  for (const negate of [true, false])
    expect(await check({ type: 'file_exists', path: 'leak.bin', negate })).toMatchObject({
      passed: false,
      results: [{ error: expect.stringContaining('leak.bin is not in the recording') }],
    })
  expect(await check({ type: 'file_exists', path: 'kept.txt' })).toMatchObject({ passed: true })
  expect(await check({ type: 'file_exists', path: 'never.txt', negate: true })).toMatchObject({ passed: true })
})

test('secrets that a call passes to its backend are in nothing that is kept, answered or thrown', async () => {
  const password = 'hunter-walrus-4411'
  const agent = `console.log('LOOP_COMPLETE', '(' + process.env.DB_PASSWORD + ')\\nLOOP_COMPLETE')`
  const { call, project } = await testTools({ files: { 'agent.mjs': agent } })
  const cli = { backend: 'custom', command: process.execPath, args: [join(project, 'agent.mjs')] }
  const { workspace_path } = await call('test_setup', { workspace_id: 'w', config: { cli } })
  const about = {
    workspace_id: 'w',
    cassette_name: 'tape',
    task: 'x',
    backend: 'custom',
    env: { DB_PASSWORD: password },
  }
  const record = await call('test_record', about)
  expect(record['stdout']).toContain('LOOP_COMPLETE ([SECRET])')
  const kept = ['session.jsonl', 'cassettes/tape.yaml'].map((path) => readFileSync(join(String(workspace_path), path)))
  const said = await call('test_inspect', { workspace_id: 'w' })
  const base64 = Buffer.from(password).toString('base64').slice(0, 20)
  for (const text of [...kept.map(String), JSON.stringify([record, said])]) {
    expect(text).not.toContain(password)
    expect(text).not.toContain(base64)
  }
})

test('a replay says what was not compared, by the rules of the cassette', async () => {
  const { replay, call, record } = await recorded({ task: 'Implement the auth spec of 2024-01-01T10:00:00Z' })
  expect(readFileSync(String(record['cassette_path']), 'utf8')).toContain('matching: normalised')
  const { exit_code, warnings } = await replay({ task: 'Implement the auth spec of 2031-05-05T10:00:00Z' })
  expect(exit_code).toBe(0)
  expect(warnings).toContainEqual(
    expect.stringMatching(/not compared with the recording in call 1 of planner: TIMESTAMP/),
  )
  const loose = await replay({ task: 'Something else', strict: false })
  expect(loose['warnings']).toContainEqual(
    expect.stringMatching(/replayed although call 1 of planner is not the recorded/),
  )
  expect(await call('test_inspect', { workspace_id: 'auth' })).toBeDefined()
})
