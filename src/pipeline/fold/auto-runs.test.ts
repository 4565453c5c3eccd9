// `--runs auto` keeps its promise however often it looks, and stops early where it can.
import { expect, test } from 'vitest'
import { confidenceSequence, decide, type AutoDecision } from './auto-runs.js'
import { wilson } from './statistics/intervals.js'
import { seededRandom, type Random } from './statistics/random.js'

const CAP = 30

function spend(rate: number, threshold: number, cap: number, random: Random) {
  let passes = 0
  for (let runs = 1; runs <= cap; runs++) {
    if (random() < rate) passes++
    const decision = decide({ passes, fails: runs - passes, threshold, confidence: 0.95 })
    if (decision !== 'continue') return { decision, runs }
  }
  return { decision: 'undetermined', runs: cap }
}

test.each([
  ['always passes', 1, 0.7, 14],
  ['always fails', 0, 0.7, 4],
  ['always passes, at the default threshold', 1, 0.8, 24],
])('a case that %s is decided after few runs', (_, rate, threshold, runs) => {
  expect(spend(rate, threshold, 60, () => 0.5)).toEqual({ decision: rate === 1 ? 'above' : 'below', runs })
})

test('one run decides nothing, no run neither', () => {
  expect(decide({ passes: 0, fails: 0, threshold: 0.8, confidence: 0.95 })).toBe('continue')
  expect(decide({ passes: 1, fails: 0, threshold: 0.8, confidence: 0.95 })).toBe('continue')
})

test('the interval shown holds exactly the thresholds that are not decided', () => {
  for (const [passes, fails] of [
    [0, 3],
    [24, 0],
    [29, 1],
    [9, 10],
    [3, 1],
  ] as const) {
    const { low, high } = confidenceSequence(passes, fails, 0.95)
    const at = (threshold: number): AutoDecision => decide({ passes, fails, threshold, confidence: 0.95 })
    for (let threshold = 0.005; threshold < 1; threshold += 0.01) {
      const wanted = threshold < low ? 'above' : threshold > high ? 'below' : 'continue'
      expect(at(threshold), `${passes}:${fails} at ${threshold}`).toBe(wanted)
    }
    const once = wilson(passes, passes + fails)
    expect(high - low).toBeGreaterThan(once.high - once.low)
  }
  expect(confidenceSequence(0, 0, 0.95)).toEqual({ low: 0, high: 1 })
})

test('a threshold of 100% is missed at the first failure and never exceeded', () => {
  const at = (passes: number, fails: number): AutoDecision => decide({ passes, fails, threshold: 1, confidence: 0.95 })
  expect(at(1000, 0)).toBe('continue')
  expect(at(1000, 1)).toBe('below')
})

test('at most 5% wrong claims, also when the true rate is the threshold; looking with Wilson makes many', () => {
  const trials = 1500
  const random = seededRandom(11)
  for (const threshold of [0.5, 0.7, 0.8, 0.9]) {
    let wrong = 0
    for (let trial = 0; trial < trials; trial++)
      if (spend(threshold, threshold, CAP, random).decision !== 'undetermined') wrong++
    expect(wrong / trials, `threshold ${threshold}`).toBeLessThanOrEqual(0.05)
  }
  let peeking = 0
  for (let trial = 0; trial < trials; trial++) {
    let passes = 0
    for (let runs = 1; runs <= 50; runs++) {
      if (random() < 0.7) passes++
      const { low, high } = wilson(passes, runs)
      if (low > 0.7 || high < 0.7) {
        peeking++
        break
      }
    }
  }
  expect(peeking / trials).toBeGreaterThan(0.2)
})

test('on a mixed population it spends at most 65% of the runs, and is wrong in at most 5% of the cases', () => {
  const random = seededRandom(5)
  let spent = 0
  let wrong = 0
  const cases = 4000
  for (let index = 0; index < cases; index++) {
    const rate = index % 4 < 2 ? 1 : index % 4 === 2 ? 0.5 : 0
    const { decision, runs } = spend(rate, 0.8, CAP, random)
    spent += runs
    if (decision === (rate === 1 ? 'below' : 'above')) wrong++
  }
  expect(spent / (cases * CAP)).toBeLessThanOrEqual(0.65)
  expect(wrong / cases).toBeLessThanOrEqual(0.05)
})
