// Differences with the error of a judge in them: by simulation, over the same cases on both sides.
import { expect, test } from 'vitest'
import type { LabelCounts } from '../statistics/judged-rate.js'
import { pairedTest } from '../statistics/paired.js'
import { seededRandom, type Random } from '../statistics/random.js'
import { stratifiedTest, type Rate } from '../statistics/stratified.js'
import { correctedPaired, correctedStratified, correctionOf } from './correct-difference.js'
import type { JudgedSide } from './judged-fold.js'

interface Judge {
  sensitivity: number
  specificity: number
}

interface Run {
  /** By case, as judged. */
  cases: Rate[]
  side: JudgedSide
}

const NONE: LabelCounts = { both_pass: 0, judge_pass_only: 0, people_pass_only: 0, both_fail: 0 }
const CASES = 200
const LABELS = 100
/** Some cases always fail, most always pass, some are unsteady. */
const rateOf = (at: number): number => (at % 10 < 2 ? 0 : at % 10 < 4 ? 0.5 : 1)

function play(random: Random, judge: Judge, { fall = 0, licence }: { fall?: number; licence?: LabelCounts } = {}): Run {
  const labels = { ...NONE }
  let passed = 0
  const cases = Array.from({ length: CASES }, (_, at): Rate => {
    const good = random() < rateOf(at) * (1 - fall)
    const said = random() < (good ? judge.sensitivity : 1 - judge.specificity)
    // The order of the cases says nothing about what happens in them but their rate: every second is a fair sample.
    if (!licence && (at * 7) % CASES < LABELS * 1)
      labels[said ? (good ? 'both_pass' : 'judge_pass_only') : good ? 'people_pass_only' : 'both_fail']++
    if (said) passed++
    return { hits: said ? 1 : 0, runs: 1 }
  })
  const judged = { passed, count: CASES }
  const entry = { id: 'judge', criterion: 'c', hash: 'h' }
  const group = {
    judge: entry,
    criterion: 'c',
    judged,
    labels,
    method: licence ? undefined : ('labels' as const),
    licence,
  }
  return { cases, side: { all: judged, groups: new Map([['h', group]]), several: 0 } }
}

function licenceFrom(random: Random, judge: Judge): LabelCounts {
  const labels = { ...NONE }
  for (let at = 0; at < 300; at++) {
    const good = random() < 0.6
    const said = random() < (good ? judge.sensitivity : 1 - judge.specificity)
    labels[said ? (good ? 'both_pass' : 'judge_pass_only') : good ? 'people_pass_only' : 'both_fail']++
  }
  return labels
}

function claimed(before: Run, after: Run): { plain: boolean; corrected: boolean; paired: boolean } {
  const strata = before.cases.map((rate, at) => ({ before: rate, after: after.cases[at] ?? rate }))
  const correction = correctionOf(before.side, after.side)
  const bounds = correctedPaired(pairedTest(strata), correction).bounds(0.025)
  return {
    plain: stratifiedTest(strata).p_value < 0.05,
    corrected: correctedStratified(stratifiedTest(strata), correction).p_value < 0.05,
    paired: bounds.low > 0 || bounds.high < 0,
  }
}

function share(tries: number, once: (random: Random) => ReturnType<typeof claimed>) {
  const random = seededRandom(7)
  const sum = { plain: 0, corrected: 0, paired: 0 }
  for (let attempt = 0; attempt < tries; attempt++) {
    const found = once(random)
    for (const key of ['plain', 'corrected', 'paired'] as const) if (found[key]) sum[key] += 1 / tries
  }
  return sum
}

const GOOD: Judge = { sensitivity: 0.95, specificity: 0.9 }
const LAX: Judge = { sensitivity: 0.98, specificity: 0.4 }

test.each([
  ['labels', GOOD],
  ['labels', LAX],
  ['a licence', GOOD],
])('between equal runs at most about 5%% are called different, by %s', (how, judge) => {
  const found = share(400, (random) => {
    const licence = how === 'labels' ? undefined : licenceFrom(random, judge)
    const more = licence ? { licence } : {}
    return claimed(play(random, judge, more), play(random, judge, more))
  })
  expect(found.corrected).toBeLessThan(0.08)
  expect(found.paired).toBeLessThan(0.08)
})

test('a judge that became lax makes equal runs look different; the labels see that', () => {
  const found = share(200, (random) => claimed(play(random, GOOD), play(random, LAX)))
  expect(found.plain).toBeGreaterThan(0.5)
  expect(found.corrected).toBeLessThan(0.08)
})

test('a fall that a lax judge hides is found by the labels', () => {
  const found = share(200, (random) => claimed(play(random, GOOD), play(random, LAX, { fall: 0.35 })))
  expect(found.corrected).toBeGreaterThan(0.5)
  expect(found.corrected).toBeGreaterThan(found.plain)
})

