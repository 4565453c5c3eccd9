// Published values, and coverage computed exactly from the binomial rather than by chance.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { binomialCdf, binomialProbability } from './binomial.js'
import { meanInterval, meanOf } from './bootstrap.js'
import { benjaminiHochberg, holm } from './corrections.js'
import { fisher, mcnemar } from './exact-tests.js'
import { lnGamma } from './gamma.js'
import { incompleteBeta, inverseIncompleteBeta } from './incomplete-beta.js'
import { clopperPearson, jeffreys, runsToClaim, wilson } from './intervals.js'
import { normalCdf, normalQuantile, studentTwoSided, zOf } from './normal.js'
import { passAtK, passHatK } from './pass-k.js'
import { signFlipTest } from './permutation.js'
import { quantile } from './quantile.js'
import { seededRandom } from './random.js'
import { addToSample, welch, type Sample } from './welch.js'

const round = (interval: { low: number; high: number }) => [interval.low.toFixed(3), interval.high.toFixed(3)]

test.each([
  [3, 3, ['0.439', '1.000'], ['0.292', '1.000'], ['0.464', '1.000']],
  [5, 5, ['0.566', '1.000'], ['0.478', '1.000'], ['0.621', '1.000']],
  [10, 10, ['0.722', '1.000'], ['0.692', '1.000'], ['0.783', '1.000']],
  [20, 20, ['0.839', '1.000'], ['0.832', '1.000'], ['0.883', '1.000']],
  [8, 10, ['0.490', '0.943'], ['0.444', '0.975'], ['0.497', '0.956']],
  [4, 5, ['0.376', '0.964'], ['0.284', '0.995'], ['0.371', '0.977']],
])('intervals of %i out of %i', (passes, runs, ofWilson, ofClopperPearson, ofJeffreys) => {
  expect(round(wilson(passes, runs))).toEqual(ofWilson)
  expect(round(clopperPearson(passes, runs))).toEqual(ofClopperPearson)
  expect(round(jeffreys(passes, runs))).toEqual(ofJeffreys)
})

test('intervals of failures mirror those of passes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(200), (runs, drawn) => {
      const passes = Math.min(drawn, runs)
      for (const interval of [wilson, clopperPearson, jeffreys]) {
        const here = interval(passes, runs)
        const there = interval(runs - passes, runs)
        expect(here.low).toBeCloseTo(1 - there.high, 9)
        expect(here.low).toBeLessThanOrEqual(passes / runs)
        expect(here.high).toBeGreaterThanOrEqual(passes / runs)
      }
    }),
  )
})

test('no runs leave everything possible', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 })
})

test('Wilson covers at least 89% everywhere and 94% on average, where Wald covers 41%', () => {
  const coverage = (runs: number, rate: number, covers: (passes: number) => boolean) => {
    let sum = 0
    for (let passes = 0; passes <= runs; passes++) if (covers(passes)) sum += binomialProbability(passes, runs, rate)
    return sum
  }
  const all: number[] = []
  for (let runs = 5; runs <= 100; runs++) {
    for (let percent = 10; percent <= 95; percent += 5) {
      const rate = percent / 100
      const covered = coverage(runs, rate, (passes) => {
        const { low, high } = wilson(passes, runs)
        return low <= rate && rate <= high
      })
      expect(covered, `n = ${runs}, p = ${rate}`).toBeGreaterThanOrEqual(0.89)
      all.push(covered)
    }
  }
  expect(meanOf(all)).toBeGreaterThanOrEqual(0.94)
  const wald = coverage(5, 0.9, (passes) => {
    const seen = passes / 5
    return Math.abs(seen - 0.9) <= 1.96 * Math.sqrt((seen * (1 - seen)) / 5)
  })
  expect(wald).toBeCloseTo(0.4, 1)
})

test('runs that must all pass before a rate may be claimed', () => {
  expect([0.5, 0.8, 0.9, 0.95, 0.99].map((rate) => runsToClaim(rate))).toEqual([5, 14, 29, 59, 299])
})

test('pass^k and pass@k of 8 out of 10', () => {
  expect(passHatK(8, 10, 5)).toBeCloseTo(0.222, 3)
  expect(passAtK(8, 10, 1)).toBeCloseTo(0.8, 12)
  expect(passAtK(8, 10, 3)).toBe(1)
  expect(passHatK(2, 2, 3)).toBeNull()
  expect(passAtK(2, 2, 3)).toBeNull()
})

test('pass^k and pass@k are unbiased: their expectation is p^k and 1 − (1 − p)^k exactly', () => {
  for (const rate of [0.1, 0.5, 0.8, 0.95]) {
    for (const runs of [5, 10, 20]) {
      for (let k = 1; k <= 5; k++) {
        let all = 0
        let any = 0
        for (let passes = 0; passes <= runs; passes++) {
          const weight = binomialProbability(passes, runs, rate)
          all += weight * (passHatK(passes, runs, k) ?? Number.NaN)
          any += weight * (passAtK(passes, runs, k) ?? Number.NaN)
        }
        expect(all).toBeCloseTo(rate ** k, 10)
        expect(any).toBeCloseTo(1 - (1 - rate) ** k, 10)
      }
    }
  }
})

test('exact McNemar', () => {
  expect(mcnemar(0, 5)).toBeCloseTo(0.0625, 12)
  expect(mcnemar(0, 6)).toBeCloseTo(0.03125, 12)
  expect(mcnemar(1, 6)).toBeCloseTo(0.125, 12)
  expect(mcnemar(6, 1)).toBeCloseTo(0.125, 12)
  expect(mcnemar(0, 0)).toBe(1)
})

