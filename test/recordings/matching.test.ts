// When a recorded answer may be given: `viva test` forgives only what Viva itself has generated, and says what else it was asked to.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, type Files } from '../support/run-cli.js'
import { run, tape } from './support.js'

const AGENT = `export default (messages) => 'booked: ' + messages.at(-1).content`
const name = './agent.mjs'

function project(input: string, files: Files = {}): string {
  return makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': [caseOf(input)], ...files })
}

function caseOf(input: string): object {
  return { id: 'T1', input, assert: { type: 'contains', value: 'booked' } }
}

/** Records the one input and replays the other. */
async function replayOf(dir: string, input: string, flags: string[] = []) {
  expect((await run(dir, ['--record', 'tape.yaml'], { name, live: true })).code).toBe(0)
  return again(dir, input, flags)
}

async function again(dir: string, input: string, flags: string[] = []) {
  writeFileSync(join(dir, 'cases.jsonl'), `${JSON.stringify(caseOf(input))}\n`)
  return run(dir, ['--replay', 'tape.yaml', ...flags], { name })
}

const CHANGES: Array<[what: string, recorded: string, now: string]> = [
  ['a time', 'book 2024-01-01T10:00:00Z', 'book 2031-05-05T10:00:00Z'],
  ['an id', 'cancel 7f9c24e8-3b12-4a6f-9d11-0123456789ab', 'cancel 00000000-3b12-4a6f-9d11-0123456789ab'],
  ['the id of a call', 'read msg_0123abcd', 'read msg_9876fedc'],
  ['a duration', 'wait 250 ms', 'wait 900 ms'],
  ['white space', 'if x:\n    pay\n', 'if x:\n  pay\n'],
]

test.each(CHANGES)('%s that the author changed is another request', async (_, recorded, now) => {
  const dir = project(recorded)
  const { code, results } = await replayOf(dir, now)
  expect([code, results[0]?.['error_kind']]).toEqual([1, 'agent'])
  expect(JSON.stringify(results)).toContain('Replay mismatch')
  expect(tape(dir)).toContain('matching: exact')
  expect((await again(dir, recorded)).code).toBe(0)
})

test.each(CHANGES)(
  'a cassette of the older rule still forgives %s, and the result says so',
  async (_, recorded, now) => {
    const dir = project(recorded)
    await run(dir, ['--record', 'tape.yaml'], { name, live: true })
    writeFileSync(join(dir, 'tape.yaml'), older(tape(dir)))
    const { code, results, stdout } = await again(dir, now)
    expect(code).toBe(0)
    expect(results[0]?.['warnings']).toEqual([
      expect.stringMatching(/not compared with the recording in call 1 of agent/),
    ])
    expect(stdout).toContain('not compared with the recording')
  },
)

/** As it was written before rules had names. */
function older(text: string): string {
  return text.replace(/^ +matching: .*\n/m, '')
}

test('what redactions hide is not compared, and the result says what', async () => {
  const redactions = { patterns: { customer: 'cust_[a-z0-9]+', $UUID: true } }
  const dir = project('book for cust_a1', { 'viva.config.json': { redactions } })
  const { code, results, stdout } = await replayOf(dir, 'book for cust_b2')
  expect(code).toBe(0)
  expect(results[0]?.['warnings']).toEqual(['not compared with the recording in call 1 of agent:./agent.mjs: CUSTOMER'])
  expect(stdout).toContain('CUSTOMER')
})

test('--no-strict leaves a mark in the result', async () => {
  const dir = project('book Rome')
  const { code, results, stdout } = await replayOf(dir, 'book Oslo', ['--no-strict'])
  expect(code).toBe(0)
  const said = (results[0] as { warnings: string[] }).warnings[0]
  expect(said).toMatch(/replayed although call 1 of agent:\.\/agent\.mjs is not the recorded one: .*Rome.*Oslo/)
  expect(stdout).toContain('is not the recorded one')
})

test('the same request leaves no mark', async () => {
  const dir = project('book 2024-01-01T10:00:00Z')
  const { code, results } = await replayOf(dir, 'book 2024-01-01T10:00:00Z')
  expect([code, results[0]?.['warnings']]).toEqual([0, undefined])
})

test('recording an older cassette again makes it an exact one', async () => {
  const dir = project('book 2024-01-01T10:00:00Z')
  await run(dir, ['--record', 'tape.yaml'], { name, live: true })
  writeFileSync(join(dir, 'tape.yaml'), older(tape(dir)))
  writeFileSync(join(dir, 'agent.mjs'), AGENT.replace('booked', 'booked now'))
  await run(dir, ['--record', 'tape.yaml'], { name, live: true })
  expect(tape(dir)).toContain('matching: exact')
})

/** Absence is not shown where the recording hides part of the answer. */
test.each([
  ['a part of what a pattern hides', 'sess_', {}],
  ['the end of what a pattern hides', 'eX9', {}],
  ['what a path hides', 'Anna Karenina', { paths: ['$.output.owner'] }],
  ['what a rule of our own hides', 'hunter22x', {}],
])('not_contains of %s has no verdict on replay', async (_, value, more) => {
  const agent = `export default () => ({ content: { session: 'sess_oneX9', owner: 'Anna Karenina', db_password: 'hunter22x', note: 'fine' } })`
  const dir = makeFolder({
    'agent.mjs': agent,
    'viva.config.json': { redactions: { patterns: { session: 'sess_[A-Za-z0-9]+' }, ...more } },
    'cases.jsonl': [
      { id: 'absent', input: 'x', assert: { type: 'not_contains', value } },
      { id: 'negated', input: 'x', assert: { type: 'contains', value, negate: true } },
      { id: 'none', input: 'x', assert: { type: 'none', assertions: [{ type: 'contains', value }] } },
      { id: 'there', input: 'x', assert: { type: 'contains', value: 'fine' } },
    ],
  })
  const live = await run(dir, ['--record', 'tape.yaml'], { name, live: true })
  expect(live.results.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'passed'])
  const replayed = await run(dir, ['--replay', 'tape.yaml'], { name })
  expect(replayed.results.map(({ status, error_kind }) => error_kind ?? status)).toEqual([
    'agent',
    'agent',
    'agent',
    'passed',
  ])
})

test('not_contains of several words is decided where only tokens are hidden', async () => {
  const dir = makeFolder({
    'agent.mjs': `export default () => 'your session is sess_oneX9'`,
    'viva.config.json': { redactions: { patterns: { session: 'sess_[A-Za-z0-9]+' } } },
    'cases.jsonl': [{ id: 'T1', input: 'x', assert: { type: 'not_contains', value: 'I am sorry' } }],
  })
  await run(dir, ['--record', 'tape.yaml'], { name, live: true })
  expect((await run(dir, ['--replay', 'tape.yaml'], { name })).code).toBe(0)
})
