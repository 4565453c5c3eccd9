// Each command-line backend against a program that stands in for the real one.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { parseLoopConfig } from '../../src/orchestrator/config/read-config.js'
import { Clock } from '../../src/time/clock.js'
import { isAlive } from '../support/processes.js'
import type { LoopOptions } from '../support/run-loop.js'
import { dataOf, event, loop } from '../support/run-loop.js'
import { standIns } from '../support/stand-in.js'

const COMMANDS: Record<string, string> = {
  claude: 'claude',
  kiro: 'kiro-cli',
  gemini: 'gemini',
  codex: 'codex',
  amp: 'amp',
  opencode: 'opencode',
  copilot: 'copilot',
  custom: 'my-agent',
}
const NAMES = Object.keys(COMMANDS)
const TEXT = NAMES.filter((name) => name !== 'claude')

async function play(name: string, how: string, { env, ...options }: LoopOptions = {}) {
  const program = standIns([COMMANDS[name] ?? name])
  const run = await loop({
    own: program.own,
    backend: name === 'custom' ? { type: 'custom', command: 'my-agent' } : name,
    limits: { max_iterations: 1 },
    ...options,
    env: { ...program.env, STAND_IN: how, ...env },
  })
  return { run, program, call: program.calls()[0] }
}

describe('what the program is given', () => {
  test.each([
    ['claude', ['--dangerously-skip-permissions', '--verbose', '--output-format', 'stream-json', '--print'], true],
    ['kiro', ['chat', '--no-interactive', '--trust-all-tools', 'PROMPT'], false],
    ['gemini', ['--yolo', '--skip-trust', '-o', 'stream-json', '-p', 'PROMPT'], false],
    ['codex', ['exec', '--yolo', '--json', '--skip-git-repo-check', 'PROMPT'], false],
    ['amp', ['--dangerously-allow-all', '-x', 'PROMPT'], false],
    ['opencode', ['run', '--format', 'json', 'PROMPT'], false],
    ['copilot', ['-s', '--allow-all-tools', '-p', 'PROMPT'], false],
    ['custom', ['PROMPT'], false],
  ])('%s', async (name, argv, onStdin) => {
    const { run, call } = await play(name, 'ok')
    expect(run).toMatchObject({
      termination_reason: 'CompletionPromise',
      exit_code: 0,
      iterations: 1,
      hats: ['planner'],
    })
    const prompt = onStdin ? call?.stdin : call?.argv.find((arg) => arg.startsWith('## Objective'))
    expect(prompt).toContain('## Objective\n\nBuild it')
    expect(call?.argv.map((arg) => (arg === prompt ? 'PROMPT' : arg))).toEqual(argv)
    expect(call?.stdin).toBe(onStdin ? prompt : '')
    expect(call?.cwd).toBe(run.cwd)
  })

  test('kiro is told which of its agents to be', async () => {
    const { backend } = parseLoopConfig(
      { cli: { backend: 'kiro', agent: 'reviewer', args: ['--x'] } },
      'ralph.yml',
      (warning) => expect.fail(warning),
    )
    const { call } = await play('kiro', 'ok', backend && { backend })
    expect(call?.argv.slice(0, -1)).toEqual([
      'chat',
      '--no-interactive',
      '--trust-all-tools',
      '--agent',
      'reviewer',
      '--x',
    ])
    expect(() => parseLoopConfig({ cli: { backend: 'gemini', agent: 'x' } }, 'ralph.yml', () => {})).toThrow()
  })

  test('claude says which tools it has and which it called; plain text says nothing of it', async () => {
    const { run } = await play('claude', 'ok')
    expect(dataOf(run.records, 'backend.call')[0]).toMatchObject({
      tool_calls: [{ name: 'Bash', args: {}, id: 't', result: 'LOOP_COMPLETE' }],
      tools: ['Bash', 'Read'],
    })
    const other = await play('gemini', 'ok')
    expect(dataOf(other.run.records, 'backend.call')[0]).not.toHaveProperty('tool_calls')
  })

  test('an allow-listed environment, where the events go, and nothing of the loop that the caller is in', async () => {
    const program = standIns(['gemini'])
    await loop({
      own: {
        ...program.own,
        SECRET_TOKEN: 'x',
        RALPH_LOOP_ID: 'outer',
        RALPH_EVENTS_FILE: '/outer',
        GEMINI_API_KEY: 'k',
      },
      backend: 'gemini',
      pass_env: ['GEMINI_API_KEY', 'RALPH_LOOP_ID'],
      env: { ...program.env, EXTRA: 'yes' },
      limits: { max_iterations: 1 },
    })
    const { env = {}, cwd = '' } = program.calls()[0] ?? {}
    expect(env).toMatchObject({ EXTRA: 'yes', GEMINI_API_KEY: 'k', PATH: expect.any(String) })
    expect(env).not.toHaveProperty('SECRET_TOKEN')
    expect(env).not.toHaveProperty('RALPH_LOOP_ID')
    const events = join(cwd, '.agent/events.jsonl')
    expect([env['VIVA_EVENTS_FILE'], env['RALPH_EVENTS_FILE']]).toEqual([events, events])
  })

  test('further arguments and a backend of its own for a hat', async () => {
    const program = standIns(['claude', 'codex', 'my-agent'])
    const config = {
      cli: { backend: 'custom', command: 'my-agent', args: ['--x'], prompt_mode: 'stdin' },
      hats: {
        plan: {
          triggers: ['task.start'],
          backend: { type: 'claude', args: ['--model', 'm'] },
          default_publishes: 'plan.done',
        },
        check: {
          triggers: ['plan.done'],
          backend: { type: 'codex', args: ['--full-auto'] },
          default_publishes: 'check.done',
        },
        build: { triggers: ['check.done'] },
      },
    }
    const run = await loop({
      own: program.own,
      config,
      backend: { type: 'custom', command: 'my-agent', args: ['--x'], prompt_mode: 'stdin' },
      env: { ...program.env, STAND_IN_ANSWER: 'ok' },
      limits: { max_iterations: 3 },
    })
    expect(run.hats).toEqual(['plan', 'check', 'build'])
    const [claude, codex, custom] = program.calls()
    expect(claude?.argv.slice(-3)).toEqual(['--print', '--model', 'm'])
    expect(codex?.argv.slice(0, 2)).toEqual(['exec', '--yolo'])
    expect(codex?.argv).toHaveLength(5)
    expect([custom?.argv, custom?.stdin.includes('Build it')]).toEqual([['--x'], true])
  })

  test('a prompt that is too long for an argument, through standard input or a file', async () => {
    const task = `Build it ${'x'.repeat(200_000)}`
    for (const name of ['codex', 'amp', 'opencode']) {
      const { run, call } = await play(name, 'ok', { task })
      expect([name, run.termination_reason]).toEqual([name, 'CompletionPromise'])
      expect(call?.stdin).toContain(task)
    }
    for (const name of ['kiro', 'gemini', 'copilot']) {
      const { run, call } = await play(name, 'ok', { task })
      expect([name, run.termination_reason]).toEqual([name, 'CompletionPromise'])
      expect(call?.argv.at(-1)).toMatch(/^Read the file .*\.viva-prompt-\w+\/prompt\.md and do what it says\.$/)
      expect(readdirSync(run.cwd).filter((entry) => entry.startsWith('.viva-prompt'))).toEqual([])
    }
    const { run } = await play('custom', 'ok', { task })
    expect(run.error?.hint).toContain('standard input')
  })
})

