// What is replayed and what is not: tools, lanes kept live, calls passed through, position alone.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { viva, type CliRun, type Files } from '../support/run-cli.js'
import { app, JUDGED, lasting, run, startChat, tape } from './support.js'

/** Just enough of a tool server: it counts how often it is asked. */
const SERVER = `
import { appendFileSync } from 'node:fs'
let text = ''
process.stdin.on('data', (data) => {
  text += data
  for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
    const { id, method, params } = JSON.parse(text.slice(0, end))
    text = text.slice(end + 1)
    appendFileSync(process.argv[2], method + '\\n')
    const result = method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'far', version: '1' } }
      : method === 'tools/list' ? { tools: [{ name: 'fetch', description: 'Fetches.', inputSchema: { type: 'object' } }] }
      : { content: [{ type: 'text', text: 'fetched ' + params?.arguments?.what }], isError: params?.arguments?.what === 'nothing' }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  }
})`

/** The model asks for tools by what the user says, and then repeats what they gave. */
const MODEL = `
export function Answer({ messages }) {
  const last = messages.at(-1)
  if (last.role === 'tool') return { output: 'I got ' + messages.filter((m) => m.role === 'tool').map((m) => m.content).join(' and ') }
  if (String(last.content).startsWith('summarise')) return { output: 'a summary' }
  return { tool_calls: String(last.content).split(' ').map((word, i) => word === 'think'
    ? { id: 'c' + i, name: 'desk__think', args: {} } : { id: 'c' + i, name: 'far__fetch', args: { what: word } }) }
}
`

function toolApp(cases: object[], files: Files = {}): string {
  return app('http://127.0.0.1:9', cases, {
    'scripts/model.ts': MODEL,
    'connectors/main.conn.yao': { type: 'mock', options: { script: 'scripts.model.Answer' } },
    'server.mjs': SERVER,
    'assistants/desk/package.yao': { name: 'Desk', connector: 'main', mcp: { servers: ['far', 'desk'] } },
    'assistants/desk/mcps/desk.mcp.yao': { tools: { think: 'agents.desk.think.Think' } },
    'assistants/desk/src/think.ts':
      "export function Think(ctx) { return ctx.agent.Call('helper', 'summarise').content }\n",
    'assistants/helper/package.yao': { name: 'Helper', connector: 'main' },
    'assistants/helper/prompts.yml': '- content: Be brief.\n',
    ...files,
  })
}

function withServer(dir: string): void {
  const server = { transport: 'stdio', command: process.execPath, args: [join(dir, 'server.mjs'), join(dir, 'asked')] }
  writeFileSync(join(dir, 'assistants/desk/mcps/far.mcp.yao'), JSON.stringify(server))
}

test('tools and the lists of their servers come from the tape; the server is not started', async () => {
  const dir = toolApp([
    { id: 'T1', input: 'apples pears think', assert: { type: 'contains', value: 'fetched pears' } },
    { id: 'T2', input: 'nothing', assert: { type: 'contains', value: 'Error' } },
  ])
  withServer(dir)
  const live = await run(dir, ['--record', 'tape.yaml', '--parallel', '2'], { live: true })
  expect(live.results.map(({ status, error }) => [status, error])).toEqual([
    ['passed', undefined],
    ['passed', undefined],
  ])
  // One list; T1: two answers of the model, three tools; T2: two answers, one tool. What a tool asks is part of the tool.
  expect(live.summary['recording']).toMatchObject({ recorded: 9 })
  expect(tape(dir)).toContain('hat: tools:desk/far')
  rmSync(join(dir, 'server.mjs'))
  rmSync(join(dir, 'asked'))
  for (const parallel of ['1', '2']) {
    const replay = await run(dir, ['--replay', 'tape.yaml', '--parallel', parallel])
    expect(lasting(replay.results)).toEqual(lasting(live.results))
    expect(replay.summary['recording']).toEqual({ replayed: 9, recorded: 0, passed_through: 0, unused: 0 })
  }
  expect(existsSync(join(dir, 'asked'))).toBe(false)
})

