// Recorded once, replayed without anything: no key, no network, no program.
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, startViva, viva } from '../support/run-cli.js'
import { app, conversations, JUDGED, KEY, lasting, resultsIn, run, startChat, tape } from './support.js'

test('conversations with simulator and judge replay to the same results, side by side or not', async () => {
  const chat = await startChat()
  const dir = app(chat.url, conversations(20))
  const live = await run(dir, ['--record', 'tape.yaml', '--parallel', '4'], { live: true })
  expect([live.code, live.stderr]).toEqual([0, expect.any(String)])
  expect(live.summary).toMatchObject({ passed: 20, recording: { recorded: chat.asked.length, replayed: 0 } })
  expect(live.summary['cost_dollars']).toBeGreaterThan(0)
  expect(readdirSync(dir).filter((name) => /journal|lock|tmp/.test(name))).toEqual([])
  await chat.close()

  for (const parallel of ['1', '8']) {
    const replay = await run(dir, ['--replay', 'tape.yaml', '--parallel', parallel])
    expect([replay.code, replay.stderr]).toEqual([0, expect.any(String)])
    expect(lasting(replay.results)).toEqual(lasting(live.results))
    expect(replay.summary).toMatchObject({
      cost_dollars: 0,
      recording: { replayed: chat.asked.length, recorded: 0, passed_through: 0, unused: 0 },
    })
    expect(replay.stdout).toContain(`Recording: ${chat.asked.length} replayed`)
  }
  // The key went to the server and nowhere else.
  for (const name of readdirSync(dir)) {
    if (existsSync(join(dir, name)) && /\.(jsonl|yaml)$/.test(name))
      expect(readFileSync(join(dir, name), 'utf8')).not.toContain(KEY)
  }
})

test('the same answers recorded again leave the file as it is', async () => {
  const chat = await startChat()
  const dir = app(chat.url, conversations(3))
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  const first = tape(dir)
  await run(dir, ['--record', 'tape.yaml', '--parallel', '3'], { live: true })
  expect(tape(dir)).toBe(first)
})

test('an agent that is down costs no recording', async () => {
  const dir = makeFolder({
    'agent.mjs': 'export const run = (messages) => `said ${messages.at(-1).content}`\n',
    'cases.jsonl': [{ id: 'T1', input: 'a', assert: { type: 'contains', value: 'a' } }],
  })
  const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run']
  expect((await viva([...args, '--record', 'tape.yaml'], { cwd: dir })).code).toBe(0)
  const before = readFileSync(join(dir, 'tape.yaml'), 'utf8')
  writeFileSync(join(dir, 'agent.mjs'), 'export const run = () => { throw new Error("down") }\n')
  const down = await viva([...args, '--record', 'tape.yaml'], { cwd: dir })
  expect(down.code).toBe(1)
  expect(down.stderr).toContain('tape.yaml keeps its earlier answers for T1')
  expect(readFileSync(join(dir, 'tape.yaml'), 'utf8')).toBe(before)
})

test('a changed word in the prompt is named, and the case has no verdict', async () => {
  const chat = await startChat()
  const dir = app(chat.url, conversations(2))
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  writeFileSync(join(dir, 'assistants/desk/prompts.yml'), '- content: You are kind and curt.\n')
  const replay = await run(dir, ['--replay', 'tape.yaml'])
  expect(replay.code).toBe(1)
  expect(replay.results.map(({ status, error_kind, attempts }) => [status, error_kind, attempts])).toEqual([
    ['failed', 'agent', undefined],
    ['failed', 'agent', undefined],
  ])
  const error = String(replay.results[0]?.['error'])
  expect(error).toMatch(
    /Replay mismatch at interaction 1 \(hat: agent:desk\)\nExpected hash: sha256:[0-9a-f]{64}\nActual hash: {3}sha256:[0-9a-f]{64}\n/,
  )
  expect(error).toContain(
    [
      'Prompt diff (first 500 chars):',
      '- system: You are kind and brief.',
      '+ system: You are kind and curt.',
      '                           ^^^^^',
    ].join('\n'),
  )
  expect(error).not.toContain('Hint')
})

