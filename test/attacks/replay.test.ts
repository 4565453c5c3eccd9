// Cases and cassettes that were changed after the recording: an old answer must not stand for a new question.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { surprises } from '../support/attack.js'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'

vi.setConfig({ testTimeout: 60_000 })

const said = { type: 'contains', value: 'said' }
const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string, args: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, name: 'find', args }],
})
const found = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content })
const turns = (...inputs: string[]) => ({ turns: inputs.map((input) => ({ input, assert: [said] })) })
const ID = '7f9c24e8-3b12-4a6f-9d11-0123456789ab'

/** `same`: replayed without a word; `named`: replayed, and the result says what was not compared; `other`: not replayed. */
type Outcome = 'same' | 'named' | 'other'
const EDITS: Record<string, [before: object, after: object, outcome: Outcome]> = {
  nothing: [
    { input: `at 2024-01-01T10:00:00Z ${ID} 250ms /tmp/x` },
    { input: `at 2024-01-01T10:00:00Z ${ID} 250ms /tmp/x` },
    'same',
  ],
  'a date': [{ input: 'on 2024-01-01' }, { input: 'on 2024-01-02' }, 'other'],
  'a time of day': [{ input: 'at 10:00' }, { input: 'at 11:00' }, 'other'],
  'an epoch': [{ input: 'at 1704103200000' }, { input: 'at 1804103200000' }, 'other'],
  'a zone': [{ input: '2024-01-01T10:00:00Z' }, { input: '2024-01-01T10:00:00+05:00' }, 'other'],
  'a uuid': [{ input: ID }, { input: ID.replace('7', '8') }, 'other'],
  'the case of a uuid': [{ input: ID }, { input: ID.toUpperCase() }, 'other'],
  'a hash': [{ input: 'fix 3f786850e387' }, { input: 'fix 4f786850e387' }, 'other'],
  'a call id in text': [{ input: 'why call_abc123?' }, { input: 'why call_xyz789?' }, 'other'],
  'a duration': [{ input: 'in 250ms' }, { input: 'in 350ms' }, 'other'],
  'a path': [{ input: 'read /tmp/a/x.txt' }, { input: 'read /tmp/b/x.txt' }, 'other'],
  'a home': [{ input: 'read /home/ann/x' }, { input: 'read /home/bob/x' }, 'other'],
  'a port': [{ input: 'http://127.0.0.1:4000' }, { input: 'http://127.0.0.1:5000' }, 'other'],
  'a blank at the end': [{ input: 'go' }, { input: 'go ' }, 'other'],
  'a blank line': [{ input: 'a\n\nb' }, { input: 'a\nb' }, 'other'],
  'a tab': [{ input: 'a\tb' }, { input: 'a b' }, 'other'],
  'a hard space': [{ input: 'a b' }, { input: 'a\u00a0b' }, 'other'],
  'an invisible character': [{ input: 'ab' }, { input: 'a\u200bb' }, 'other'],
  'a normal form': [{ input: 'é' }, { input: 'e\u0301' }, 'other'],
  'a colour': [{ input: 'red' }, { input: '\u001b[31mred\u001b[0m' }, 'other'],
  'a placeholder': [{ input: ID }, { input: '[UUID]' }, 'other'],
  'from a placeholder': [{ input: '[UUID]' }, { input: ID }, 'other'],
  'a history': [{ messages: [user('a'), user('b')] }, { messages: [user('c'), user('b')] }, 'other'],
  'a role': [
    { messages: [{ role: 'system', content: 'a' }, user('b')] },
    { messages: [user('a'), user('b')] },
    'other',
  ],
  'the id of a call': [
    { messages: [user('a'), call('call_1a2b', { q: 1 }), found('call_1a2b', 'x'), user('b')] },
    { messages: [user('a'), call('call_9z8y', { q: 1 }), found('call_9z8y', 'x'), user('b')] },
    'other',
  ],
  'the arguments of a call': [
    { messages: [user('a'), call('call_1a2b', { q: 1 }), found('call_1a2b', 'x'), user('b')] },
    { messages: [user('a'), call('call_1a2b', { q: 2 }), found('call_1a2b', 'x'), user('b')] },
    'other',
  ],
  'the result of a call': [
    { messages: [user('a'), call('call_1a2b', { q: 1 }), found('call_1a2b', '2024-01-01'), user('b')] },
    { messages: [user('a'), call('call_1a2b', { q: 1 }), found('call_1a2b', '2025-01-01'), user('b')] },
    'other',
  ],
  'parts of a message': [
    { input: [user([{ type: 'text', text: 'a' }])] },
    { input: [user([{ type: 'text', text: 'b' }])] },
    'other',
  ],
  'an address of an image': [
    { input: [user([{ type: 'image_url', image_url: { url: 'https://a.example/1.png' } }])] },
    { input: [user([{ type: 'image_url', image_url: { url: 'https://a.example/2.png' } }])] },
    'other',
  ],
  'the first turn': [turns('a', 'b'), turns('c', 'b'), 'other'],
  'the last turn': [turns('a', 'b'), turns('a', 'c'), 'other'],
  'a turn more': [turns('a'), turns('a', 'b'), 'other'],
  'a turn less': [turns('a', 'b'), turns('a'), 'same'],
  'metadata that the agent sees': [
    { input: 'm', metadata: { plan: 'free' } },
    { input: 'm', metadata: { plan: 'paid' } },
    'other',
  ],
  'a user that the agent sees': [{ input: 'u', user: 'ann' }, { input: 'u', user: 'bob' }, 'other'],
  options: [{ input: 'o', options: { mode: 'a' } }, { input: 'o', options: { mode: 'b' } }, 'other'],
  'another name': [{ input: 'n', name: 'x' }, { input: 'n', name: 'y', tags: ['t'] }, 'same'],
  'what is redacted': [{ input: 'for cust_a1' }, { input: 'for cust_b2' }, 'named'],
  'more than is redacted': [{ input: 'pay cust_a1' }, { input: 'owe cust_a1' }, 'other'],
  'what is redacted, twice for once': [{ input: 'cust_a1 and cust_a1' }, { input: 'cust_a1 and cust_b2' }, 'other'],
  'a part of a token': [{ input: 'xcust_a1' }, { input: 'xcust_b2' }, 'named'],
}
const WANTED = Object.entries(EDITS).map(([id, [, , outcome]]) => [id, outcome] as const)
const AGENT = `export default (messages, context) => 'said ' + JSON.stringify(messages.at(-1).content) + JSON.stringify(context.metadata)`
const TEST = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs']

