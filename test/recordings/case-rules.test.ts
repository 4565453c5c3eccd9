// What a case says about its recording, what is beside the file, and what belongs to no case.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, startViva, viva, writeFiles } from '../support/run-cli.js'
import { app, KEY, lasting, run, startChat, tape } from './support.js'

const SAID = { type: 'contains', value: 'said' }

function written(dir: string, cases: object[]): void {
  writeFileSync(join(dir, 'cases.jsonl'), cases.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

test('mode: recorded once, recorded every time, never recorded', async () => {
  let count = 0
  const chat = await startChat((last) => `said ${last} ${++count}`)
  const modes = ['replay', 'record', 'live'] as const
  const cases = modes.map((mode) => ({ id: mode, input: mode, assert: SAID, recording: { mode } }))
  const dir = app(chat.url, cases)
  const outputs = async (args: string[]): Promise<unknown[]> =>
    (await run(dir, args, { live: true })).results.map(({ output }) => output)
  // In order of their ids: live, record, replay.
  expect(await outputs(['--record', 'tape.yaml'])).toEqual(['said live 3', 'said record 2', 'said replay 1'])
  expect(tape(dir)).not.toContain('case: live')
  expect(await outputs(['--replay', 'tape.yaml'])).toEqual(['said live 4', 'said record 2', 'said replay 1'])
  expect(await outputs(['--replay', 'tape.yaml', '--record-new'])).toEqual([
    'said live 6',
    'said record 5',
    'said replay 1',
  ])
  expect(await outputs(['--record', 'tape.yaml'])).toEqual(['said live 8', 'said record 7', 'said replay 1'])
  written(dir, [{ ...cases[0], input: 'changed' }])
  const changed = await run(dir, ['--record', 'tape.yaml'], { live: true })
  expect([changed.code, changed.results[0]?.['error']]).toEqual([1, expect.stringContaining('+ user: changed')])
  written(dir, [{ ...cases[0], recording: { mode: 'replya' } }])
  expect(await run(dir, ['--replay', 'tape.yaml'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('recording.mode: mode must be "replay", "record" or "live"') as string,
  })
})

test('max_age: what is older is used and reported, and recorded again where it may be', async () => {
  const chat = await startChat()
  const cases = [
    { id: 'T1', input: 'one', assert: SAID, recording: { max_age: '30d' } },
    { id: 'T2', input: 'two', assert: SAID },
  ]
  const dir = app(chat.url, cases)
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  expect((await run(dir, ['--replay', 'tape.yaml'])).summary['recording']).toEqual({
    replayed: 2,
    recorded: 0,
    passed_through: 0,
    unused: 0,
  })
  const fresh = tape(dir)
  writeFileSync(join(dir, 'tape.yaml'), fresh.replaceAll(/^ {4}recorded: .*$/gm, '    recorded: 2020-02-01T00:00:00Z'))
  const stale = await run(dir, ['--replay', 'tape.yaml'])
  expect([stale.code, stale.summary['recording']]).toEqual([0, expect.objectContaining({ replayed: 2, stale: 1 })])
  expect(stale.results.map(({ warnings }) => warnings)).toEqual([
    [expect.stringMatching(/^an old answer is replayed: recorded \d+ days ago, and max_age is 30d$/)],
    undefined,
  ])
  expect(stale.stdout).toContain('1 older than max_age')
  const calls = chat.asked.length
  const renewed = await run(dir, ['--replay', 'tape.yaml', '--record-new'], { live: true })
  expect(chat.asked.slice(calls)).toEqual(['one'])
  expect(renewed.summary['recording']).toMatchObject({ replayed: 1, recorded: 1 })
  const again = await run(dir, ['--replay', 'tape.yaml'])
  expect(again.summary['recording']).toEqual({ replayed: 2, recorded: 0, passed_through: 0, unused: 0 })
})

test('what is longer than 64 kB is beside the file, by its hash', async () => {
  const long = `begins ${'äöü '.repeat(20_000)}ends`
  const dir = makeFolder({
    'agent.mjs': `
export const run = (messages) => {
  const text = messages.at(-1).content
  if (text === 'list') return { content: Array.from({ length: 9000 }, (_, n) => ({ n, [\`$body\`]: 'x' })) }
  if (text === 'sly') return { content: { $body: 'sha256:${'0'.repeat(64)}' } }
  return 'heard ' + text
}`,
    'cases.jsonl': [
      { id: 'T1', turns: [{ input: long }, { input: 'short' }], assert: { type: 'contains', value: 'heard' } },
      { id: 'T2', input: 'list', assert: { type: 'json_path', path: '$[8999].n', value: 8999 } },
      { id: 'T3', input: 'sly', assert: { type: 'json_path', path: '$.$body', value: `sha256:${'0'.repeat(64)}` } },
    ],
  })
  const name = './agent.mjs#run'
  const live = await run(dir, ['--record', 'tape.yaml'], { name })
  expect(live.results.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed'])
  expect(Buffer.byteLength(tape(dir))).toBeLessThan(10_000)
  const bodies = readdirSync(join(dir, 'tape.bodies')).toSorted()
  // What was asked, what was answered, and a list.
  expect(bodies.map((file) => file.slice(64)).toSorted()).toEqual(['.json', '.txt', '.txt'])
  const replay = await run(dir, ['--replay', 'tape.yaml'], { name })
  expect(lasting(replay.results)).toEqual(lasting(live.results))

  const before = tape(dir)
  await run(dir, ['--record', 'tape.yaml'], { name })
  expect([tape(dir), readdirSync(join(dir, 'tape.bodies')).toSorted()]).toEqual([before, bodies])
  const [body = ''] = bodies.filter((file) => file.endsWith('.txt'))
  const text = readFileSync(join(dir, 'tape.bodies', body), 'utf8')
  writeFileSync(join(dir, 'tape.bodies', body), `${text}!`)
  expect((await run(dir, ['--replay', 'tape.yaml'], { name })).stderr).toMatch(/tape\.yaml:\d+: .*was changed/)
  rmSync(join(dir, 'tape.bodies', body))
  expect((await run(dir, ['--replay', 'tape.yaml'], { name })).stderr).toMatch(/tape\.yaml:\d+: .*is missing/)
  writeFileSync(join(dir, 'tape.bodies', body), text)
  // Nothing refers to them any more.
  written(dir, [{ id: 'T1', input: 'short', assert: { type: 'contains', value: 'heard' } }])
  await run(dir, ['--replay', 'tape.yaml', '--record-new'], { name, live: true })
  await viva(['cassette', 'prune', 'tape.yaml', '-i', 'cases.jsonl', '-n', name], { cwd: dir })
  expect(existsSync(join(dir, 'tape.bodies'))).toBe(false)
})

test('a recording of another agent is refused before anything runs, with its place', async () => {
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'hi' } }],
    'other.mjs': "export default () => 'hi'\n",
  })
  await run(dir, ['--record', 'tape.yaml'], { name: 'builtin:echo' })
  const other = await run(dir, ['--replay', 'tape.yaml'], { name: './other.mjs' })
  expect(other.code).toBe(2)
  expect(other.stderr).toMatch(/has answers of builtin:echo, and this run tests \.\/other\.mjs[\s\S]*tape\.yaml:7/)
  const added = await run(dir, ['--replay', 'tape.yaml', '--record-new'], { name: './other.mjs', live: true })
  expect(added.code).toBe(0)
  for (const name of ['builtin:echo', './other.mjs'])
    expect((await run(dir, ['--replay', 'tape.yaml'], { name })).code).toBe(0)
})

