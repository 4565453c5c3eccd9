import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Clock } from '../../time/clock.js'
import { CancelledError } from '../../time/deadline.js'
import { Deadlines } from './deadline.js'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'hrtime', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a deadline passes with its text', () => {
  const deadline = new Deadlines(new Clock()).start(1000, '1s')
  vi.advanceTimersByTime(999)
  expect(deadline.signal.aborted).toBe(false)
  vi.advanceTimersByTime(2)
  expect(deadline.signal.reason).toMatchObject({ message: 'timeout after 1s' })
})

test('a pause is not the case’s time, and delays no other', () => {
  const deadlines = new Deadlines(new Clock())
  const asking = deadlines.start(1000, '1s')
  vi.advanceTimersByTime(400)
  const resume = deadlines.pause(asking)
  const other = deadlines.start(1000, '1s')
  vi.advanceTimersByTime(5000)
  expect(asking.signal.aborted).toBe(false)
  expect(other.signal.aborted).toBe(true)

  resume()
  const later = deadlines.start(1000, '1s')
  vi.advanceTimersByTime(599)
  expect(asking.signal.aborted).toBe(false)
  vi.advanceTimersByTime(2)
  expect(asking.signal.reason).toMatchObject({ message: 'timeout after 1s' })
  expect(later.signal.aborted).toBe(false)
})

test('stopping the run ends what is paused as well', () => {
  const deadlines = new Deadlines(new Clock())
  const asking = deadlines.start(1000, '1s')
  deadlines.pause(asking)
  deadlines.cancelAll('interrupted')
  expect(asking.signal.reason).toBeInstanceOf(CancelledError)
})
