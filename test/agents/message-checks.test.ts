// A verdict without a file: `-i TEXT` with `--expected`, or with `--judge` and `--criterion`.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { QUEUE_KEY, startRedis, startWorker, withRedis } from '../support/redis.js'
import { makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'
import { say, startModelServer, type Behaviour, type ModelServer } from '../real/model/index.js'

const verdict = (passed: boolean): string =>
  JSON.stringify({ reason: passed ? 'It greets' : 'It is rude', passed, score: passed ? 1 : 0, nonce: '$NONCE' })

interface Models extends Record<'agent' | 'judge', ModelServer> {
  env: Record<string, string>
}

/** The agent at OpenAI, the judge at Anthropic. */
async function start(answer: Behaviour, judged: Behaviour = say(verdict(true))): Promise<Models> {
  const agent = await startModelServer(answer)
  const judge = await startModelServer(judged)
  onTestFinished(() => agent.close())
  onTestFinished(() => judge.close())
  return {
    agent,
    judge,
    env: {
      OPENAI_API_KEY: 'key-of-openai-4711',
      OPENAI_BASE_URL: agent.url,
      ANTHROPIC_API_KEY: 'key-of-anthropic-0815',
      ANTHROPIC_BASE_URL: judge.url,
    },
  }
}

const MESSAGE = ['-i', 'Greet me', '-n', 'openai:small']
const JUDGED = ['--judge', 'anthropic:large', '--criterion', 'is polite']
const run = (args: string[], env: Record<string, string>, cwd = makeFolder()): Promise<CliRun> =>
  viva(['test', ...MESSAGE, ...args], { cwd, env })

test('nothing checked: it says so, and the answer is what is printed', async () => {
  const { env } = await start(say('Good morning'))
  const ran = await run([], env)
  expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, 'Good morning\n', 'answered, nothing checked\n'])
})

test('--expected: the same text passes, another one fails with both', async () => {
  const { env, judge } = await start(say('Good morning'))
  const same = await run(['--expected', 'Good morning'], env)
  expect([same.code, same.stdout, same.stderr]).toEqual([0, 'Good morning\n', 'passed, 1 check\n'])
  const other = await run(['--expected', 'Good evening'], env)
  expect([other.code, other.stdout]).toEqual([1, 'Good morning\n'])
  expect(other.stderr).toMatch(/Good evening/)
  expect(other.stderr).not.toMatch(/^passed|nothing checked/m)
  expect(judge.requests).toEqual([])
})

test.for(['{"a":1}', 'scripts. And more', '$ENV.HOME {{x}}', 'regex:.*', '  two  words '])(
  '--expected compares the message %s as it is',
  async (text) => {
    const cwd = makeFolder()
    const echo = (expected: string) => viva(['test', '-i', text, '-n', 'builtin:echo', '--expected', expected], { cwd })
    expect([(await echo(text)).code, (await echo(`${text}.`)).code]).toEqual([0, 1])
  },
)

test.for([true, false])('--judge and --criterion: the verdict of the judge (%s)', async (passed) => {
  const { env, judge, agent } = await start(say('Good morning'), say(verdict(passed)))
  const dir = makeFolder()
  const ran = await run(JUDGED, env, dir)
  expect([ran.code, ran.stdout], ran.stderr).toEqual([passed ? 0 : 1, 'Good morning\n'])
  expect(ran.stderr).toMatch(passed ? /^passed, 1 check$/m : /It is rude/)
  const [{ body, headers }] = judge.requests as [ModelServer['requests'][number]]
  expect([body.model, JSON.stringify(body)]).toEqual(['large', expect.stringContaining('is polite')])
  expect(JSON.stringify(headers)).not.toContain('key-of-openai')
  expect(JSON.stringify(agent.requests)).not.toMatch(/anthropic-0815|is polite/)
  expect([agent.refusals, judge.refusals, readdirSync(dir)]).toEqual([[], [], []])
})

test('both, several criteria, and every output as of any run', async () => {
  const { env } = await start(say('Good morning'))
  const dir = makeFolder()
  const args = ['--expected', 'Good morning', ...JUDGED, '--criterion', 'is short', '-o', 'o.jsonl', '-o', 'o.xml']
  const ran = await run(args, env, dir)
  expect([ran.code, ran.stderr], ran.stderr).toEqual([0, expect.stringContaining('passed, 3 checks')])
  const [begun, ...events] = parseEvents(readFileSync(join(dir, 'o.jsonl'), 'utf8'))
  expect(begun).toMatchObject({
    options: { expected: 'Good morning', judge: 'anthropic:large', criterion: ['is polite', 'is short'] },
  })
  const result = events.find(({ type }) => type === 'result')
  expect(result).toMatchObject({
    status: 'passed',
    assertions: [{ type: 'equals' }, { type: 'agent' }, { type: 'agent' }],
  })
  expect(readFileSync(join(dir, 'o.xml'), 'utf8')).toContain('failures="0"')
  const piped = await run([...args.slice(0, -4), '--json'], env, dir)
  expect(parseEvents(piped.stdout).at(-1)).toMatchObject({ type: 'summary', passed: 1, exit_code: 0 })
  expect(JSON.stringify(events) + ran.stderr).not.toMatch(/4711|0815/)
})

