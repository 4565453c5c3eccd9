import { expect, test } from 'vitest'
import { packRow, plainText, cellText, unpackRow } from './result-row.js'

test('a row comes back as it was', () => {
  const row = unpackRow(
    packRow({
      type: 'result',
      run_id: 'r',
      id: 'T1',
      name: 'N',
      run: 2,
      status: 'failed',
      duration_ms: 5,
      error: 'first\nsecond',
      error_kind: 'timeout',
      tags: ['a'],
      cost_dollars: 0,
      tool_calls: [{ name: 'save', args: {} }],
      assertions: [{ type: 'equals', passed: false, message: 'differs' }],
    }),
  )
  expect(row).toMatchObject({ id: 'T1', run: 2, status: 'failed', kind: 'timeout', tags: ['a'], flaky: false, cost: 0 })
  expect(row.error).toBe('first second')
  expect(row.search).toBe('save equals differs')
})

test('an unknown price is not a price of nothing', () => {
  const row = unpackRow(packRow({ type: 'result', run_id: 'r', id: 'T1', run: 1, status: 'passed', duration_ms: 5 }))
  expect(row.cost).toBeNull()
})

test('the words of messages, parts and data', () => {
  expect(
    plainText([
      { role: 'system', content: 'x' },
      { role: 'user', content: 'hello' },
    ]),
  ).toBe('hello')
  expect(
    plainText({
      role: 'user',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    }),
  ).toBe('one two')
  expect(plainText({ a: 1 })).toBe('{"a":1}')
  expect(plainText(undefined)).toBe('')
})

test('a cell is cut between characters', () => {
  expect(cellText('aaa😀bbb', 5)).toBe('aaa😀…')
  expect(cellText('aaa😀bbb', 4)).toBe('aaa…')
  expect(cellText('a  b\n\nc', 10)).toBe('a b c')
})

const failedRow = (change: object): string =>
  unpackRow(
    packRow({
      type: 'result',
      run_id: 'r',
      id: 'T1',
      run: 1,
      status: 'failed',
      duration_ms: 5,
      error: 'assertion failed: output is not equal: expected "x", got "y"',
      error_kind: 'assertion',
      ...change,
    }),
  ).error
const check = (expected: unknown, actual: unknown, value = expected) => ({
  type: 'equals',
  passed: false,
  value,
  expected,
  actual,
})

test('the error of a row shows where two long texts begin to differ', () => {
  const start = 'Your order has been shipped. It should reach you within a few days.\n\n'
  expect(failedRow({ assertions: [check(`${start}- Carrier: UPS`, `${start}- Carrier: DHL`)] })).toBe(
    'output is not equal: expected "…- Carrier: UPS", got "…- Carrier: DHL"',
  )
  expect(failedRow({ assertions: [check('a\nb', 'c')] })).toBe('output is not equal: expected "a b", got "c"')
  expect(failedRow({ assertions: [check('a b', 'a\nb')] })).toBe('output is not equal: only in white space')
  const error = 'assertion failed: $.total: expected 40, got 41'
  expect(failedRow({ error, assertions: [check(40, 41)] })).toBe('$.total: expected 40, got 41')
})

test('the error of a row reads whole texts that were recorded cut, and those of turns', () => {
  const long = 'word '.repeat(1000)
  const [expected, actual] = [`${long}end`, `${long}finish`]
  const cut = `${long.slice(0, 2000)}…`
  expect(failedRow({ assertions: [check(cut, cut, expected)], output: actual })).toBe(
    'output is not equal: expected "…word word word end", got "…word word word finish"',
  )
  expect(
    failedRow({
      error: 'turn 2: assertion failed: output is not equal: expected "a\\nb", got "c"',
      turns: [{ turn: 2, assertions: [check('a\nb', 'c')] }],
    }),
  ).toBe('turn 2: output is not equal: expected "a b", got "c"')
})
