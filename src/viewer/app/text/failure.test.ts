import { expect, test } from 'vitest'
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent } from '../../../model/event.js'
import { firstFailure, headline, nearest, sidesOf, unsaid } from './failure.js'

const failed = (change: Partial<AssertionResult>): AssertionResult => ({ type: 'equals', passed: false, ...change })
const result = (change: object): ResultEvent =>
  ({ type: 'result', run_id: 'r', id: 'a', run: 1, status: 'failed', duration_ms: 1, ...change }) as ResultEvent

test('the first failure in the order of the checks: turns, assertions, final ones', () => {
  const first = failed({ message: 'one' })
  const passed = { type: 'contains', passed: true }
  expect(firstFailure(result({ assertions: [passed, first, failed({})] }))).toEqual({ item: first })
  expect(
    firstFailure(result({ turns: [{ turn: 2, assertions: [passed, first] }], final_assertions: [failed({})] })),
  ).toEqual({ item: first, turn: 2 })
  expect(firstFailure(result({ assertions: [failed({ error: 'judge is gone' }), first] }))?.item).toBe(first)
  expect(firstFailure(result({ status: 'passed', assertions: [first] }))).toBeUndefined()
  expect(firstFailure(result({}))).toBeUndefined()
})

test.each([
  ['output is not equal: expected "a", got "b"', 'output is not equal'],
  ['output differs at $.a.b: expected 1, got 2', 'output differs at $.a.b'],
  ['output differs at $.a is missing (expected 1)', 'output differs at $.a is missing'],
  ['output does not contain "x"; nearest: "y"', 'output does not contain the expected text'],
  ['output does not match pattern ^a$', 'output does not match the pattern'],
  ['$.total: expected 1, got 2', '$.total is not as expected'],
  ['no tools were called', 'no tools were called'],
  ['the price is wrong', 'the price is wrong'],
])('%j above two sides', (message, sentence) => {
  const sides = { expected: 1, actual: 2 }
  expect(headline(failed({ message }), sides)).toBe(sentence)
  expect(headline(failed({ message }), undefined)).toBe(message)
})

test('sides that were recorded cut are made whole', () => {
  const item = failed({ value: 'long text', expected: 'long t…', actual: '{"a":"x…' })
  expect(sidesOf(item, { output: { a: 'xyz' } })).toEqual({ expected: 'long text', actual: { a: 'xyz' } })
  // An answer that merely ends so, or another one, is not touched.
  expect(sidesOf(failed({ expected: 'well…', actual: 'so…' }), { output: 'other' })).toEqual({
    expected: 'well…',
    actual: 'so…',
  })
  expect(sidesOf(failed({}))).toBeUndefined()
})

test('a finding of a contract is not two sides, and its words stay whole', () => {
  const message = 'protocol: the answer does not fit the protocol: content: expected array, got text'
  const item = failed({ type: 'contract', message, actual: { rule: 'protocol', request: {}, answer: {} } })
  expect(sidesOf(item)).toBeUndefined()
  expect(headline(item, sidesOf(item))).toBe(message)
})

test('a call with other arguments is shown beside the wanted one, limited to what was wanted', () => {
  const item = failed({
    type: 'tool_called',
    expected: 'book with {"seats":3,"date":"1 May"}',
    actual: ['book'],
    message: 'book was called, never with seats 3: in call 2, book({"seats":2}), it is 2',
  })
  const tool_calls = [
    { name: 'find', args: {} },
    { name: 'book', args: { seats: 2, date: '1 May', note: 'x' } },
  ]
  const sides = sidesOf(item, { tool_calls })
  expect(sides).toEqual({
    expected: { seats: 3, date: '1 May' },
    actual: { seats: 2, date: '1 May' },
  })
  expect(headline(item, sides)).toBe('book was called, never with seats 3')
  // The same call wanted twice has no other arguments.
  const taken = {
    ...item,
    message:
      'tool \'book with {"seats":3}\' was not called; closest is call 2, book({"seats":2}), which is taken already',
  }
  expect(headline(taken, sidesOf(taken, { tool_calls }))).toBe(taken.message)
  // Without the calls the message says it all.
  expect(headline(item, sidesOf(item))).toBe(item.message)
})

test('of assertions that must all hold, the first that does not is the failure', () => {
  const part = failed({ type: 'contains', message: 'no Monday' })
  const all = failed({ type: 'all', parts: [{ type: 'contains', passed: true }, part] })
  expect(firstFailure(result({ assertions: [all] }))?.item).toBe(part)
  const any = failed({ type: 'any', parts: [part] })
  expect(firstFailure(result({ assertions: [any] }))?.item).toBe(any)
})

test('the nearest part is read from the message', () => {
  expect(nearest(failed({ message: 'output does not contain "a"; nearest: "b "c""' }))).toBe('b "c"')
  expect(nearest(failed({ message: 'nothing' }))).toBeUndefined()
})

test('what no assertion says is left over, once', () => {
  const assertions = [failed({ message: 'output is not equal' })]
  expect(unsaid(result({ error: 'assertion failed: output is not equal', assertions }))).toEqual([])
  const errors = ['turn 2: the agent is gone', 'output is not equal']
  expect(unsaid(result({ error: 'the agent is gone', assertion_errors: errors, assertions }))).toEqual([
    'the agent is gone',
  ])
})
