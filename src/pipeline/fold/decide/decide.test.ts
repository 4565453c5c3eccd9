// The promises of a decision, by simulation with fixed seeds (the full numbers: bench/decisions), and its edges.
import { expect, test } from 'vitest'
import {
  bestBySimulation,
  concentrated,
  decideBySimulation,
  RULE,
  SHAPES,
  spread,
  type Sides,
} from '../../../../test/support/simulated-runs.js'
import { seededRandom, type Random } from '../statistics/random.js'
import { decideChange, type CaseSides, type ChangeDecision, type DecisionRule } from './decide-change.js'
import { describeDecision, describeVerdict } from './describe-decision.js'
import { levelAt, plannedLooks } from './looks.js'
import { variantClaims, type RatedVariant } from './variant-claims.js'

const TRIES = 150
// With a true rate of 2.5%, 150 tries show more than this in about 1 of 700 series.
const MOST_WRONG = 10
// The same of 50, where a rule has many shapes.
const FEW_TRIES = 50
const FEW_WRONG = 5

test('looks are planned, and their levels add up', () => {
  expect(plannedLooks(30)).toEqual([1, 2, 3, 5, 8, 13, 21, 30])
  expect(plannedLooks(1)).toEqual([1])
  expect(plannedLooks(5)).toEqual([1, 2, 3, 5])
  for (const most of [1, 2, 7, 30, 200]) {
    const looks = plannedLooks(most)
    expect(looks.reduce((sum, look) => sum + levelAt(look, looks, 0.025), 0)).toBeCloseTo(0.025, 12)
  }
  expect(() => levelAt(4, [1, 2, 3, 5], 0.025)).toThrow('4 runs are not a planned look: 1, 2, 3, 5')
})

test.each([
  ['spread evenly', spread],
  ['in few cases', concentrated],
])('90% → 70% on 100 cases is found by 3 runs: %s', (_, fall) => {
  const before = Array<number>(100).fill(0.9)
  const looks = RULE.looks.filter((look) => look <= 3)
  const found = count(TRIES, 1, (random) => {
    // The levels of the whole plan, stopped after the third look.
    const { verdict, runs } = decideBySimulation({ before, after: fall(before, 0.2) }, random)
    return verdict === 'worse' && runs <= (looks.at(-1) ?? 0)
  })
  expect(found / TRIES).toBeGreaterThanOrEqual(0.95)
})

const NULLS = Object.keys(SHAPES).flatMap((shape) =>
  [100, 20, 5].flatMap((cases) => [0, 0.1].map((lost) => ({ shape, cases, lost }))),
)

test.each(NULLS)(
  'an unchanged agent is not called worse: $shape, $cases cases, $lost lost',
  ({ shape, cases, lost }) => {
    let told = 0
    const wrong = count(FEW_TRIES, cases, (random) => {
      const before = SHAPES[shape]?.(cases, random) ?? []
      const { verdict } = decideBySimulation({ before, after: before, lost: [lost, lost] }, random)
      if (verdict === 'not_worse') told++
      return verdict === 'worse' || verdict === 'slightly_worse'
    })
    expect(wrong).toBeLessThanOrEqual(FEW_WRONG)
    if (cases === 100) expect(told / FEW_TRIES).toBeGreaterThanOrEqual(0.85)
  },
)

test.each(['all 0.9', 'all 0.5', 'beta (2, ½)'])(
  'an unchanged agent is called not worse in at least nine of ten within 30 runs: 100 cases, %s',
  (shape) => {
    const told = count(TRIES, 5, (random) => {
      const before = SHAPES[shape]?.(100, random) ?? []
      return decideBySimulation({ before, after: before }, random).verdict === 'not_worse'
    })
    expect(told / TRIES).toBeGreaterThanOrEqual(0.9)
  },
)

