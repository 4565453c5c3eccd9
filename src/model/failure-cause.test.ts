import fc from 'fast-check'
import { expect, test } from 'vitest'
import { failureCause } from './failure-cause.js'

const SAME: [one: string, other: string][] = [
  ['amount: expected 33, got 34', 'amount: expected 1,250.50, got -7'],
  ['timed out after 30s waiting for req_116678f', 'timed out after 1m waiting for req_9'],
  ['no claim 4bf92f35-77b3-4da6-a3ce-929d0e0e4736', 'no claim 00000000-0000-0000-0000-000000000000'],
  ['POST http://127.0.0.1:8080/orders/7 answered 503', 'POST http://127.0.0.1:9/orders/1066 answered 503'],
  ['called at 2026-03-14T09:30:00.000Z', 'called at 2025-12-31T23:59:59Z'],
  ['missing: 1, 2, 3', 'missing: 4'],
  ['turn 2: output does not contain "yes"', 'turn 11: output does not contain  "yes"'],
]

const OTHER: [one: string, other: string][] = [
  ['the server answered 401', 'the server answered 503'],
  ['exit code 1', 'exit code 137'],
  ['output does not contain "yes"', 'output does not contain "no"'],
  ['tool book was not called', 'tool pay was not called'],
]

test.each(SAME)('%s: one cause with %s', (one, other) => {
  expect(failureCause(other)).toBe(failureCause(one))
})

test.each(OTHER)('%s: another cause than %s', (one, other) => {
  expect(failureCause(other)).not.toBe(failureCause(one))
})

test('words without digits stay, and a long message takes no time', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z ]{0,80}$/), (text) => {
      expect(failureCause(text)).toBe(text.replace(/\s+/g, ' ').trim())
    }),
  )
  expect(failureCause(`${'a'.repeat(1e6)}1`)).toHaveLength(400)
})
