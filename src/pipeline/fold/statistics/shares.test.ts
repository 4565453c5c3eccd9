// Differences of shares: the run is what is counted, and the interval agrees with the test.
import { expect, test } from 'vitest'
import { pairedTest } from './paired.js'
import { shareTest } from './shares.js'
import { seededRandom } from './random.js'

const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value)

test('expectations that always go together count as one', () => {
  // Six expectations that are all met or all not: no more is known than from one.
  const before = [1, 0, 0, 1, 0, 0, 0, 0, 1, 0]
  const after = [1, 1, 1, 0, 1, 1, 1, 1, 1, 1]
  const found = shareTest([{ before, after }], 6)
  const whole = pairedTest([{ before: { hits: 3, runs: 10 }, after: { hits: 9, runs: 10 } }]).bounds(0.025)
  expect(found.interval.low).toBeCloseTo(whole.low, 2)
  expect(found.interval.high).toBeCloseTo(whole.high, 2)
})

test('what always came out alike is still not certain', () => {
  const { interval, p_value } = shareTest([{ before: times(5, 1), after: times(5, 1) }], 6)
  expect(p_value).toBe(1)
  expect(interval.low).toBeLessThan(-0.1)
  expect(interval.high).toBeGreaterThan(0.1)
})

test('one run of each of five evals never shows a difference', () => {
  const strata = Array.from({ length: 5 }, () => ({ before: [0], after: [1] }))
  const { p_value, interval } = shareTest(strata, 1)
  expect(p_value).toBeGreaterThanOrEqual(0.05)
  expect(interval.low).toBeLessThan(0)
})

test('the interval excludes 0 exactly where the test speaks', () => {
  const random = seededRandom(3)
  const draw = (rate: number): number => Array.from({ length: 4 }, () => random()).filter((x) => x < rate).length / 4
  let spoke = 0
  for (let attempt = 0; attempt < 60; attempt++) {
    const strata = Array.from({ length: 2 }, () => ({
      before: Array.from({ length: 4 }, () => draw(0.5)),
      after: Array.from({ length: 4 }, () => draw(0.8)),
    }))
    const { p_value, interval } = shareTest(strata, 4)
    const speaks = p_value < 0.05
    if (speaks) spoke++
    expect(interval.low > 0 || interval.high < 0).toBe(speaks)
  }
  expect(spoke).toBeGreaterThan(10)
})

test('evals without runs on both sides say nothing', () => {
  expect(shareTest([{ before: [1], after: [] }], 3)).toMatchObject({ cases: 0, interval: { low: -1, high: 1 } })
})