test('a tool that is called differently is a mismatch, and one that a test replaces is not recorded', async () => {
  const replaced = {
    id: 'T1',
    input: 'apples',
    testing: { tools: { fetch: 'stubbed' } },
    assert: { type: 'contains', value: 'stubbed' },
  }
  const dir = toolApp([replaced])
  withServer(dir)
  expect((await run(dir, ['--record', 'tape.yaml'], { live: true })).code).toBe(0)
  expect(tape(dir)).not.toContain('hat: tools:far__fetch')
  writeFileSync(join(dir, 'cases.jsonl'), JSON.stringify({ ...replaced, testing: { tools: { fetch: 'other' } } }))
  const replay = await run(dir, ['--replay', 'tape.yaml'])
  expect(String(replay.results[0]?.['error'])).toMatch(
    /Replay mismatch at interaction \d+ \(hat: agent:desk\)[\s\S]*- tool: stubbed[\s\S]*\+ tool: other/,
  )
})

test('--live keeps a lane live while the rest comes from the tape', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [{ id: 'T1', input: 'hi', assert: JUDGED }])
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  const calls = chat.asked.length
  const judged = await run(dir, ['--replay', 'tape.yaml', '--live', 'judge'], { live: true })
  expect(judged.summary).toMatchObject({
    passed: 1,
    recording: { replayed: 1, recorded: 0, passed_through: 0, unused: 0 },
  })
  expect(chat.asked.slice(calls)).toEqual([expect.stringContaining('<data-')])
  const unknown = await run(dir, ['--replay', 'tape.yaml', '--live', 'jugde'])
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringContaining('expected one of agent, tools, simulator, judge, generator, found "jugde"'),
  ])
})

test('--allow-passthrough calls what is missing and leaves the file alone', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'said' } }])
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  const before = tape(dir)
  writeFileSync(join(dir, 'cases.jsonl'), '{"id":"T1","input":"ho","assert":{"type":"contains","value":"said: ho"}}\n')
  const passed = await run(dir, ['--replay', 'tape.yaml', '--allow-passthrough'], { live: true })
  expect(passed.summary).toMatchObject({
    passed: 1,
    recording: { replayed: 0, recorded: 0, passed_through: 1, unused: 1 },
  })
  expect(passed.stdout).toContain('Recording: 1 passed through, 1 unused')
  expect(tape(dir)).toBe(before)
})

test('--no-strict answers by position alone, and unknown cases are still errors', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'said' } }])
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  const cases = ['T1', 'T2'].map(
    (id) => `${JSON.stringify({ id, input: 'ho', assert: { type: 'contains', value: 'said: hi' } })}\n`,
  )
  writeFileSync(join(dir, 'cases.jsonl'), cases.join(''))
  const replay = await run(dir, ['--replay', 'tape.yaml', '--no-strict'])
  expect(replay.results.map(({ status }) => status)).toEqual(['passed', 'failed'])
  expect(String(replay.results[1]?.['error'])).toContain('nothing is recorded for T2')
})

test('every run and attempt has answers of its own; errors are replayed without their waits', async () => {
  const dir = app(
    'http://127.0.0.1:9',
    [
      {
        id: 'T1',
        input: 'hi',
        retry: { max_attempts: 3, backoff_ms: 600_000 },
        assert: { type: 'contains', value: 'at last' },
      },
    ],
    {
      'connectors/main.conn.yao': { type: 'mock', options: { script: 'scripts.model.Answer' } },
      'scripts/model.ts':
        "export function Answer({ call }) { return call.attempt < 3 ? { error: 'overloaded: run ' + call.run } : { output: 'at last, run ' + call.run } }\n",
    },
  )
  // Live, the waits would take too long: one attempt is recorded at a time.
  const quick = readFileSync(join(dir, 'cases.jsonl'), 'utf8')
  writeFileSync(join(dir, 'cases.jsonl'), quick.replace('600000', '1'))
  const live = await run(dir, ['--record', 'tape.yaml', '--runs', '2'], { live: true })
  expect(live.summary['recording']).toMatchObject({ recorded: 6 })
  writeFileSync(join(dir, 'cases.jsonl'), quick)
  const replay = await run(dir, ['--replay', 'tape.yaml', '--runs', '2'])
  expect(replay.results.map(({ status, attempts, output }) => [status, attempts, output])).toEqual([
    ['passed', 3, 'at last, run 1'],
    ['passed', 3, 'at last, run 2'],
  ])
})

