// The tests behind a comparison: pass rates over the suite, durations and costs on logarithms, each paired by case.
import { meanInterval, meanOf } from '../../fold/statistics/bootstrap.js'
import { holm } from '../../fold/statistics/corrections.js'
import { fisher, mcnemar } from '../../fold/statistics/exact-tests.js'
import { wilson, type Interval } from '../../fold/statistics/intervals.js'
import { signFlipTest } from '../../fold/statistics/permutation.js'
import { sampleMean, welch, type Sample } from '../../fold/statistics/welch.js'
import type { CaseRecord } from './records.js'
import type { CaseShift, Direction, RateChange, Shift, SuiteTest } from './types.js'

export interface Pair {
  id: string
  before: CaseRecord
  after: CaseRecord
}

/** Did the pass rate of the suite change? Only runs with a verdict count. */
export function testPassRate(pairs: Pair[], confidence: number): SuiteTest {
  const judged = pairs.filter(({ before, after }) => verdicts(before) > 0 && verdicts(after) > 0)
  const differences = judged.map(({ before, after }) => rate(after) - rate(before))
  return suiteTest(differences, confidence, (difference) => difference < 0)
}

/** Did more cases end without a verdict? */
export function testLost(pairs: Pair[], confidence: number): SuiteTest {
  const ran = pairs.filter(
    ({ before, after }) => verdicts(before) + before.lost > 0 && verdicts(after) + after.lost > 0,
  )
  const differences = ran.map(({ before, after }) => lostShare(after) - lostShare(before))
  return suiteTest(differences, confidence, (difference) => difference > 0)
}

/** Cases whose own rate changed: Fisher's test, Holm-corrected over the cases. */
export function testRates(pairs: Pair[], confidence: number): { regressed: RateChange[]; improved: RateChange[] } {
  const tested = pairs.filter(({ before, after }) => verdicts(before) > 1 && verdicts(after) > 1)
  const pValues = tested.map(({ before, after }) =>
    fisher({ passes: before.passes, runs: verdicts(before) }, { passes: after.passes, runs: verdicts(after) }),
  )
  const adjusted = holm(pValues)
  const changed = tested.flatMap(({ id, before, after }, index) => {
    const p = adjusted[index] ?? 1
    return p < 1 - confidence ? [{ id, before: rate(before) * 100, after: rate(after) * 100, p_value: p }] : []
  })
  return {
    regressed: changed.filter((change) => change.after < change.before),
    improved: changed.filter((change) => change.after > change.before),
  }
}

/** Slower or dearer? On logarithms, so that a case of a minute does not drown those of a second. */
export function testShift(
  pairs: Pair[],
  read: (record: CaseRecord) => Sample,
  noticeable: number,
  confidence: number,
): Shift | undefined {
  const measured = pairs.filter(({ before, after }) => read(before).count > 0 && read(after).count > 0)
  if (measured.length === 0) return undefined
  const logs = measured.map(({ before, after }) => sampleMean(read(after)) - sampleMean(read(before)))
  const flipped = signFlipTest(logs)
  const mean = meanOf(logs)
  const interval = meanInterval(logs, confidence)
  return {
    test: `sign-flip permutation on logarithms${METHODS[flipped.method]}`,
    pairs: measured.length,
    confidence,
    p_value: flipped.p_value,
    ratio: Math.exp(mean),
    interval: { low: Math.exp(interval.low), high: Math.exp(interval.high) },
    verdict: directionOf(flipped.p_value, confidence, mean, (value) => value > 0),
    ...movedMost(measured, read, noticeable),
  }
}

const METHODS = { exact: '', monte_carlo: ' (9,999 random flips)', normal: ' (normal limit)' } as const
const LISTED = 10
const FACTOR = 1.5

function movedMost(
  measured: Pair[],
  read: (record: CaseRecord) => Sample,
  noticeable: number,
): { up: CaseShift[]; down: CaseShift[] } {
  const testable = measured.filter(({ before, after }) => read(before).count > 1 && read(after).count > 1)
  const adjusted = holm(testable.map(({ before, after }) => welch(read(before), read(after))))
  const pValues = new Map(testable.map(({ id }, index) => [id, adjusted[index] ?? 1]))
  const shifts = measured.map(({ id, before, after }): CaseShift => {
    const [from, to] = [Math.exp(sampleMean(read(before))), Math.exp(sampleMean(read(after)))]
    const p = pValues.get(id)
    return { id, before: from, after: to, ratio: to / from, ...(p === undefined ? {} : { p_value: p }) }
  })
  const moved = shifts.filter((shift) => Math.abs(shift.after - shift.before) >= noticeable)
  const up = moved.filter((shift) => shift.ratio >= FACTOR).toSorted((a, b) => b.ratio - a.ratio)
  const down = moved.filter((shift) => shift.ratio <= 1 / FACTOR).toSorted((a, b) => a.ratio - b.ratio)
  return { up: up.slice(0, LISTED), down: down.slice(0, LISTED) }
}

// One run on each side gives differences of −1, 0 and 1: then the exact test on the discordant pairs is McNemar's.
function suiteTest(differences: number[], confidence: number, isWorse: (difference: number) => boolean): SuiteTest {
  const single = differences.every((difference) => difference === 0 || Math.abs(difference) === 1)
  const mean = meanOf(differences)
  const interval = uniformInterval(differences, confidence) ?? meanInterval(differences, confidence)
  const tested = single ? pairedExact(differences) : pairedFlips(differences)
  return {
    ...tested,
    pairs: differences.length,
    confidence,
    difference: mean * 100,
    interval: { low: interval.low * 100, high: interval.high * 100 },
    verdict: directionOf(tested.p_value, confidence, mean, isWorse),
  }
}

// Differences that are all alike cannot be resampled into an interval; how many there are still says something.
function uniformInterval(differences: number[], confidence: number): Interval | undefined {
  const [first] = differences
  if (first === undefined || differences.some((difference) => difference !== first)) return undefined
  const unseen = 1 - wilson(differences.length, differences.length, confidence).low
  if (first === 0) return { low: -unseen, high: unseen }
  return first > 0 ? { low: first - 2 * unseen, high: first } : { low: first, high: first + 2 * unseen }
}

function pairedExact(differences: number[]): { test: string; p_value: number } {
  const up = differences.filter((difference) => difference > 0).length
  const down = differences.filter((difference) => difference < 0).length
  return { test: 'exact McNemar', p_value: mcnemar(up, down) }
}

function pairedFlips(differences: number[]): { test: string; p_value: number } {
  const { p_value, method } = signFlipTest(differences)
  return { test: `sign-flip permutation${METHODS[method]}`, p_value }
}

function directionOf(p: number, confidence: number, mean: number, isWorse: (mean: number) => boolean): Direction {
  if (p >= 1 - confidence || mean === 0) return 'unchanged'
  return isWorse(mean) ? 'worse' : 'better'
}

function verdicts(record: CaseRecord): number {
  return record.passes + record.fails
}

function rate(record: CaseRecord): number {
  return record.passes / verdicts(record)
}

function lostShare(record: CaseRecord): number {
  return record.lost / (verdicts(record) + record.lost)
}
