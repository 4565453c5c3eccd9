// What counts as done by the agent itself.
import { expect, test } from 'vitest'
import type { ResultEvent, StartEvent } from '../../model/event.js'
import { seenIn } from './seen.js'

const START = { type: 'start', environment: { locale: 'en-us' } } as unknown as StartEvent

function seen(result: object): ReturnType<typeof seenIn> {
  return seenIn(START, { type: 'result', id: 'a', run: 1, status: 'passed', ...result } as ResultEvent, () => undefined)
}

test('a call that was only claimed, has no name or is to no tool is none', () => {
  const tool_calls = [
    { name: 'real', args: {} },
    { name: 'claimed', args: {}, claimed: true },
    { name: 'Reading a file', args: {}, unnamed: true },
    { name: 'missing', args: {}, no_such_tool: true },
    { name: 'broken', args: '{', args_error: 'not JSON' },
  ]
  expect(seen({ tool_calls }).calls.map(({ name, args }) => [name, args])).toEqual([
    ['real', {}],
    ['broken', undefined],
  ])
})

test('what an MCP server called an error is one', () => {
  const tool_calls = [
    { name: 'a', args: {}, result: { isError: true, content: [{ type: 'text', text: 'no' }] } },
    { name: 'b', args: {}, result: { isError: false } },
  ]
  expect(seen({ tool_calls }).calls.map(({ failed }) => failed)).toEqual([true, false])
})

test('steps and calls after a delegation belong to the other agent, in that turn only', () => {
  const step = (kind: string, name: string, start_ms: number): object => ({ kind, name, start_ms })
  const { steps, calls, delegates } = seen({
    trace: [
      step('hook', 'Create', 0),
      step('tool', 'own', 1),
      step('delegate', 'other', 2),
      step('hook', 'Next', 3),
      step('tool', 'foreign', 4),
      step('hook', 'Create', 11),
      step('tool', 'again', 12),
    ],
    turns: [
      {
        turn: 1,
        status: 'passed',
        start_ms: 0,
        tool_calls: [
          { name: 'own', args: {} },
          { name: 'foreign', args: {} },
        ],
      },
      { turn: 2, status: 'passed', start_ms: 10, tool_calls: [{ name: 'again', args: {} }] },
    ],
  })
  expect(steps.map(({ name }) => name)).toEqual(['Create', 'own', 'Create', 'again'])
  expect(calls.map(({ name }) => name)).toEqual(['own', 'again'])
  expect(delegates).toEqual(['other'])
})
