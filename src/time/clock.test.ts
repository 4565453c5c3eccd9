import { expect, test } from 'vitest'
import { Clock } from './clock.js'

test('time left out is neither in the clock nor in a timer', async () => {
  const clock = new Clock()
  const before = clock.now()
  const order: string[] = []
  const first = new Promise<void>((resolve) => {
    clock.after(40, () => {
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
  clock.leaveOut(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50))
  await Promise.all([first, real])
  expect(order).toEqual(['timer', 'after'])
  expect(clock.now() - before).toBeGreaterThanOrEqual(39)
})

test('a span longer than a timer can be does not fire at once, and can be taken back', async () => {
  let fired = false
  const clear = new Clock().after(720 * 3_600_000, () => {
    fired = true
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  clear()
  expect(fired).toBe(false)
})

test('the time that one clock leaves out is in the others', () => {
  const [paused, other] = [new Clock(), new Clock()]
  const before = [paused.now(), other.now()] as const
  paused.leaveOut(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20))
  expect(other.now() - before[1]).toBeGreaterThanOrEqual(19)
  expect(other.now() - before[1] - (paused.now() - before[0])).toBeGreaterThanOrEqual(19)
})