describe('what the program says', () => {
  test('claude: the text of its messages, usage and cost, and no word of its tools', async () => {
    const { run } = await play('claude', 'ok')
    expect(run).toMatchObject({ tokens: 40, cost_dollars: 0.25, stdout: 'Working.\nHello\nLOOP_COMPLETE\n' })
    expect(dataOf(run.records, 'backend.call')).toEqual([
      expect.objectContaining({ backend: 'claude', tokens: 40, cost_dollars: 0.25, exit_code: 0 }),
    ])
  })

  test('a cost that reaches the limit ends the run', async () => {
    const { run } = await play('claude', 'ok', {
      limits: { max_iterations: 9, max_cost: 0.5 },
      env: { STAND_IN_ANSWER: event('build.blocked', 'no') },
      config: { hats: { a: { triggers: ['task.start', 'build.blocked'] } } },
    })
    expect(run).toMatchObject({ termination_reason: 'MaxCost', exit_code: 2, iterations: 2, cost_dollars: 0.5 })
  })

  test.each(TEXT)('%s: text without colours; what it costs is unknown, not 0', async (name) => {
    const { run } = await play(name, 'ok')
    expect(run.stdout).toBe('Hello\nLOOP_COMPLETE\n')
    expect(run.cost_dollars).toBeUndefined()
  })

  test('events that its tools emit with a command', async () => {
    const { run } = await play('custom', 'ok', {
      backend: {
        type: 'custom',
        command: 'sh',
        args: [
          '-c',
          'echo \'{"topic":"build.task","payload":"from a file"}\' >> "$RALPH_EVENTS_FILE"; echo nonsense >> "$VIVA_EVENTS_FILE"; echo hi',
        ],
      },
    })
    expect(dataOf(run.records, 'bus.publish')[1]).toMatchObject({
      topic: 'build.task',
      payload: 'from a file',
      source: 'planner',
    })
    expect(dataOf(run.records, 'bus.malformed')).toEqual([{ source: 'planner', text: 'nonsense', reason: 'not JSON' }])
  })
})

