// What a project declares under `redactions` is in no answer that a recording keeps, and the recording still replays.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { makeFolder, viva, type Files } from '../support/run-cli.js'
import { app, resultsIn, run, startChat, tape } from './support.js'
import { KEYS, startUpstream } from './upstream.js'

const LIGHT = fileURLToPath(new URL('./clients/light.mjs', import.meta.url))
const redactions = { patterns: { session: 'sess_[A-Za-z0-9]+' } }

/** A session of its own for each question, and all of them again when asked for. */
const DESK = `
export default (messages) => {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  const of = (text) => 'sess_' + text.replaceAll(/[^a-z]/gi, '') + 'X9'
  const last = said.at(-1)
  return {
    content: last === 'all' ? 'said ' + said.map(of).toReversed().join(' and ') : 'said ' + of(last),
    tool_calls: [{ name: 'open', args: { session: of(last), by: { [of(last)]: 1 } }, result: JSON.stringify({ s: of(last) }) }],
  }
}`
const SAID = { type: 'contains', value: 'said' }
const TALK = [
  { id: 'T1', turns: ['one', 'two', 'one', 'all'].map((input) => ({ input, assert: SAID })) },
  { id: 'T2', turns: ['two', 'all'].map((input) => ({ input, assert: SAID })) },
]

function project(files: Files = {}): string {
  return makeFolder({ 'agent.mjs': DESK, 'cases.jsonl': TALK, 'viva.config.json': { redactions }, ...files })
}

test('patterns reach answers, tool calls and keys; the same value has the same placeholder', async () => {
  const dir = project()
  const recorded = await run(dir, ['--record', 'tape.yaml'], { name: './agent.mjs', live: true })
  expect(recorded.code).toBe(0)
  expect(tape(dir)).not.toContain('sess_')
  expect(tape(dir)).toContain('said [SESSION-3] and [SESSION] and [SESSION-2] and [SESSION]')
  const replayed = await run(dir, ['--replay', 'tape.yaml'], { name: './agent.mjs' })
  expect([replayed.code, replayed.summary['recording']]).toMatchObject([0, { replayed: 6, unused: 0 }])
  expect(replayed.results.map(({ status }) => status)).toEqual(['passed', 'passed'])
})

test('an assertion about what the recording hides has no verdict on replay, neither way', async () => {
  const looksFor = (id: string, type: string): object => ({ id, input: 'one', assert: { type, value: 'sess_oneX9' } })
  const cases = [
    looksFor('absent', 'not_contains'),
    looksFor('there', 'contains'),
    { id: 'said', input: 'one', assert: SAID },
  ]
  const dir = project({ 'cases.jsonl': cases })
  const live = await run(dir, ['--record', 'tape.yaml'], { name: './agent.mjs', live: true })
  const byId = ({ results }: Awaited<ReturnType<typeof run>>): Record<string, unknown> =>
    Object.fromEntries(results.map(({ id, status, error_kind }) => [id, error_kind ?? status]))
  expect(byId(live)).toEqual({ absent: 'assertion', there: 'passed', said: 'passed' })
  const replayed = await run(dir, ['--replay', 'tape.yaml'], { name: './agent.mjs' })
  expect(byId(replayed)).toEqual({ absent: 'agent', there: 'agent', said: 'passed' })
  expect(JSON.stringify(replayed.results)).toContain('which redactions hide in the recording')
})

test('a package whose model is asked with what it answered before replays to the letter', async () => {
  let count = 0
  const chat = await startChat((last) => `You said: ${last}, sess_${'abcdefgh'[count++]}1`)
  const judged = { type: 'agent', value: 'it is kind' }
  const dir = app(
    chat.url,
    [{ id: 'T1', turns: ['a', 'b', 'c'].map((input) => ({ input, assert: [SAID, judged] })) }],
    {
      'viva.config.json': { helpers: { connector: 'main' }, redactions },
    },
  )
  const recorded = await run(dir, ['--record', 'tape.yaml'], { live: true })
  expect(recorded.code, recorded.stdout).toBe(0)
  expect(tape(dir)).not.toContain('sess_')
  expect((await run(dir, ['--replay', 'tape.yaml'])).code).toBe(0)

  // The fourth turn is new: its session is none of those that the recording already has.
  const more = ['a', 'b', 'c', 'd'].map((input) => ({ input, assert: SAID }))
  writeFileSync(join(dir, 'cases.jsonl'), `${JSON.stringify({ id: 'T1', turns: more })}\n`)
  expect((await run(dir, ['--replay', 'tape.yaml', '--record-new'], { live: true })).code).toBe(0)
  expect(tape(dir)).toContain('You said: d, [SESSION-4]')
  expect((await run(dir, ['--replay', 'tape.yaml'])).code).toBe(0)
})

