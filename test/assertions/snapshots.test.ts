// `snapshot`: nothing passes that was not accepted, and what was accepted is compared from then on.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'
import { onTerminal } from '../support/terminal.js'

const AGENT = `
import { readFileSync } from 'node:fs'
const given = JSON.parse(readFileSync('given.json', 'utf8'))
export function run(messages) {
  const text = messages.at(-1).content
  if (text === 'calls') return { content: 'done', tool_calls: [{ name: 'book', args: { seat: given.SEAT ?? 'A1' } }] }
  return given.ANSWER ?? text
}`
const ARGS = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--json']

interface Tried {
  code: number | null
  statuses: Record<string, string>
  errors: string
  snapshots: unknown
}

interface Given {
  ANSWER?: string
  SEAT?: string
  CI?: string
}

async function run(cwd: string, args: string[] = [], { CI = '', ...given }: Given = {}): Promise<Tried> {
  writeFiles(cwd, { 'given.json': given })
  const { code, stdout } = await viva([...ARGS, '--force', '-o', 'out.jsonl', ...args], {
    cwd,
    env: { CI },
  })
  const events = parseEvents(stdout)
  const results = events.filter((event) => event.type === 'result')
  return {
    code,
    statuses: Object.fromEntries(results.map((result) => [String(result['id']), String(result['status'])])),
    errors: results.map((result) => JSON.stringify(result['error'] ?? '')).join('\n'),
    snapshots: events.find((event) => event.type === 'summary')?.['snapshots'],
  }
}

const folder = (...cases: object[]): string =>
  makeFolder({ 'agent.mjs': AGENT, 'given.json': {}, 'cases.jsonl': cases })
const files = (dir: string): string[] => {
  const path = join(dir, 'snapshots', 'cases')
  if (!existsSync(path)) return []
  // Which question each belongs to, in a file of its own.
  return readdirSync(path)
    .filter((name) => name !== 'asked.json')
    .toSorted()
}
const one = { id: 'T001', input: 'hello there', assert: { type: 'snapshot' } }

test('a new snapshot is an error until it was accepted, and is kept to be looked at', async () => {
  const dir = folder(one)
  const first = await run(dir)
  expect(first).toMatchObject({ code: 1, statuses: { T001: 'failed' }, snapshots: { pending: 1 } })
  expect(first.errors).toMatch(/no snapshot to compare with.*viva snapshot review/)
  expect(files(dir)).toEqual(['T001.answer.snap.new'])
  expect(await viva(['snapshot', 'review', '--accept'], { cwd: dir })).toMatchObject({ code: 0 })
  expect(files(dir)).toEqual(['T001.answer.snap'])
  expect(await run(dir)).toMatchObject({ code: 0, statuses: { T001: 'passed' }, snapshots: undefined })
})

test('an answer that differs fails, whoever runs it; what it was before stays', async () => {
  const dir = folder(one)
  await run(dir, ['-U'])
  const changed = await run(dir, [], { ANSWER: 'hello here' })
  expect(changed).toMatchObject({ code: 1, statuses: { T001: 'failed' }, snapshots: { pending: 1 } })
  expect(changed.errors).toContain('hello here')
  expect(readFileSync(join(dir, 'snapshots/cases/T001.answer.snap'), 'utf8')).toBe('hello there\n')
  // Once it is the same again there is nothing left to look at.
  expect(await run(dir)).toMatchObject({ code: 0 })
  expect(files(dir)).toEqual(['T001.answer.snap'])
})

test('-U writes what is missing or differs; of several runs the first', async () => {
  const dir = folder(one)
  expect(await run(dir, ['-U'])).toMatchObject({ code: 0, snapshots: { written: 1 } })
  expect(await run(dir, ['-U', '--runs', '3'], { ANSWER: 'new' })).toMatchObject({ code: 0, snapshots: { written: 1 } })
  expect(readFileSync(join(dir, 'snapshots/cases/T001.answer.snap'), 'utf8')).toBe('new\n')
  const unsteady = makeFolder({
    'agent.mjs': 'let n = 0\nexport const run = () => `answer ${++n}`\n',
    'cases.jsonl': [one],
  })
  expect(await run(unsteady, ['-U', '--runs', '2'])).toMatchObject({ code: 1 })
})

test('in CI nothing is written, unless asked for', async () => {
  const dir = folder(one)
  const first = await run(dir, [], { CI: 'true' })
  expect(first).toMatchObject({ code: 1, snapshots: undefined })
  expect(first.errors).toContain('run it where you can review it')
  expect(files(dir)).toEqual([])
  expect(await run(dir, ['-U'], { CI: 'true' })).toMatchObject({ code: 0, snapshots: { written: 1 } })
})

