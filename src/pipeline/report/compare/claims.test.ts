// The promises of a comparison, by simulation with fixed seeds: few false alarms in all it claims together, and a real
// fall is found.
import { expect, test } from 'vitest'
import { decide } from '../../fold/auto-runs.js'
import { decideChange } from '../../fold/decide/decide-change.js'
import { seededRandom, type Random } from '../../fold/statistics/random.js'
import { testClaims, type Claims } from './claims.js'
import type { Pair } from './pair-up.js'
import type { CaseRecord } from './records.js'

interface Suite {
  cases: number
  runs: number
  lost: number
}

const SUITES = [
  [5, 20],
  [20, 5],
  [50, 20],
  [100, 1],
].flatMap(([cases = 0, runs = 0]) => [0, 0.1].map((lost): Suite => ({ cases, runs, lost })))

const TRIES = 300

const RATES = [1, 0.99, 0.95, 0.9, 0.8, 0.7, 0.5, 0.2]

test.each(SUITES)(
  'between two runs of the same suite at most 5% false alarms: $cases × $runs, $lost lost',
  ({ cases, runs, lost }) => {
    const random = seededRandom(cases * 100 + runs + lost * 10)
    const rates = Array.from({ length: cases }, (_, index) => RATES[index % RATES.length] ?? 0)
    const alarms = count(TRIES, () => isAlarm(simulate({ before: rates, after: rates, runs, lost }, random)))
    expect(alarms / TRIES).toBeLessThanOrEqual(0.05)
  },
)

test('between two runs with --runs auto at most 5% false alarms, although each case stops when it has said enough', () => {
  const random = seededRandom(7)
  const alarms = count(TRIES, () => {
    const pairs = Array.from({ length: 20 }, (_, index): Pair => {
      const draw = () => drawnUntilDecided(RATES[index % RATES.length] ?? 0, random)
      return { id: `T${index}`, before: draw(), after: draw() }
    })
    return isAlarm(testClaims(pairs, 0.95))
  })
  expect(alarms / TRIES).toBeLessThanOrEqual(0.05)
})

test.each([0.5, 0.6, 0.8])(
  'between 3 and 10 runs of the same suite at most 5%% false alarms: 100 cases at %d',
  (rate) => {
    const random = seededRandom(rate * 100)
    const alarms = count(TRIES, () => {
      const pairs = Array.from({ length: 100 }, (_, index): Pair => {
        return { id: `T${index}`, before: drawn(rate, 3, 0, random), after: drawn(rate, 10, 0, random) }
      })
      return isAlarm(testClaims(pairs, 0.95))
    })
    expect(alarms / TRIES).toBeLessThanOrEqual(0.05)
  },
)

test.each([0, 1, 20])('viva diff finds one broken case exactly where compare does, beside %i others', (others) => {
  for (let runs = 1; runs <= 12; runs++) {
    const [good, bad] = [recordOf(runs, 0), recordOf(0, runs)]
    const pairs = Array.from({ length: others }, (_, at): Pair => ({ id: `T${at}`, before: good, after: good }))
    const claims = testClaims([...pairs, { id: 'broken', before: good, after: bad }], 0.95)
    const sides = [...pairs, { id: 'broken', before: good, after: bad }].map(({ id, before, after }) => ({
      id,
      before,
      after,
    }))
    const decision = decideChange(sides, runs, { margin: 5, practical_points: 1, looks: [runs] })
    expect([runs, decision.fell?.map(({ id }) => id) ?? []]).toEqual([runs, claims.regressed.map(({ id }) => id)])
  }
})

test('one of 20 cases falls from 5/5 to 0/5: found in at least 95% where the others always pass', () => {
  const before = Array<number>(20).fill(1)
  const random = seededRandom(1)
  const found = count(200, () => {
    const claims = simulate({ before, after: [0, ...before.slice(1)], runs: 5 }, random)
    return claims.regressed.length === 1 && claims.regressed[0]?.id === 'T0'
  })
  expect(found / 200).toBeGreaterThanOrEqual(0.95)
})

test('one of 20 cases falls from 5/5 to 0/5 among flaky ones: found more often than not', () => {
  const before = Array.from({ length: 20 }, (_, index) => (index % 4 === 1 ? 0.9 : 1))
  const random = seededRandom(2)
  const found = count(200, () => isWorse(simulate({ before, after: [0, ...before.slice(1)], runs: 5 }, random)))
  expect(found / 200).toBeGreaterThanOrEqual(0.5)
})

test('5 cases with 20 runs each: from 100 of 100 to 75 of 100 is found', () => {
  const pairs = Array.from({ length: 5 }, (_, index): Pair => ({
    id: `T${index}`,
    before: recordOf(20, 0),
    after: recordOf(15, 5),
  }))
  const { pass_rate } = testClaims(pairs, 0.95)
  expect(pass_rate).toMatchObject({ verdict: 'worse', before: 100, after: 75, difference: -25, pairs: 5 })
  expect(pass_rate.p_value).toBeLessThan(0.0001)
  expect(pass_rate.interval.high).toBeLessThan(0)
})

test('one run each: a fall from 90% to 70% on 100 cases is found in at least 90%', () => {
  const random = seededRandom(23)
  const [before, after] = [Array<number>(100).fill(0.9), Array<number>(100).fill(0.7)]
  expect(count(300, () => isWorse(simulate({ before, after, runs: 1 }, random))) / 300).toBeGreaterThanOrEqual(0.9)
})