const MARGINS = Object.keys(SHAPES).flatMap((shape) =>
  [100, 20].flatMap((cases) => [spread, concentrated].map((fall) => ({ shape, cases, fall }))),
)

test.each(MARGINS)('at the margin it is rarely called not worse: $shape, $cases cases', ({ shape, cases, fall }) => {
  const wrong = count(FEW_TRIES, 9, (random) => {
    const before = SHAPES[shape]?.(cases, random) ?? []
    return isNotWorse(decideBySimulation({ before, after: fall(before, 0.0501) }, random))
  })
  expect(wrong).toBeLessThanOrEqual(FEW_WRONG)
})

const ONE_LOOK: Array<[runs: number, cases: number]> = [
  [1, 100],
  [3, 100],
  [3, 20],
  [10, 5],
]

test.each(ONE_LOOK)('with one look all of the level is spent there, and kept: %i runs of %i cases', (runs, cases) => {
  const rule: DecisionRule = { ...RULE, looks: [runs] }
  for (const [shape, rates] of Object.entries(SHAPES)) {
    const decide = (sides: Sides, random: Random) => decideBySimulation(sides, random, rule)
    const alarms = count(TRIES, 3, (random) => {
      const before = rates(cases, random)
      return decide({ before, after: before }, random).interval.high < 0
    })
    expect(alarms, shape).toBeLessThanOrEqual(MOST_WRONG)
    const wrong = count(TRIES, 4, (random) => {
      const before = rates(cases, random)
      return isNotWorse(decide({ before, after: spread(before, 0.0501) }, random))
    })
    expect(wrong, shape).toBeLessThanOrEqual(MOST_WRONG)
  }
})

test('a side that breaks down instead of failing is never called not worse', () => {
  const rates = Array<number>(100).fill(0.95)
  const said = new Set<string>()
  for (let seed = 0; seed < 20; seed++) {
    const decision = decideBySimulation({ before: rates, after: rates, lost: [0, 0.2] }, seededRandom(seed))
    said.add(decision.verdict)
    expect(decision.needed).toMatchObject({ what: 'verdicts', lost_before: 0 })
  }
  expect([...said]).toEqual(['undecided'])
})

test('cases that broke down altogether count as well', () => {
  const cases = [...many(90, side(3, 0), side(3, 0)), ...many(10, side(3, 0), { passes: 0, fails: 0, lost: 3 })]
  const rule = { ...RULE, looks: [3] }
  expect(describeDecision(decideChange(cases, 3, rule), rule)).toMatch(
    /; too many runs ended without a verdict: 0 before, 30 after$/,
  )
  expect(decideChange(cases, 3, rule)).toMatchObject({
    verdict: 'undecided',
    difference: 0,
    needed: { what: 'verdicts', lost_before: 0, lost_after: 30 },
  })
})

test('six cases that break in one run each are worse, five are not: as compare says', () => {
  const broken = (count: number) =>
    decideChange([...many(40, side(1, 0), side(1, 0)), ...many(count, side(1, 0), side(0, 1))], 1, {
      ...RULE,
      looks: [1],
    })
  expect(broken(5)).toMatchObject({ verdict: 'undecided' })
  expect(broken(6)).toMatchObject({ verdict: 'worse' })
})

test.each([0, 6, 50, 500])('a case that always passed and now always fails has fallen, beside %i others', (others) => {
  const broken = { id: 'pay', before: side(5, 0), after: side(0, 5) }
  const rule = { ...RULE, looks: [5] }
  const found = decideChange([...many(others, side(5, 0), side(5, 0)), broken], 5, rule)
  expect(found.fell).toMatchObject([{ id: 'pay', before: 100, after: 0 }])
  expect(found.fell?.[0]?.p_value).toBeLessThan(0.025)
  const words = /; pay fell from 100% to 0% \(Fisher, one-sided, adjusted p = 0\.0\d+\)$/
  expect([describeDecision(found, rule), describeVerdict(found, rule)]).toEqual(
    Array(2).fill(expect.stringMatching(words)),
  )
  // Neither one that is better nor one that has always failed.
  const steady = [...many(others + 1, side(0, 5), side(0, 5)), { id: 'up', before: side(0, 5), after: side(5, 0) }]
  expect(decideChange(steady, 5, rule)).not.toHaveProperty('fell')
})