test('JSON: the order of keys and what is ignored do not matter, everything else does', async () => {
  const assert = { type: 'snapshot', ignore: ['$.created_at', '$.items[*].id'] }
  const dir = folder({ id: 'T001', input: 'x', assert })
  const answer = (value: object) => ({ ANSWER: JSON.stringify(value) })
  await run(dir, ['-U'], answer({ a: 1, items: [{ id: 7, name: 'x' }], created_at: 'today' }))
  const same = { items: [{ name: 'x', id: 8 }], created_at: 'tomorrow', a: 1 }
  expect(await run(dir, [], answer(same))).toMatchObject({ code: 0 })
  expect(await run(dir, [], answer({ ...same, a: 2 }))).toMatchObject({ code: 1 })
  expect(await run(dir, [], answer({ ...same, items: [] }))).toMatchObject({ code: 1 })
  const prose = await run(dir, [], { ANSWER: 'sorry' })
  expect(prose.errors).toContain('output is not valid JSON')
})

test('the tool calls can be what is compared', async () => {
  const dir = folder({
    id: 'T001',
    input: 'calls',
    assert: [{ type: 'snapshot', of: 'tool_calls' }, { type: 'snapshot' }],
  })
  await run(dir, ['-U'])
  expect(files(dir)).toEqual(['T001.answer.snap', 'T001.tool_calls.snap'])
  expect(await run(dir)).toMatchObject({ code: 0 })
  expect(await run(dir, [], { SEAT: 'B2' })).toMatchObject({ code: 1 })
})

test('what changes from run to run can be redacted, numbered within the snapshot; secrets always are', async () => {
  const assert = { type: 'snapshot', redactions: { patterns: { $UUID: true, user: 'user_[a-z0-9]+' } } }
  const dir = folder({ id: 'T001', input: 'x', assert })
  const ids = ['11111111-2222-3333-4444-555555555555', '99999999-2222-3333-4444-555555555555']
  await run(dir, ['-U'], { ANSWER: `${ids.join(' ')} ${ids[0]} for user_abc with sk-proj-${'a1B2'.repeat(12)}` })
  const saved = readFileSync(join(dir, 'snapshots/cases/T001.answer.snap'), 'utf8')
  expect(saved).toBe('[UUID] [UUID-2] [UUID] for [USER] with [API_KEY]\n')
  const again = `${ids.toReversed().join(' ')} ${ids[1]} for user_xyz with sk-proj-${'z9Y8'.repeat(12)}`
  expect(await run(dir, [], { ANSWER: again })).toMatchObject({ code: 0 })
})

test('a password in the address of the agent is not written either', async () => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ content: 'the password is correct-horse-9' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const dir = folder(one)
  const target = `http://me:correct-horse-9@127.0.0.1:${(server.address() as AddressInfo).port}/ask`
  const { code } = await viva(['test', '-i', 'cases.jsonl', '-n', target, '-U', '-o', 'out.jsonl'], { cwd: dir })
  expect(code).toBe(0)
  expect(readFileSync(join(dir, 'snapshots/cases/T001.answer.snap'), 'utf8')).toBe('the password is [SECRET]\n')
})

test('files no longer read are listed, and only when every case has passed', async () => {
  const dir = folder(one, { ...one, id: 'T002' })
  await run(dir, ['-U'])
  writeFiles(dir, { 'cases.jsonl': [one] })
  expect(await run(dir)).toMatchObject({ code: 0, snapshots: { obsolete: ['T002.answer.snap'] } })
  expect((await run(dir, [], { ANSWER: 'other' })).snapshots).toEqual({ pending: 1 })
  expect((await run(dir, ['--run', 'T001'])).snapshots).toBeUndefined()
  expect(files(dir)).toContain('T002.answer.snap')
})

test('case files that differ only in their ending have snapshots of their own', async () => {
  const dir = folder(one)
  writeFiles(dir, { 'cases.json': JSON.stringify([{ ...one, input: 'other' }]) })
  await run(dir, ['-U'])
  const json = ['test', '-i', 'cases.json', '-n', './agent.mjs#run', '-U']
  expect(await viva(json, { cwd: dir, env: { CI: '' } })).toMatchObject({ code: 0 })
  expect(await run(dir)).toMatchObject({ code: 0 })
})