test('flags that contradict each other, and files that cannot be replayed, are errors before anything runs', async () => {
  const dir = app('http://127.0.0.1:9', [{ id: 'T1', input: 'hi' }], { 'cut.yaml': 'interactions: []\n' })
  const hasPipe = spawnSync('mkfifo', [join(dir, 'pipe.yaml')]).status === 0
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--record', 'copies'], { cwd: dir })
  cpSync(join(dir, 'copies/T1.yaml'), join(dir, 'copies/T1 copy.yaml'))
  const wrong: Array<[string[], string]> = [
    [['--record', 'a.yaml', '--replay', 'a.yaml'], '--record and --replay cannot be used together'],
    [['--record', ''], '--record: expected a file or a folder, found nothing'],
    [['--replay', ''], '--replay: expected a file or a folder, found nothing'],
    [['--record-new'], '--record-new needs --replay'],
    [['--no-strict', '--record', 'a.yaml'], '--no-strict needs --replay'],
    [['--live', 'judge'], '--live needs --replay'],
    [['--replay', 'a.yaml', '--record-new', '--allow-passthrough'], 'cannot be used together'],
    [['--record', 'a.yaml', '--dry-run'], 'a dry run records nothing'],
    [['--replay', 'a.yaml'], 'no such recording'],
    [['--replay', 'cut.yaml'], 'cut.yaml:2: cut short'],
    [['--replay', 'pipe.yaml'], hasPipe ? 'this is not a regular file' : 'no such recording'],
    [['--replay', 'copies'], 'the case "T1" is recorded in two files of this folder'],
  ]
  for (const [args, message] of wrong) {
    const { code, stderr } = await run(dir, args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  }
})

test('viva cassette lists and shows what is recorded, and says which cases it no longer serves', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [
    { id: 'T1', turns: [{ input: 'one' }, { input: 'two' }], assert: { type: 'contains', value: 'said' } },
    { id: 'T2', input: 'hi', assert: { type: 'contains', value: 'no such answer' } },
  ])
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  await chat.close()
  const cassette = (...args: string[]): Promise<CliRun> => viva(['cassette', ...args], { cwd: dir })
  expect((await cassette('list', 'tape.yaml')).stdout).toMatch(
    /T1 +1 +1 +2 +30 +agent:desk\nT2 +1 +1 +1 +15 +agent:desk\n/,
  )
  const { stdout } = await cassette('show', 'tape.yaml', 'T1')
  expect(stdout).toContain('  > user: two\n  < You said: two\n')
  expect(stdout.match(/system: You are kind/g)).toHaveLength(1)
  expect(await cassette('show', 'tape.yaml', 'T9')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no recording of a case "T9"') as string,
  })

  const verify = ['verify', 'tape.yaml', '-i', 'cases.jsonl', '-n', 'desk']
  expect(await cassette(...verify)).toMatchObject({ code: 0, stdout: '2 of 2 results served by tape.yaml\n' })
  const cases = readFileSync(join(dir, 'cases.jsonl'), 'utf8')
  writeFileSync(join(dir, 'cases.jsonl'), cases.replace('"two"', '"zwei"'))
  const lost = await cassette(...verify)
  expect([lost.code, lost.stdout]).toEqual([
    1,
    expect.stringMatching(/✗ \[T1\] Replay mismatch at interaction 2[\s\S]*\+ user: zwei[\s\S]*1 of 2 results served/),
  ])
  writeFileSync(join(dir, 'tape.yaml'), tape(dir).replace('content: hi', 'content: ho'))
  expect(await cassette('verify', 'tape.yaml')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/tape\.yaml:\d+: the request/) as string,
  })
})

test('cases that a generator made are made again from the tape', async () => {
  const dir = app('http://127.0.0.1:9', [], {
    'connectors/main.conn.yao': { type: 'mock', options: { script: 'scripts.model.Answer' } },
    'scripts/model.ts':
      "export function Answer({ call }) { return { output: call.lane === 'generator' ? JSON.stringify({ cases: [{ id: 'G1', input: 'hi', assert: { type: 'contains', value: 'fine' } }] }) : 'fine' } }\n",
  })
  const made = ['test', '-i', 'agents:viva.cases?count=1', '-n', 'desk']
  const live = await viva([...made, '--record', 'tape.yaml'], { cwd: dir })
  expect([live.code, live.stdout]).toEqual([0, expect.stringContaining('Recording: 2 recorded')])
  expect(tape(dir)).toContain('hat: generator:viva.cases')
  rmSync(join(dir, 'scripts'), { recursive: true })
  const replay = await viva([...made, '--replay', 'tape.yaml'], { cwd: dir, env: { PATH: '', HOME: '' } })
  expect([replay.code, replay.stdout]).toEqual([0, expect.stringContaining('Recording: 2 replayed\n')])
  const dry = await viva([...made, '--replay', 'tape.yaml', '--dry-run'], { cwd: dir })
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('[G1]')])
})
