import { expect, test } from 'vitest'
import { AgentError } from '../../errors.js'
import { failureClasses, mayRetry, retryPolicy, retryWait } from './retry.js'

const policy = { max_attempts: 5, backoff_ms: 1000 }
const failed = (retry_after_ms?: number) =>
  new AgentError({ code: 'rate_limit', message: 'x', ...(retry_after_ms !== undefined && { retry_after_ms }) })

test('backoff doubles with each attempt, up to a minute, and is drawn from the whole span', () => {
  for (const [attempt, full] of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000].entries()) {
    expect(retryWait(policy, attempt + 1, failed(), () => 1)).toBe(full)
    expect(retryWait(policy, attempt + 1, failed(), () => 0.5)).toBe(full / 2)
    expect(retryWait(policy, attempt + 1, failed(), () => 0)).toBe(0)
  }
})

test("the server's word counts instead, with up to a fifth more, never less", () => {
  for (const attempt of [1, 4]) {
    expect(retryWait(policy, attempt, failed(7000), () => 0)).toBe(7000)
    expect(retryWait(policy, attempt, failed(7000), () => 1)).toBe(8400)
  }
  expect(retryWait(policy, 1, failed(0), () => 1)).toBe(0)
})

test('an error that says itself whether to try again is believed', () => {
  const classes = (init: Partial<ConstructorParameters<typeof AgentError>[0]>) =>
    failureClasses('agent', new AgentError({ code: 'failed', message: 'x', ...init }))
  expect(mayRetry(policy, classes({}))).toBe(false)
  expect(mayRetry(policy, classes({ retry: true }))).toBe(true)
  expect(mayRetry(policy, classes({ code: 'overloaded' }))).toBe(true)
  expect(mayRetry(policy, classes({ code: 'overloaded', retry: false }))).toBe(false)
})

test('a case has its own policy, else --retries says how often', () => {
  expect(retryPolicy({ id: 'a', assertions: [] }, 2)).toEqual({ max_attempts: 3, backoff_ms: 1000 })
  expect(retryPolicy({ id: 'a', assertions: [], retry: policy }, 2)).toBe(policy)
})
