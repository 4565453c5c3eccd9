// A list has an end, also in time.
import { expect, onTestFinished, test, vi } from 'vitest'
import type { SendRequest } from './exchange.js'
import { listAll } from './list-all.js'

/** Pages without end, each of which takes `ms`. */
function endless(ms: number): SendRequest {
  let page = 0
  return async (method) => {
    if (ms > 0) vi.advanceTimersByTime(ms)
    const result = { tools: [], nextCursor: String(++page) }
    return {
      request: { jsonrpc: '2.0', id: page, method },
      answer: { result },
      ended: 'answered',
      ms,
      bytes: 0,
      progress: [],
    }
  }
}

test('a list whose pages never end is given up when its time is over', async () => {
  vi.useFakeTimers({ toFake: ['hrtime', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { pages, problem } = await listAll(endless(900), 'tools', true, { timeoutMs: 1000 })
  expect(problem).toBe('tools/list had not ended after 4 pages, when its time was over')
  expect(pages).toHaveLength(4)
})

test('pages that never end are given up when there are too many, however fast they come', async () => {
  const { problem } = await listAll(endless(0), 'tools', true)
  expect(problem).toBe('tools/list has more than 1000 pages')
})
