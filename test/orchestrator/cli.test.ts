// `viva run` and `viva emit` as a person and an agent call them.
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { parseSession } from '../../src/orchestrator/session/read-session.js'
import { aliveIn } from '../support/processes.js'
import { BIN, makeFolder, startViva, viva, type Files } from '../support/run-cli.js'
import { dataOf, event } from '../support/run-loop.js'

const RESPONSES = [
  { hat: 'planner', output: event('build.task', 'Do it') },
  { hat: 'builder', output: event('build.done', 'Did it'), files: { 'out.txt': 'made' } },
  { hat: 'planner', output: 'All done\nLOOP_COMPLETE' },
]

const run = async (args: string[], files: Files = {}) => {
  const cwd = makeFolder({ 'responses.json': RESPONSES, ...files })
  return viva(['run', ...args], { cwd })
}

const topics = (dir: string, name = 'session.jsonl') =>
  dataOf(parseSession(readFileSync(join(dir, name), 'utf8')).records, 'bus.publish').map(({ topic }) => topic)

describe('viva run', () => {
  test('plays scripted responses, prints what hats say, and records the session', async () => {
    const { code, stdout, stderr, dir } = await run(['Build it', '--mock', 'responses.json'])
    expect(code).toBe(0)
    expect(stdout).toBe(`${event('build.task', 'Do it')}\n${event('build.done', 'Did it')}\nAll done\nLOOP_COMPLETE\n`)
    expect(stderr).toContain('── 2 builder')
    expect(stderr).toContain('CompletionPromise after 3 iterations')
    expect(topics(dir)).toEqual(['task.start', 'build.task', 'build.done'])
    expect(readFileSync(join(dir, 'out.txt'), 'utf8')).toBe('made')
  })

  test('exits as the reason says, and prints an error where there is one', async () => {
    expect((await run(['x', '--mock', 'responses.json', '--max-iterations', '1'])).code).toBe(2)
    const { code, stderr } = await run(['x', '--mock', 'one.json'], { 'one.json': RESPONSES.slice(0, 1) })
    expect([code, stderr.includes('MOCK_EXHAUSTED')]).toEqual([1, true])
    const stopped = await run(['x', '--mock', 'one.json', '--on-exhausted', 'stop'], {
      'one.json': RESPONSES.slice(0, 1),
    })
    expect(stopped.code).toBe(0)
  })

  test('takes hats, backend and task from viva.yml', async () => {
    const { code, stdout } = await run([], {
      'viva.yml':
        'prompt: Say hello\ncli: {backend: custom, command: ./agent.sh}\nhats:\n  only: {triggers: [task.start]}\n',
      'agent.sh': '#!/bin/sh\ncase "$1" in *"Say hello"*) echo hello; echo LOOP_COMPLETE;; esac\n',
    })
    // The program is not executable: found before anything runs.
    expect([code, stdout]).toEqual([2, ''])
    const cwd = makeFolder({
      'ralph.yml': 'event_loop: {prompt_file: PROMPT.md}\ncli: {backend: custom, command: ./agent.sh}\n',
      'PROMPT.md': 'Say hello',
      'agent.sh': '#!/bin/sh\ncase "$1" in *"Say hello"*) echo hello; echo LOOP_COMPLETE;; esac\n',
    })
    chmodSync(join(cwd, 'agent.sh'), 0o755)
    expect(await viva(['run'], { cwd })).toMatchObject({ code: 0, stdout: 'hello\nLOOP_COMPLETE\n' })
  })

  test('--mock starts no program, whatever a hat names', async () => {
    const hats = `hats:\n  planner: {triggers: [task.start], publishes: [build.task]}
  builder: {triggers: [build.task], backend: {type: custom, command: touch, args: [started]}}\n`
    const { code, stderr, dir } = await run(['x', '--mock', 'responses.json'], { 'viva.yml': hats })
    expect([code, stderr]).toEqual([2, expect.stringContaining('NOT_SCRIPTED')])
    expect(readdirSync(dir).toSorted()).toEqual(['responses.json', 'viva.yml'])
  })

  test('--allow-backend starts a backend that a hat names, with --mock alone', async () => {
    const files = {
      'viva.yml': `hats:\n  planner: {triggers: [task.start], publishes: [build.task]}
  builder: {triggers: [build.task], backend: {type: custom, command: echo, args: [LOOP_COMPLETE]}}\n`,
    }
    const mocked = ['x', '--mock', 'responses.json', '--allow-backend']
    const { code, stdout } = await run([...mocked, 'custom'], files)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/<event topic="build.task".*\nLOOP_COMPLETE/)])
    const other = await run([...mocked, 'claude'], files)
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('NOT_SCRIPTED')])
    const alone = await run(['x', '-b', 'custom', '--allow-backend', 'custom'], files)
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--allow-backend: needs --mock')])
  })

  test('--json prints the event stream and nothing else', async () => {
    const { stdout } = await run(['Build it', '--mock', 'responses.json', '--json'])
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; event: string })
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['orchestrator']))
    expect(lines.at(-1)?.event).toBe('_meta.termination')
  })

  test('records and replays', async () => {
    const { dir } = await run(['Build it', '--mock', 'responses.json', '--record', 'tape.yaml'])
    const fresh = makeFolder({ 'tape.yaml': readFileSync(join(dir, 'tape.yaml')) })
    expect(await viva(['run', 'Build it', '--replay', 'tape.yaml'], { cwd: fresh })).toMatchObject({ code: 0 })
    expect(existsSync(join(fresh, 'out.txt'))).toBe(true)
    const other = await viva(['run', 'Build that', '--replay', 'tape.yaml'], { cwd: fresh })
    expect([other.code, other.stderr.includes('+ Build that')]).toEqual([1, true])
  })

  test.each([
    [[], 'NO_TASK'],
    [['x'], 'NO_BACKEND'],
    [['x', '-b', 'cluade'], 'did you mean "claude"'],
    [['x', '--mock', 'none.json'], 'NO_MOCK_RESPONSES'],
    [['x', '--mock', 'responses.json', '-b', 'claude'], '--mock: excludes'],
    [['x', '--mock', 'responses.json', '--max-iterations', '0'], '--max-iterations'],
    [['x', '--mock', 'responses.json', '--max-runtime', '60'], 'a number needs a unit'],
    [['x', '--mock', 'responses.json', '--no-strict'], 'needs --replay'],
    [['x', '--record', 'a.yaml', '--replay', 'b.yaml'], 'excludes --replay'],
    [['x', '-c', 'none.yml', '--mock', 'responses.json'], 'NO_CONFIG'],
    [['x', '-c', 'bad.yml', '--mock', 'responses.json'], 'did you mean "triggers"'],
    [['x', '-C', 'nowhere', '--mock', 'responses.json'], '--dir: no such folder'],
    [['x', '--mock', 'responses.json', '--pass-env', 'A,B'], '--pass-env: expected the name of one variable'],
    [['x', '--mock', 'odd.json'], 'may lead outside the workspace'],
  ])('viva run %j is refused before anything runs', async (args, words) => {
    const { code, stderr, dir } = await run(args, {
      'bad.yml': 'hats:\n  a: {trigger: [x]}\n',
      'odd.json': [{ output: '', files: { '../x': 'y' } }],
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(existsSync(join(dir, 'session.jsonl'))).toBe(false)
  })

  test('Ctrl-C ends the backend with all it started, and the session is whole up to there', async () => {
    const cwd = makeFolder({ 'viva.yml': 'cli: {backend: custom, command: ./agent.sh}\n' })
    writeFileSync(join(cwd, 'agent.sh'), '#!/bin/sh\nsleep 4711 &\necho waiting\nwait\n', { mode: 0o755 })
    const started = startViva(['run', 'x'], { cwd })
    await started.saw('waiting')
    started.process.kill('SIGINT')
    const { code, stderr } = await started.done
    expect([code, stderr]).toEqual([130, expect.stringContaining('stopping: ending the backend, keeping the session')])
    const { records } = parseSession(readFileSync(join(cwd, 'session.jsonl'), 'utf8'))
    expect(dataOf(records, '_meta.termination')).toMatchObject([{ reason: 'Interrupted', exit_code: 130 }])
    await vi.waitFor(() => expect(aliveIn(cwd, 'sleep 4711')).toEqual([]))
  })

  test('kill -9 leaves no orphan, and a session that can be read', async () => {
    const cwd = makeFolder({ 'viva.yml': 'cli: {backend: custom, command: ./agent.sh}\n' })
    writeFileSync(join(cwd, 'agent.sh'), '#!/bin/sh\nsleep 4712 &\necho waiting\nwait\n', { mode: 0o755 })
    const started = startViva(['run', 'x'], { cwd })
    await started.saw('waiting')
    started.process.kill('SIGKILL')
    await started.done
    await vi.waitFor(() => expect(aliveIn(cwd, 'sleep 4712')).toEqual([]), { timeout: 10_000 })
    expect(topics(cwd)).toEqual(['task.start'])
  })
})

