// Rates that rest on a judge: published formulas by hand, and what must hold for any labels.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { agreementOf, reasonAgainst } from './agreement.js'
import { differenceOf, labelledRate, type LabelCounts } from './judged-rate.js'
import { studentQuantile } from './normal.js'
import { carriedRate } from './rogan-gladen.js'

const counts = (
  both_pass: number,
  judge_pass_only: number,
  people_pass_only: number,
  both_fail: number,
): LabelCounts => ({
  both_pass,
  judge_pass_only,
  people_pass_only,
  both_fail,
})
const anyCounts = fc.tuple(fc.nat(60), fc.nat(60), fc.nat(60), fc.nat(60)).map((cells) => counts(...cells))

test.each([
  [19, '2.093'],
  [9, '2.262'],
  [1, '12.706'],
])('the t of a 95%% interval with %i degrees', (degrees, t) => {
  expect(studentQuantile(0.95, degrees).toFixed(3)).toBe(t)
})

test('PPI++: the rate of the unlabelled answers, moved by what people said of the labelled ones', () => {
  // weight = cov / ((1 + 1/4) var) = 0.06 / (1.25 × 0.25) = 0.192; rate = 0.6 + 0.192 × (0.8 - 0.5).
  const labels = counts(36, 14, 24, 26)
  const { rate } = labelledRate(labels, { passed: 320, count: 400 })
  expect(rate).toBeCloseTo(0.6 + 0.192 * 0.3, 10)
})

test('a judge that says nothing about the labels does not move them', () => {
  const labels = counts(25, 25, 25, 25)
  expect(labelledRate(labels, { passed: 900, count: 900 }).rate).toBe(0.5)
})

test('all labels pass: the interval keeps a width', () => {
  const { rate, interval } = labelledRate(counts(100, 0, 0, 0), { passed: 500, count: 500 })
  expect(rate).toBe(1)
  expect(interval.low).toBeGreaterThan(0.9)
  expect(interval.low).toBeLessThan(0.98)
})

test('intervals hold their rate, and stay between 0 and 1', () => {
  fc.assert(
    fc.property(anyCounts, fc.nat(500), fc.nat(500), (labels, passed, failed) => {
      fc.pre(Object.values(labels).reduce((sum, each) => sum + each, 0) >= 2)
      const { rate, interval } = labelledRate(labels, { passed, count: passed + failed })
      expect(interval.low).toBeGreaterThanOrEqual(0)
      expect(interval.high).toBeLessThanOrEqual(1)
      expect(interval.low).toBeLessThanOrEqual(rate + 1e-12)
      expect(interval.high).toBeGreaterThanOrEqual(rate - 1e-12)
    }),
  )
})

test('Rogan and Gladen by hand: (0.65 + 0.8 - 1) / (0.9 + 0.8 - 1)', () => {
  const found = carriedRate(counts(90, 20, 10, 80), { passed: 650, count: 1000 })
  expect('rate' in found && found.rate.toFixed(4)).toBe('0.6429')
})

test.each<[LabelCounts, string]>([
  [counts(50, 0, 0, 0), 'all labels pass'],
  [counts(0, 0, 0, 50), 'all labels fail'],
  [counts(25, 25, 25, 25), 'not reliably better than chance'],
  [counts(5, 45, 45, 5), 'not reliably better than chance'],
])('labels that say nothing about a judge carry no rate: %o', (labels, reason) => {
  const found = carriedRate(labels, { passed: 5, count: 10 })
  expect('refused' in found && found.refused).toContain(reason)
})

test("Cohen's kappa and its interval, as Fleiss, Cohen and Everitt have it", () => {
  const { agreement, chance, kappa } = agreementOf(counts(20, 5, 10, 15))
  expect(agreement.value).toBe(0.7)
  expect(chance).toBe(0.5)
  expect(kappa.value).toBeCloseTo(0.4, 10)
  expect(kappa.interval.low).toBeCloseTo(0.4 - 1.96 * 0.1262, 2)
})

test.each<[string, LabelCounts, boolean]>([
  ['agrees in 9 of 10', counts(45, 5, 5, 45), true],
  ['passes everything, as people mostly do', counts(90, 10, 0, 0), false],
  ['tosses a coin', counts(25, 25, 25, 25), false],
  ['is reliably wrong', counts(5, 45, 45, 5), false],
  ['has three labels', counts(2, 0, 0, 1), false],
])('a licence for a judge that %s: %o', (_how, labels, isGranted) => {
  expect(reasonAgainst(agreementOf(labels)) === undefined).toBe(isGranted)
})

test('a difference: twice the same rate leaves 0 inside', () => {
  const side = labelledRate(counts(40, 10, 10, 40), { passed: 400, count: 800 })
  const { rate, interval } = differenceOf(side, side)
  expect(rate).toBe(0)
  expect(interval.low).toBeLessThan(0)
  expect(interval.high).toBeGreaterThan(0)
})
