import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KeyValueSpace } from './key-value.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

test('a value with a time to live is gone after that many seconds, not before', () => {
  const space = new KeyValueSpace()
  space.run('Set', ['k', 'v', 2])
  space.run('Set', ['kept', 'v'])
  vi.advanceTimersByTime(1999)
  expect(space.run('Get', ['k'])).toBe('v')
  expect(space.run('Has', ['k'])).toBe(true)
  vi.advanceTimersByTime(1)
  expect(space.run('Get', ['k'])).toBeNull()
  expect(space.keys()).toEqual(['kept'])
})