test('two recordings of a run have equal hashes; one replays on another day, in another folder and time zone', async () => {
  const chat = await startChat()
  const cases = [
    {
      id: 'T1',
      input: 'hello',
      simulator: { options: { metadata: { goal: 'hear three answers' } } },
      assert: SAID,
      final_assertions: [{ type: 'agent', value: 'kind' }],
    },
  ]
  const prompts = (text: string): Record<string, string> => ({
    'assistants/desk/prompts.yml': `- content: "${text}"\n`,
  })
  const dir = app(chat.url, cases, prompts('At $SYS.DATETIME for $CTX.CHAT_ID'))
  const hashes = (name: string): string[] => tape(dir, name).match(/prompt_hash: .*/g) ?? []
  await run(dir, ['--record', 'first.yaml'], { live: true })
  await run(dir, ['--record', 'second.yaml', '--parallel', '2'], { live: true })
  expect(hashes('first.yaml').length).toBeGreaterThan(5)
  expect(hashes('second.yaml')).toEqual(hashes('first.yaml'))

  // Times in prompts are kept by name: another day and place make no difference.
  const all = '$SYS.DATETIME, $SYS.WEEKDAY, {{ $SYS.HOUR }}, $SYS.TIME, $CTX.SECOND, $SYS.UNIX in $SYS.TIMEZONE'
  writeFiles(dir, prompts(`Now ${all}. 14:05`))
  await run(dir, ['--record', 'one.yaml'], { live: true, tz: 'Asia/Tokyo' })
  await run(dir, ['--record', 'two.yaml'], { live: true, tz: 'America/Los_Angeles' })
  expect(tape(dir, 'one.yaml')).toContain(
    'Now $SYS.DATETIME, $SYS.WEEKDAY, $SYS.HOUR, $SYS.TIME, $SYS.SECOND, $SYS.UNIX in $SYS.TIMEZONE. 14:05',
  )
  const lasting = (name: string): string =>
    tape(dir, name).replaceAll(/^ *(?:#.*|recorded: .*|duration_ms: .*|clock: .*|timezone: .*|date: .*)\n/gm, '')
  expect(lasting('two.yaml')).toEqual(lasting('one.yaml'))
  expect(tape(dir, 'two.yaml')).not.toEqual(tape(dir, 'one.yaml'))
  // What was sent is the time.
  const sent = chat.prompts.filter((text) => text.includes('14:05'))
  expect(sent.filter((text) => text.includes('$'))).toEqual([])
  expect(new Set(sent.map((text) => /Asia\/Tokyo|America\/Los_Angeles/.exec(text)?.[0])).size).toBe(2)

  const elsewhere = makeFolder()
  cpSync(dir, elsewhere, { recursive: true })
  await chat.close()
  const args = ['test', '-i', 'cases.jsonl', '-n', 'desk', '--replay', 'one.yaml', '-o', 'x.jsonl']
  for (const TZ of ['Asia/Tokyo', 'America/Los_Angeles']) {
    const { code, stdout } = await viva([...args, '--force'], { cwd: elsewhere, env: { PATH: '', TZ } })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/Recording: \d+ replayed\n/)])
  }
  // A recording that holds the times themselves replays by its clock, and by no other.
  const [, clock = ''] = /clock: (.*)/.exec(tape(dir, 'one.yaml')) ?? []
  writeFiles(elsewhere, prompts('Now $SYS.HOUR'))
  const old = tape(dir, 'one.yaml').replaceAll(/Now .*/g, `Now ${clock.slice(11, 13)}`)
  writeFileSync(join(elsewhere, 'one.yaml'), old)
  expect((await viva([...args, '--force'], { cwd: elsewhere, env: { PATH: '' } })).code).toBe(0)
  writeFileSync(
    join(elsewhere, 'one.yaml'),
    old.replace(/clock: (.*)T\d\d/, `clock: $1T${clock.includes('T03') ? '04' : '03'}`),
  )
  const { stdout } = await viva([...args, '--force'], { cwd: elsewhere, env: { PATH: '' } })
  expect(stdout).toMatch(/- system: Now \d\d[\s\S]*\+ system: Now \$SYS\.HOUR/)

  // Neither the hour written out nor another variable is what was recorded.
  writeFileSync(join(elsewhere, 'one.yaml'), tape(dir, 'one.yaml'))
  for (const changed of [all.replace('WEEKDAY', 'MONTH'), all.replace('$SYS.TIMEZONE', 'Asia/Tokyo')]) {
    writeFiles(elsewhere, prompts(`Now ${changed}. 14:05`))
    const told = await viva([...args, '--force'], { cwd: elsewhere, env: { PATH: '' } })
    expect([told.code, told.stdout]).toEqual([1, expect.stringContaining('Replay mismatch')])
  }
})

