import { expect, onTestFinished, test, vi } from 'vitest'
import { failure } from '../../../test/support/agent-request.js'
import { Throttle } from './throttle.js'

const signal = new AbortController().signal

/** Calls that stay open until told. */
function opened(throttle: Throttle, count: number) {
  const finish: Array<() => void> = []
  const done = Array.from({ length: count }, () =>
    throttle.run({ signal }, () => new Promise<void>((resolve) => finish.push(resolve))),
  )
  return { finish, done }
}

async function settle() {
  await new Promise((resolve) => setImmediate(resolve))
}

test('no more at once than allowed, in the order they came', async () => {
  const throttle = new Throttle({ concurrency: 2 })
  const calls = opened(throttle, 5)
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
  const throttle = new Throttle({ concurrency: 1 })
  const first = opened(throttle, 1)
  const controller = new AbortController()
  const waiting = failure(throttle.run({ signal: controller.signal }, async () => {}))
  controller.abort(new Error('enough'))
  expect(await waiting).toMatchObject({ message: 'enough' })
  await settle()
  first.finish[0]?.()
  await Promise.all(first.done)
  expect(await throttle.run({ signal }, async () => 'free')).toBe('free')
})

test('a rate limit cuts by a fifth, once in fifteen seconds, and clean rounds bring it back', async () => {
  let now = 0
  const throttle = new Throttle({ concurrency: 10 }, () => now)
  const calls = opened(throttle, 10)
  await settle()
  throttle.refused(1000)
  throttle.refused(1000)
  expect(throttle.concurrency).toBe(8)
  now += 16_000
  throttle.refused(1000)
  expect(throttle.concurrency).toBeCloseTo(6.4)
  for (const finish of calls.finish) finish()
  await Promise.all(calls.done)
  for (let call = 0; call < 200; call++) await throttle.run({ signal }, async () => {})
  expect(throttle.concurrency).toBe(10)
})

test('other errors do not cut', () => {
  const throttle = new Throttle({ concurrency: 10 })
  throttle.failed()
  expect(throttle.concurrency).toBe(10)
})

test('without a limit of its own, a rate limit sets one by what was open', async () => {
  const throttle = new Throttle()
  const calls = opened(throttle, 20)
  await settle()
  throttle.refused(1000)
  expect(throttle.concurrency).toBe(16)
  for (const finish of calls.finish) finish()
  await Promise.all(calls.done)
})

test('beyond the minute share, a case that cannot wait fails immediately', async () => {
  const throttle = new Throttle({ per_minute: 3 })
  const turn = { signal, deadline: { left: () => 5000 } }
  for (let call = 0; call < 3; call++) await throttle.run(turn, async () => {})
  expect(await failure(throttle.run(turn, async () => {}))).toMatchObject({
    code: 'rate_limit',
    message: expect.stringContaining('limits.per_minute 3 is used up'),
  })
})

test('the minute share slides', async () => {
  let now = 0
  const at = (ms: number) => ({ left: () => ms - now })
  const throttle = new Throttle({ per_minute: 2 }, () => now)
  const turn = { signal, deadline: at(1) }
  await throttle.run(turn, async () => {})
  now = 30_000
  await throttle.run({ signal, deadline: at(30_001) }, async () => {})
  expect(await failure(throttle.run({ signal, deadline: at(59_000) }, async () => {}))).toMatchObject({
    code: 'rate_limit',
  })
  now = 60_001
  expect(await throttle.run({ signal, deadline: at(60_002) }, async () => 'ok')).toBe('ok')
})

test('the minute share of a call that gave up is free again', async () => {
  const throttle = new Throttle({ per_minute: 1 }, () => 0)
  await throttle.run({ signal }, async () => {})
  const controller = new AbortController()
  const waiting = failure(throttle.run({ signal: controller.signal }, async () => {}))
  controller.abort(new Error('enough'))
  expect(await waiting).toMatchObject({ message: 'enough' })
  const late = { signal, deadline: { left: () => 60_000 } }
  const next = new AbortController()
  const second = failure(throttle.run({ ...late, signal: next.signal }, async () => {}))
  next.abort(new Error('would have waited one minute, not two'))
  expect(await second).toMatchObject({ message: expect.stringContaining('one minute') })
})

test('how long a call was held back is reported, and only then', async () => {
  let now = 0
  const throttle = new Throttle({ concurrency: 1 }, () => now)
  const waits: number[] = []
  const turn = { signal, onWait: (ms: number) => waits.push(ms) }
  const first = opened(throttle, 1)
  const second = throttle.run(turn, async () => {})
  await settle()
  now = 700
  first.finish[0]?.()
  await second
  expect(waits).toEqual([700])
  await throttle.run(turn, async () => {})
  expect(throttle.enter(turn, false)).toBeUndefined()
  expect(waits).toEqual([700])
})

test('one refusal teaches both: how many at once and how many a second', async () => {
  vi.useFakeTimers({ now: 0 })
  onTestFinished(() => void vi.useRealTimers())
  const throttle = new Throttle({}, () => Date.now())
  const calls = opened(throttle, 10)
  for (let call = 0; call < 10; call++) expect(throttle.enter({ signal }, false)).toBeUndefined()
  throttle.refused(1000)
  expect(throttle.concurrency).toBe(8)
  expect(throttle.wait).toBe(1000)
  const waits: number[] = []
  const held = throttle.enter({ signal, onWait: (ms) => waits.push(ms) }, true)
  await vi.advanceTimersByTimeAsync(1000)
  await held
  expect(waits).toEqual([1000])
  expect(throttle.perSecond).toBe(9)
  for (const finish of calls.finish) finish()
  await Promise.all(calls.done)
})