test('a licence that both sides share takes nothing away from a clear fall', () => {
  const found = share(200, (random) => {
    const licence = licenceFrom(random, GOOD)
    return claimed(play(random, GOOD, { licence }), play(random, GOOD, { fall: 0.2, licence }))
  })
  expect(found.plain - found.corrected).toBeLessThan(0.05)
  expect(found.plain - found.paired).toBeLessThan(0.05)
})

test('the corrected difference is the true one, with the judge scaled out', () => {
  const judged = (passed: number) => ({ passed, count: 1_000 })
  const licence = { both_pass: 900, judge_pass_only: 200, people_pass_only: 100, both_fail: 800 }
  const side = (passed: number): JudgedSide => ({
    all: judged(passed),
    groups: new Map([
      [
        'h',
        {
          judge: { id: 'j', criterion: 'c', hash: 'h' },
          criterion: 'c',
          judged: judged(passed),
          labels: NONE,
          licence,
        },
      ],
    ]),
    several: 0,
  })
  const rate = (hits: number): Rate => ({ hits, runs: 1_000 })
  // Seen 0.76 and 0.62 with 0.9 and 0.8: true 0.8 and 0.6.
  const test0 = stratifiedTest([{ before: rate(760), after: rate(620) }])
  const found = correctedStratified(test0, correctionOf(side(760), side(620)))
  expect([found.before, found.after, found.difference].map((value) => Number(value.toFixed(6)))).toEqual([
    0.8, 0.6, -0.2,
  ])
})

test('a licence of a weak judge makes a gate no weaker: what the judge sees beyond chance is there', () => {
  const licence = { both_pass: 15, judge_pass_only: 8, people_pass_only: 5, both_fail: 12 }
  const side = (passed: number): JudgedSide => {
    const judged = { passed, count: 80 }
    const group = { judge: { id: 'j', criterion: 'c', hash: 'h' }, criterion: 'c', judged, labels: NONE, licence }
    return { all: judged, groups: new Map([['h', group]]), several: 0 }
  }
  const strata = (from: number, to: number) =>
    Array.from({ length: 80 }, (_, at) => ({
      before: { hits: at < from ? 1 : 0, runs: 1 },
      after: { hits: at < to ? 1 : 0, runs: 1 },
    }))
  for (const [from, to] of [
    [72, 40],
    [40, 72],
  ] as const) {
    const correction = correctionOf(side(from), side(to))
    const [stratified, paired] = [stratifiedTest(strata(from, to)), pairedTest(strata(from, to))]
    expect(correctedStratified(stratified, correction).p_value).toBeLessThanOrEqual(stratified.p_value)
    const { low, high } = correctedPaired(paired, correction).bounds(0.025)
    expect(low > 0 || high < 0).toBe(true)
    expect(correctedPaired(paired, correction)[to < from ? 'below' : 'above'](0)).toBeLessThan(0.025)
  }
})

test('nothing to correct by: the test is the same', () => {
  const side: JudgedSide = { all: { passed: 1, count: 2 }, groups: new Map(), several: 0 }
  expect(correctionOf(side, side)).toBeUndefined()
  expect(correctionOf(undefined, side)).toBeUndefined()
})

/** A judge that fails half of what is right, as before; what it is judged by differs. */
function half(right: number, by: 'labels' | 'nothing' | 'licence'): JudgedSide {
  const judged = { passed: right / 2, count: 100 }
  const counts = { both_pass: right / 2, judge_pass_only: 0, people_pass_only: right / 2, both_fail: 100 - right }
  const group = {
    judge: { id: 'j', criterion: 'c', hash: 'h' },
    criterion: 'c',
    judged,
    labels: by === 'labels' ? counts : NONE,
    ...(by === 'labels' && { method: 'labels' as const }),
    ...(by === 'licence' && { licence: counts }),
  }
  return { all: judged, groups: new Map([['h', group]]), several: 0 }
}

test.each([
  ['labels', 'nothing'],
  ['nothing', 'labels'],
  ['licence', 'nothing'],
  ['nothing', 'licence'],
] as const)('the error of a judge that is known on one side only corrects nothing: %s, %s', (one, other) => {
  expect(correctionOf(half(80, one), half(40, other))).toBeUndefined()
})

test('a judge of one side only is corrected if all others are', () => {
  const before: JudgedSide = { all: { passed: 50, count: 100 }, groups: new Map(), several: 0 }
  expect(correctionOf(before, half(40, 'labels'))?.after).toBeCloseTo(0.2)
  const two = new Map([
    ...half(40, 'labels').groups,
    ...[...half(40, 'nothing').groups.values()].map((g) => ['k', g] as const),
  ])
  expect(correctionOf(before, { all: { passed: 40, count: 200 }, groups: two, several: 0 })).toBeUndefined()
})