describe('a program that goes wrong', () => {
  test.each(NAMES)('%s dies halfway: a failed call, never a completion', async (name) => {
    const { run } = await play(name, 'half', { limits: { max_iterations: 2 } })
    expect(run).toMatchObject({ termination_reason: 'MaxIterations', hats: ['planner', 'planner'] })
    expect(dataOf(run.records, 'backend.call')[0]).toMatchObject({
      exit_code: 1,
      error: expect.stringContaining('exited with 1'),
    })
  })

  test.each([
    ['reported', 'Credit balance is too low'],
    ['turns', 'error_max_turns'],
  ])('claude reports an error and exits 0 (%s): still a failed call', async (how, error) => {
    const { run } = await play('claude', how)
    expect(run.termination_reason).toBe('MaxIterations')
    expect(dataOf(run.records, 'backend.call')[0]?.error).toContain(error)
  })

  test.each(['claude', 'kiro'])('%s is killed', async (name) => {
    const { run } = await play(name, 'killed')
    expect(dataOf(run.records, 'backend.call')[0]).toMatchObject({
      exit_code: null,
      error: expect.stringContaining('SIGKILL'),
    })
  })

  test.each(['claude', 'gemini'])('%s floods standard error: its end is kept', async (name) => {
    const { run } = await play(name, 'flood')
    expect(run.termination_reason).toBe('CompletionPromise')
    expect(run.stderr.length).toBeGreaterThan(1000)
    expect(run.stderr.length).toBeLessThan(70_000)
  })

  test.each(['claude', 'codex'])('%s writes bytes that are not text', async (name) => {
    const { run } = await play(name, 'invalid')
    expect(run.termination_reason).toBe('CompletionPromise')
  })

  test.each(NAMES)('%s never ends: killed with all it started, and the session so far stays', async (name) => {
    const clock = new TestClock()
    const { run, program } = await play(name, 'forever', { clock, onOutput: () => clock.strike() })
    expect(run).toMatchObject({ termination_reason: 'MaxRuntime', exit_code: 2, iterations: 1, stdout: 'Thinking\n' })
    expect(run).not.toHaveProperty('cost_dollars')
    expect(run.records.at(-1)?.event).toBe('_meta.termination')
    expect(program.pids()).toHaveLength(2)
    await vi.waitFor(() => expect(program.pids().filter(isAlive)).toEqual([]))
  })
})

