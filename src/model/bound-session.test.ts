import { expect, test } from 'vitest'
import { boundSession, wholeSession } from './bound-session.js'
import { timelineOf } from './session-timeline.js'

const event = (iteration: number, payload = '') => ({ topic: 't', payload, source: null, target: null, iteration })

test('a usual run is kept whole', () => {
  const session = {
    iterations: [{ n: 1, hat: 'planner', elapsed_ms: 0, duration_ms: 5 }],
    events: [{ ...event(0, 'the task'), recipients: ['planner'] }, event(1)],
    termination_reason: 'MaxIterations',
    message: '1 iterations are over',
    exit_code: 2,
    duration_ms: 7,
  }
  expect(boundSession({ ...session, tokens: 5, cost_dollars: 1 })).toEqual(session)
  expect(wholeSession(session)).toEqual(session)
})

test('of a long run the beginning and the end are kept, and the gap is known', () => {
  const numbers = Array.from({ length: 1000 }, (_item, index) => index + 1)
  const session = boundSession({
    iterations: numbers.map((n) => ({ n, hat: 'h'.repeat(999), error: 'word '.repeat(999) })),
    events: [event(0), ...numbers.map((n) => event(n, 'word '.repeat(9999)))],
  })
  expect(session).toMatchObject({ iterations_left_out: 800, events_left_out: 801, texts_cut: true })
  expect(wholeSession(session)).toBeUndefined()
  const long = boundSession({ iterations: [{ n: 1, hat: 'h' }], events: [event(1, 'x'.repeat(501))] })
  expect([long.texts_cut, wholeSession(long)]).toEqual([true, undefined])
  expect(JSON.stringify(session).length).toBeLessThan(400_000)
  const steps = timelineOf(session)
  expect(steps.filter(({ left_out }) => left_out > 0).map((step) => [step.iteration?.n, step.left_out])).toEqual([
    [951, 800],
  ])
  expect(steps.at(-1)?.events).toHaveLength(1)
})

test('events stay with the iteration that published them', () => {
  const iterations = [3, 4].map((n) => ({ n, hat: `hat${n}` }))
  const steps = timelineOf({ iterations, events: [event(0), event(4), event(4)] })
  expect(steps.map(({ iteration, left_out, events }) => [iteration?.hat, left_out, events.length])).toEqual([
    [undefined, 0, 1],
    ['hat3', 0, 0],
    ['hat4', 0, 2],
  ])
})
