// Recordings of several variants: each has conversations of its own, helpers answer all of them alike.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { app, KEY, lasting, resultsIn, startChat, tape, type Json } from '../recordings/support.js'
import { makeFolder, startViva, viva } from '../support/run-cli.js'

// `loud` and `loud2` answer alike.
const AGENTS = `
const last = (messages) => messages.at(-1).content
export const loud = async (messages) => ({ content: last(messages).toUpperCase() })
export const loud2 = async (messages) => ({ content: last(messages).toUpperCase() })
export const quiet = async (messages) => ({ content: last(messages).toLowerCase() + '…' })
export const at10 = async () => ({ content: 'cust_ada, at 2026-05-01T10:00:00Z' })
export const at11 = async () => ({ content: 'cust_ada, at 2026-05-01T11:00:00Z' })
export const bob = async () => ({ content: 'cust_bob, at 2026-05-01T10:00:00Z' })
export const told = async () => ({ content: 'told ' + process.env.WORD })
`
const variant = (name: string, target = name): string[] => ['--variant', `${name}=./agents.mjs#${target}`]
const THREE = [...variant('loud'), ...variant('loud2'), ...variant('quiet')]

const JUDGED = { type: 'agent', value: 'kind' }
const TALKS = [
  { id: 'T1', input: 'Hello', assert: JUDGED },
  {
    id: 'S1',
    simulator: { options: { metadata: { goal: 'hear three answers' } } },
    max_turns: 5,
    assert: { type: 'regex', value: 'THEN|then' },
  },
]

interface Ran {
  code: number | null
  stdout: string
  stderr: string
  events: Json[]
  results: Json[]
  summary: Json
}

let runs = 0

/** Without a key nothing can be asked. */
async function run(dir: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const file = `o-${++runs}.jsonl`
  const ran = await viva(['test', '-i', 'cases.jsonl', '-o', file, ...args], { cwd: dir, env: { PATH: '', ...env } })
  const read = existsSync(join(dir, file)) ? resultsIn(join(dir, file)) : { events: [], results: [], summary: {} }
  return { ...ran, ...read, results: read.results.toSorted(byVariant) }
}

const LIVE = { MODEL_KEY: KEY }

function byVariant(a: Json, b: Json): number {
  return `${String(a['id'])} ${String(a['variant'])}`.localeCompare(`${String(b['id'])} ${String(b['variant'])}`)
}

function interactions(dir: string): Array<{ request: Json; response: Json }> {
  return (parse(tape(dir)) as { interactions: Array<{ request: Json; response: Json }> }).interactions
}

const countOf = (dir: string, hat: RegExp, of?: string): number =>
  interactions(dir).filter(
    ({ request }) => hat.test(String(request['hat'])) && (of === undefined || request['variant'] === of),
  ).length

test('every variant has its own conversations, helpers are asked once, and all replays without anything', async () => {
  const chat = await startChat()
  const dir = app(chat.url, TALKS, { 'agents.mjs': AGENTS })
  const live = await run(dir, [...THREE, '--record', 'tape.yaml', '--parallel', '3'], LIVE)
  expect([live.code, live.stderr]).toEqual([0, expect.any(String)])
  expect(live.summary).toMatchObject({ passed: 6 })
  // Judges: what loud and loud2 said, and what quiet said. Users: three messages and the end each, the first of them for all.
  expect(chat.asked.filter((text) => text.includes('<data-'))).toHaveLength(2)
  expect(chat.asked.filter((text) => text.includes('"turn_number":1'))).toHaveLength(1)
  expect(chat.asked.filter((text) => text.includes('"turn_number":2'))).toHaveLength(2)
  // Each is written whole, so that each can be replayed alone.
  expect(tape(dir)).toMatch(/^ {2}format: 2$/m)
  for (const name of ['loud', 'loud2', 'quiet']) {
    expect(countOf(dir, /^agent:/, name)).toBe(4)
    expect(countOf(dir, /^judge:/, name)).toBe(1)
    expect(countOf(dir, /^simulator:/, name)).toBe(4)
  }
  const [s1, s2, s3] = live.results.map(({ turns }) => (turns as Json[] | undefined)?.[0]?.['input'])
  expect([s1, s2]).toEqual([s3, s3])

  await chat.close()
  rmSync(join(dir, 'agents.mjs'))
  for (const parallel of ['1', '6']) {
    const replay = await run(dir, [...THREE, '--replay', 'tape.yaml', '--parallel', parallel])
    expect([replay.code, replay.stderr]).toEqual([0, expect.any(String)])
    expect(lasting(replay.results)).toEqual(lasting(live.results))
    expect(replay.summary['recording']).toEqual({ replayed: 27, recorded: 0, passed_through: 0, unused: 0 })
  }
  // Another order, some of them, or one alone: nothing of the others is in the way, or left over.
  const two = await run(dir, [...variant('quiet'), ...variant('loud'), '--replay', 'tape.yaml'])
  expect(two.summary).toMatchObject({ passed: 4, recording: { replayed: 18, unused: 0 } })
  const one = await run(dir, [...variant('quiet'), '--replay', 'tape.yaml'])
  expect(one.summary).toMatchObject({ passed: 2, recording: { replayed: 9, unused: 0 } })
  const list = await viva(['cassette', 'list', 'tape.yaml'], { cwd: dir })
  expect(list.stdout).toMatch(/^T1 +loud2 +1 +1 +2 /m)
  const pruned = await viva(['cassette', 'prune', 'tape.yaml', '-i', 'cases.jsonl', ...variant('quiet')], { cwd: dir })
  expect(pruned.stdout).toContain('0 interactions dropped, 27 left')
})