test('an id is never a path, and ids that differ do not share a file', async () => {
  const ids = ['../../escape', 'a/b', 'a b', 'Case', 'case', 'CON', '', 'ü'.repeat(200)].filter((id) => id !== '')
  const dir = folder(...ids.map((id) => ({ ...one, id, input: id })))
  expect(await run(dir, ['-U'])).toMatchObject({ code: 0, snapshots: { written: ids.length } })
  expect(new Set(files(dir).map((name) => name.toLowerCase())).size).toBe(ids.length)
  expect(readdirSync(dir).toSorted()).toEqual(['agent.mjs', 'cases.jsonl', 'given.json', 'out.jsonl', 'snapshots'])
})

test('a folder that leads out of the project is refused', async () => {
  const outside = makeFolder()
  const dir = folder(one)
  mkdirSync(join(dir, 'snapshots'))
  symlinkSync(outside, join(dir, 'snapshots', 'cases'))
  const refused = await run(dir, ['-U'])
  expect(refused).toMatchObject({ code: 1, statuses: { T001: 'failed' } })
  expect(refused.errors).toContain('leads out of')
  expect(readdirSync(outside)).toEqual([])
})

test('refused before anything runs, each at its line', async () => {
  const refused: Array<[unknown[], string]> = [
    [[{ type: 'snapshot' }, { type: 'snapshot' }], 'another snapshot of the case is called "answer"'],
    [['snapshot', { type: 'all', assertions: ['snapshot'] }], 'another snapshot of the case is called "answer"'],
    [[{ type: 'snapshot', negate: true }], 'it shows nothing'],
    [[{ type: 'none', assertions: ['snapshot'] }], 'it shows nothing'],
    [[{ type: 'all', negate: true, assertions: [{ type: 'any', assertions: ['snapshot'] }] }], 'it shows nothing'],
    [[{ type: 'snapshot', redactions: { patterns: { id: '\\S+' } } }], 'leaves nothing of any answer'],
    [[{ type: 'snapshot', redactions: { patterns: { id: '[A-Za-z0-9 .,]+' } } }], 'leaves nothing of any answer'],
    [[{ type: 'snapshot', ignore: ['$'] }], 'leaves nothing of any answer'],
    [[{ type: 'snapshot', name: '../x' }], 'letters, digits'],
    [[{ type: 'snapshot', of: 'tool_calls', path: '$.a' }], 'is a path in the answer'],
    [[{ type: 'snapshot', ignore: ['$['] }], 'invalid path'],
    [[{ type: 'snapshot', redactions: { patterns: { id: '(' } } }], 'redactions.patterns.id'],
  ]
  const dir = folder(...refused.map(([assert], index) => ({ id: `T${index}`, input: 'x', assert })))
  const { code, stderr } = await viva([...ARGS], { cwd: dir })
  expect(code).toBe(2)
  for (const [index, [assert, message]] of refused.entries()) {
    const said = stderr.split(/(?=cases\.jsonl:\d)/).filter((part) => part.startsWith(`cases.jsonl:${index + 1}`))
    expect(said.join(''), JSON.stringify(assert)).toContain(message)
  }
})

test('a checkpoint takes no snapshot', async () => {
  const checkpoints = [{ id: 'c', assert: { type: 'snapshot' } }]
  const dir = folder({ id: 'T001', turns: [{ input: 'x' }], checkpoints })
  const { code, stderr } = await viva(ARGS, { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining('a checkpoint is tried after every turn')])
})

test('review on a terminal: one by one, with what changed', async () => {
  const dir = folder(one, { ...one, id: 'T002', input: 'second' }, { ...one, id: 'T003', input: 'third' })
  await run(dir, ['-U', '--run', 'T001'])
  await run(dir, [], { ANSWER: 'hello \u001b[31mhere' })
  const terminal = onTerminal(['snapshot', 'review'], { cwd: dir })
  await terminal.saw('1 of 3')
  await terminal.saw('-hello there')
  await terminal.saw('+hello \\x1b[31mhere')
  await terminal.saw('[a]ccept')
  terminal.type('a\r')
  await terminal.saw('2 of 3')
  await terminal.saw('[a]ccept')
  terminal.type('what?\r')
  await terminal.saw('[a]ccept')
  terminal.type('r\r')
  await terminal.saw('3 of 3')
  await terminal.saw('[a]ccept')
  terminal.type('q\r')
  expect(await terminal.code).toBe(0)
  expect(terminal.text()).toContain('1 accepted, 1 dropped, 1 left')
  expect(files(dir)).toEqual(['T001.answer.snap', 'T003.answer.snap.new'])
})

