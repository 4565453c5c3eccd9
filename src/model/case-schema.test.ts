import { Ajv2020 } from 'ajv/dist/2020.js'
import { safeParse } from 'valibot'
import { expect, test } from 'vitest'
import { normalizeCase } from './case-normalize.js'
import { caseJsonSchema, caseSchema } from './case-schema.js'

/** A case that uses every field. */
const EVERYTHING = {
  id: 'T1',
  name: 'everything',
  type: 'multi_turn',
  input: 'hi',
  messages: [{ role: 'user', content: 'hi' }],
  expected: { a: 1 },
  assert: [{ type: 'contains', value: 'x' }],
  tools: [{ name: 'f', description: 'd', inputSchema: { type: 'object' } }],
  expect_tool: { name: 'f', arguments: { a: 1 }, arguments_match: 'subset' },
  call: { tool: 'f', arguments: { a: 1 } },
  user: 'u',
  team: 't',
  metadata: { a: 1 },
  options: {
    connector: 'c',
    skip: { history: true },
    search: false,
    mode: 'm',
    metadata: {},
    disable_global_prompts: true,
    own: 1,
  },
  skip: false,
  skip_reason: 'r',
  timeout: '30s',
  turn_timeout: '5s',
  retry: { max_attempts: 2, backoff_ms: 10, retry_on: ['timeout'], no_retry_on: ['agent'] },
  tags: ['a'],
  before: 'scripts:a.b',
  after: 'scripts:a.c',
  attachments: [{ type: 'image', source: 'file://x.png' }],
  turns: [{ input: 'x', assertions: 'equals', options: {}, attachments: [] }],
  interactive: { enabled: true, timeout: '1m' },
  on_missing_input: 'end',
  final_assertions: { value: 1 },
  simulator: { use: 'agents:u', options: { metadata: { goal: 'g' } } },
  checkpoints: [{ id: 'c', description: 'd', assertion: 'equals', after: [], required: false }],
  max_turns: 5,
  mutations: { ignore: ['another language'], reason: 'any will do' },
  vacuous: 'it only greets',
  should_trigger: true,
  min_score: 0.5,
  testing: { tools: { f: 1 } },
  workspace: { fixtures: { 'a.txt': 'x' }, scratchpad: 'plan', config: { hats: {} } },
  recording: { mode: 'record', max_age: '30d' },
}

test('the example uses every field of the schema but the second spelling of assert', () => {
  const fields = Object.keys(caseSchema.entries).filter((field) => field !== 'assertions')
  expect(Object.keys(EVERYTHING).toSorted()).toEqual(fields.toSorted())
  expect(safeParse(caseSchema, EVERYTHING).issues).toBeUndefined()
})

test('no field gets lost on the way to the stages', () => {
  const normalised = normalizeCase(EVERYTHING, 7)
  const { assert: _assert, call: _call, expect_tool: _tool, ...rest } = EVERYTHING
  expect(Object.keys(normalised).toSorted()).toEqual([...Object.keys(rest), 'assertions', 'line'].toSorted())
})

test('the JSON Schema accepts what the schema accepts, and is strict about keys', async () => {
  const ajv = new Ajv2020({ strict: false })
  const validate = ajv.compile(await caseJsonSchema())
  expect(validate(EVERYTHING), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ id: 'a', input: 'x', options: { anything: 1 }, assert: { type: 'x', anything: 1 } })).toBe(true)
  expect(validate({ id: 'a', input: 'x', comment: 'c', _own: 1, turns: [{ input: 'x', 'x-own': 1 }] })).toBe(true)
  for (const wrong of [
    { id: 'a' },
    { id: 1, input: 'x' },
    { id: 'a', input: 'x', asserts: [] },
    { id: 'a', input: 'x', timeout: '30d' },
    { id: 'a', input: 'x', timeout: '0s' },
    { id: 'a', input: 'x', max_turns: 1001 },
    { id: 'a', input: 'x', turns: [{ inptu: 'x' }] },
    { id: 'a', input: 5 },
    { id: 'a', input: 'x', workspace: { fixture: {} } },
    { id: 'a', input: 'x', expect_tool: { name: 'f', argument: {} } },
    { id: 'a', messages: [{ role: 'usr', content: 'x' }] },
    { id: 'a', input: 'x', attachments: [{ type: 'picture', url: 'https://a/b' }] },
  ]) {
    expect(validate(wrong), JSON.stringify(wrong)).toBe(false)
  }
})

test('the JSON Schema explains its fields', async () => {
  const schema = (await caseJsonSchema()) as { properties: Record<string, { description?: string }> }
  const silent = Object.entries(schema.properties).filter(([, { description }]) => description === undefined)
  expect(silent.map(([name]) => name)).toEqual([])
})