test('paths lead into answers that are JSON, as text or as data, and into what is kept beside them', async () => {
  const chat = await startChat()
  const judged = { type: 'agent', value: 'it is kind' }
  const dir = app(
    chat.url,
    ['text', 'data', 'call'].map((input) => ({
      id: input,
      turns: [input, 'ok', 'ok'].map((text) => ({ input: text, assert: [{ type: 'contains', value: 'ok' }, judged] })),
    })),
    {
      'agent.mjs': `
const answers = {
  text: '{ "user": { "pin": "pin-text" },\\n  "count": 4711, "ok": 1 }',
  data: { user: { pin: 'pin-data' }, count: 4711, ok: 1 },
  call: { content: 'ok', tool_calls: [{ name: 'pay', args: { card: 'card-1' }, result: { card: 'card-2', ok: 1 } }] },
}
export default (messages) => answers[messages.at(-1).content] ?? 'ok'`,
      'viva.config.json': {
        helpers: { connector: 'main' },
        redactions: { paths: ['$.user.pin', '$.count', '$.response.tool_calls[*]..card', '$.request.x'] },
      },
    },
  )
  const recorded = await run(dir, ['--record', 'tape.yaml'], { name: './agent.mjs', live: true })
  expect(recorded.code, recorded.stdout).toBe(0)
  // Of the agent's own turns, asked and answered; a judge is asked about the answer as it was.
  const parts = tape(dir).split('\n  - request:')
  expect(parts.filter((part) => part.includes('hat: agent:')).join('')).not.toMatch(/pin-text|pin-data|card-[12]|4711/)
  const replayed = await run(dir, ['--replay', 'tape.yaml'], { name: './agent.mjs' })
  expect(replayed.code, replayed.stdout).toBe(0)
  expect(replayed.summary['recording']).toMatchObject({ replayed: 18, unused: 0 })

  // What else has changed in a question is still a difference.
  const cases = readFileSync(join(dir, 'cases.jsonl'), 'utf8')
  writeFileSync(join(dir, 'cases.jsonl'), cases.replaceAll('it is kind', 'it is rude'))
  const changed = await run(dir, ['--replay', 'tape.yaml'], { name: './agent.mjs' })
  expect(changed.results.map(({ error }) => String(error))).toEqual(
    [1, 2, 3].map(() => expect.stringContaining('Replay mismatch')),
  )
})

test('viva cassette redact hides in answers what is declared today, once', async () => {
  const dir = project({ 'viva.config.json': {} })
  expect((await run(dir, ['--record', 'tape.yaml'], { name: './agent.mjs', live: true })).code).toBe(0)
  expect(tape(dir)).toContain('sess_oneX9')
  // A pattern that also fits its own placeholder, and a path.
  const patterns = { ...redactions.patterns, SESSION: '[A-Z]{7}' }
  writeFileSync(join(dir, 'viva.config.json'), JSON.stringify({ redactions: { patterns, paths: ['$..session'] } }))
  const first = await viva(['cassette', 'redact', 'tape.yaml'], { cwd: dir })
  expect([first.code, first.stdout]).toEqual([0, '6 interactions redacted in 1 file\n'])
  expect(tape(dir)).not.toContain('sess_')
  const once = tape(dir)
  const second = await viva(['cassette', 'redact', 'tape.yaml'], { cwd: dir })
  expect([second.stdout, tape(dir)]).toEqual(['0 interactions redacted in 0 files\n', once])
  expect((await run(dir, ['--replay', 'tape.yaml'], { name: './agent.mjs' })).code).toBe(0)
})

test('a stream that has a value in several pieces, recorded and redacted later', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'T1', input: 'The weather in Rome?', assert: { type: 'contains', value: 'Rain' } }],
    'viva.config.json': {},
  })
  const declared = JSON.stringify({ redactions: { patterns: { where: 'in Rome, caf. closed' } } })
  const args = ['test', '-i', 'cases.jsonl', '-n', `exec:node ${LIGHT}`]
  const pass = Object.keys(KEYS).flatMap((name) => ['--pass-env', name])
  const record = async (file: string): Promise<number | null> => {
    const recording = ['--record', file, '--record-http', '-o', `${file}.jsonl`, ...pass]
    return (await viva([...args, ...recording], { cwd: dir, env: upstream.env })).code
  }
  expect(await record('later.yaml')).toBe(0)
  writeFileSync(join(dir, 'viva.config.json'), declared)
  expect(await record('tape.yaml')).toBe(0)
  const redacted = await viva(['cassette', 'redact', 'later.yaml'], { cwd: dir })
  expect(redacted.stdout).toMatch(/^1 interaction redacted/)
  await upstream.close()
  for (const file of ['tape.yaml', 'later.yaml']) {
    expect(readFileSync(join(dir, file), 'utf8')).not.toMatch(/closed/)
    const replayed = await viva([...args, '--replay', file, '-o', `again-${file}.jsonl`], { cwd: dir })
    expect(replayed.code, replayed.stdout).toBe(0)
    expect(resultsIn(join(dir, `again-${file}.jsonl`)).results[0]?.['output']).toBe('Rain [WHERE]')
  }
})

test('--cache does not keep an answer with something in it that is declared', async () => {
  const chat = await startChat((last) => (last === 'mine' ? 'said sess_a1' : 'said nothing'))
  const dir = app(
    chat.url,
    ['mine', 'other'].map((input) => ({ id: input, input, assert: SAID })),
    {
      'viva.config.json': { redactions },
    },
  )
  for (let n = 0; n < 2; n += 1) expect((await run(dir, ['--cache'], { live: true })).code).toBe(0)
  expect(chat.asked).toEqual(['mine', 'other', 'mine'])
  const kept = readdirSync(join(dir, '.viva/cache'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yaml'),
  )
  expect(kept).toHaveLength(1)
})