test('review: the end of the input leaves the rest as it is', async () => {
  const dir = folder(one)
  await run(dir)
  const terminal = onTerminal(['snapshot', 'review'], { cwd: dir })
  await terminal.saw('[a]ccept')
  terminal.type('\u0004')
  expect(await terminal.code).toBe(0)
  expect(terminal.text()).toContain('0 accepted, 0 dropped, 1 left')
  expect(files(dir)).toEqual(['T001.answer.snap.new'])
})

test('review without a terminal says what waits, and how to continue', async () => {
  const dir = folder(one)
  await run(dir)
  const { code, stderr } = await viva(['snapshot', 'review'], { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining('--accept or --reject')])
  expect(await viva(['snapshot', 'review', '--reject'], { cwd: dir })).toMatchObject({ code: 0 })
  expect(files(dir)).toEqual([])
  const nothing = await viva(['snapshot', 'review'], { cwd: dir })
  expect([nothing.code, nothing.stdout]).toEqual([0, 'no snapshots to review\n'])
  for (const wrong of ['gone', 'cases.jsonl'])
    expect(await viva(['snapshot', 'review', wrong, '--accept'], { cwd: dir })).toMatchObject({ code: 2 })
})

test('a file with other line endings, or without the last newline, is the same snapshot', async () => {
  const dir = folder({ ...one, input: 'two\nlines' })
  await run(dir, ['-U'])
  for (const text of ['two\r\nlines\r\n', 'two\nlines']) {
    writeFileSync(join(dir, 'snapshots/cases/T001.answer.snap'), text)
    expect(await run(dir)).toMatchObject({ code: 0 })
  }
})

test('is not the same', async () => {
  const rows: Array<[string, object, string, string]> = [
    ['a whole number too long for JavaScript', {}, '{"id":12345678901234567890}', '{"id":12345678901234567891}'],
    ['such a number at a path', { path: '$.id' }, '{"id":12345678901234567890}', '{"id":12345678901234567891}'],
    ['JSON that is cut off', {}, '{"a":1,"b":2}', '{"a":1,"b":2'],
    ['a text in place of a number', { path: '$.n' }, '{"n":5}', '{"n":"5"}'],
    ['a text in place of nothing', { path: '$.n' }, '{"n":null}', '{"n":"null"}'],
  ]
  const cases = (at: 2 | 3) =>
    rows.map((row) => ({ id: row[0], input: row[at], assert: { type: 'snapshot', ...row[1] } }))
  const dir = folder(...cases(2))
  await run(dir, ['-U'])
  expect(await run(dir)).toMatchObject({ code: 0 })
  writeFiles(dir, { 'cases.jsonl': cases(3) })
  const statuses = Object.fromEntries(rows.map(([what]) => [what, 'failed']))
  expect(await run(dir)).toMatchObject({ code: 1, statuses })
})

test('half a pair of surrogates is the same when it comes again', async () => {
  const dir = makeFolder({ 'agent.mjs': "export const run = () => 'a\\ud800b'", 'cases.jsonl': [one] })
  await run(dir, ['-U'])
  expect(await run(dir)).toMatchObject({ code: 0 })
})

test('-U accepts no error and no refusal', async () => {
  for (const reply of ["{ error: 'database down' }", "{ content: 'I cannot', finish_reason: 'refusal' }"]) {
    const dir = makeFolder({ 'agent.mjs': `export const run = () => (${reply})`, 'cases.jsonl': [one] })
    expect(await run(dir, ['-U'])).toMatchObject({ code: 1, statuses: { T001: 'failed' }, snapshots: undefined })
    expect(files(dir)).toEqual([])
  }
})

const KEY = 'a key that is only in the environment'
const WATCHED = { redactions: { paths: ['$.at', { path: '$.iban', watch: true }] } }
const answerOf = (iban: unknown, at = 1): string => JSON.stringify({ at, iban, name: 'Ann' })

async function watched(config: object = WATCHED): Promise<{ dir: string; saved: () => string; ask: Ask }> {
  const dir = folder(one)
  writeFiles(dir, { 'viva.config.json': config })
  const ask: Ask = async (answer, key, args = []) => {
    writeFiles(dir, { 'given.json': { ANSWER: answer } })
    const { code, stdout } = await viva([...ARGS, '--force', '-o', 'out.jsonl', ...args], {
      cwd: dir,
      env: { CI: '1', ...(key !== undefined && { VIVA_SNAPSHOT_KEY: key }) },
    })
    const result = parseEvents(stdout).find((event) => event.type === 'result')
    return { code, kind: result?.['error_kind'], error: JSON.stringify(result?.['error'] ?? '') }
  }
  return { dir, saved: () => readFileSync(join(dir, 'snapshots/cases/T001.answer.snap'), 'utf8'), ask }
}

