import { expect, test } from 'vitest'
import { seededRandom } from '../../pipeline/fold/statistics/random.js'
import { confirmed, repeatsFor } from './confirm.js'

const pair = (before: number, after: number, runs: number) => ({
  before: { hits: before, runs },
  after: { hits: after, runs },
})

test('enough repeats that a clear failure among many is told from chance', () => {
  for (const count of [1, 5, 10, 40]) {
    const repeats = repeatsFor(count)
    const pairs = Array.from({ length: count }, () => pair(repeats, 0, repeats))
    expect([...confirmed(pairs).keys()]).toHaveLength(count)
  }
})

test('what fails as often unchanged, or less than half the time, is not confirmed', () => {
  expect(confirmed([pair(0, 0, 8), pair(8, 8, 8), pair(4, 3, 8), pair(8, 5, 8)]).size).toBe(0)
  expect(confirmed([pair(60, 35, 60)]).size).toBe(0)
})

test('nothing can be said without runs', () => {
  expect(confirmed([pair(0, 0, 0), { before: { hits: 5, runs: 5 }, after: { hits: 0, runs: 0 } }]).size).toBe(0)
})

test('cases that fail by chance alone are seldom confirmed', () => {
  const random = seededRandom(11)
  const draw = (runs: number) => Array.from({ length: runs }, () => random()).filter((value) => value < 0.7).length
  let alarms = 0
  for (let trial = 0; trial < 400; trial++) {
    const repeats = repeatsFor(10)
    if (confirmed(Array.from({ length: 10 }, () => pair(draw(repeats), draw(repeats), repeats))).size > 0) alarms++
  }
  expect(alarms).toBeLessThanOrEqual(400 * 0.05)
})
