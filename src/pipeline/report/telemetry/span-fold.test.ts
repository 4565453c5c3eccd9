// Calls of tools as spans: those with a step of their own, and those without, none twice and none left out.
import { expect, test } from 'vitest'
import { resultEvent, startEvent } from '../../../../test/support/events.js'
import { SpanFold } from './span-fold.js'

test('every call has one span, whether or not a step says when it was made', () => {
  const fold = new SpanFold()
  fold.add(startEvent())
  fold.add({ type: 'case_start', id: 'T1', run: 1, timestamp: '2024-12-17T10:00:01Z' })
  const spans = fold.add(
    resultEvent('T1', {
      tool_calls: [
        { name: 'find', args: { id: 1 }, result: 'one' },
        { name: 'find', args: { id: 2 }, result: 'two' },
        { name: 'book', args: {}, result: 'booked' },
      ],
      trace: [{ kind: 'tool', name: 'find', start_ms: 5, duration_ms: 10, detail: { args: { id: 1 } } }],
    }),
  )
  const calls = spans.filter(({ name }) => name.startsWith('execute_tool'))
  expect(calls.map(({ name }) => name).toSorted()).toEqual([
    'execute_tool book',
    'execute_tool find',
    'execute_tool find',
  ])
  const results = calls.map(({ attributes }) => attributes.find(({ key }) => key === 'gen_ai.tool.call.result')?.value)
  expect(results).toEqual(
    expect.arrayContaining(['one', 'two', 'booked'].map((text) => ({ stringValue: `"${text}"` }))),
  )
})
