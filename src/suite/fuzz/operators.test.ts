import { expect, test } from 'vitest'
import { normalizeCase } from '../../model/case-normalize.js'
import type { TestCase } from '../../model/case.js'
import { seededRandom } from '../../pipeline/fold/statistics/random.js'
import { withEdits } from './edit.js'
import { changedCase, planTries } from './plan.js'
import { OPERATORS } from './registry.js'
import { examine } from './subject.js'

const FILES = { dir: '/nowhere', appRoot: '/nowhere', allowOutside: false }
const REFUND = {
  id: 'refund',
  input:
    'I can\'t use the kettle from order A-1042 (see https://shop.example/kettles?id=7 and mail ada@example.org). The café owner Mia Li bought "Blue  Kettle" for 42.50 on 2024-05-03. My brother has seen the same.',
  assert: [{ type: 'contains', value: 'kettle' }],
}

const caseOf = (written: object): TestCase => normalizeCase(written as Parameters<typeof normalizeCase>[0])

function saidIn({ input }: TestCase): string {
  return typeof input === 'string' ? input : ''
}

/** All the texts that an operator makes of a case in 40 draws. */
async function drawn(name: string, written: object): Promise<string[]> {
  const { subject } = await examine(caseOf({ assert: [{ type: 'contains', value: 'done' }], ...written }), FILES)
  const operator = OPERATORS.find((each) => each.name === name)
  const random = seededRandom(5)
  const texts = Array.from({ length: 40 }, () => {
    const change = operator?.change(subject, random)
    return change ? saidIn(withEdits(subject.testCase, change.edits)) : undefined
  })
  return [...new Set(texts.filter((text) => text !== undefined))]
}

const KEPT = [
  'A-1042',
  'https://shop.example/kettles?id=7',
  'ada@example.org',
  'Mia Li',
  '"Blue  Kettle"',
  '42.50',
  '2024-05-03',
]

test.each(OPERATORS.filter(({ name }) => name !== 'injection').map(({ name }) => name))(
  '%s keeps ids, addresses, names, quotations and numbers, and never draws the original',
  async (name) => {
    const texts = await drawn(name, REFUND)
    if (name !== 'order') expect(texts.length).toBeGreaterThan(1)
    for (const text of texts) {
      expect(text).not.toBe(REFUND.input)
      for (const kept of KEPT) expect(text).toContain(kept)
    }
  },
)

test.each([
  ['typos', 'Please book the meeting tomorrow', /^Please book the m\w+ tomorrow$/],
  ['case', 'please help me', /^(PLEASE HELP ME|Please Help Me)$/],
  ['politeness', 'please help me with this', /please help me with this/],
  ['additions', 'please help me with this', /please help me with this/],
])('%s changes what it should in %j', async (name, input, expected) => {
  const texts = await drawn(name, { id: 'a', input })
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) expect(text).toMatch(expected)
})

test('statements change places, requests and what refers back do not', async () => {
  expect(await drawn('order', { id: 'a', input: 'I live in Berlin. The ticket is for two people.' })).toEqual([
    'The ticket is for two people. I live in Berlin.',
  ])
  for (const input of [
    'I live in Berlin. It is cold there.',
    'Open the door. Close the window.',
    'I have a cat. Is that allowed?',
    'I came home. Then the phone rang.',
  ])
    expect(await drawn('order', { id: 'a', input })).toEqual([])
})

test.each([
  ['JSON', { input: '{"action": "close", "id": "T-9"}', expected: 'x' }],
  ['code', { input: 'What does this do?\n```js\nlet a = 1\n```', expected: 'x' }],
  [
    'an echo',
    { input: 'say this back to me please', assert: [{ type: 'equals', value: 'say this back to me please' }] },
  ],
  [
    'part of an echo',
    { input: 'tell them we are going home soon', assert: [{ type: 'contains', value: 'we are going home' }] },
  ],
  ['an expected echo', { input: 'good morning to everybody', expected: 'good morning to everybody' }],
  ['a snapshot', { input: 'please help me with this', assert: ['snapshot'] }],
  ['nothing to say', { input: '', expected: 'x' }],
  [
    'a question about wording',
    { input: 'how many letters are in my name?', assert: [{ type: 'contains', value: '4' }] },
  ],
  ['a case without assertions', { input: 'please help me with this' }],
])('%s is left alone', async (_what, written) => {
  const { subject } = await examine(caseOf({ id: 'a', ...written }), FILES)
  expect(subject.said).toEqual([])
})