test.for<[string, Behaviour]>([
  ['refuses the key', { kind: 'error', status: 401, type: 'authentication_error', message: 'no' }],
  ['answers something else', say('It is fine, passed!')],
  ['does not sign', say('{"reason": "ok", "passed": true, "score": 1}')],
  ['is cut off', { ...say(verdict(true)), finish: 'length' }],
  ['hangs up', { kind: 'reset' }],
])('a judge that %s: no pass', async ([, behaviour]) => {
  const { env } = await start(say('Good morning'), behaviour)
  const dir = makeFolder()
  const ran = await run([...JUDGED, '-o', 'o.jsonl'], env, dir)
  const result = parseEvents(readFileSync(join(dir, 'o.jsonl'), 'utf8')).find(({ type }) => type === 'result')
  expect([ran.code, result]).toMatchObject([1, { error_kind: 'validator' }])
  expect(result?.['status']).not.toBe('passed')
  expect(ran.stderr).not.toMatch(/^passed/m)
})

test('an agent that does not answer fails, whatever is checked', async () => {
  const { env, judge } = await start(say(''))
  for (const checks of [[], ['--expected', 'x'], JUDGED]) {
    const ran = await run(checks, env)
    expect([ran.code, ran.stdout]).toEqual([1, expect.not.stringContaining('passed')])
    expect(ran.stderr).not.toMatch(/^passed|^answered/m)
  }
  expect(judge.requests.length).toBeLessThanOrEqual(1)
})

test('recorded and replayed: the judge too, without key and network; another criterion is another question', async () => {
  const { env, agent, judge } = await start(say('Good morning'))
  const dir = makeFolder()
  const recorded = await run([...JUDGED, '--record', 'tape.yaml'], env, dir)
  const replayed = await run([...JUDGED, '--replay', 'tape.yaml'], {}, dir)
  expect([recorded.code, replayed.code, replayed.stdout], replayed.stderr).toEqual([0, 0, 'Good morning\n'])
  expect([agent.requests.length, judge.requests.length]).toEqual([1, 1])
  const other = await run([...JUDGED.slice(0, 2), '--criterion', 'is rude', '--replay', 'tape.yaml'], {}, dir)
  expect(other.code).toBe(1)
  expect(readFileSync(join(dir, 'tape.yaml'), 'utf8')).not.toMatch(/4711|0815/)
  const verified = await viva(['cassette', 'verify', 'tape.yaml', ...MESSAGE, ...JUDGED], { cwd: dir })
  expect(verified.code, verified.stdout + verified.stderr).toBe(0)
})

test('the model under test may judge itself, which is said', async () => {
  const { env, agent } = await start(say('Good morning'))
  agent.behave(say('Good morning'), say(verdict(true)))
  const ran = await run(['--judge', 'openai:small', '--criterion', 'is polite'], env)
  expect([ran.code, ran.stdout], ran.stderr).toEqual([0, 'Good morning\n'])
  expect(ran.stderr).toContain('the judge is openai:small, the model under test')
})

test('models side by side have the same judge', async () => {
  const { env, judge } = await start(say('Good morning'))
  const ran = await run([...JUDGED, '-n', 'openai-chat:other', '-o', 'o.jsonl'], env)
  expect([ran.code, judge.requests.length], ran.stderr).toEqual([0, expect.any(Number)])
  expect(judge.requests.every(({ body }) => body.model === 'large')).toBe(true)
  expect(ran.stderr).toMatch(/^openai:small:$[^]*^openai-chat:other:$[^]*^passed, 2 checks$/m)
  const none = await run(['-n', 'openai-chat:other', '--criterion', 'is polite'], env)
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/the judge of T001 has no model[^]*--judge/)])
})

test.for<[string, string[], RegExp]>([
  ['a case file', ['-i', 'cases.jsonl', '--expected', 'x'], /--expected: is for the answer to a message/],
  ['a criterion for a case file', ['-i', 'cases.jsonl', '--criterion', 'x'], /--criterion: is for the answer/],
  ['standard input', ['-i', '-', '--expected', 'x'], /--expected: is for the answer to a message/],
  ['no text', ['-i', 'hello', '--expected', ''], /--expected: the text is empty/],
  ['no criterion', ['-i', 'hello', '--criterion', ' '], /--criterion: the text is empty/],
  ['nothing to judge', ['-i', 'hello', '--judge', 'echo'], /--judge: there is nothing to judge[^]*--criterion/],
  ['a judge without a model', ['-i', 'hello', '--criterion', 'x'], /the judge of T001 has no model[^]*--judge/],
  [
    'a judge without its key',
    ['-i', 'hello', ...JUDGED],
    /the judge of T001 has no model: [^]*ANTHROPIC_API_KEY is not set/,
  ],
  ['an unknown judge', ['-i', 'hello', '--judge', 'nobody', '--criterion', 'x'], /unknown connector "nobody"/],
])('refused before anything is asked: %s', async ([, args, message]) => {
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'x' }] })
  for (const dry of [[], ['--dry-run']]) {
    const ran = await viva(['test', '-n', 'builtin:echo', ...args, ...dry], { cwd })
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, '', expect.stringMatching(message)])
  }
})

withRedis('a fleet', () => {
  test('workers ask the judge with their own keys; one without them says so and takes no case', async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.stop())
    const { env, judge } = await start(say('Good morning'), say(verdict(false)))
    const { ANTHROPIC_API_KEY: _key, ...keyless } = env
    const refusing = await startWorker(redis, { cwd: makeFolder(), env: keyless })
    const running = run([...JUDGED, '--queue', redis.url, '-o', 'o.jsonl'], { VIVA_QUEUE_KEY: QUEUE_KEY })
    await refusing.saw('the judge of T001 has no model: the environment variable ANTHROPIC_API_KEY is not set')
    await startWorker(redis, { cwd: makeFolder(), env })
    const ran = await running
    expect([ran.code, judge.requests.length], ran.stdout + ran.stderr).toEqual([1, 1])
    expect(ran.stderr).toContain('It is rude')
  })
})
