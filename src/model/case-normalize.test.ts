import { expect, test } from 'vitest'
import { normalizeCase } from './case-normalize.js'

const normalise = (fields: Record<string, unknown>) => normalizeCase({ id: 'T1', ...fields })

test.each([
  [{ assert: 'awaiting_input' }, [{ type: 'awaiting_input' }]],
  [{ assert: { type: 'contains', value: 'x' } }, [{ type: 'contains', value: 'x' }]],
  [{ assertions: [{ value: 1 }, 'equals'] }, [{ type: 'equals', value: 1 }, { type: 'equals' }]],
  [{}, []],
])('%j has one form', (fields, assertions) => expect(normalise(fields).assertions).toEqual(assertions))

test('null input is as if absent, and a message without a role is the user’s', () => {
  expect(normalise({ input: null })).toEqual({ id: 'T1', assertions: [] })
  expect(normalise({ input: { content: 'x' } }).input).toEqual({ role: 'user', content: 'x' })
  expect(normalise({ messages: [{ content: 'x' }, { role: 'assistant', content: 'y' }] }).messages).toEqual([
    { role: 'user', content: 'x' },
    { role: 'assistant', content: 'y' },
  ])
})

test('expected null is an expectation', () => expect(normalise({ expected: null })).toHaveProperty('expected', null))

test('turns and checkpoints take both spellings', () => {
  expect(normalise({ turns: [{ input: 'a', assert: 'equals' }, { assertions: ['equals'] }] }).turns).toEqual([
    { input: 'a', assertions: [{ type: 'equals' }] },
    { assertions: [{ type: 'equals' }] },
  ])
  expect(
    normalise({
      checkpoints: [
        { id: 'a', assert: 'equals' },
        { id: 'b', assertion: { value: 1 }, after: ['a'], required: false },
      ],
    }).checkpoints,
  ).toEqual([
    { id: 'a', assertion: { type: 'equals' }, after: [], required: true },
    { id: 'b', assertion: { type: 'equals', value: 1 }, after: ['a'], required: false },
  ])
})

test.each([
  [{ max_turns: 5, simulator: { metadata: { max_turns: 9 } } }, 5],
  [{ simulator: { metadata: { max_turns: 9 } } }, 9],
  [{ simulator: { options: { metadata: { max_turns: 8 } } } }, 8],
  [{ max_turns: 0, simulator: {} }, undefined],
  [{ simulator: { metadata: { max_turns: 0 } } }, undefined],
])('%j: at most %s turns', (fields, turns) => expect(normalise(fields).max_turns).toBe(turns))

test('simulator.metadata is short for simulator.options.metadata, which wins', () => {
  expect(
    normalise({
      simulator: {
        use: 'u',
        metadata: { goal: 'g', style: 'a' },
        options: { connector: 'c', metadata: { style: 'b' } },
      },
    }).simulator,
  ).toEqual({
    use: 'u',
    options: { connector: 'c', metadata: { goal: 'g', style: 'b' } },
  })
  expect(normalise({ simulator: { use: 'u' } }).simulator).toEqual({ use: 'u' })
})

test('a retry policy is complete', () => {
  expect(normalise({ retry: { retry_on: ['timeout'] } }).retry).toEqual({
    max_attempts: 3,
    backoff_ms: 1000,
    retry_on: ['timeout'],
  })
})

test('keys it does not know, __proto__ among them, go nowhere', () => {
  const raw = JSON.parse('{"__proto__":{"skip":true},"id":"T1","input":"x","other":1}') as Record<string, unknown>
  const result = normalizeCase(raw)
  expect(result.skip).toBeUndefined()
  expect(Object.keys(result)).toEqual(['id', 'assertions', 'input'])
})