test.each([
  ['Please sum this up for me: the quick brown fox jumped over it.', 'the quick brown fox jumped over it.'],
  ['What is the main point of this mail?\n\ndear all we are going home early', 'dear all we are going home early'],
  ['Could you tell me what `git stash list` does?', '`git stash list`'],
])('the text to work on stays as it is: %j', async (input, payload) => {
  let count = 0
  for (const { name } of OPERATORS)
    for (const text of await drawn(name, { id: 'a', input })) {
      count++
      expect(text).toContain(payload)
      if (input.endsWith(payload)) expect(text.endsWith(payload), text).toBe(true)
    }
  expect(count).toBeGreaterThan(20)
})

test('values that assertions look for stay, wherever they are', async () => {
  const written = {
    id: 'a',
    input: 'please send the parcel to oslo for henrik',
    assert: [
      { type: 'tool_called', name: 'send', arguments: { city: 'Oslo', to: { $regex: '(?i)henrik' } } },
      { type: 'all', assertions: [{ type: 'contains', value: 'parcel' }] },
    ],
  }
  for (const { name } of OPERATORS)
    for (const text of await drawn(name, written))
      for (const kept of ['parcel', 'oslo', 'henrik']) expect(text, name).toContain(kept)
})

test('an instruction is planted in tool results and tool messages, with a marker that is not in it', async () => {
  for (const written of [
    { testing: { tools: { read: { from: 'Ada', id: 'a b', body: 'See you on Friday at the party.' } } } },
    { testing: { tools: { read: 'Plain text of a tool.' } } },
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'tool', tool_call_id: '1', content: 'Some text that was found.' },
      ],
    },
    {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'tool', tool_call_id: '1', content: '{"hits": ["Some text."]}' },
      ],
    },
  ]) {
    const { subject } = await examine(caseOf({ id: 'a', input: 'hi', ...written }), FILES)
    const [first] = planTries({
      subjects: [subject],
      operators: OPERATORS.filter(({ name }) => name === 'injection'),
      seed: 1,
      tries: 1,
    })
    const { planted = '', marker = '' } = first?.change.injection ?? {}
    expect(planted).not.toContain(marker)
    const changed = JSON.stringify(changedCase(subject.testCase, first?.change ?? { edits: [] }))
    expect(changed.replaceAll('\\', '')).toContain(planted)
    expect(changed).toContain(`"marker":"${marker}"`)
  }
})

test('the same seed makes the same plan, another seed another, and no change comes twice', async () => {
  const examined = await Promise.all(
    [REFUND, { id: 'b', input: 'please help me with the garden', expected: 'x' }].map((each) =>
      examine(caseOf(each), FILES),
    ),
  )
  const subjects = examined.map(({ subject }) => subject)
  const plan = (seed: number) =>
    planTries({ subjects, operators: OPERATORS, seed, tries: 50 }).map(({ id, subject, change }) => [
      id,
      changedCase(subject.testCase, change).input,
    ])
  expect(plan(1)).toEqual(plan(1))
  expect(plan(1)).not.toEqual(plan(2))
  expect(new Set(plan(1).map(([, input]) => input)).size).toBe(plan(1).length)
})

test.each(['a', '{', 'A ', ' ', '"', "'", 'a.', 'Ab', '. A', 'I am. '])(
  'a long text of %j does not take long',
  async (piece) => {
    const input = piece.repeat(Math.floor(19_000 / piece.length))
    for (const { name } of OPERATORS) await drawn(name, { id: 'a', input })
    expect(await drawn('spacing', { id: 'a', input: piece.repeat(200_000) })).toEqual([])
  },
)