test('--record-new after a changed word asks only for what the word is in; the other cases stay free', async () => {
  const chat = await startChat()
  const polite = (id: string, locale: string): object => ({
    id,
    input: `hello from ${id}`,
    options: { context: { locale } },
    assert: { type: 'agent', value: 'kind' },
  })
  const dir = app(chat.url, [polite('T1', 'en-us'), polite('T2', 'de-de'), polite('T3', 'en-us')], {
    'assistants/desk/prompts.yml': '- content: $CTX.LOCALE says be kind and brief.\n',
  })
  expect((await run(dir, ['--record', 'tape.yaml'], { live: true })).summary).toMatchObject({ passed: 3 })
  const before = tape(dir)
  const asked = chat.asked.length
  const changed = [polite('T1', 'en-us'), polite('T2', 'de-at'), polite('T3', 'en-us')]
  writeFileSync(join(dir, 'cases.jsonl'), changed.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const again = await run(dir, ['--replay', 'tape.yaml', '--record-new'], { live: true })
  expect(again.summary).toMatchObject({ passed: 3, recording: { replayed: 4, recorded: 2, passed_through: 0 } })
  expect(chat.asked.slice(asked)).toEqual([
    expect.stringContaining('hello from T2'),
    expect.stringContaining('hello from T2'),
  ])
  const warnings = again.results.map(({ id, warnings }) => [id, String(warnings)])
  expect(warnings).toEqual([
    ['T1', 'undefined'],
    ['T2', expect.stringMatching(/^recorded again from call 1 of agent:desk on: [\s\S]*de-de[\s\S]*de-at/)],
    ['T3', 'undefined'],
  ])
  // What was not asked again is the same in every byte.
  const ofCase = (text: string, id: string): string[] =>
    text.split(/\n(?= {2}- request:)/).filter((part) => part.includes(`case: ${id}\n`))
  for (const id of ['T1', 'T3']) expect(ofCase(tape(dir), id)).toEqual(ofCase(before, id))
  expect((await run(dir, ['--replay', 'tape.yaml'])).summary).toMatchObject({ passed: 3, recording: { unused: 0 } })
})

test('what a user calls "headers" is part of what is asked', async () => {
  const asked = (plan: string): object => ({
    id: 'T1',
    input: 'my plan?',
    metadata: { headers: { plan } },
    assert: { type: 'contains', value: 'basic' },
  })
  const dir = makeFolder({
    'agent.mjs': 'export const run = (_, { metadata }) => metadata.headers.plan\n',
    'cases.jsonl': [asked('basic')],
    'changed.jsonl': [asked('premium')],
  })
  const args = ['test', '-n', './agent.mjs#run', '-i']
  expect((await viva([...args, 'cases.jsonl', '--record', 'tape.yaml'], { cwd: dir })).code).toBe(0)
  expect((await viva([...args, 'cases.jsonl', '--replay', 'tape.yaml'], { cwd: dir })).code).toBe(0)
  const { code, stdout } = await viva([...args, 'changed.jsonl', '--replay', 'tape.yaml'], { cwd: dir })
  expect([code, stdout]).toEqual([1, expect.stringContaining('Replay mismatch')])
})

test('a mismatch proposes the redaction that makes it go away, and with it the case replays', async () => {
  const chat = await startChat()
  const asked = (user: string): object[] => [
    { id: 'T1', input: `Implement auth for ${user}`, assert: { type: 'contains', value: 'Implement' } },
  ]
  const dir = app(chat.url, asked('user_abc123'))
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  writeFileSync(join(dir, 'cases.jsonl'), `${JSON.stringify(asked('user_xyz789')[0])}\n`)
  const replay = await run(dir, ['--replay', 'tape.yaml'])
  const hint = /Hint: Add redaction for user_id: (.*)/.exec(String(replay.results[0]?.['error']))?.[1]
  expect(hint).toBe('{"patterns":{"user_id":"user_[a-z]*[0-9][0-9a-z]*"}}')
  writeFileSync(
    join(dir, 'viva.config.json'),
    JSON.stringify({ helpers: { connector: 'main' }, redactions: JSON.parse(hint ?? '') as object }),
  )
  expect((await run(dir, ['--replay', 'tape.yaml'])).summary).toMatchObject({ passed: 1 })
})

test('an error that a hook swallows is not a pass', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'fine' } }], {
    'assistants/desk/src/index.ts':
      "export function Create(ctx) { try { Process('agents.other.Stream', ctx, 'hi') } catch (e) {} return null }\n" +
      "export function Next() { return { data: 'fine' } }\n",
    'assistants/other/package.yao': { name: 'Other', connector: 'main' },
    'assistants/other/prompts.yml': '- content: Be brief.\n',
  })
  expect((await run(dir, ['--record', 'tape.yaml'], { live: true })).code).toBe(0)
  expect((await run(dir, ['--replay', 'tape.yaml'])).code).toBe(0)
  writeFileSync(join(dir, 'assistants/other/prompts.yml'), '- content: Be long.\n')
  const replay = await run(dir, ['--replay', 'tape.yaml'])
  expect(replay.results[0]).toMatchObject({ status: 'failed', error_kind: 'agent' })
  expect(String(replay.results[0]?.['error'])).toContain('Replay mismatch at interaction 1 (hat: agent:other)')
})

