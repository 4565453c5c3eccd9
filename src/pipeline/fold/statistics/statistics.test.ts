// Published values, and coverage computed exactly from the binomial rather than by chance.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { taroneHolm } from './corrections.js'
import { lnChoose, lnGamma } from './gamma.js'
import { incompleteBeta } from './incomplete-beta.js'
import { wilson } from './intervals.js'
import { normalCdf, normalQuantile, studentTwoSided, zOf } from './normal.js'
import { passAtK, passHatK } from './pass-k.js'
import { meanOf, signFlipTest } from './permutation.js'
import { quantileOfSorted } from '../../../base/quantile.js'
import { seededRandom } from './random.js'
import { stratifiedTest, type Stratum } from './stratified.js'
import { addToSample, welch, type Sample } from './welch.js'

const binomial = (k: number, n: number, p: number) =>
  Math.exp(lnChoose(n, k) + (k === 0 ? 0 : k * Math.log(p)) + (k === n ? 0 : (n - k) * Math.log1p(-p)))

test.each([
  [3, 3, '0.439', '1.000'],
  [5, 5, '0.566', '1.000'],
  [10, 10, '0.722', '1.000'],
  [20, 20, '0.839', '1.000'],
  [8, 10, '0.490', '0.943'],
  [4, 5, '0.376', '0.964'],
])('the Wilson interval of %i out of %i', (passes, runs, low, high) => {
  const interval = wilson(passes, runs)
  expect([interval.low.toFixed(3), interval.high.toFixed(3)]).toEqual([low, high])
})

test('intervals of failures mirror those of passes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(200), (runs, drawn) => {
      const passes = Math.min(drawn, runs)
      const here = wilson(passes, runs)
      const there = wilson(runs - passes, runs)
      expect(here.low).toBeCloseTo(1 - there.high, 9)
      expect(here.low).toBeLessThanOrEqual(passes / runs)
      expect(here.high).toBeGreaterThanOrEqual(passes / runs)
    }),
  )
})

test('no runs leave everything possible', () => {
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 })
})

test('Wilson covers at least 89% everywhere and 94% on average, where Wald covers 41%', () => {
  const coverage = (runs: number, rate: number, covers: (passes: number) => boolean) => {
    let sum = 0
    for (let passes = 0; passes <= runs; passes++) if (covers(passes)) sum += binomial(passes, runs, rate)
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
          const weight = binomial(passes, runs, rate)
          all += weight * (passHatK(passes, runs, k) ?? Number.NaN)
          any += weight * (passAtK(passes, runs, k) ?? Number.NaN)
        }
        expect(all).toBeCloseTo(rate ** k, 10)
        expect(any).toBeCloseTo(1 - (1 - rate) ** k, 10)
      }
    }
  }
})

const stratum = (before: [number, number], after: [number, number]): Stratum => ({
  before: { hits: before[0], runs: before[1] },
  after: { hits: after[0], runs: after[1] },
})
const singles = (fixed: number, broken: number) => [
  ...Array.from({ length: fixed }, () => stratum([0, 1], [1, 1])),
  ...Array.from({ length: broken }, () => stratum([1, 1], [0, 1])),
  ...Array.from({ length: 9 }, () => stratum([1, 1], [1, 1])),
]

test.each([
  [0, 5, 0.0625],
  [0, 6, 0.03125],
  [1, 6, 0.125],
  [6, 1, 0.125],
  [0, 0, 1],
  [3, 3, 1],
])('with one run a side it is the exact McNemar: %i fixed, %i broken', (fixed, broken, p) => {
  expect(stratifiedTest(singles(fixed, broken)).p_value).toBeCloseTo(p, 12)
})

test.each([
  [[5, 5], [0, 5], 2 / 252],
  [[3, 4], [1, 4], 2 * (17 / 70)],
  // The smaller tail of a table known from textbooks, doubled.
  [[1, 10], [11, 14], 2 * 0.0013797280926],
  [[5, 5], [5, 5], 1],
  [[0, 0], [5, 5], 1],
] as Array<[[number, number], [number, number], number]>)(
  'with one case it is the exact Fisher: %j against %j',
  (before, after, p) => expect(stratifiedTest([stratum(before, after)]).p_value).toBeCloseTo(p, 9),
)