test('a variant that is not on the tape is refused; --record-new adds it, asking no helper again', async () => {
  const chat = await startChat()
  const dir = app(chat.url, TALKS, { 'agents.mjs': AGENTS })
  await run(dir, [...variant('loud'), ...variant('quiet'), '--record', 'tape.yaml'], LIVE)
  const before = tape(dir)
  const refused = await run(dir, [...THREE, '--replay', 'tape.yaml'])
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('the recording has no answers of the variant "loud2": it has loud, quiet'),
  ])
  const calls = chat.asked.length
  const added = await run(dir, [...THREE, '--replay', 'tape.yaml', '--record-new'], LIVE)
  expect(added.summary).toMatchObject({ passed: 6, recording: { recorded: 9, unused: 0 } })
  // It says what loud says.
  expect(chat.asked).toHaveLength(calls)
  for (const line of before.split('\n').filter((text) => text.includes('prompt_hash')))
    expect(tape(dir)).toContain(line)
  await chat.close()
  const replay = await run(dir, [...THREE, '--replay', 'tape.yaml'])
  expect(replay.summary).toMatchObject({ passed: 6, recording: { replayed: 27 } })
  // Made with one variant, it is of none of several.
  const single = app('http://127.0.0.1:9', [{ id: 'T1', input: 'Hello' }], { 'agents.mjs': AGENTS })
  await run(single, ['-n', './agents.mjs#loud', '--record', 'tape.yaml'])
  const none = await run(single, [...variant('loud'), ...variant('quiet'), '--replay', 'tape.yaml'])
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('it was made with one, which has no name')])
})

test('answers that differ only in what recordings leave out are judged each by itself', async () => {
  const chat = await startChat()
  const judged = (): number => chat.asked.filter((text) => text.includes('<data-')).length
  const dir = app(chat.url, TALKS.slice(0, 1), {
    'agents.mjs': AGENTS,
    'viva.config.json': { helpers: { connector: 'main' }, redactions: { patterns: { customer: 'cust_[a-z]+' } } },
  })
  const two = [...variant('at10'), ...variant('at11')]
  const live = await run(dir, [...two, '--record', 'tape.yaml'], LIVE)
  expect([live.code, judged()]).toEqual([0, 2])
  const added = await run(dir, [...two, ...variant('bob'), '--replay', 'tape.yaml', '--record-new'], LIVE)
  expect([added.code, judged()]).toEqual([0, 3])
})

test('what one variant is asked differently is its own mismatch', async () => {
  const dir = app('http://127.0.0.1:9', [{ id: 'T1', input: 'Hello', assert: { type: 'contains', value: 'told' } }], {
    'agents.mjs': AGENTS,
  })
  const both = (word: string, depth: string): string[] => [
    '--variant',
    `a=./agents.mjs#told,env.WORD=${word}`,
    '--variant',
    `b=./agents.mjs#told,env.WORD=two,options.depth=${depth}`,
  ]
  const live = await run(dir, [...both('one', '1'), '--record', 'tape.yaml'])
  expect(live.results.map(({ output }) => output)).toEqual(['told one', 'told two'])
  const same = await run(dir, [...both('one', '1'), '--replay', 'tape.yaml'])
  expect(same.results.map(({ output }) => output)).toEqual(['told one', 'told two'])
  const changed = await run(dir, [...both('one', '2'), '--replay', 'tape.yaml'])
  expect(changed.results.map(({ status }) => status)).toEqual(['passed', 'failed'])
  expect(String(changed.results[1]?.['error'])).toContain('Replay mismatch')
  expect(String(changed.summary['exit_code'])).toBe('1')
})

