// `-n recorded:events.jsonl`: answers that exist, judged again. What the file does not hold is an error, never a pass.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'

const AGENT = `
export async function run(messages) {
  const text = messages.at(-1).content
  if (text === 'break') throw new Error('the model is down')
  if (text === 'slow') { await new Promise((done) => setTimeout(done, 300)); return 'at last' }
  if (text === 'tools') return { content: '', tool_calls: [{ name: 'find', args: { n: 1 }, result: { ok: true } }] }
  if (text === 'json') return { a: { b: [1, 2] } }
  if (text === 'ask') return { content: 'Which one?', awaiting_input: true, input_hint: 'a number' }
  if (text === 'guess') return 'Shall I go on?'
  return { content: 'said ' + text, usage: { input_tokens: 10, output_tokens: 5 }, finish_reason: 'stop' }
}`
const pass = { type: 'not_contains', value: 'zzz' }
const CASES = [
  ...['plain', 'tools', 'json', 'guess', 'break'].map((id) => ({ id, input: id, assert: pass })),
  { id: 'turns', turns: [{ input: 'one' }, { input: 'two', assert: { type: 'contains', value: 'two' } }] },
  { id: 'short', turns: [{ input: 'ask' }] },
  {
    id: 'history',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'plain' },
    ],
    assert: pass,
  },
]

interface Result {
  id: string
  run: number
  status: string
  error?: string
  output?: string
  assertions?: object[]
  cost_dollars?: number
  turns?: Array<Record<string, unknown>>
}

async function run(cwd: string, args: string[]): Promise<{ code: number | null; stderr: string; results: Result[] }> {
  const { code, stdout, stderr } = await viva(['test', '--json', ...args], { cwd })
  const results = parseEvents(stdout).filter((event) => event.type === 'result')
  return { code, stderr, results: results as unknown as Result[] }
}

const live = (...more: string[]): string[] => [
  '-i',
  'cases.jsonl',
  '-n',
  './agent.mjs#run',
  '-o',
  'live.jsonl',
  ...more,
]
const again = (...more: string[]): string[] => [
  '-i',
  'cases.jsonl',
  '-n',
  'recorded:live.jsonl',
  '-o',
  'again.jsonl',
  ...more,
]
const folder = (cases: object[]): string => makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
const statuses = (results: Result[]): object => Object.fromEntries(results.map(({ id, status }) => [id, status]))

test('the same cases give the same verdicts and answers, without the agent and at no cost', async () => {
  const dir = folder(CASES)
  const prices = { './agent.mjs#run': { input: 1000, output: 1000 } }
  writeFiles(dir, { 'viva.config.json': { prices } })
  const before = await run(dir, live())
  writeFileSync(join(dir, 'agent.mjs'), 'throw new Error("not needed")')
  const after = await run(dir, again('--parallel', '4'))
  expect(statuses(after.results)).toEqual(statuses(before.results))
  const answers = (results: Result[]): object =>
    Object.fromEntries(results.map(({ id, output, turns }) => [id, [output, turns?.map((turn) => turn['output'])]]))
  expect(answers(after.results)).toEqual(answers(before.results))
  const costs = (results: Result[]): number => results.reduce((sum, { cost_dollars = 0 }) => sum + cost_dollars, 0)
  expect(costs(before.results)).toBeGreaterThan(0)
  expect(costs(after.results)).toBe(0)
  const broken = after.results.find(({ id }) => id === 'break')
  expect(broken?.error).toContain('the recorded run had no answer: agent error: the model is down')
})

test('new assertions judge old answers, what they cost and how long they took included', async () => {
  const dir = folder([
    { id: 'slow', input: 'slow' },
    { id: 'plain', input: 'plain' },
    { id: 'turns', turns: [{ input: 'a' }, { input: 'b' }] },
  ])
  writeFiles(dir, { 'viva.config.json': { prices: { './agent.mjs#run': { input: 1000, output: 1000 } } } })
  await run(dir, live())
  const judged = async (assert: object): Promise<object> => {
    const cases = [
      { id: 'slow', input: 'slow', assert },
      { id: 'plain', input: 'plain', assert },
      { id: 'turns', turns: [{ input: 'a' }, { input: 'b', assert }] },
    ]
    writeFiles(dir, { 'cases.jsonl': cases })
    return statuses((await run(dir, again('--force'))).results)
  }
  expect(await judged({ type: 'latency', max_ms: 200 })).toMatchObject({ slow: 'failed' })
  expect(await judged({ type: 'contains', value: 'said' })).toEqual({
    slow: 'failed',
    plain: 'passed',
    turns: 'passed',
  })
  expect(await judged({ type: 'tokens', max: 14 })).toEqual({ slow: 'failed', plain: 'failed', turns: 'failed' })
  expect(await judged({ type: 'tokens', max: 15 })).toEqual({ slow: 'failed', plain: 'passed', turns: 'passed' })
  expect(await judged({ type: 'cost', max_dollars: 0.001 })).toEqual({
    slow: 'failed',
    plain: 'failed',
    turns: 'failed',
  })
  expect(await judged({ type: 'cost', max_dollars: 1 })).toEqual({ slow: 'failed', plain: 'passed', turns: 'passed' })
})