function side(at: 0 | 1): object[] {
  return Object.entries(EDITS).map(([id, edit]) => ({
    id,
    ...('turns' in edit[at] ? {} : { assert: [said] }),
    ...edit[at],
  }))
}

async function outcomes(cwd: string, flags: string[]): Promise<Map<unknown, string>> {
  const { stdout, stderr } = await viva([...TEST, '--replay', 'tape.yaml', '--json', ...flags], { cwd })
  const results = parseEvents(stdout).filter(({ type }) => type === 'result')
  if (results.length === 0) throw new Error(stderr)
  return new Map(
    results.map(({ id, status, warnings }) => [
      id,
      status !== 'passed' ? 'other' : warnings === undefined ? 'same' : 'named',
    ]),
  )
}

test('edited cases', async () => {
  const redactions = { patterns: { customer: 'cust_[a-z0-9]+' } }
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': side(0), 'viva.config.json': { redactions } })
  const { code, stderr, stdout } = await viva([...TEST, '--record', 'tape.yaml', '-o', 'o.jsonl'], { cwd })
  expect([code, code === 0 ? '' : stderr + stdout]).toEqual([0, ''])
  const unchanged = await outcomes(cwd, [])
  // What redactions hide cannot be compared.
  const hidden = Object.keys(EDITS).filter((id) => JSON.stringify(EDITS[id]?.[0]).includes('cust_'))
  expect([...unchanged].filter(([, outcome]) => outcome !== 'same')).toEqual(hidden.map((id) => [id, 'named']))
  writeFiles(cwd, { 'cases.jsonl': side(1) })
  const exact = await outcomes(cwd, [])
  expect(
    surprises(
      WANTED,
      WANTED.map(([id]) => exact.get(id) ?? ''),
    ),
  ).toEqual([])
  // By position alone, each difference is named; what was never recorded is still no answer.
  const loose = await outcomes(cwd, ['--no-strict'])
  const wanted = WANTED.map(
    ([id, outcome]) => [id, id === 'a turn more' ? 'other' : outcome === 'other' ? 'named' : outcome] as const,
  )
  expect(
    surprises(
      wanted,
      WANTED.map(([id]) => loose.get(id) ?? ''),
    ),
  ).toEqual([])
})

