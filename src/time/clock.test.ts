import { expect, test } from 'vitest'
import { after, leaveOut, now } from './clock.js'

test('time left out is neither in the clock nor in a timer', async () => {
  const before = now()
  const order: string[] = []
  const first = new Promise<void>((resolve) => {
    after(40, () => {
      order.push('after')
      resolve()
    })
  })
  const real = new Promise<void>((resolve) => {
    setTimeout(() => {
      order.push('timer')
      resolve()
    }, 45)
  })
  // As if Viva had been stopped for longer than the timer has.
  leaveOut(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50))
  await Promise.all([first, real])
  expect(order).toEqual(['timer', 'after'])
  expect(now() - before).toBeGreaterThanOrEqual(39)
})

test('a span longer than a timer can be does not fire at once, and can be taken back', async () => {
  let fired = false
  const clear = after(720 * 3_600_000, () => {
    fired = true
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  clear()
  expect(fired).toBe(false)
})