test('a case, a run or a turn that the file does not hold fails, and so does a changed input', async () => {
  const dir = folder(CASES)
  await run(dir, live())
  const one = (testCase: object, ...args: string[]): Promise<Result | undefined> => {
    writeFiles(dir, { 'cases.jsonl': [testCase] })
    return run(dir, again('--force', ...args)).then(({ results }) => results.at(-1))
  }
  const missing = { status: 'failed', error: expect.stringContaining('has no result of the case "new"') as unknown }
  expect(await one({ id: 'new', input: 'plain', assert: pass })).toMatchObject(missing)
  expect(await one({ id: 'plain', input: 'plain!', assert: pass })).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/input of "plain" has changed.*"user: plain".*"user: plain!"/) as unknown,
  })
  const history = [
    { role: 'system', content: 'be long' },
    { role: 'user', content: 'plain' },
  ]
  expect(await one({ id: 'history', messages: history, assert: pass })).toMatchObject({ status: 'failed' })
  const longer = { id: 'turns', turns: [{ input: 'one' }, { input: 'two' }, { input: 'three', assert: pass }] }
  expect(await one(longer)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('asks something else than in live.jsonl') as unknown,
  })
  expect(await one({ id: 'turns', turns: [{ input: 'one' }, { input: '2', assert: pass }] })).toMatchObject({
    status: 'failed',
  })
  expect(await one({ id: 'plain', input: 'plain', assert: pass }, '--runs', '2')).toMatchObject({
    run: 2,
    status: 'failed',
    error: expect.stringContaining('run 2') as unknown,
  })
  expect(await one({ id: 'plain', input: 'plain', assert: pass })).toMatchObject({ status: 'passed' })
})

test('each run of a case has its own answer', async () => {
  const dir = makeFolder({
    'agent.mjs': 'let n = 0\nexport const run = () => `answer ${++n}`\n',
    'cases.jsonl': [{ id: 'T1', input: 'x', assert: pass }],
  })
  await run(dir, live('--runs', '3'))
  const { results } = await run(dir, again('--runs', '3', '--parallel', '3'))
  expect(results.map((result) => `${result.run}: ${String(result.output)}`).toSorted()).toEqual([
    '1: answer 1',
    '2: answer 2',
    '3: answer 3',
  ])
})

test('refused before anything runs: no file, no run file, a doubled result, a judge', async () => {
  const dir = folder([{ id: 'plain', input: 'plain', assert: pass }])
  await run(dir, live())
  const refused = (name: string, ...args: string[]) => run(dir, ['-i', 'cases.jsonl', '-n', name, ...args])
  expect(await refused('recorded:')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('names no event file') as unknown,
  })
  expect(await refused('recorded:nope.jsonl')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no such file') as unknown,
  })
  expect(await refused('recorded:cases.jsonl')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('not a run file') as unknown,
  })
  const lines = readFileSync(join(dir, 'live.jsonl'), 'utf8').split('\n')
  const result = lines.find((line) => line.startsWith('{"type":"result"')) ?? ''
  writeFileSync(join(dir, 'doubled.jsonl'), [lines[0], result, result, ''].join('\n'))
  expect(await refused('recorded:doubled.jsonl')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/doubled\.jsonl:3: a second result of "plain"/) as unknown,
  })
  writeFiles(dir, {
    'cases.jsonl': [{ id: 'plain', input: 'plain', assert: { type: 'agent', use: 'recorded:live.jsonl', value: 'x' } }],
  })
  expect(await refused('./agent.mjs#run')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('cannot judge') as unknown,
  })
})

test('-c does not change old answers, and that is said', async () => {
  const dir = folder([{ id: 'plain', input: 'plain', assert: pass }])
  await run(dir, live())
  const { code, stderr } = await run(dir, again('-c', 'other'))
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining('-c other does not change the answers of recorded:live.jsonl'),
  ])
})

test('a torn last line of a killed run is a missing answer, not a broken file', async () => {
  const dir = folder(CASES.slice(0, 2))
  await run(dir, live())
  const text = readFileSync(join(dir, 'live.jsonl'), 'utf8')
  const last = text.indexOf('{"type":"result"', text.indexOf('{"type":"result"') + 1)
  writeFileSync(join(dir, 'live.jsonl'), text.slice(0, last + 60))
  const { code, results } = await run(dir, again())
  expect(code).toBe(1)
  expect(statuses(results)).toEqual({ plain: 'passed', tools: 'failed' })
})