test.each([5, 20])('of an unchanged agent neither the whole nor a single case is called worse: %i runs', (runs) => {
  const rule: DecisionRule = { ...RULE, practical_points: 0, looks: [runs] }
  for (const [shape, rates] of Object.entries(SHAPES)) {
    const wrong = count(TRIES, 7, (random) => {
      const before = rates(50, random)
      const { interval, fell } = decideBySimulation({ before, after: before }, random, rule)
      return interval.high < 0 || fell !== undefined
    })
    expect(wrong, shape).toBeLessThanOrEqual(MOST_WRONG)
  }
})

test('a sure fall within the margin is slightly worse; a sure fall below what matters is not worse', () => {
  const cases = [...many(97, side(30, 0), side(30, 0)), ...many(3, side(30, 0), side(0, 30))]
  const slight = decideChange(cases, 30, RULE)
  expect(slight).toMatchObject({ verdict: 'slightly_worse', difference: -3, before: 100, after: 97 })
  expect(describeDecision(slight, RULE)).toMatch(
    /^slightly worse, within the margin of 5 points: 100% → 97%, -3\.0 points \(-\d\.\d to -\d\.\d\), 100 cases × 30 runs; T0 fell from 100% to 0% \(Fisher, one-sided, adjusted p < 0\.0001\); T1 fell .*; T2 fell .*$/,
  )
  expect(slight.interval.high).toBeLessThan(0)
  expect(slight.interval.low).toBeGreaterThanOrEqual(-5)
  expect(decideChange(cases, 30, { ...RULE, margin: 3 }).verdict).toBe('worse')
  expect(decideChange(cases, 30, { ...RULE, practical_points: 3 }).verdict).toBe('not_worse')
  expect(decideChange(cases, 30, { ...RULE, practical_points: 3, margin: 2 })).toMatchObject({
    verdict: 'undecided',
    needed: { what: 'rule' },
  })
})

test('what would settle it: runs if they can, cases if only they can', () => {
  const flaky = (count: number) => decideChange(many(count, side(9, 1), side(9, 1)), 10, { ...RULE, looks: [10, 30] })
  const some = flaky(40)
  expect(some).toMatchObject({ verdict: 'undecided', needed: { what: 'runs', count: 20 } })
  expect(describeDecision(some, RULE)).toMatch(
    /^cannot tell yet: 90% → 90%, 0\.0 points \(-\d\.\d to \+\d\.\d\), 40 cases × 10 runs; about 20 more runs of each case would tell$/,
  )
  const few = flaky(5)
  expect(few).toMatchObject({ verdict: 'undecided', needed: { what: 'cases' } })
  expect(describeDecision(few, RULE)).toMatch(
    /; 5 cases × 30 runs cannot tell 5 points from chance: only more cases help, about \d+ more cases$/,
  )
  // That many cases do settle it.
  const count = few.needed?.count ?? 0
  const rule = { ...RULE, looks: [10, 30] }
  const withCases = (cases: number) => decideChange(many(cases, side(27, 3), side(27, 3)), 30, rule).verdict
  expect(withCases(5 + count)).toBe('not_worse')
  expect(withCases(5 + count - 1)).toBe('undecided')
})

