// `--cache`: what models answer is asked once; what could differ today is asked again.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { viva } from '../support/run-cli.js'
import { app, KEY, lasting, run, startChat } from './support.js'

const SAID = { type: 'contains', value: 'said' }
const CACHED = ['--cache']

function cacheFiles(dir: string): string[] {
  const root = join(dir, '.viva/cache')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(root, name))
}

test('the second run asks nothing; a new case asks only for itself, and clear deletes everything', async () => {
  const chat = await startChat()
  const cases = [
    { id: 'T1', turns: [{ input: 'one' }, { input: 'two' }], assert: SAID },
    { id: 'T2', input: 'hi', assert: { type: 'agent', value: 'kind', votes: 3 } },
  ]
  const dir = app(chat.url, cases)
  const live = await run(dir, CACHED, { live: true })
  expect([live.code, live.summary['recording']]).toEqual([
    0,
    { replayed: 0, recorded: chat.asked.length, passed_through: 0, unused: 0 },
  ])
  // The votes of a judge are not copies of one another.
  expect(chat.asked).toHaveLength(6)
  for (const parallel of ['1', '4']) {
    const again = await run(dir, [...CACHED, '--parallel', parallel], { live: true })
    expect(lasting(again.results)).toEqual(lasting(live.results))
    expect(again.summary).toMatchObject({ cost_dollars: 0, recording: { replayed: 6, recorded: 0 } })
  }
  writeFileSync(
    join(dir, 'cases.jsonl'),
    [...cases, { id: 'T3', input: 'new', assert: SAID }].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  const more = await run(dir, CACHED, { live: true })
  expect(more.summary['recording']).toMatchObject({ replayed: 6, recorded: 1 })
  for (const file of cacheFiles(dir)) expect(readFileSync(file, 'utf8')).not.toContain(KEY)
  writeFileSync(join(dir, '.viva/cache/mine.txt'), 'not yours')
  const cleared = await viva(['cache', 'clear'], { cwd: dir })
  expect([cleared.code, cleared.stdout]).toEqual([0, expect.stringMatching(/^7 answers deleted/)])
  expect(readdirSync(join(dir, '.viva/cache'))).toEqual(['mine.txt'])
  const before = chat.asked.length
  await run(dir, CACHED, { live: true })
  expect(chat.asked.length - before).toBe(7)
})

test('every run has an answer of its own', async () => {
  let count = 0
  const chat = await startChat(() => `said ${++count}`)
  const dir = app(chat.url, [{ id: 'T1', input: 'hi', assert: SAID }])
  const first = await run(dir, [...CACHED, '--runs', '3'], { live: true })
  expect(new Set(first.results.map(({ output }) => output))).toEqual(new Set(['said 1', 'said 2', 'said 3']))
  const again = await run(dir, [...CACHED, '--runs', '4'], { live: true })
  expect(again.summary['recording']).toMatchObject({ replayed: 3, recorded: 1 })
  expect(lasting(again.results.slice(0, 3))).toEqual(lasting(first.results))
})

test('another time in the question, another model, or a cache that is too old: asked again', async () => {
  const chat = await startChat()
  const asked = (input: string, more: object = {}): string => JSON.stringify({ id: 'T1', input, assert: SAID, ...more })
  const redactions = { patterns: { customer: 'cust_[a-z0-9]+' } }
  const dir = app(chat.url, [], { 'viva.config.json': { helpers: { connector: 'main' }, redactions } })
  const calls = async (line: string, args = CACHED): Promise<number> => {
    const before = chat.asked.length
    writeFileSync(join(dir, 'cases.jsonl'), `${line}\n`)
    expect((await run(dir, args, { live: true })).code).toBe(0)
    return chat.asked.length - before
  }
  expect(await calls(asked('on 2026-01-01T00:00:00Z'))).toBe(1)
  expect(await calls(asked('on 2026-01-02T00:00:00Z'))).toBe(1)
  // What a recording need not tell apart: position and case say there which answer is meant.
  for (const input of ['the balance of cust_ada', 'the balance of cust_bob', 'the balance  of cust_bob'])
    expect(await calls(asked(input)), input).toBe(1)
  expect(await calls(asked('in 1.5 s'))).toBe(1)
  expect(await calls(asked('in 2.5 s'))).toBe(1)
  expect(await calls(asked('in 2.5 s'))).toBe(0)
  expect(await calls(asked('in 2.5 s', { recording: { mode: 'live' } }))).toBe(1)
  const old = (text: string): string => text.replaceAll(/^ {4}recorded: .*$/gm, '    recorded: 2020-01-01T00:00:00Z')
  for (const file of cacheFiles(dir)) writeFileSync(file, old(readFileSync(file, 'utf8')))
  expect(await calls(asked('in 2.5 s'), ['--cache=5000w'])).toBe(0)
  expect(await calls(asked('in 2.5 s', { recording: { max_age: '1d' } }), ['--cache=5000w'])).toBe(1)
  for (const file of cacheFiles(dir)) writeFileSync(file, old(readFileSync(file, 'utf8')))
  expect(await calls(asked('in 2.5 s'))).toBe(1)
  const connector = readFileSync(join(dir, 'connectors/main.conn.yao'), 'utf8')
  writeFileSync(join(dir, 'connectors/main.conn.yao'), connector.replace('"small"', '"large"'))
  expect(await calls(asked('in 2.5 s'))).toBe(1)
  // A corrupt file is as good as none.
  for (const file of cacheFiles(dir)) writeFileSync(file, 'interactions: [')
  expect(await calls(asked('in 2.5 s'))).toBe(1)
  const bad = await run(dir, ['--cache=soon'], { live: true })
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('"soon"')])
  expect((await run(dir, ['--cache', '--replay', 'x.yaml'])).stderr).toContain('cannot be used together')
})