test('functions, programs and endpoints are replayed where they are gone', async () => {
  const chat = await startChat()
  const dir = makeFolder({
    'agent.mjs':
      'export default (messages) => ({ content: { said: messages.at(-1).content }, tool_calls: [{ name: "look", args: { a: 1 } }] })\n',
    'agent.sh': '#!/bin/sh\necho "the program answers"\necho oops >&2\nexit 3\n',
    'viva.config.json': { agents: { remote: { target: `${chat.url}/v1/chat/completions`, model: 'm' } } },
    'cases.jsonl': [{ id: 'T1', input: 'hi', assert: [{ type: 'json_path', path: '$.said', value: 'hi' }] }],
  })
  const recorded = new Map<string, unknown>()
  for (const [name, agent] of Object.entries({
    module: './agent.mjs',
    program: 'exec:sh agent.sh',
    endpoint: 'remote',
  })) {
    const live = await run(dir, ['--record', `${name}.yaml`], { live: true, name: agent })
    expect(live.results, live.stderr).toHaveLength(1)
    recorded.set(name, lasting(live.results))
  }
  await chat.close()
  rmSync(join(dir, 'agent.mjs'))
  rmSync(join(dir, 'agent.sh'))
  for (const [name, agent] of Object.entries({
    module: './agent.mjs',
    program: 'exec:sh agent.sh',
    endpoint: 'remote',
  })) {
    const replay = await run(dir, ['--replay', `${name}.yaml`], { name: agent })
    expect(lasting(replay.results), name).toEqual(recorded.get(name))
    expect(replay.summary['recording'], name).toMatchObject({ replayed: 1, unused: 0 })
  }
})

test('an answer and a comment changed by hand survive, and are what is replayed', async () => {
  const chat = await startChat()
  const asked = (ids: string[]): object[] =>
    ids.map((id) => ({ id, input: `hello ${id}`, assert: { type: 'contains', value: 'said' } }))
  const dir = app(chat.url, asked(['T1', 'T2']))
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  const edited = tape(dir)
    .replace('You said: hello T1', 'They said: hello T1')
    .replace(
      '  - request:\n      hat: agent:desk\n      case: T2',
      '  # the boss likes this one\n  - request:\n      hat: agent:desk\n      case: T2',
    )
  writeFileSync(join(dir, 'tape.yaml'), edited)
  const lines = asked(['T1', 'T2', 'T3']).map((line) => `${JSON.stringify(line)}\n`)
  writeFileSync(join(dir, 'cases.jsonl'), lines.join(''))
  const replay = await run(dir, ['--replay', 'tape.yaml', '--record-new'], { live: true })
  expect(replay.results.map(({ output }) => output)).toEqual([
    'They said: hello T1',
    'You said: hello T2',
    'You said: hello T3',
  ])
  expect(replay.summary['recording']).toEqual({ replayed: 2, recorded: 1, passed_through: 0, unused: 0 })
  const now = tape(dir)
  const untouched = edited.slice(edited.indexOf('interactions:'), edited.indexOf('\nmetadata:'))
  expect(now).toContain(untouched)
  expect(now).toContain('case: T3')
  expect((await run(dir, ['--replay', 'tape.yaml'])).summary).toMatchObject({ passed: 3 })
})