test('Fisher, against the tea tasting and a table known from textbooks', () => {
  expect(fisher({ passes: 3, runs: 4 }, { passes: 1, runs: 4 })).toBeCloseTo(0.4857142857, 9)
  expect(fisher({ passes: 1, runs: 10 }, { passes: 11, runs: 14 })).toBeCloseTo(0.0027594562, 9)
  expect(fisher({ passes: 5, runs: 5 }, { passes: 0, runs: 5 })).toBeCloseTo(0.0079365079, 9)
  expect(fisher({ passes: 5, runs: 5 }, { passes: 5, runs: 5 })).toBe(1)
  expect(fisher({ passes: 0, runs: 0 }, { passes: 5, runs: 5 })).toBe(1)
})

test('Holm and Benjamini–Hochberg keep the order given', () => {
  const given = [0.01, 0.04, 0.03, 0.005]
  expect(holm(given).map((p) => p.toFixed(3))).toEqual(['0.030', '0.060', '0.060', '0.020'])
  expect(benjaminiHochberg(given).map((p) => p.toFixed(3))).toEqual(['0.020', '0.040', '0.040', '0.020'])
  expect(holm([])).toEqual([])
})

test('the sign-flip test is exact for few pairs, and its other forms agree with it', () => {
  expect(signFlipTest([1, 1, 1, 1, 1, 1])).toEqual({ p_value: 2 / 64, method: 'exact' })
  expect(signFlipTest([0, 0])).toEqual({ p_value: 1, method: 'exact' })
  // On ±1 it is the sign test, which McNemar is too.
  const signs = (plus: number, minus: number) => [...Array<number>(plus).fill(1), ...Array<number>(minus).fill(-1)]
  expect(signFlipTest(signs(12, 2)).p_value).toBeCloseTo(mcnemar(12, 2), 12)
  const simulated = signFlipTest(signs(25, 10))
  expect(simulated.method).toBe('monte_carlo')
  expect(simulated.p_value).toBeCloseTo(mcnemar(25, 10), 2)
  const limit = signFlipTest(signs(1600, 1500))
  expect(limit.method).toBe('normal')
  expect(limit.p_value).toBeCloseTo(mcnemar(1600, 1500), 2)
})

test('a resampled answer is the same each time', () => {
  const values = Array.from({ length: 40 }, (_, index) => Math.sin(index))
  expect(signFlipTest(values)).toEqual(signFlipTest(values))
  expect(meanInterval(values)).toEqual(meanInterval(values))
})

test('the BCa interval of a mean covers about as often as it says', () => {
  const random = seededRandom(7)
  let covered = 0
  for (let trial = 0; trial < 400; trial++) {
    // Exponential: skewed, mean 1.
    const { low, high } = meanInterval(Array.from({ length: 40 }, () => -Math.log(1 - random())))
    if (low <= 1 && 1 <= high) covered++
  }
  expect(covered / 400).toBeGreaterThan(0.9)
  expect(meanInterval([2, 2, 2])).toEqual({ low: 2, high: 2 })
})

test('Welch finds a clear difference and none in noise', () => {
  const sample = (...values: number[]): Sample => {
    const result = { count: 0, sum: 0, squares: 0 }
    for (const value of values) addToSample(result, value)
    return result
  }
  expect(welch(sample(1, 2, 3, 4, 5), sample(1, 2, 3, 4, 5))).toBeCloseTo(1, 9)
  // Means 1.8974 apart, standard error 1: t at 8 degrees of freedom.
  const shifted = sample(2.8974, 3.8974, 4.8974, 5.8974, 6.8974)
  expect(welch(sample(1, 2, 3, 4, 5), shifted)).toBeCloseTo(studentTwoSided(1.8974, 8), 9)
  expect(welch(sample(1), sample(2, 3))).toBe(1)
  expect(welch(sample(2, 2), sample(3, 3))).toBe(0)
})

test('distribution functions at known points', () => {
  expect(zOf(0.95)).toBeCloseTo(1.959963985, 8)
  expect(normalQuantile(0.5)).toBeCloseTo(0, 12)
  expect(normalCdf(-5)).toBeCloseTo(2.866515719e-7, 14)
  expect(normalCdf(2.999999) - normalCdf(3.000001)).toBeCloseTo(0, 6)
  expect(studentTwoSided(2.228138852, 10)).toBeCloseTo(0.05, 8)
  expect(lnGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12)
  expect(lnGamma(101)).toBeCloseTo(363.7393755555635, 8)
  expect(incompleteBeta(0.5, 2, 3)).toBeCloseTo(0.6875, 12)
  expect(binomialCdf(4, 10, 0.3)).toBeCloseTo(0.8497316674, 9)
  expect(quantile([4, 1, 3, 2], 0.5)).toBe(2.5)
})

test('the inverse of the incomplete beta is its inverse', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 0.999, noNaN: true }),
      fc.double({ min: 0.5, max: 300, noNaN: true }),
      fc.double({ min: 0.5, max: 300, noNaN: true }),
      (p, a, b) => {
        expect(incompleteBeta(inverseIncompleteBeta(p, a, b), a, b)).toBeCloseTo(p, 6)
      },
    ),
  )
})

test('seeded numbers are uniform and repeatable', () => {
  const random = seededRandom(42)
  const again = seededRandom(42)
  const values = Array.from({ length: 20_000 }, () => random())
  expect(values.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => again()))
  expect(meanOf(values)).toBeCloseTo(0.5, 1)
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...values)).toBeLessThan(1)
})