test('what was cut off, failed or hides a secret is not kept', async () => {
  const chat = await startChat((last) => (last.includes('secret') ? `the key is ${KEY}` : `You said: ${last}`))
  chat.finish = (last) => (last.includes('long') ? 'length' : 'stop')
  const dir = app(chat.url, [
    { id: 'T1', input: 'long', assert: SAID },
    { id: 'T2', input: 'secret', assert: { type: 'contains', value: 'key' } },
    { id: 'T3', turns: [{ input: 'fine' }, { input: 'hold' }], timeout: '2s', assert: SAID },
    { id: 'T4', input: 'wrong', assert: { type: 'contains', value: 'never' } },
  ])
  chat.held = 'hold'
  await run(dir, CACHED, { live: true })
  expect(cacheFiles(dir).map((file) => /case: (.*)/.exec(readFileSync(file, 'utf8'))?.[1])).toEqual(['T4'])
  chat.held = undefined
  const again = await run(dir, CACHED, { live: true })
  expect(again.summary['recording']).toMatchObject({ replayed: 1 })
})

test('an agent that calls its model itself is asked every time, and that is said', async () => {
  const dir = app('http://127.0.0.1:9', [{ id: 'T1', input: 'hi', assert: SAID }], {
    'agent.mjs':
      "import { appendFileSync } from 'node:fs'\nexport default () => { appendFileSync('calls', '.'); return 'said' }\n",
  })
  for (const calls of ['.', '..']) {
    const { code, stderr } = await run(dir, CACHED, { live: true, name: './agent.mjs' })
    expect([code, stderr]).toEqual([0, expect.stringContaining('calls its model itself, so it is asked every time')])
    expect(readFileSync(join(dir, 'calls'), 'utf8')).toBe(calls)
  }
})

test('the answer to one key is not the answer to another', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [{ id: 'T1', input: 'whose is it?', assert: SAID }])
  const file = join(dir, 'connectors/main.conn.yao')
  const first = readFileSync(file, 'utf8')
  const ask = async (): Promise<number> => {
    const before = chat.asked.length
    expect((await run(dir, CACHED, { live: true })).code).toBe(0)
    return chat.asked.length - before
  }
  expect([await ask(), await ask()]).toEqual([1, 0])
  writeFileSync(file, first.replace('$ENV.MODEL_KEY', 'another-key-1234'))
  expect([await ask(), await ask()]).toEqual([1, 0])
  writeFileSync(file, first)
  expect(await ask()).toBe(0)
})