test('a conversation that differs halfway keeps its beginning and records the rest', async () => {
  const chat = await startChat()
  const talk = (second: string): object => ({
    id: 'T1',
    turns: [{ input: 'one' }, { input: second }, { input: 'three' }],
    final_assertions: [JUDGED],
  })
  const other = { id: 'T2', input: 'other', assert: JUDGED }
  const dir = app(chat.url, [talk('two'), other])
  await run(dir, ['--record', 'tape.yaml'], { live: true })
  const before = tape(dir)
  writeFileSync(join(dir, 'cases.jsonl'), `${JSON.stringify(talk('zwei'))}\n${JSON.stringify(other)}\n`)
  const calls = chat.asked.length
  const again = await run(dir, ['--replay', 'tape.yaml', '--record-new'], { live: true })
  expect(again.code).toBe(0)
  expect(chat.asked.slice(calls, calls + 2)).toEqual(['zwei', 'three'])
  expect(again.summary['recording']).toEqual({ replayed: 3, recorded: 3, passed_through: 0, unused: 0 })
  // The result says it, and so does every report made from it.
  expect(again.results.map(({ warnings }) => warnings)).toEqual([
    [
      expect.stringMatching(
        /^recorded again from call 2 of agent:desk on: Replay mismatch at interaction 2 \(hat: agent:desk\)[\s\S]*- user: two[\s\S]*\+ user: zwei/,
      ),
    ],
    undefined,
  ])
  expect(again.stdout).toContain('⚠ recorded again from call 2 of agent:desk')
  const otherCase = /  - request:\n {6}hat: agent:desk\n {6}case: T2[\s\S]*?\n(?=\nmetadata:)/.exec(before)?.[0]
  expect(tape(dir)).toContain(otherCase)
  await chat.close()
  expect((await run(dir, ['--replay', 'tape.yaml'])).summary).toMatchObject({ passed: 2, recording: { unused: 0 } })
})

test('a run that is killed while recording resumes, and every case replays', async () => {
  const chat = await startChat()
  const dir = app(chat.url, conversations(6))
  chat.held = 'hello number 4'
  const started = startViva(
    [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      'desk',
      '-o',
      'events.jsonl',
      '--record',
      'tape.yaml',
      '--json',
      '--parallel',
      '2',
    ],
    { cwd: dir, env: { MODEL_KEY: KEY } },
  )
  await started.saw('"type":"result"')
  started.process.kill('SIGKILL')
  await started.done
  chat.held = undefined
  expect(existsSync(join(dir, 'tape.yaml'))).toBe(false)
  expect(existsSync(join(dir, 'tape.yaml.journal'))).toBe(true)

  const other = await run(dir, ['--record', 'tape.yaml'], { live: true })
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('RECORDING_INTERRUPTED')])
  const done = resultsIn(join(dir, 'events.jsonl')).results.length
  const calls = chat.asked.length
  const resumed = await viva(['test', '--resume', 'events.jsonl'], { cwd: dir, env: { MODEL_KEY: KEY } })
  expect(resumed.code).toBe(0)
  expect(done).toBeGreaterThan(0)
  expect(chat.asked.length - calls).toBe((6 - done) * 7)
  await chat.close()
  const replay = await run(dir, ['--replay', 'tape.yaml'])
  expect(replay.summary).toMatchObject({ passed: 6, recording: { unused: 0 } })
})

test('two runs cannot record to one file', async () => {
  const chat = await startChat()
  const dir = app(chat.url, conversations(1), {
    'slow.mjs':
      "import { existsSync } from 'node:fs'\nexport default async () => { console.log('waiting'); while (!existsSync('go')) await new Promise((r) => setTimeout(r, 5)); return 'done' }\n",
  })
  writeFileSync(join(dir, 'one.jsonl'), '{"id":"T1","input":"x"}\n')
  const first = startViva(['test', '-i', 'one.jsonl', '-n', './slow.mjs', '--record', 'tape.yaml', '--json'], {
    cwd: dir,
  })
  await first.saw('case_start')
  const second = await run(dir, ['--record', 'tape.yaml'], { live: true })
  expect([second.code, second.stderr]).toEqual([
    2,
    expect.stringMatching(/another run \(process \d+\) is writing .*tape\.yaml[\s\S]*--record/),
  ])
  writeFileSync(join(dir, 'go'), '')
  expect((await first.done).code).toBe(0)
  expect(tape(dir)).toContain('output: done')
})

test('the time that an answer took then is what latency assertions see', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [{ id: 'T1', input: 'hi', assert: { type: 'latency', max_ms: 60_000 } }])
  expect((await run(dir, ['--record', 'tape.yaml'], { live: true })).code).toBe(0)
  writeFileSync(join(dir, 'tape.yaml'), tape(dir).replace(/duration_ms: \d+/, 'duration_ms: 90000'))
  const replay = await run(dir, ['--replay', 'tape.yaml'])
  expect(replay.results[0]).toMatchObject({ status: 'failed', error_kind: 'assertion' })
})