test('an error that a case asked for is not an answer to a case that does not', async () => {
  const about = { type: 'json_path', path: '$.error', value: 'down' }
  const cwd = makeFolder({
    'agent.mjs': `export const run = ([{ content }]) => (content === 'data' ? { content: { error: 'down' } } : { error: 'down' })`,
    'cases.jsonl': ['bare', 'data'].map((id) => ({ id, input: id, assert: about })),
  })
  expect(await run(cwd, live())).toMatchObject({ code: 0 })
  expect(await run(cwd, again())).toMatchObject({ code: 0 })
  writeFiles(cwd, { 'cases.jsonl': ['bare', 'data'].map((id) => ({ id, input: id, assert: pass })) })
  const { code, results } = await run(cwd, again('--force'))
  expect(code).toBe(1)
  expect(results.map(({ id, status }) => [id, status])).toEqual([
    ['bare', 'failed'],
    ['data', 'passed'],
  ])
  expect(results[0]?.error).toContain('answered with an error: "down"')
})

test('the file with the answers is never written over', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [{ id: 'plain', input: 'plain', assert: pass }] })
  await run(cwd, live())
  const before = readFileSync(join(cwd, 'live.jsonl'), 'utf8')
  const args = ['-i', 'cases.jsonl', '-n', 'recorded:live.jsonl', '-o', './live.jsonl', '--force']
  const refused = await run(cwd, args)
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('the answers are read from it')])
  expect(readFileSync(join(cwd, 'live.jsonl'), 'utf8')).toBe(before)
})

test('2,000 old answers have the verdicts that new assertions would have given them live', async () => {
  const many = (assertOf: (n: number) => object): object[] =>
    Array.from({ length: 2000 }, (_, n) => ({ id: `T${n}`, input: `hello number ${n}`, assert: assertOf(n) }))
  const dir = makeFolder({ 'cases.jsonl': many(() => pass) })
  const at = (cases: string, agent: string, file: string): string[] => [
    '-i',
    cases,
    '-n',
    agent,
    '-o',
    file,
    '--parallel',
    '8',
  ]
  await run(dir, at('cases.jsonl', 'builtin:echo', 'live.jsonl'))
  // Some pass, some fail, of every kind.
  const assertOf = (n: number): object => [
    { type: 'contains', value: n % 3 === 0 ? `number ${n}` : `number ${n + 1}` },
    { type: 'regex', value: n % 5 === 0 ? '^hello' : '7$' },
    { type: 'not_contains', value: '99' },
  ]
  writeFiles(dir, { 'new.jsonl': many(assertOf) })
  const asked = await run(dir, at('new.jsonl', 'builtin:echo', 'asked.jsonl'))
  const old = await run(dir, at('new.jsonl', 'recorded:live.jsonl', 'old.jsonl'))
  const verdicts = (results: Result[]): Map<string, string> =>
    new Map(results.map(({ id, status, output, assertions }) => [id, verdictOf({ status, output, assertions })]))
  const [then, now] = [verdicts(asked.results), verdicts(old.results)]
  expect([...then].filter(([id, verdict]) => now.get(id) !== verdict)).toEqual([])
  expect(now.size).toBe(2000)
  const passed = old.results.filter(({ status }) => status === 'passed').length
  expect([passed > 100, passed < 1900]).toEqual([true, true])
})

/** Everything but how long it took. */
function verdictOf(verdict: object): string {
  return JSON.stringify(verdict, (key, value: unknown) => (key.endsWith('_ms') ? undefined : value))
}

test('answers given to another user, with other options or attachments are refused', async () => {
  const plain = { id: 'A', input: 'one', assert: pass }
  const full = {
    ...plain,
    id: 'B',
    user: 'ann',
    options: { mode: 'chat', metadata: { plan: 'free' } },
  }
  const file = { id: 'C', input: { role: 'user', content: [{ type: 'text', text: 'one' }] }, assert: pass }
  const turns = { id: 'D', turns: [{ input: 'one', options: { metadata: { n: 1 } } }] }
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [plain, full, file, turns] })
  const first = await run(cwd, live())
  expect([first.code, first.results.map((result) => 'asked' in result)]).toEqual([0, [true, true, true, true]])
  const judged = async (cases: object[], ...more: string[]): Promise<string[]> => {
    writeFiles(cwd, { 'cases.jsonl': cases })
    const { results } = await run(cwd, again(...more))
    return results.map(({ status, error = '' }) => (error.includes('asks something else') ? 'refused' : status))
  }
  const newly = { assert: { type: 'contains', value: 'one' } }
  // New assertions are what this is for, and the order of keys says nothing.
  const same = [
    { ...plain, ...newly },
    { ...full, ...newly, options: { metadata: { plan: 'free' }, mode: 'chat' } },
    file,
    turns,
  ]
  expect(await judged(same)).toEqual(['passed', 'passed', 'passed', 'passed'])
  const changed = [
    { ...plain, user: 'bob' },
    { ...full, options: { mode: 'chat', metadata: { plan: 'paid' } } },
    {
      ...file,
      input: {
        role: 'user',
        content: [...file.input.content, { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
      },
    },
    { id: 'D', turns: [{ input: 'one', options: { metadata: { n: 2 } } }] },
  ]
  expect(await judged(changed)).toEqual(['refused', 'refused', 'refused', 'refused'])
  const { user: _user, ...nobody } = full
  expect(await judged([nobody])).toEqual(['refused'])
  expect(await judged([plain], '--locale', 'de-de')).toEqual(['refused'])
})