type Ask = (
  answer: string,
  key?: string,
  args?: string[],
) => Promise<{ code: number | null; kind: unknown; error: string }>

test('a watched value is hidden, its change is seen, and what is only hidden may change', async () => {
  const { saved, ask } = await watched()
  expect(await ask(answerOf('DE02'), KEY, ['-U'])).toMatchObject({ code: 0 })
  expect(JSON.parse(saved())).toEqual({
    at: '[REDACTED]',
    iban: expect.stringMatching(/^\[REDACTED [0-9a-f]{8}:[0-9a-f]{32}\]$/) as string,
    name: 'Ann',
  })
  expect(await ask(answerOf('DE02', 2), KEY)).toMatchObject({ code: 0 })
  const changed = await ask(answerOf('DE03'), KEY)
  expect(changed).toMatchObject({ code: 1, kind: 'assertion', error: expect.stringContaining('REDACTED') as string })
  expect(changed.error + saved()).not.toMatch(/DE0[23]/)
  // A place that is gone, and one that moved into a list, are changes too.
  expect(await ask(JSON.stringify({ at: 1, name: 'Ann' }), KEY)).toMatchObject({ code: 1, kind: 'assertion' })
  expect(await ask(answerOf(['DE02']), KEY)).toMatchObject({ code: 1, kind: 'assertion' })
})

test('a watched value that cannot be checked is an error: no key, a short one, another one', async () => {
  const { saved, ask } = await watched()
  const without = await ask(answerOf('DE02'), undefined, ['-U'])
  expect(without).toMatchObject({ code: 1, error: expect.stringContaining('VIVA_SNAPSHOT_KEY is not set') as string })
  expect(saved).toThrow('ENOENT')
  await ask(answerOf('DE02'), KEY, ['-U'])
  for (const [key, why] of [
    [undefined, 'VIVA_SNAPSHOT_KEY is not set'],
    ['', 'VIVA_SNAPSHOT_KEY is not set'],
    ['tiny5', 'VIVA_SNAPSHOT_KEY is too short: 5 characters'],
    [`${KEY}, but another`, 'accepted with another VIVA_SNAPSHOT_KEY'],
  ] as const) {
    const tried = await ask(answerOf('DE02'), key)
    expect(tried.error, String(key)).toContain(why)
    expect(tried.kind).not.toBe('assertion')
    expect(tried.code).toBe(1)
  }
  expect(await ask(answerOf('DE02'), KEY)).toMatchObject({ code: 0 })
})

test('no pattern and no other path takes a watched value away unseen, and secrets leave no hash', async () => {
  const patterns = { hex: '[0-9a-f]{16,}' }
  const { ask } = await watched({ redactions: { ...WATCHED.redactions, patterns } })
  await ask(answerOf('DE02'), KEY, ['-U'])
  expect(await ask(answerOf('DE02'), KEY)).toMatchObject({ code: 0 })
  expect(await ask(answerOf('DE03'), KEY)).toMatchObject({ code: 1, kind: 'assertion' })

  const around = await watched({ redactions: { paths: ['$.iban', { path: '$.iban.number', watch: true }] } })
  const swallowed = await around.ask(answerOf({ number: 1 }), KEY, ['-U'])
  expect(swallowed.error).toContain('another path hides it with all around it')

  const secret = await watched()
  const key = 'sk-proj-4f9Kq2Lm8Xz7Wv3Tn6Rb1Yc5Hd0Gs'
  await secret.ask(answerOf(key), KEY, ['-U'])
  expect(JSON.parse(secret.saved())).toMatchObject({ iban: '[REDACTED]' })
})

test('a watched value that a recording has hidden cannot be checked by a replay', async () => {
  const { ask } = await watched()
  expect(await ask(answerOf('DE02'), KEY, ['-U', '--record', 'tape.yaml'])).toMatchObject({ code: 0 })
  const replayed = await ask(answerOf('DE02'), KEY, ['--replay', 'tape.yaml'])
  expect(replayed).toMatchObject({ code: 1, kind: 'input' })
  expect(replayed.error).toContain('$.iban is hidden where this answer was recorded')
})