test('in a folder every case has its own file, and only those that change are written', async () => {
  const chat = await startChat()
  const asked = (second: string): object[] => [
    { id: 'T1', input: 'one', assert: JUDGED },
    { id: 'a/b: c', input: second, assert: JUDGED },
  ]
  const dir = app(chat.url, asked('two'))
  expect((await run(dir, ['--record', 'tapes', '--parallel', '2'], { live: true })).code).toBe(0)
  const names = readdirSync(join(dir, 'tapes')).toSorted()
  expect(names).toEqual(['T1.yaml', expect.stringMatching(/^a-b-c-[0-9a-f]{8}\.yaml$/)])
  const [first = '', second = ''] = names.map((name) => tape(dir, join('tapes', name)))
  expect([first.match(/case: /g)?.length, second.match(/case: /g)?.length]).toEqual([2, 2])
  expect((await run(dir, ['--replay', 'tapes'])).summary).toMatchObject({
    passed: 2,
    recording: { replayed: 4, unused: 0 },
  })

  writeFileSync(
    join(dir, 'cases.jsonl'),
    asked('zwei')
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
  const again = await run(dir, ['--replay', 'tapes', '--record-new'], { live: true })
  expect(again.summary).toMatchObject({ passed: 2, recording: { replayed: 2, recorded: 2 } })
  expect(readdirSync(join(dir, 'tapes')).toSorted()).toEqual(names)
  expect(tape(dir, join('tapes', names[0] ?? ''))).toBe(first)
  expect(tape(dir, join('tapes', names[1] ?? ''))).toContain('zwei')
})

test('no secret is in any byte of a recording, finished or interrupted', async () => {
  const chat = await startChat((last) =>
    last.includes('fail') ? `the key is ${KEY}` : `You said: ${last} ${KEY} hunter-two-hunter-two`,
  )
  const secrets = [
    KEY,
    Buffer.from(KEY).toString('base64'),
    'ghp_0123456789abcdefABCDEF0123456789abcd',
    'hunter-two-hunter-two',
  ]
  const cases = [
    {
      id: 'T1',
      turns: [{ input: `my token is ${secrets[2]}` }, { input: 'and again' }],
      assert: { type: 'contains', value: 'said' },
    },
    {
      id: 'T2',
      input: `authorization: Bearer ${secrets[2]}`,
      metadata: { password: secrets[3] },
      assert: { type: 'contains', value: 'said' },
    },
    { id: 'T3', input: 'hold', assert: { type: 'contains', value: 'said' } },
  ]
  const dir = app(chat.url, cases, {
    'agent.mjs': `export default (messages) => { if (messages.at(-1).content.includes('hold')) throw new Error('token ${secrets[2]} and ${KEY}'); return { content: 'said ${secrets[2]}', tool_calls: [{ name: 'x', args: { api_key: '${KEY}' } }] } }\n`,
  })
  const env = { MODEL_KEY: KEY, APP_PASSWORD: 'hunter-two-hunter-two' }
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--record', 'module.yaml', '-v', '-o', 'm.jsonl'], {
    cwd: dir,
    env,
  })
  chat.held = 'hold'
  const started = startViva(
    ['test', '-i', 'cases.jsonl', '-n', 'desk', '--record', 'tape.yaml', '-o', 'e.jsonl', '--json'],
    { cwd: dir, env },
  )
  await started.saw('"id":"T3"')
  started.process.kill('SIGKILL')
  const { stdout } = await started.done
  chat.held = undefined
  const files = ['module.yaml', 'tape.yaml.journal', 'm.jsonl', 'e.jsonl']
  const texts = [stdout, ...files.map((name) => tape(dir, name))]
  await viva(['test', '--resume', 'e.jsonl'], { cwd: dir, env })
  texts.push(tape(dir))
  expect(tape(dir)).toContain('[API_KEY]')
  for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret)
  expect((await run(dir, ['--replay', 'tape.yaml'], { live: true })).results.map(({ id }) => id)).toEqual([
    'T1',
    'T2',
    'T3',
  ])
})

test('a run that is refused leaves no journal behind', async () => {
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'a', input: 'x' }], 'o.jsonl': '{}\n' })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--record', 'tape.yaml', '-o', 'o.jsonl']
  const { code, stderr } = await viva(args, { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining('OUTPUT_EXISTS')])
  expect(readdirSync(dir).toSorted()).toEqual(['cases.jsonl', 'o.jsonl'])
})
