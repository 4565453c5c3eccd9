import { expect, test } from 'vitest'
import { sessionCalls } from './session-calls.js'
import { sessionEvidence } from './session-evidence.js'
import type { SessionRecord } from './session.js'

const at = (event: string, data: unknown): SessionRecord => ({ ts: 1, event, data })
const published = (topic: string): SessionRecord =>
  at('bus.publish', { topic, payload: `of ${topic}`, source: null, target: null })
const called = (facts: object): SessionRecord =>
  at('backend.call', { hat: 'a', prompt_hash: '', exit_code: 0, duration_ms: 1, ...facts })

test('events know their iteration, iterations their hat', () => {
  const { events, iterations } = sessionEvidence([
    at('_meta.loop_start', {}),
    published('task.start'),
    at('_meta.iteration', { n: 1, hat: 'planner', elapsed_ms: 0 }),
    published('build.task'),
    at('of.another.version', 7),
    at('_meta.iteration', { n: 2, hat: 'builder', elapsed_ms: 5 }),
    called({ hat: 'builder', error: 'it broke' }),
    at('bus.malformed', { source: 'builder', text: '<event>', reason: 'no topic' }),
    published('build.done'),
  ])
  expect(events.map(({ topic, iteration }) => [topic, iteration])).toEqual([
    ['task.start', 0],
    ['build.task', 1],
    ['build.done', 2],
  ])
  expect(iterations).toEqual([
    { n: 1, hat: 'planner', elapsed_ms: 0 },
    { n: 2, hat: 'builder', elapsed_ms: 5, duration_ms: 1, error: 'it broke', malformed: 1 },
  ])
})

test('what other programs leave out or set to null is absent, and breaks nothing', () => {
  const { events, iterations, ...rest } = sessionEvidence([
    at('_meta.iteration', { n: 1, hat: 'a', elapsed_ms: null }),
    at('bus.publish', { topic: 'x', payload: null, recipients: 'b' }),
    at('backend.call', { hat: 'a', duration_ms: null, error: null }),
    at('_meta.termination', { reason: 'Stopped', elapsed_secs: null, exit_code: null, message: null }),
  ])
  expect(events).toEqual([{ topic: 'x', payload: '', source: null, target: null, iteration: 1 }])
  expect(iterations).toEqual([{ n: 1, hat: 'a' }])
  expect(rest).toEqual({ termination_reason: 'Stopped', unreported_hats: ['a'] })
})

test('what is unknown stays unknown', () => {
  expect(sessionEvidence([])).toEqual({ events: [], iterations: [] })
  expect(sessionEvidence([called({ cost_dollars: 0.1 }), called({})]).cost_dollars).toBeUndefined()
  expect(sessionEvidence([called({ cost_dollars: 0 }), called({ cost_dollars: 0.5 })]).cost_dollars).toBe(0.5)
})

test('a hat has reported its tool calls only if every call of its backend did', () => {
  const turn = (hat: string, facts: object) => [at('_meta.iteration', { n: 1, hat }), called({ hat, ...facts })]
  const told = turn('a', { tool_calls: [] })
  expect(sessionEvidence(told)).not.toHaveProperty('unreported_hats')
  expect(sessionEvidence([...told, ...turn('b', {}), ...turn('b', { tool_calls: [] })]).unreported_hats).toEqual(['b'])
  expect(sessionEvidence([...told, at('_meta.iteration', { n: 2, hat: 'c' })]).unreported_hats).toEqual(['c'])
  expect(sessionEvidence([at('_meta.loop_start', { backend: 'ralph' })]).unreported_hats).toEqual(['ralph'])
})

test('the calls of a session, also of an older one with names alone, and of others that have no names', () => {
  const facts = (tool_calls: unknown) => called({ tool_calls })
  const whole = { name: 'Write', args: { path: 'a' }, id: '1', result: 'ok' }
  const unknown = { args: {}, args_error: 'they were not recorded' }
  expect(
    sessionCalls([facts([whole]), facts(['Read']), facts(undefined), facts('x'), facts([{ title: 'Go' }, 5])]),
  ).toEqual([
    whole,
    { name: 'Read', ...unknown },
    { name: 'tool', title: 'Go', unnamed: true, ...unknown },
    { name: 'tool', unnamed: true, ...unknown },
  ])
})

test('the end says why, with which code, after how long', () => {
  const end = { reason: 'MaxRuntime', iterations: 1, elapsed_secs: 1.5, exit_code: 2 }
  expect(sessionEvidence([at('_meta.termination', end)])).toMatchObject({
    termination_reason: 'MaxRuntime',
    exit_code: 2,
    duration_ms: 1500,
  })
})