test('the verdict, the interval and the p-values never disagree', () => {
  const random = seededRandom(11)
  const seen = new Set<string>()
  for (let round = 0; round < 1_000; round++) {
    const size = 1 + Math.floor(random() * 60)
    const runs = 1 + Math.floor(random() * 12)
    const rate = random()
    const draw = (base: number) => drawn(runs, Math.min(1, Math.max(0, base + (random() - 0.5) * 0.2)), random)
    const fall = random() * 0.3
    const cases = Array.from({ length: size }, (_, at) => ({
      id: `T${at}`,
      before: draw(rate),
      after: draw(rate - fall),
    }))
    const found = decideChange(cases, runs, { ...RULE, looks: [runs] })
    seen.add(found.verdict)
    const { low, high } = found.interval
    expect(low).toBeLessThanOrEqual(found.difference + 1e-9)
    expect(high).toBeGreaterThanOrEqual(found.difference - 1e-9)
    expect(found.p_worse < 0.025).toBe(high < 0)
    expect(found.p_not_worse < 0.025).toBe(low >= -5)
    expect(found.verdict).toBe(verdictFrom(found))
  }
  expect(seen.size).toBe(4)
})

test('with a fixed number of runs, another number is proposed if it would settle it', () => {
  const flaky = (count: number) =>
    decideChange(many(count, side(9, 1), side(9, 1)), 10, { ...RULE, looks: [10], most_runs: 30 })
  const { needed } = flaky(20)
  expect(needed?.what).toBe('runs')
  const runs = 10 + (needed?.count ?? 0)
  const again = (times: number) =>
    decideChange(many(20, side(0.9 * times, 0.1 * times), side(0.9 * times, 0.1 * times)), times, {
      ...RULE,
      looks: [times],
    }).verdict
  expect([again(runs - 1), again(runs)]).toEqual(['undecided', 'not_worse'])
  expect(flaky(5).needed?.what).toBe('cases')
})

test('a side that breaks down in most of its runs cannot be compared, however few verdicts are left', () => {
  const cases = [...many(5, side(1, 0), side(1, 0)), ...many(15, side(1, 0), { passes: 0, fails: 0, lost: 1 })]
  const rule = { ...RULE, looks: [1] }
  const decision = decideChange(cases, 1, rule)
  expect(decision).toMatchObject({ verdict: 'undecided', breaks: true, needed: { what: 'verdicts', lost_after: 15 } })
  expect(describeDecision(decision, rule)).toMatch(/^cannot compare: 100% → 100%/)
  // As many on both sides: neither breaks.
  const both = many(15, { passes: 0, fails: 0, lost: 1 }, { passes: 0, fails: 0, lost: 1 })
  expect(decideChange([...many(5, side(1, 0), side(1, 0)), ...both], 1, rule).breaks).toBeUndefined()
})

test('nothing to compare decides nothing', () => {
  const none = decideChange([], 1, { ...RULE, looks: [1] })
  expect(none).toMatchObject({ verdict: 'undecided', cases: 0, interval: { low: -100, high: 100 } })
  const lost = decideChange(many(3, { passes: 0, fails: 0, lost: 1 }, side(1, 0)), 1, { ...RULE, looks: [1] })
  expect(lost).toMatchObject({ verdict: 'undecided', cases: 0, needed: { what: 'verdicts', lost_before: 3 } })
})

test.each([0.9, 0.6])(
  'three variants, the best at %d: it stays in the set, and one 20 points worse does not',
  (rate) => {
    const variants = [rate, rate - 0.01, rate - 0.2].map((each) => Array<number>(100).fill(each))
    let [kept, out] = [0, 0]
    count(TRIES, 6, (random) => {
      const [first, , third] = bestBySimulation(variants, 3, random)
      if (first) kept++
      if (!third) out++
      return true
    })
    expect(kept / TRIES).toBeGreaterThanOrEqual(0.95)
    expect(out / TRIES).toBeGreaterThanOrEqual(0.95)
  },
)

test('variants that are all alike stay together', () => {
  const alike = count(TRIES, 8, (random) =>
    bestBySimulation(
      Array.from({ length: 5 }, () => Array<number>(50).fill(0.8)),
      3,
      random,
    ).every(Boolean),
  )
  // With a true rate of 95%, 150 tries show fewer in 1 of 1,000 series.
  expect(alike).toBeGreaterThanOrEqual(133)
})