test('several cases are convolved: the p-value against all tables, counted one by one', () => {
  const strata = [stratum([4, 4], [1, 3]), stratum([2, 3], [1, 2]), stratum([1, 2], [0, 4])]
  const chances = new Map<number, number>()
  const tables = (index: number, sum: number, chance: number): void => {
    const item = strata[index]
    if (!item) return void chances.set(sum, (chances.get(sum) ?? 0) + chance)
    const { before, after } = item
    const hits = before.hits + after.hits
    for (let k = Math.max(0, hits - before.runs); k <= Math.min(hits, after.runs); k++) {
      const ways = lnChoose(after.runs, k) + lnChoose(before.runs, hits - k) - lnChoose(before.runs + after.runs, hits)
      tables(index + 1, sum + k, chance * Math.exp(ways))
    }
  }
  tables(0, 0, 1)
  const lower = [...chances].reduce((sum, [k, chance]) => (k <= 2 ? sum + chance : sum), 0)
  const tested = stratifiedTest(strata)
  expect(tested.p_value).toBeCloseTo(2 * lower, 12)
  expect(tested.least).toBeCloseTo(2 * Math.min(...[...chances].toSorted(([a], [b]) => a - b).map(([, c]) => c)), 12)
})

test('a p-value that equals the level says nothing, and the interval agrees', () => {
  const six = stratifiedTest(singles(0, 6))
  expect(six.p_value).toBe(0.03125)
  expect(six.interval(0.03125).high).toBeGreaterThanOrEqual(0)
  expect(six.interval(0.0313).high).toBeLessThan(0)
})

test('where there is too much to count the normal limit says the same', () => {
  const many = (count: number, fallen: number) =>
    Array.from({ length: count }, (_, index) => stratum([15, 30], [index < fallen ? 14 : 15, 30]))
  const [exact, limit] = [stratifiedTest(many(150, 75)), stratifiedTest(many(600, 150))]
  expect([exact.method, limit.method]).toEqual(['exact', 'normal'])
  // 75 of 4,500 and 150 of 18,000 runs: the same distance in standard deviations, but for half a run.
  expect(limit.p_value).toBeCloseTo(exact.p_value, 2)
  const { low, high } = limit.interval(0.05)
  expect(low).toBeLessThan(limit.difference)
  expect(high).toBeGreaterThan(limit.difference)
})

test('no p-value is 0, however clear the case', () => {
  const sample: Sample = { count: 5, sum: 5, squares: 5 }
  const doubled: Sample = { count: 5, sum: 10, squares: 20 }
  const clear = [
    stratifiedTest(singles(0, 2_000)).p_value,
    stratifiedTest(Array.from({ length: 40_000 }, () => stratum([1, 1], [0, 1]))).p_value,
    signFlipTest(Array<number>(10).fill(1)).p_value,
    signFlipTest(Array<number>(100).fill(1)).p_value,
    signFlipTest(Array<number>(5_000).fill(1)).p_value,
    welch(sample, doubled).p_value,
  ]
  for (const p of clear) expect(p).toBeGreaterThan(0)
  expect(Math.max(...clear)).toBeLessThan(0.01)
})

test('Tarone–Holm: what can never speak is not counted, and the order given is kept', () => {
  const able = (p_value: number) => ({ p_value, least: 0.0001 })
  const mute = { p_value: 1, least: 1 }
  // All can speak: the decisions are Holm's.
  const all = [0.01, 0.04, 0.03, 0.005].map(able)
  expect(taroneHolm(all, 0.05).map((p) => p.toFixed(3))).toEqual(['0.040', '0.080', '0.060', '0.020'])
  expect(taroneHolm([mute, able(0.008), ...Array.from({ length: 18 }, () => mute)], 0.05)[1]).toBeCloseTo(0.008, 12)
  expect(taroneHolm([able(0.008), ...Array.from({ length: 19 }, () => able(0.9))], 0.05)[0]).toBeCloseTo(0.16, 12)
  // Twenty that could reach 0.02 at best: two of them at once already need 0.025.
  const weak = Array.from({ length: 20 }, (_, index) => ({ p_value: index === 0 ? 0.02 : 1, least: 0.02 }))
  expect(taroneHolm(weak, 0.05)[0]).toBeGreaterThanOrEqual(0.05)
  // Of three that could speak alone, only one could at half the level: two are counted, not three.
  const [first] = taroneHolm(
    [{ p_value: 0.02, least: 0.02 }, ...[0.03, 0.03].map((least) => ({ p_value: 1, least }))],
    0.05,
  )
  expect(first).toBeCloseTo(0.04, 12)
  // At the level exactly nothing is claimed, so the next is not tested as if it were.
  expect(taroneHolm([0.025, 0.04].map(able), 0.05).map((p) => p.toFixed(3))).toEqual(['0.050', '0.080'])
  expect(taroneHolm([], 0.05)).toEqual([])
})

