// Simulated: the clock and the timers are turned by hand, so that minutes cost nothing and nothing depends on the machine.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Throttle } from './throttle.js'

const signal = new AbortController().signal
const now = (): number => Date.now()

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The same numbers in every run. */
function numbers(): () => number {
  let seed = 1
  return () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
}

type Server = () => { ok: true } | { ok: false; wait: number }

/** Takes this many requests in any `span`, and says when to come again in whole seconds. */
function slidingWindow(requests: number, span = 1000): Server {
  let taken: number[] = []
  return () => {
    taken = taken.filter((at) => at > now() - span)
    if (taken.length < requests) {
      taken.push(now())
      return { ok: true }
    }
    return { ok: false, wait: Math.ceil(((taken[0] ?? 0) + span - now()) / 1000) * 1000 }
  }
}

/** A full bucket at first, then that many per second; says exactly when the next one may come. */
function tokenBucket(perSecond: number, size: number): Server {
  let tokens = size
  let at = now()
  return () => {
    tokens = Math.min(size, tokens + ((now() - at) * perSecond) / 1000)
    at = now()
    if (tokens < 1) return { ok: false, wait: Math.ceil(((1 - tokens) * 1000) / perSecond) }
    tokens--
    return { ok: true }
  }
}

function fixedWindow(requests: number): Server {
  let second = -1
  let taken = 0
  return () => {
    if (Math.floor(now() / 1000) !== second) {
      second = Math.floor(now() / 1000)
      taken = 0
    }
    return ++taken <= requests ? { ok: true } : { ok: false, wait: 1000 }
  }
}

interface Load {
  calls: number
  parallel: number
  /** How long an answer takes; a refusal comes at once. */
  latency?: number
}

/** What a run with that many calls does, and when it is over. */
async function run(server: Server, { calls, parallel, latency = 20 }: Load) {
  const throttle = new Throttle({}, now)
  const random = numbers()
  const refusals: number[] = []
  let left = calls
  const worker = async (): Promise<void> => {
    while (left-- > 0) {
      for (let refused = 0; ; refused++) {
        await throttle.enter({ signal }, refused > 0)
        const answer = server()
        if (answer.ok) {
          await new Promise((resolve) => setTimeout(resolve, latency))
          throttle.answered()
          refusals.push(refused)
          break
        }
        const wait = answer.wait * (1 + random() * 0.2)
        throttle.refused(wait)
        await new Promise((resolve) => setTimeout(resolve, wait))
      }
    }
  }
  const done = Promise.all(Array.from({ length: parallel }, worker))
  let over = false
  void done.then(() => (over = true))
  while (!over) await vi.advanceTimersToNextTimerAsync()
  return { ms: now(), worst: Math.max(...refusals), total: refusals.reduce((a, b) => a + b, 0), throttle }
}

for (const [name, server] of [
  ['a sliding window', () => slidingWindow(20)],
  ['a fixed window', () => fixedWindow(20)],
] as const) {
  for (const latency of [5, 200, 2000]) {
    test(`${name} of 20 a second, answers after ${latency} ms: 300 calls, 50 at once`, async () => {
      const { ms, worst, total } = await run(server(), { calls: 300, parallel: 50, latency })
      // 300 calls cost 15 s by the limit alone, and fifty at once of 2 s each 12 s.
      expect(ms).toBeLessThan(latency === 2000 ? 24_000 : 20_000)
      expect(worst).toBeLessThanOrEqual(5)
      expect(total).toBeLessThan(100)
    })
  }
}

test.each([1, 20, 60])('a bucket of %i that fills with 20 a second', async (size) => {
  const { ms, worst, total } = await run(tokenBucket(20, size), { calls: 300, parallel: 50 })
  // A bucket of one forgives nothing.
  expect(ms).toBeLessThan(size === 1 ? 30_000 : 18_000)
  expect(worst).toBeLessThanOrEqual(8)
  expect(total).toBeLessThan(250)
})

test('a short window: 5 in a tenth of a second', async () => {
  const server = slidingWindow(5, 100)
  const inTenths: Server = () => {
    const answer = server()
    return answer.ok ? answer : { ok: false, wait: 100 }
  }
  const { ms } = await run(inTenths, { calls: 300, parallel: 50 })
  // 6 s by the limit alone.
  expect(ms).toBeLessThan(10_000)
})

test('a budget of 60 per minute: a call told to wait long spares the others the try', async () => {
  const { ms, total, worst } = await run(slidingWindow(60, 60_000), { calls: 150, parallel: 30 })
  expect(ms).toBeLessThan(4 * 60_000)
  expect(worst).toBeLessThanOrEqual(5)
  expect(total).toBeLessThan(150)
})

test('without a limit nothing is held back', () => {
  const throttle = new Throttle({}, now)
  for (let call = 0; call < 10_000; call++) {
    expect(throttle.enter({ signal }, false)).toBeUndefined()
    throttle.answered()
  }
  expect(throttle.perSecond).toBeUndefined()
})

test('a limit that is gone is forgotten', async () => {
  let limit = 5
  const window = { current: slidingWindow(limit) }
  const throttle = new Throttle({}, now)
  const ask = async () => {
    for (let refused = 0; ; refused++) {
      await throttle.enter({ signal }, refused > 0)
      const answer = window.current()
      if (answer.ok) return throttle.answered()
      throttle.refused(answer.wait)
      await new Promise((resolve) => setTimeout(resolve, answer.wait))
    }
  }
  const all = async (calls: number) => {
    let over = false
    const done = Promise.all(Array.from({ length: calls }, ask)).then(() => (over = true))
    while (!over) await vi.advanceTimersToNextTimerAsync()
    await done
  }
  await all(30)
  expect(throttle.perSecond).toBeLessThan(8)
  limit = 1000
  window.current = slidingWindow(limit)
  const before = now()
  await all(2000)
  // At the old throttle it would be 400 s.
  expect(now() - before).toBeLessThan(200_000)
})

test('who waits leaves when the signal aborts; the others keep their turn', async () => {
  const throttle = new Throttle({}, now)
  throttle.refused(1000)
  const controller = new AbortController()
  const passed: string[] = []
  const gone = throttle.enter({ signal: controller.signal }, false)?.catch((error: Error) => passed.push(error.message))
  const stays = throttle.enter({ signal }, false)?.then(() => passed.push('stays'))
  const again = throttle.enter({ signal }, true)?.then(() => passed.push('again'))
  controller.abort(new Error('time is up'))
  await gone
  while (passed.length < 3) await vi.advanceTimersToNextTimerAsync()
  await Promise.all([stays, again])
  expect(passed).toEqual(['time is up', 'again', 'stays'])
})
