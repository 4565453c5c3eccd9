import { expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { AgentError } from '../errors.js'
import { Limiter } from './limiter.js'

const limited = new AgentError({ code: 'rate_limit', message: 'too many', status: 429 })
const signal = new AbortController().signal

/** Calls that stay open until told. */
function opened(limiter: Limiter, count: number) {
  const finish: Array<() => void> = []
  const done = Array.from({ length: count }, () =>
    limiter.run({ signal }, () => new Promise<void>((resolve) => finish.push(resolve))),
  )
  return { finish, done }
}

async function settle() {
  await new Promise((resolve) => setImmediate(resolve))
}

test('no more at once than allowed, in the order they came', async () => {
  const limiter = new Limiter({ concurrency: 2 })
  const calls = opened(limiter, 5)
  await settle()
  expect(calls.finish).toHaveLength(2)
  calls.finish[0]?.()
  await settle()
  expect(calls.finish).toHaveLength(3)
  for (let at = 1; at < 5; at++) {
    calls.finish[at]?.()
    await settle()
  }
  await Promise.all(calls.done)
})

test('who waits leaves when the signal aborts, and takes no place', async () => {
  const limiter = new Limiter({ concurrency: 1 })
  const first = opened(limiter, 1)
  const controller = new AbortController()
  const waiting = failure(limiter.run({ signal: controller.signal }, async () => {}))
  controller.abort(new Error('enough'))
  expect(await waiting).toMatchObject({ message: 'enough' })
  await settle()
  first.finish[0]?.()
  await Promise.all(first.done)
  expect(await limiter.run({ signal }, async () => 'free')).toBe('free')
})

test('a rate limit cuts by a fifth, once in fifteen seconds, and clean rounds bring it back', async () => {
  let now = 0
  const limiter = new Limiter({ concurrency: 10, now: () => now })
  const calls = opened(limiter, 10)
  await settle()
  limiter.noteError(limited)
  limiter.noteError(limited)
  expect(limiter.limit).toBe(8)
  now += 16_000
  limiter.noteError(limited)
  expect(limiter.limit).toBeCloseTo(6.4)
  for (const finish of calls.finish) finish()
  await Promise.all(calls.done)
  for (let call = 0; call < 200; call++) await limiter.run({ signal }, async () => {})
  expect(limiter.limit).toBe(10)
})

test('other errors do not cut', () => {
  const limiter = new Limiter({ concurrency: 10 })
  limiter.noteError(new AgentError({ code: 'server', message: 'x', status: 500 }))
  expect(limiter.limit).toBe(10)
})

test('without a limit of its own, a rate limit sets one by what was open', async () => {
  const limiter = new Limiter()
  const calls = opened(limiter, 20)
  await settle()
  limiter.noteError(limited)
  expect(limiter.limit).toBe(16)
  for (const finish of calls.finish) finish()
  await Promise.all(calls.done)
})

test('beyond the minute share, a case that cannot wait is told at once', async () => {
  const limiter = new Limiter({ per_minute: 3 })
  const turn = { signal, deadline: { left: () => 5000 } }
  for (let call = 0; call < 3; call++) await limiter.run(turn, async () => {})
  expect(await failure(limiter.run(turn, async () => {}))).toMatchObject({
    code: 'rate_limit',
    message: expect.stringContaining('limits.per_minute 3 is used up'),
  })
})

test('the minute share slides', async () => {
  let now = 0
  const at = (ms: number) => ({ left: () => ms - now })
  const limiter = new Limiter({ per_minute: 2, now: () => now })
  const turn = { signal, deadline: at(1) }
  await limiter.run(turn, async () => {})
  now = 30_000
  await limiter.run({ signal, deadline: at(30_001) }, async () => {})
  expect(await failure(limiter.run({ signal, deadline: at(59_000) }, async () => {}))).toMatchObject({
    code: 'rate_limit',
  })
  now = 60_001
  expect(await limiter.run({ signal, deadline: at(60_002) }, async () => 'ok')).toBe('ok')
})