type Edit = (text: string) => string
/** `code` of the error, or the verdicts of both cases. */
const TAPES: ReadonlyArray<[what: string, wanted: string, edit: Edit]> = [
  ['untouched', 'passed passed', (text) => text],
  ['cut in the middle', 'refused', (text) => text.slice(0, text.length / 2)],
  ['without its end', 'refused', (text) => text.slice(0, text.indexOf('\nmetadata:') + 1)],
  ['empty', 'refused', () => ''],
  ['other YAML', 'refused', () => 'a: 1\n'],
  ['with an alias', 'refused', (text) => text.replace('interactions:', 'x: &x 1\ny: *x\ninteractions:')],
  ['with a tag', 'refused', (text) => text.replace('interactions:', 'x: !!js/function 1\ninteractions:')],
  ['of an unknown rule', 'refused', (text) => text.replace('matching: exact', 'matching: anything')],
  ['with another answer', 'failed passed', (text) => text.replace('said "one"', 'told "one"')],
  [
    'with answers swapped',
    'passed passed',
    (text) => text.replace('said "one"', 'said "X"').replace('said "two"', 'said "one"'),
  ],
  [
    'with another question',
    'failed passed',
    (text) =>
      text
        .replaceAll(/content: one\b/g, 'content: uno')
        .replace(/prompt_hash: \S+/, `prompt_hash: sha256:${'0'.repeat(64)}`),
  ],
  ['with a malformed hash', 'refused', (text) => text.replace(/prompt_hash: \S+/, `prompt_hash: ${'0'.repeat(64)}`)],
  ['without a hash', 'refused', (text) => text.replace(/ +prompt_hash: \S+\n/, '')],
  ['with CRLF', 'passed passed', (text) => text.replaceAll('\n', '\r\n')],
  ['with comments', 'passed passed', (text) => text.replace('interactions:', '# by hand\ninteractions:')],
]

test('edited cassettes', async () => {
  const cases = ['one', 'two'].map((input) => ({ id: input, input, assert: [said] }))
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
  await viva([...TEST, '--record', 'tape.yaml', '-o', 'o.jsonl'], { cwd })
  const text = readFileSync(join(cwd, 'tape.yaml'), 'utf8')
  const seen = await Promise.all(
    TAPES.map(async ([, , edit], index) => {
      writeFileSync(join(cwd, `${index}.yaml`), edit(text))
      const { code, stdout } = await viva([...TEST, '--replay', `${index}.yaml`, '--json', '-o', `${index}.jsonl`], {
        cwd,
      })
      if (code === 2) return 'refused'
      const results = parseEvents(stdout).filter(({ type }) => type === 'result')
      return results.map(({ status }) => status).join(' ')
    }),
  )
  expect(surprises(TAPES, seen)).toEqual([])
})