test('http calls of scripts come from the tape, and belong to the case, test or hook that makes them', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const isImage = request.url === '/image'
    response.setHeader('content-type', isImage ? 'image/png' : 'application/json')
    response.end(isImage ? Buffer.from([0, 255, 1]) : JSON.stringify({ at: request.url, n: asked.length }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const dir = app('http://127.0.0.1:9', [], {
    'connectors/main.conn.yao': { type: 'mock', options: { script: 'scripts.model.Answer' } },
    'scripts/model.ts':
      "export function Answer({ messages }) { return { output: 'said ' + messages.map((m) => m.content).join('|') } }\n",
    'scripts/hooks.ts': `
export function Before() { return http.Get('${url}/before').data }
export function After() { http.Get('${url}/after') }
export function BeforeAll() { return http.Get('${url}/all', null, { authorization: 'Bearer ${KEY}' }).data }
export function Check(output) { return http.Get('${url}/check').data.at === '/check' && http.Get('${url}/image').data.length === 3 }
`,
    'assistants/desk/src/index.ts': `export function Create(ctx, messages) { return { messages: [...messages, { role: 'user', content: JSON.stringify(http.Get('${url}/hook').data) }] } }\n`,
    'assistants/desk/src/shop_test.ts': `
let before = ''
export function BeforeAll() { before = Process('agents.desk.Stream', {}, 'before all').content }
export function AfterAll() { http.Get('${url}/after-all') }
export function TestShop(t) {
  t.assert.Contains(before, 'before all')
  const answer = Process('agents.desk.Stream', {}, 'from a test')
  t.assert.Contains(answer.content, 'from a test')
  t.assert.Equal(http.Get('${url}/test').data.at, '/test')
}
`,
  })
  written(
    dir,
    ['T1', 'T2'].map((id) => ({
      id,
      input: id,
      before: 'scripts.hooks.Before',
      after: 'scripts.hooks.After',
      assert: [SAID, { type: 'script', script: 'scripts.hooks.Check' }],
    })),
  )
  const hooks = ['--before', 'scripts.hooks.BeforeAll', '--parallel', '2']
  const live = await run(dir, ['--record', 'tape.yaml', ...hooks], { live: true })
  expect([live.code, live.stderr]).toEqual([0, expect.any(String)])
  expect(asked.length).toBe(1 + 2 * 5)
  const tests = ['test', '-i', 'scripts.desk.shop', '--record', 'tests.yaml', '-o', 't.jsonl']
  const recorded = await viva(tests, { cwd: dir })
  expect([recorded.code, recorded.stdout]).toEqual([0, expect.stringContaining('1 passed')])
  const calls = asked.length
  await new Promise((resolve) => server.close(resolve))
  const replay = await run(dir, ['--replay', 'tape.yaml', ...hooks])
  expect(lasting(replay.results)).toEqual(lasting(live.results))
  expect(replay.summary['recording']).toMatchObject({ recorded: 0, passed_through: 0, unused: 0 })
  const replayTests = ['test', '-i', 'scripts.desk.shop', '--replay', 'tests.yaml']
  const again = await viva([...replayTests, '-o', 'u.jsonl'], { cwd: dir })
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('6 replayed')])
  expect(asked).toHaveLength(calls)
  expect(tape(dir)).not.toContain(KEY)

  // A hook of the run that swallows what the tape does not know makes the run red all the same.
  writeFiles(dir, {
    'scripts/sly.ts': `export function All() { try { http.Get('${url}/other') } catch { return {} } return {} }\n`,
  })
  const sly = await run(dir, ['--replay', 'tape.yaml', '--before', 'scripts.sly.All'])
  expect([sly.code, JSON.stringify(sly.summary)]).toEqual([3, expect.stringContaining('--before: Replay mismatch')])
  // And so does a file of tests.
  writeFiles(dir, {
    'assistants/desk/src/shop_test.ts': `
export function BeforeAll() { try { Process('agents.desk.Stream', {}, 'something else') } catch {} }
export function TestShop(t) { t.assert.True(true) }
`,
  })
  const swallowed = await viva([...replayTests, '-o', 'v.jsonl'], { cwd: dir })
  expect(swallowed.code).toBe(3)
  expect(readFileSync(join(dir, 'v.jsonl'), 'utf8')).toContain('--file:scripts.desk.shop: Replay mismatch')
})