test('the sign-flip test is exact for few pairs, and its other forms agree with it', () => {
  expect(signFlipTest([1, 1, 1, 1, 1, 1])).toMatchObject({ p_value: 2 / 64, method: 'exact' })
  expect(signFlipTest([0, 0])).toMatchObject({ p_value: 1, method: 'exact' })
  // On ±1 it is the sign test, which McNemar is too.
  const signs = (plus: number, minus: number) => [...Array<number>(plus).fill(1), ...Array<number>(minus).fill(-1)]
  const mcnemar = (plus: number, minus: number) => stratifiedTest(singles(plus, minus)).p_value
  expect(signFlipTest(signs(12, 2)).p_value).toBeCloseTo(mcnemar(12, 2), 12)
  const simulated = signFlipTest(signs(25, 10))
  expect(simulated.method).toBe('monte_carlo')
  expect(simulated.p_value).toBeCloseTo(mcnemar(25, 10), 2)
  const limit = signFlipTest(signs(1600, 1500))
  expect(limit.method).toBe('normal')
  expect(limit.p_value).toBeCloseTo(mcnemar(1600, 1500), 2)
})

test('the interval of the sign-flip test excludes 0 exactly when it speaks; few pairs bound nothing', () => {
  const random = seededRandom(3)
  let spoke = 0
  for (let trial = 0; trial < 300; trial++) {
    const pairs = trial % 50 === 0 ? 2_500 : 6 + Math.floor(random() * 20)
    const { p_value, interval } = signFlipTest(Array.from({ length: pairs }, () => random() - 0.35))
    const bounds = interval(0.05)
    expect(bounds !== undefined && (bounds.low > 0 || bounds.high < 0)).toBe(p_value < 0.05)
    if (p_value < 0.05) spoke++
  }
  expect(spoke).toBeGreaterThan(50)
  expect(spoke).toBeLessThan(250)
  expect(signFlipTest([1, 1, 1, 1, 1]).interval(0.05)).toBeUndefined()
})

test('a resampled answer is the same each time', () => {
  const values = Array.from({ length: 40 }, (_, index) => Math.sin(index))
  const [one, other] = [signFlipTest(values), signFlipTest(values)]
  expect(one.p_value).toBe(other.p_value)
  expect(one.interval(0.05)).toEqual(other.interval(0.05))
})

test('the interval of a mean covers about as often as it says', () => {
  const random = seededRandom(7)
  let covered = 0
  for (let trial = 0; trial < 150; trial++) {
    // Exponential: skewed, mean 1.
    const bounds = signFlipTest(Array.from({ length: 40 }, () => -Math.log(1 - random()))).interval(0.05)
    if (bounds && bounds.low <= 1 && 1 <= bounds.high) covered++
  }
  expect(covered / 150).toBeGreaterThan(0.9)
})

test('Welch finds a clear difference and none in noise', () => {
  const sample = (...values: number[]): Sample => {
    const result = { count: 0, sum: 0, squares: 0 }
    for (const value of values) addToSample(result, value)
    return result
  }
  expect(welch(sample(1, 2, 3, 4, 5), sample(1, 2, 3, 4, 5)).p_value).toBeCloseTo(1, 9)
  // Means 1.8974 apart, standard error 1: t at 8 degrees of freedom.
  const shifted = sample(2.8974, 3.8974, 4.8974, 5.8974, 6.8974)
  expect(welch(sample(1, 2, 3, 4, 5), shifted).p_value).toBeCloseTo(studentTwoSided(1.8974, 8), 9)
  expect(welch(sample(1), sample(2, 3)).p_value).toBe(1)
  // Two values a side can be shuffled in six ways: no spread makes them surer than that.
  expect(welch(sample(2, 2), sample(3, 3)).p_value).toBeCloseTo(2 / 6, 9)
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
  expect(quantileOfSorted([1, 2, 3, 4], 0.5)).toBe(2.5)
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