describe('viva emit', () => {
  test('publishes from inside an agent', async () => {
    const cwd = makeFolder({ 'viva.yml': 'cli: {backend: custom, command: ./agent.sh}\n' })
    const emit = `"${process.execPath}" "${BIN}" emit`
    const script = `#!/bin/sh\n${emit} build.task "from inside"\nprintf 'long\\ntext' | ${emit} build.task - --target builder\n`
    writeFileSync(join(cwd, 'agent.sh'), script, { mode: 0o755 })
    const { code } = await viva(['run', 'x', '--max-iterations', '1'], { cwd })
    expect(code).toBe(2)
    const { records } = parseSession(readFileSync(join(cwd, 'session.jsonl'), 'utf8'))
    expect(dataOf(records, 'bus.publish').slice(1)).toMatchObject([
      { topic: 'build.task', payload: 'from inside', source: 'planner', target: null },
      { topic: 'build.task', payload: 'long\ntext', target: 'builder' },
    ])
  })

  test('says so if nothing listens, and refuses what is not a topic', async () => {
    const cwd = makeFolder()
    expect(await viva(['emit', 'a.b'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('NO_EVENTS_FILE'),
    })
    const env = { VIVA_EVENTS_FILE: join(cwd, 'events.jsonl') }
    expect(await viva(['emit', 'a b'], { cwd, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('BAD_TOPIC'),
    })
    expect(existsSync(env.VIVA_EVENTS_FILE)).toBe(false)
  })
})
