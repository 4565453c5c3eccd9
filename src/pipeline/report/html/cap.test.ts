import { expect, test } from 'vitest'
import type { ResultFields } from '../../../../test/support/events.js'
import type { ResultEvent } from '../../../model/event.js'
import { cappedLine, RESULT_LIMIT } from './cap.js'

const result = (change: ResultFields): ResultEvent =>
  ({ type: 'result', run_id: 'r', id: 'T1', run: 1, status: 'passed', duration_ms: 1, ...change }) as ResultEvent
const capped = (change: ResultFields) => JSON.parse(cappedLine(result(change))) as ResultEvent

test('a small result is written as it is', () => {
  const event = result({ output: { a: [1, null, 'x'] }, assertions: [{ type: 'contains', passed: true, value: 'x' }] })
  expect(JSON.parse(cappedLine(event))).toEqual(event)
})

test('every field has its own limit, wherever it is', () => {
  const long = 'x'.repeat(200_000)
  const event = capped({
    output: long,
    turns: [{ turn: 1, input: long, input_source: 'static', status: 'passed', output: { deep: long }, duration_ms: 1 }],
    tool_calls: [{ name: 't', args: { long }, result: long }],
    error: 'short',
  })
  expect(event.error).toBe('short')
  expect(String(event.output)).toContain('134,464 more characters')
  expect(String(event.turns?.[0]?.input)).toContain('134,464 more characters')
  expect(String(event.turns?.[0]?.output)).toContain('more characters; the event file has the whole text')
  expect(String(event.tool_calls?.[0]?.result)).toContain('more characters; the event file has the whole text')
})

test('a response that repeats the output is not written twice', () => {
  expect(capped({ output: 'same', response: 'same' })).not.toHaveProperty('response')
  expect(capped({ output: 'one', response: 'two' })).toHaveProperty('response', 'two')
})

test('a result with thousands of long turns still fits', () => {
  const turns = Array.from({ length: 2000 }, (_item, index) => ({
    turn: index + 1,
    input: 'x'.repeat(5_000),
    input_source: 'static' as const,
    status: 'passed' as const,
    output: 'y'.repeat(5_000),
    duration_ms: 1,
  }))
  const line = cappedLine(result({ turns }))
  expect(line.length).toBeLessThanOrEqual(RESULT_LIMIT)
  expect(JSON.parse(line)).toMatchObject({ id: 'T1', status: 'passed' })
})
