// What a backend needs before its first iteration: a login, a user it agrees to work as, its keys.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { loop, dataOf } from '../support/run-loop.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'
import { standIns } from '../support/stand-in.js'

const NO_KEYS = {
  ANTHROPIC_API_KEY: '',
  GEMINI_API_KEY: '',
  OPENAI_API_KEY: '',
  CODEX_API_KEY: '',
  HOME: '/nonexistent',
}

describe('a missing login is an error before the first iteration', () => {
  test.each([
    ['claude', 'claude is not logged in', 'ANTHROPIC_API_KEY'],
    ['gemini', 'gemini is not logged in', 'GEMINI_API_KEY'],
    ['codex', 'codex is not logged in', 'codex login'],
  ])('%s', async (name, message, fix) => {
    const program = standIns([name])
    const run = loop({
      own: { ...program.own, ...NO_KEYS },
      backend: name,
      env: { ...program.env, STAND_IN_LACKS: 'login' },
    })
    await expect(run).rejects.toMatchObject({ code: 'BACKEND_NOT_READY', message, hint: expect.stringContaining(fix) })
    expect(program.calls()).toEqual([])
  })

  test.each([
    ['claude', { ANTHROPIC_AUTH_TOKEN: 'x' }, {}],
    ['gemini', { GOOGLE_API_KEY: 'x' }, {}],
    ['codex', { CODEX_API_KEY: 'x' }, {}],
    ['codex', {}, { args: ['-c', 'model_provider="own"'] }],
    ['codex', {}, { args: ['--oss'] }],
    ['opencode', {}, {}],
  ])('%s is not asked where it has a key, or may need none', async (type, key, choice) => {
    const program = standIns([type])
    const run = await loop({
      own: { ...program.own, ...NO_KEYS, ...key },
      backend: { type, ...choice },
      limits: { max_iterations: 1 },
      env: { ...program.env, STAND_IN_LACKS: 'login' },
    })
    expect(run.iterations).toBe(1)
  })
})

test('claude as root is an error that says what to do; as another user it is not asked', async () => {
  const program = standIns(['claude'])
  const user = vi.spyOn(process, 'getuid').mockReturnValue(0)
  const play = () =>
    loop({
      own: { ...program.own, ANTHROPIC_API_KEY: 'x' },
      backend: 'claude',
      limits: { max_iterations: 1 },
      env: { ...program.env, STAND_IN_LACKS: 'user' },
    })
  await expect(play()).rejects.toMatchObject({
    code: 'BACKEND_NOT_READY',
    hint: expect.stringMatching(/another user.*--pass-env IS_SANDBOX/),
  })
  user.mockReturnValue(1000)
  await expect(play()).resolves.toMatchObject({ iterations: 1 })
  expect(program.calls()[0]?.env).not.toHaveProperty('IS_SANDBOX')
  user.mockRestore()
})

describe('keys and addresses', () => {
  test('that a backend is known to read reach it and no other, and are named once', async () => {
    const program = standIns(['claude', 'gemini'])
    const own = {
      ...program.own,
      ANTHROPIC_API_KEY: 'sk-1',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      GEMINI_API_KEY: 'g',
    }
    const notes: string[] = []
    const config = {
      hats: {
        a: { triggers: ['task.start'], default_publishes: 'b.go' },
        b: { triggers: ['b.go'], backend: 'gemini', default_publishes: 'a.go' },
        c: { triggers: ['a.go'] },
      },
    }
    await loop({
      own,
      config,
      backend: 'claude',
      limits: { max_iterations: 3 },
      note: (text) => notes.push(text),
      env: { ...program.env, STAND_IN_ANSWER: 'ok' },
    })
    const [claude, gemini] = program.calls()
    expect(claude?.env).toMatchObject({ ANTHROPIC_API_KEY: 'sk-1', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' })
    expect(claude?.env).not.toHaveProperty('GEMINI_API_KEY')
    expect(gemini?.env).toMatchObject({ GEMINI_API_KEY: 'g' })
    expect(gemini?.env).not.toHaveProperty('ANTHROPIC_API_KEY')
    expect(notes).toEqual(['claude is given ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL', 'gemini is given GEMINI_API_KEY'])
  })

  test('are in no output of a test run; a program without a login fails no case', async () => {
    const program = standIns(['claude'])
    const key = 'sk-ant-q8Zr71LmWx03'
    const cwd = makeFolder({
      'hats.json': { cli: { backend: 'claude' }, event_loop: { max_iterations: 1 } },
      'cases.jsonl': ['a', 'b'].map((id) => ({
        id,
        input: 'x',
        workspace: {},
        assert: { type: 'contains', value: 'Hello' },
      })),
    })
    const play = (out: string, env: Record<string, string>) => {
      const passed = Object.keys(env).flatMap((name) => (name.startsWith('STAND_IN') ? ['--pass-env', name] : []))
      return viva(['test', '-i', 'cases.jsonl', '-n', 'orchestrator:hats.json', '-o', out, ...passed], {
        cwd,
        env: { PATH: program.own['PATH'] ?? '', ...env },
      })
    }
    const told = await play('told.jsonl', { ANTHROPIC_API_KEY: key, STAND_IN_ANSWER: `Hello ${key}\nLOOP_COMPLETE` })
    expect(told.stderr.match(/claude is given ANTHROPIC_API_KEY\n/g)).toHaveLength(1)
    const text = readFileSync(join(cwd, 'told.jsonl'), 'utf8')
    expect(told.stdout + told.stderr + text).not.toContain(key)
    const results = parseEvents(text).filter(({ type }) => type === 'result') as unknown as ResultEvent[]
    expect(results.map(({ status }) => status)).toEqual(['passed', 'passed'])
    expect(results[0]?.session?.iterations[0]).toMatchObject({ session_id: 's' })

    const refused = await play('refused.jsonl', { STAND_IN_LACKS: 'login' })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toMatch(/claude is not logged in[\s\S]*ANTHROPIC_API_KEY/)
    expect(existsSync(join(cwd, 'refused.jsonl'))).toBe(false)
  })
})

test('the session of a backend is in the record of its call', async () => {
  const program = standIns(['claude'])
  const { records } = await loop({
    own: { ...program.own, ANTHROPIC_API_KEY: 'x' },
    backend: 'claude',
    env: program.env,
  })
  expect(dataOf(records, 'backend.call')[0]).toMatchObject({ session_id: 's' })
})

test('tokens that one backend does not report are unknown, not those of the others', async () => {
  const program = standIns(['claude', 'kiro-cli'])
  const config = {
    hats: {
      a: { triggers: ['task.start'], default_publishes: 'b.go' },
      b: { triggers: ['b.go'], backend: 'kiro' },
    },
  }
  const play = (max_iterations: number) =>
    loop({
      own: { ...program.own, ANTHROPIC_API_KEY: 'x' },
      config,
      backend: 'claude',
      limits: { max_iterations },
      env: { ...program.env, STAND_IN_ANSWER: 'ok' },
    })
  expect((await play(1)).usage).toEqual({ input_tokens: 30, output_tokens: 10, total_tokens: 40 })
  expect(await play(2)).not.toHaveProperty('usage')
})