test('a run of variants that is killed while recording resumes, and all of it replays', async () => {
  const chat = await startChat()
  const cases = Array.from({ length: 4 }, (_, index) => ({
    id: `T${index + 1}`,
    simulator: { options: { metadata: { goal: `hear three answers, ${index + 1}` } } },
    max_turns: 5,
    assert: { type: 'regex', value: 'THEN|then' },
    final_assertions: [JUDGED],
  }))
  const dir = app(chat.url, cases, { 'agents.mjs': AGENTS })
  // The first variant of the second case comes to its end, the second does not.
  chat.held = 'and then, 2?…'
  const started = startViva(
    [
      'test',
      '-i',
      'cases.jsonl',
      ...variant('loud'),
      ...variant('quiet'),
      '-o',
      'e.jsonl',
      '--record',
      'tape.yaml',
      '--json',
    ],
    { cwd: dir, env: LIVE },
  )
  await started.saw('"type":"result"')
  await expect.poll(() => chat.asked.some((text) => text.includes('and then, 2?…')), { timeout: 30_000 }).toBe(true)
  started.process.kill('SIGKILL')
  await started.done
  chat.held = undefined
  const first = resultsIn(join(dir, 'e.jsonl')).results
  expect(first.map(({ id, variant: name }) => `${String(id)} ${String(name)}`)).toEqual(['T1 loud'])
  const calls = chat.asked.length
  const resumed = await viva(['test', '--resume', 'e.jsonl'], { cwd: dir, env: LIVE })
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)])
  // The user's first words of T1 were said: the other variant hears the same.
  expect(chat.asked.slice(calls).filter((text) => text.includes('"turn_number":1'))).toHaveLength(3)
  await chat.close()
  const replay = await run(dir, [...variant('loud'), ...variant('quiet'), '--replay', 'tape.yaml', '--parallel', '4'])
  expect(replay.summary).toMatchObject({ passed: 8, recording: { unused: 0 } })
})

test('--live with variants: one new judge for all of them; --cache asks a model once', async () => {
  const chat = await startChat()
  const dir = app(chat.url, [{ id: 'T1', input: 'Hello', assert: JUDGED }], { 'agents.mjs': AGENTS })
  await run(dir, [...THREE, '--record', 'tape.yaml'], LIVE)
  rmSync(join(dir, 'agents.mjs'))
  const calls = chat.asked.length
  const judged = await run(dir, [...THREE, '--replay', 'tape.yaml', '--live', 'judge'], LIVE)
  expect(judged.summary).toMatchObject({ passed: 3, recording: { replayed: 3, recorded: 0 } })
  expect(chat.asked.slice(calls)).toHaveLength(2)
  // The package with two connectors to one model: another question each; a second run asks nothing.
  writeFileSync(
    join(dir, 'connectors/other.conn.yao'),
    JSON.stringify({ type: 'openai', options: { host: chat.url, model: 'large', key: '$ENV.MODEL_KEY' } }),
  )
  const cached = ['-n', 'desk', '-c', 'main', '-c', 'other', '--cache']
  const asked = chat.asked.length
  expect((await run(dir, cached, LIVE)).summary).toMatchObject({ passed: 2 })
  expect(chat.asked.slice(asked)).toHaveLength(3)
  const again = await run(dir, cached, LIVE)
  expect(again.summary).toMatchObject({ passed: 2, recording: { replayed: 4, recorded: 0 } })
  expect(chat.asked.slice(asked)).toHaveLength(3)
})

test('hooks and tools of a package see the variables of their variant, and keep them to themselves', async () => {
  const files = {
    'app.yao': {},
    'connectors/main.conn.yao': { type: 'echo' },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'main' },
    'assistants/desk/prompts.yml': '- content: You are kind and brief.\n',
    'assistants/desk/src/index.ts': `export function Create(ctx, messages) {
  return { messages: [{ role: 'user', content: 'mode ' + (process.env.MODE ?? 'none') }] }
}
`,
    'scripts/judge.ts': `export function Check() { return { passed: process.env.MODE === undefined, message: 'saw ' + process.env.MODE } }\n`,
    'cases.jsonl': Array.from({ length: 6 }, (_, index) => ({
      id: `T${index + 1}`,
      input: 'hi',
      assert: [
        { type: 'contains', value: 'mode' },
        { type: 'script', script: 'scripts.judge.Check' },
      ],
    })),
  }
  const dir = makeFolder(files)
  const both = [
    '--variant',
    'slow=desk,env.MODE=slow',
    '--variant',
    'fast=desk,env.MODE=fast',
    '--variant',
    'none=desk',
  ]
  const { code, results, stderr } = await run(dir, [...both, '--parallel', '3', '-v'])
  expect([code, stderr]).toEqual([0, expect.any(String)])
  for (const { variant: name, output } of results) expect(output).toContain(`mode ${String(name)}`)
  // Alone it sees them too.
  const alone = await run(dir, ['--variant', 'fast=desk,env.MODE=fast'])
  for (const { output } of alone.results) expect(output).toContain('mode fast')
})

test('what has no meaning with several variants is refused with the reason', async () => {
  const dir = app('http://127.0.0.1:9', TALKS, { 'agents.mjs': AGENTS })
  for (const [flags, reason] of [
    [['-U'], '--update-snapshots accepts one answer for each snapshot, but there are 3 variants: loud, loud2, quiet'],
    [['--save-turns', 'x.jsonl'], '--save-turns writes one conversation for each case, but there are 3 variants'],
  ] as const) {
    const { code, stderr } = await run(dir, [...THREE, ...flags])
    expect([code, stderr]).toEqual([2, expect.stringContaining(reason)])
  }
  expect(readFileSync(join(dir, 'cases.jsonl'), 'utf8')).toContain('T1')
})
