// An answer that only reads like a question never keeps a check from being made; one that is declared skips the case.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Reply, run } from '../../../../test/support/scripted-conversation.js'
import type { ConversationResult } from './contract.js'

const REASON = 'Agent awaiting input, no next turn defined'
const CONTAINS = [{ type: 'contains', value: 'number' }]
const NOT_EVALUATED = { ...CONTAINS[0], passed: false, not_evaluated: true, message: `not evaluated: ${REASON}` }

test.each([
  ['final_assertions', { turns: [{ input: 'a' }], final_assertions: CONTAINS }],
  ['assertions of the case', { turns: [{ input: 'a' }], assertions: CONTAINS }],
  ['assertions of a turn', { turns: [{ input: 'a', assertions: CONTAINS }] }],
  ['assertions of an earlier turn', { turns: [{ input: 'a', assertions: CONTAINS }, { input: 'b' }] }],
])('after a guess the case decides by its %s', async (_name, written) => {
  expect(await run(written, { replies: ['Which number?'] })).toMatchObject({
    status: 'passed',
    awaiting_input: true,
    awaiting_reason: 'content_is_question',
  })
  expect(await run(written, { replies: ['Which one?'] })).toMatchObject({ status: 'failed', error_kind: 'assertion' })
})

test('after a guess `expected` and checkpoints decide', async () => {
  const expected = { turns: [{ input: 'a' }], expected: 'Which?' }
  expect(await run(expected, { replies: ['Which?'] })).toMatchObject({ status: 'passed' })
  expect(await run(expected, { replies: ['What?'] })).toMatchObject({ status: 'failed' })
  const never = { id: 'never', assertion: { type: 'not_contains', value: 'number' } }
  const held = { turns: [{ input: 'a' }], checkpoints: [never] }
  expect(await run(held, { replies: ['Which one?'] })).toMatchObject({ status: 'passed' })
  expect(await run(held, { replies: ['Which number?'] })).toMatchObject({ status: 'failed' })
})

test('a case that asserts nothing is skipped', async () => {
  const result = await run({ turns: [{ input: 'a' }] }, { replies: ['Which number?'] })
  expect(result).toMatchObject({ status: 'skipped', skip_reason: REASON })
  expect(result).not.toHaveProperty('final_assertions')
})

test.each([
  ['the reply', { content: 'Your number', awaiting_input: true }],
  ['a tool', { content: 'Your number', tool_calls: [{ name: 'ask_user', args: {} }] }],
] satisfies Array<[string, Reply]>)(
  'declared by %s, awaiting input skips, and lists what was not evaluated',
  async (_name, reply) => {
    const written = {
      turns: [{ input: 'a', assertions: CONTAINS }],
      assertions: [{ type: 'equals', value: 'x' }],
      final_assertions: CONTAINS,
    }
    const result = await run(written, { replies: [reply] })
    expect(result).toMatchObject({
      status: 'skipped',
      skip_reason: REASON,
      turns: [{ status: 'passed', assertions: [{ passed: true }] }, { status: 'skipped' }],
      assertions: [{ type: 'equals', value: 'x', passed: false, not_evaluated: true }],
      final_assertions: [NOT_EVALUATED],
    })
    expect(result).not.toHaveProperty('assertion_errors')
    const failed = await run(
      { ...written, turns: [{ input: 'a', assert: { type: 'contains', value: 'never' } }] },
      { replies: [reply] },
    )
    expect(failed).toMatchObject({ status: 'failed', error_kind: 'assertion', turns: [{ status: 'failed' }] })
  },
)

test.each([
  ['by the case', { on_missing_input: 'skip' }, {}],
  ['by a flag', {}, { on_missing_input: 'skip' as const }],
])('asked for %s, a guess skips', async (_name, asked, options) => {
  const written = { turns: [{ input: 'a' }], final_assertions: CONTAINS, ...asked }
  const result = await run(written, { replies: ['Which number?'], options })
  expect(result).toMatchObject({ status: 'skipped', final_assertions: [NOT_EVALUATED] })
})

test('a simulator error skips after a guess, too, and lists what was not evaluated', async () => {
  const written = { turns: [{ input: 'a' }], simulator: { use: 'sim' }, final_assertions: CONTAINS }
  const result = await run(written, { replies: ['Which number?'], simulator: [new Error('no such model')] })
  expect(result).toMatchObject({
    status: 'skipped',
    skip_reason: 'simulator error',
    final_assertions: [{ not_evaluated: true, message: 'not evaluated: simulator error' }],
  })
})

test('a turn without input is not a guess: its assertions were not evaluated', async () => {
  const written = { turns: [{ input: 'a' }, { assertions: CONTAINS }], final_assertions: CONTAINS }
  for (const reply of ['Which number?', 'The number is 7.']) {
    const result = await run(written, { replies: [reply] })
    expect(result).toMatchObject({ status: 'skipped', skip_reason: 'turn 2 has no input' })
  }
})

const word = fc.constantFrom('number', 'Which number?', 'ok', '7')
const negate = fc.boolean()
const onText = fc.record(
  {
    type: fc.constantFrom('contains', 'not_contains', 'equals', 'regex'),
    value: word,
    path: fc.constant('$.number'),
    negate,
  },
  { requiredKeys: ['type', 'value'] },
)
const onPath = fc.record({
  type: fc.constant('json_path'),
  path: fc.constantFrom('$.number', '$.none'),
  value: word,
  negate,
})
const onTools = fc.record({ type: fc.constantFrom('tool_called', 'tool_not_called'), name: word, negate })
const awaiting = fc.boolean().map((value) => ({ type: 'awaiting_input', value }))
const length = fc.constantFrom(0, 3, 20).map((max) => ({ type: 'length', max }))
const text = fc.constantFrom('number', 'Which number?', 'Please confirm?', 'It is 7.', 'ok', '', '{"number":"7"}')
const reply = fc.oneof(
  text,
  fc.record({ content: text, finish_reason: fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter') }),
  fc.record({
    content: text,
    tool_calls: fc.array(fc.record({ name: word, args: fc.constant({}) }), { maxLength: 2 }),
  }),
  fc.record({ content: fc.constant({ number: '7', ok: true }) }),
)

test('one turn with assertions is what `input` with them is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(onText, onPath, onTools, awaiting, length), { minLength: 1, maxLength: 3 }),
      fc.option(fc.constantFrom(0.3, 0.7, 1), { nil: undefined }),
      reply,
      async (assertions, min_score, answer) => {
        const graded = min_score === undefined ? {} : { min_score }
        const replies = [answer]
        const single = await run({ input: 'a', assertions, ...graded }, { replies })
        const turned = await run({ turns: [{ input: 'a', assertions }], ...graded }, { replies })
        expect(essence(turned, turned.turns?.[0]?.assertions)).toEqual(essence(single, single.assertions))
      },
    ),
    { numRuns: 500 },
  )
})

function essence(result: ConversationResult, assertions: unknown): Record<string, unknown> {
  const { status, error, error_kind, score, output, response, tool_calls, finish_reason, messages_count } = result
  const unnumbered = (line: string | undefined): string | undefined => line?.replace(/^turn 1: /, '')
  return {
    status,
    error_kind,
    score,
    output,
    response,
    tool_calls,
    finish_reason,
    messages_count,
    assertions,
    error: unnumbered(error),
    errors: result.assertion_errors?.map(unnumbered),
  }
}