/** Time is over when the test says so. */
class TestClock extends Clock {
  #strike = (): void => {}

  override after(_ms: number, callback: () => void): () => void {
    this.#strike = callback
    return () => {}
  }

  strike(): void {
    this.#strike()
  }
}

describe('the whole ralph program', () => {
  const ralph = async (how: string, options: LoopOptions = {}) => {
    const program = standIns(['ralph'], 'ralph.mjs')
    const run = await loop({
      own: program.own,
      backend: 'ralph',
      config: { event_loop: { completion_promise: 'X' } },
      limits: { max_iterations: 7 },
      ...options,
      env: { ...program.env, STAND_IN: how },
    })
    return { run, call: program.calls()[0] }
  }

  test('gets the configuration, the task and the limit, and its own recording becomes the session', async () => {
    const { run, call } = await ralph('ok')
    const file: unknown = expect.stringMatching(/^\//)
    const base = ['run', '-c', file, '--no-tui', '--skip-preflight', '--color', 'never', '-p', 'Build it']
    expect(call?.argv).toEqual([...base, '--max-iterations', '7', '--record-session', file])
    expect(JSON.parse(call?.stdin ?? '')).toEqual({ event_loop: { completion_promise: 'X' } })
    expect(run).toMatchObject({
      termination_reason: 'CompletionPromise',
      exit_code: 0,
      iterations: 1,
      hats: ['ralph'],
      topics: ['task.start', 'build.done', 'loop.terminate'],
      stdout: 'Ralph is working\n',
    })
    expect(run.cost_dollars).toBeUndefined()
    const written = dataOf(run.records, 'ux.terminal.write').map(({ bytes }) => Buffer.from(bytes, 'base64').toString())
    expect(written).toContain('Ralph is working\n')
  })

  test.each([
    ['limit', { termination_reason: 'MaxRuntime', exit_code: 2, iterations: 4 }],
    ['died', { termination_reason: 'Error', exit_code: 1, error: { code: 'BACKEND_FAILED' } }],
    ['corrupt', { termination_reason: 'Error', exit_code: 1, error: { code: 'BAD_SESSION' } }],
    ['torn', { termination_reason: 'Error', exit_code: 1, error: { message: expect.stringContaining('incomplete') } }],
    [
      'liar',
      { termination_reason: 'Error', exit_code: 1, error: { message: /but its session says ConsecutiveFailures/ } },
    ],
    ['pipe', { termination_reason: 'Error', exit_code: 1, error: { message: expect.stringContaining('no session') } }],
    // Some other program of that name, perhaps: it did nothing visible.
    [
      'silent',
      { termination_reason: 'Error', exit_code: 1, error: { message: expect.stringContaining('no session') } },
    ],
  ])('%s', async (how, expected) => {
    expect((await ralph(how)).run).toMatchObject(expected)
  })

  test('never ends: killed, and what it recorded stays', async () => {
    const clock = new TestClock()
    const { run } = await ralph('forever', { clock, onOutput: () => clock.strike() })
    expect(run).toMatchObject({ termination_reason: 'MaxRuntime', exit_code: 2, hats: ['ralph'] })
  })

  test('cannot be recorded, mocked or watched', async () => {
    await expect(ralph('ok', { recording: { mode: 'record', path: '/nowhere/c.yaml' } })).rejects.toMatchObject({
      code: 'CANNOT_RECORD',
    })
    await expect(ralph('ok', { mock_responses: ['x'] })).rejects.toMatchObject({ code: 'UNUSED_MOCK_RESPONSES' })
    await expect(ralph('ok', { limits: { max_cost: 1 } })).rejects.toMatchObject({ code: 'COST_UNKNOWN' })
  })
})