test('the set names what beats the others, has only those with a verdict, and is empty only without any', () => {
  const rated = (name: string, rates: number[]): RatedVariant => {
    const cases = rates.map((hits) => (hits < 0 ? { hits: 0, runs: 0 } : { hits, runs: 10 }))
    return { name, cases, single: cases }
  }
  const best = (...variants: RatedVariant[]) => variantClaims(variants).ranked
  const [good, poor, unknown] = best(
    rated('good', [10, 10, 9, 10]),
    rated('poor', [0, 1, 2, 0]),
    rated('unknown', [-1, -1, -1, -1]),
  )
  expect(good).toEqual({ name: 'good', pass_rate: 97.5, best: true })
  expect(poor).toMatchObject({ best: false, pass_rate: 7.5, beaten_by: { name: 'good' } })
  expect(poor?.beaten_by?.p_value).toBeLessThan(0.001)
  expect(unknown).toEqual({ name: 'unknown', pass_rate: undefined, best: false })
  const circle = best(rated('a', [10, -1, 0]), rated('b', [0, 10, -1]), rated('c', [-1, 0, 10]))
  expect(circle.map((variant) => variant.best)).toEqual([true, true, true])
})

test('a case that breaks in one of several variants is found among many, and rates share the level with it', () => {
  const rated = (name: string, first: number, others: number): RatedVariant => {
    const cases = Array.from({ length: 100 }, (_, at) => ({ hits: at === 0 ? first : others, runs: 5 }))
    return { name, cases, single: cases }
  }
  const claims = variantClaims([rated('a', 5, 5), rated('b', 0, 5), rated('c', 5, 5), rated('d', 0, 5)])
  expect(claims.against.map(({ changed }) => changed.map(({ index }) => index))).toEqual([[0], [], [0]])
  for (const { p_value, interval } of claims.against) {
    expect(p_value).toBeGreaterThan(0.05)
    expect(interval.high).toBeGreaterThanOrEqual(0)
  }
  expect(claims.ranked.every(({ best }) => best)).toBe(true)
  // One run each can show nothing about a case: the rates have the whole level.
  const once = (name: string, fails: number): RatedVariant => {
    const cases = Array.from({ length: 20 }, (_, at) => ({ hits: at < fails ? 0 : 1, runs: 1 }))
    return { name, cases, single: cases }
  }
  expect(variantClaims([once('a', 0), once('b', 6)]).against[0]?.p_value).toBeCloseTo(0.03125, 4)
})

function count(tries: number, seed: number, isHit: (random: Random) => boolean): number {
  const random = seededRandom(seed)
  let hits = 0
  for (let attempt = 0; attempt < tries; attempt++) if (isHit(random)) hits++
  return hits
}

function isNotWorse({ verdict }: ChangeDecision): boolean {
  return verdict === 'not_worse' || verdict === 'slightly_worse'
}

function verdictFrom({ difference, interval: { low, high } }: ChangeDecision): string {
  const [isWorse, isAsGood] = [high < 0 && difference < -1, low >= -5]
  if (isWorse) return isAsGood ? 'slightly_worse' : 'worse'
  return isAsGood ? 'not_worse' : 'undecided'
}

function many(count: number, before: CaseSides['before'], after: CaseSides['after']): CaseSides[] {
  return Array.from({ length: count }, (_, at) => ({ id: `T${at}`, before, after }))
}

function side(passes: number, fails: number): CaseSides['before'] {
  return { passes, fails, lost: 0 }
}

function drawn(runs: number, rate: number, random: Random): CaseSides['before'] {
  let passes = 0
  for (let run = 0; run < runs; run++) if (random() < rate) passes++
  return side(passes, runs - passes)
}