test('what is done again around the tests of a file after a kill is recorded once', async () => {
  let isHeld = true
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url !== '/slow' || !isHeld) response.end(JSON.stringify({ at: request.url }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const dir = makeFolder({
    'app.yao': {},
    'assistants/desk/package.yao': { name: 'Desk', connector: 'mock' },
    'assistants/desk/mock.yml': '- output: hello',
    'assistants/desk/src/shop_test.ts': `
export function BeforeAll() { http.Get('${url}/before') }
export function AfterAll() { http.Get('${url}/after') }
export function TestOne(t) { t.assert.Equal(http.Get('${url}/one').data.at, '/one') }
export function TestTwo(t) { t.assert.Equal(http.Get('${url}/slow').data.at, '/slow') }
`,
  })
  const given = ['test', '-i', 'scripts.desk.shop']
  const killed = startViva([...given, '--record', 'tape.yaml', '-o', 'out.jsonl'], { cwd: dir })
  const events = join(dir, 'out.jsonl')
  while (!existsSync(events) || !readFileSync(events, 'utf8').includes('"type":"result"'))
    await new Promise((resolve) => setTimeout(resolve, 20))
  killed.process.kill('SIGKILL')
  await killed.done
  isHeld = false
  const again = await viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect([again.code, again.stderr]).toEqual([0, expect.any(String)])
  expect([...tape(dir).matchAll(/url: \S*(\/\w+)$/gm)].map(([, path]) => path)).toEqual([
    '/before',
    '/after',
    '/one',
    '/slow',
  ])
  const played = await viva([...given, '--replay', 'tape.yaml', '-o', 'played.jsonl'], { cwd: dir })
  expect([played.code, played.stdout]).toEqual([0, expect.stringContaining('4 replayed')])
})
