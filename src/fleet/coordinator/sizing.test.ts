// Jobs are sized by how long units take, and shrink towards the end.
import { expect, test } from 'vitest'
import { jobsAtOnce, Sizing } from './sizing.js'

function sizeAfter(ms: number | undefined, waiting: number, slots: number): number {
  const sizing = new Sizing()
  if (ms !== undefined) for (let at = 0; at < 100; at += 1) sizing.add(ms)
  return sizing.unitsPerJob(waiting, slots)
}

test('one until a duration is known, then as many as take 0.8 s, at most 50', () => {
  expect(sizeAfter(undefined, 4000, 8)).toBe(1)
  expect(sizeAfter(50, 4000, 8)).toBe(16)
  expect(sizeAfter(1, 4000, 8)).toBe(50)
  expect(sizeAfter(0, 4000, 8)).toBe(50)
  expect(sizeAfter(30_000, 4000, 8)).toBe(1)
})

test('what is left is shared by the slots', () => {
  expect(sizeAfter(50, 16, 8)).toBe(2)
  expect(sizeAfter(50, 3, 8)).toBe(1)
  expect(sizeAfter(50, 0, 0)).toBe(1)
})

test('nothing is queued ahead where a limit decides what starts', () => {
  expect(jobsAtOnce(8, false)).toBe(16)
  expect(jobsAtOnce(8, true)).toBe(8)
})