test('the interval excludes 0 exactly when the test speaks, and holds the difference', () => {
  const random = seededRandom(4)
  let spoke = 0
  for (let pair = 0; pair < 600; pair++) {
    const cases = 1 + Math.floor(random() * 12)
    const runs = 1 + Math.floor(random() * 12)
    const rates = () => Array.from({ length: cases }, () => RATES[Math.floor(random() * RATES.length)] ?? 0)
    const claims = simulate({ before: rates(), after: rates(), runs, lost: random() < 0.5 ? 0.2 : 0 }, random)
    for (const { interval, verdict, difference, p_value } of [claims.pass_rate, claims.lost]) {
      const excludes = interval.low > 0 || interval.high < 0
      expect(excludes).toBe(verdict !== 'unchanged')
      expect(p_value < 0.05).toBe(verdict !== 'unchanged')
      expect(p_value).toBeGreaterThan(0)
      expect(interval.low).toBeLessThanOrEqual(difference + 1e-9)
      expect(interval.high).toBeGreaterThanOrEqual(difference - 1e-9)
      if (excludes) spoke++
    }
  }
  expect(spoke).toBeGreaterThan(60)
})

test('the interval covers the true change about as often as it says', () => {
  const random = seededRandom(5)
  const before = [1, 0.95, 0.9, 0.8, 0.9, 1, 0.95, 0.7, 0.9, 0.95]
  const after = before.map((rate) => rate - 0.1)
  const covered = count(400, () => {
    const { low, high } = simulate({ before, after, runs: 10 }, random).pass_rate.interval
    return low <= -10 && high >= -10
  })
  expect(covered / 400).toBeGreaterThanOrEqual(0.93)
})

test('what the suite has shown leaves its part of the level to the cases', () => {
  const single = (count: number, passes: number): Pair[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `S${index}`,
      before: recordOf(1, 0),
      after: recordOf(passes, 1 - passes),
    }))
  const four: Pair = { id: 'four', before: recordOf(4, 0), after: recordOf(0, 4) }
  // 2/70 alone is above half of 5%, and below all of it.
  expect(testClaims([four, ...single(10, 0)], 0.95)).toMatchObject({ regressed: [{ id: 'four' }] })
  const mended = single(4, 0).map(({ id, before, after }) => ({ id, before: after, after: before }))
  expect(testClaims([four, ...mended], 0.95)).toMatchObject({ regressed: [], pass_rate: { verdict: 'unchanged' } })
})

test('no observed failure is no proof: twenty of twenty on both sides leave room', () => {
  const pairs = Array.from({ length: 20 }, (_, index): Pair => ({
    id: `T${index}`,
    before: recordOf(1, 0),
    after: recordOf(1, 0),
  }))
  const { pass_rate } = testClaims(pairs, 0.95)
  expect(pass_rate).toMatchObject({ verdict: 'unchanged', p_value: 1, difference: 0, test: 'exact McNemar' })
  expect(pass_rate.interval.low).toBeCloseTo(-16.1, 1)
  expect(pass_rate.interval.high).toBeCloseTo(16.1, 1)
})

function isWorse({ pass_rate, regressed }: Claims): boolean {
  return pass_rate.verdict === 'worse' || regressed.length > 0
}

function isAlarm({ pass_rate, lost, regressed, improved }: Claims): boolean {
  return pass_rate.verdict !== 'unchanged' || lost.verdict !== 'unchanged' || regressed.length + improved.length > 0
}

function count(times: number, happens: () => boolean): number {
  let seen = 0
  for (let time = 0; time < times; time++) if (happens()) seen++
  return seen
}

interface Plan {
  before: number[]
  after: number[]
  runs: number
  lost?: number
}

function simulate({ before, after, runs, lost = 0 }: Plan, random: Random): Claims {
  const pairs = before.map((rate, index): Pair => {
    const draw = (chance: number): CaseRecord => drawn(chance, runs, lost, random)
    return { id: `T${index}`, before: draw(rate), after: draw(after[index] ?? 0) }
  })
  return testClaims(pairs, 0.95)
}

function drawn(rate: number, runs: number, lost: number, random: Random): CaseRecord {
  const record = recordOf(0, 0)
  for (let run = 0; run < runs; run++) {
    if (random() < lost) record.lost++
    else if (random() < rate) record.passes++
    else record.fails++
  }
  return record
}

function drawnUntilDecided(rate: number, random: Random): CaseRecord {
  const record = recordOf(0, 0)
  for (let run = 0; run < 30; run++) {
    if (random() < rate) record.passes++
    else record.fails++
    const { passes, fails } = record
    if (decide({ passes, fails, threshold: 0.8, confidence: 0.95 }) !== 'continue') break
  }
  return record
}

function recordOf(passes: number, fails: number): CaseRecord {
  return {
    name: undefined,
    variant: undefined,
    content: undefined,
    asked: undefined,
    judged: undefined,
    status: fails === 0 ? 'passed' : 'failed',
    passes,
    fails,
    lost: 0,
    skipped: 0,
    isNotShown: false,
    withheld: 0,
    error: undefined,
    error_kind: undefined,
    checks: [],
    hasAllChecks: true,
    outputs: [],
    durations: { count: 0, sum: 0, squares: 0 },
    costs: { count: 0, sum: 0, squares: 0 },
    fingerprints: [],
  }
}
