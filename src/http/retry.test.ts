import { expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { AgentError, type AgentErrorInit } from '../errors.js'
import { RetryBudget, waitBefore, withRetries, type RetryOptions } from './retry.js'

const error = (init: Partial<AgentErrorInit> = {}) =>
  new AgentError({ code: 'server', message: 'boom', status: 500, ...init })

/** Fails with each error in turn, then answers with the number of calls. */
async function run(errors: AgentError[], over: Partial<RetryOptions> = {}) {
  let calls = 0
  const attempt = () => {
    const next = errors[calls++]
    return next ? Promise.reject(next) : Promise.resolve(calls)
  }
  const options: RetryOptions = {
    signal: new AbortController().signal,
    budget: new RetryBudget(),
    baseMs: 0.01,
    ...over,
  }
  try {
    return { ...(await withRetries(attempt, options)), calls }
  } catch (thrown) {
    return { thrown, calls }
  }
}

test('tries again after transient errors and keeps the record', async () => {
  expect(await run([error(), error({ status: 503, code: 'overloaded' })])).toMatchObject({
    value: 3,
    retries: [{ status: 500, reason: 'boom' }, { status: 503 }],
  })
})

test('gives up after four retries', async () => {
  const result = await run(Array.from({ length: 9 }, () => error()))
  expect(result).toMatchObject({ calls: 5, thrown: { message: 'boom' } })
  expect(result.thrown).toHaveProperty('retries.length', 4)
})

for (const status of [400, 401, 403, 404, 413, 422, 501]) {
  test(`never retries ${status}`, async () =>
    expect(await run([error({ status, code: 'bad_request' })])).toMatchObject({ calls: 1 }))
}
for (const status of [408, 409, 425, 429, 500, 502, 503, 504, 529]) {
  test(`retries ${status}`, async () =>
    expect(await run([error({ status, code: 'rate_limit' })])).toMatchObject({ calls: 2 }))
}

test('never retries a used-up quota', async () =>
  expect(await run([error({ status: 429, code: 'quota' })])).toMatchObject({ calls: 1 }))
test('obeys the server that says no, and the one that says yes', async () => {
  expect(await run([error({ retry: false })])).toMatchObject({ calls: 1 })
  expect(await run([error({ status: 400, retry: true })])).toMatchObject({ calls: 2 })
})
test('a cut or senseless answer is retried twice at most', async () => {
  const cut = () => new AgentError({ code: 'cut_off', message: 'cut' })
  expect(await run([cut(), cut(), cut(), cut()])).toMatchObject({ calls: 3, thrown: { code: 'cut_off' } })
})
test('what is not an agent error is not retried', async () => {
  const bug = new TypeError('bug')
  const options = { signal: new AbortController().signal, budget: new RetryBudget() }
  expect(await failure(withRetries(() => Promise.reject(bug), options))).toBe(bug)
})

test('a turn that would come too late is not waited for, and nothing is sent', async () => {
  const budget = new RetryBudget()
  const deadline = { left: () => 5000 }
  const limited = error({ code: 'rate_limit', status: 429, message: 'rate limited', retry_after_ms: 86_400_000 })
  await run([limited], { budget, deadline })
  expect(await run([], { budget, deadline })).toMatchObject({
    calls: 0,
    thrown: { code: 'rate_limit', message: expect.stringMatching(/the next call could be made in \d+.*left/) },
  })
})

test('a wait longer than what is left gives up immediately and says so', async () => {
  const limited = error({ code: 'rate_limit', status: 429, message: 'rate limited', retry_after_ms: 86_400_000 })
  const { thrown, calls } = await run([limited], { deadline: { left: () => 5000 } })
  expect(calls).toBe(1)
  expect(thrown).toMatchObject({
    code: 'rate_limit',
    message: expect.stringMatching(/gave up: the next try would be in \d+.*left/),
  })
})

test('only a rate limit is advised to slow down', async () => {
  const late = { deadline: { left: () => 5000 } }
  const limited = error({ code: 'rate_limit', status: 429, retry_after_ms: 86_400_000 })
  expect(await run([limited], late)).toMatchObject({ thrown: { hint: expect.stringContaining('--parallel') } })
  const broken = await run([error({ status: 503, retry_after_ms: 86_400_000 })], late)
  expect(broken).toMatchObject({ thrown: { hint: "raise --timeout, or check the server's log" } })
})

test('an abort ends the wait', async () => {
  const controller = new AbortController()
  const pending = run([error({ retry_after_ms: 86_400_000 })], { signal: controller.signal })
  await new Promise((resolve) => setImmediate(resolve))
  controller.abort(new Error('time is up'))
  expect(await pending).toMatchObject({ thrown: { message: 'time is up' }, calls: 1 })
})

test('an outage is not multiplied: a hundred calls make at most a fifth more, and ten', async () => {
  const budget = new RetryBudget()
  let requests = 0
  for (let call = 0; call < 100; call++)
    requests += (
      await run(
        Array.from({ length: 9 }, () => error()),
        { budget },
      )
    ).calls
  expect(requests).toBeLessThanOrEqual(130)
  expect(requests).toBeGreaterThan(100)
})

test('rate limits wait half to full, other errors anything up to full, never more than the cap', () => {
  for (let done = 0; done < 10; done++) {
    const full = Math.min(1000 * 2 ** done, 60_000)
    for (const random of [0, 0.25, 0.999]) {
      const limited = waitBefore(error({ code: 'rate_limit', status: 429 }), done, { random: () => random })
      expect(limited).toBeGreaterThanOrEqual(full / 2)
      expect(limited).toBeLessThanOrEqual(full)
      expect(waitBefore(error(), done, { random: () => random })).toBeCloseTo(full * random)
    }
  }
})

test("the server's word plus up to a fifth, never less", () => {
  expect(waitBefore(error({ retry_after_ms: 1000 }), 0, { random: () => 0 })).toBe(1000)
  expect(waitBefore(error({ retry_after_ms: 1000 }), 0, { random: () => 1 })).toBe(1200)
  expect(waitBefore(error({ retry_after_ms: 0, code: 'rate_limit' }), 0, { random: () => 0 })).toBe(500)
})
