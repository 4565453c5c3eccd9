// A free slot goes to the run that has the fewest.
import { expect, test } from 'vitest'
import { SlotShare } from './slots.js'

test('a run that comes later gets its half', async () => {
  const share = new SlotShare(4)
  const got: string[] = []
  const want = (run: string): void => void share.take(run).then(() => got.push(run))
  for (let at = 0; at < 8; at += 1) want('large')
  for (let at = 0; at < 4; at += 1) want('small')
  await Promise.resolve()
  expect(share.busy).toBe(4)
  for (let at = 0; at < 4; at += 1) {
    share.free('large')
    await Promise.resolve()
    await Promise.resolve()
  }
  expect(got.slice(4)).toEqual(['small', 'small', 'large', 'large'])
  expect(share.busy).toBe(4)
})

test('unwanted slots are free', async () => {
  const share = new SlotShare(1)
  await share.take('a')
  share.free('a')
  expect(share.busy).toBe(0)
  await share.take('b')
  expect(share.busy).toBe(1)
})
