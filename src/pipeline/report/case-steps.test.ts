import { expect, test } from 'vitest'
import { resultEvent } from '../../../test/support/events.js'
import type { Span } from '../../model/span.js'
import { caseSteps, flatSteps, type Step } from './case-steps.js'
import { stepTitle } from './step-words.js'

const stepsOf = (change: Parameters<typeof resultEvent>[1]) => caseSteps(resultEvent('T1', change), () => undefined)
const outline = (steps: Step[]): unknown[] =>
  steps.map((step) => (step.children.length > 0 ? [stepTitle(step), outline(step.children)] : stepTitle(step)))

test('steps are numbered in the order of the page, parents first', () => {
  const steps = stepsOf({
    input: 'hi',
    output: 'hello',
    trace: [
      { kind: 'model', name: 'm' },
      { kind: 'delegate', name: 'other' },
      { kind: 'model', name: 'n' },
    ],
  })
  expect(outline(steps)).toEqual(['User', 'm', ['other', ['n']], 'Agent'])
  expect(flatSteps(steps).map(({ n }) => n)).toEqual([1, 2, 3, 4, 5])
})

test('a tool call and its step are one; a call without a step follows the steps', () => {
  const steps = stepsOf({
    input: 'hi',
    output: 'x',
    tool_calls: [
      { name: 'a', args: { n: 1 }, result: 1 },
      { name: 'server_tool', args: {}, result: 2 },
      { name: 'a', args: { n: 2 }, error: 'no' },
    ],
    trace: [
      { kind: 'tool', name: 'a', start_ms: 1, duration_ms: 1 },
      { kind: 'tool', name: 'a', start_ms: 2, duration_ms: 1 },
    ],
  })
  const tools = steps.flatMap((step) => (step.kind === 'tool' ? [[step.call.args, step.start, step.error]] : []))
  expect(tools).toEqual([
    [{ n: 1 }, 1, undefined],
    [{ n: 2 }, 2, 'no'],
    [{}, undefined, undefined],
  ])
})

test('a step belongs to the turn that was going on; without times it stands after the turns', () => {
  const turn = { input: 'x', input_source: 'static' as const, status: 'passed' as const, duration_ms: 10 }
  const turns = [
    { ...turn, turn: 1, start_ms: 0 },
    { ...turn, turn: 2, start_ms: 10 },
  ]
  const model = (name: string, start_ms?: number) => ({
    kind: 'model' as const,
    name,
    ...(start_ms !== undefined && { start_ms }),
  })
  const steps = stepsOf({ turns, trace: [model('one', 3), model('two', 10), model('three', 12), model('unknown')] })
  expect(outline(steps)).toEqual([['Turn 1', ['User', 'one']], ['Turn 2', ['User', 'two', 'three']], 'unknown'])
})

test('spans nest as they say, whatever they say', () => {
  const span = (name: string, parent?: string): Span => ({ name, kind: 'other', id: name, ...(parent && { parent }) })
  const steps = stepsOf({
    spans: [
      span('b', 'a'),
      span('a'),
      span('c', 'b'),
      span('lost', 'nowhere'),
      span('self', 'self'),
      span('x', 'y'),
      span('y', 'x'),
    ],
  })
  expect(outline(steps)).toEqual(['User', ['a', [['b', ['c']]]], 'lost', 'self', 'x', 'y', 'Agent'])
})
