// Slower or dearer? On logarithms, so that a case of a minute does not drown those of a second, paired by case.
import { taroneHolm } from '../../fold/statistics/corrections.js'
import { signFlipTest, type SignFlipTest } from '../../fold/statistics/permutation.js'
import { sampleMean, welch, type Sample } from '../../fold/statistics/welch.js'
import type { Pair } from './pair-up.js'
import type { CaseRecord } from './records.js'
import type { CaseShift, Shift } from './types.js'

// A change of less than this matters to nobody, however surely it is there: the same machine is not always as fast.
const PRACTICAL = 1.05

export function testShift(
  pairs: readonly Pair[],
  read: (record: CaseRecord) => Sample,
  noticeable: number,
  confidence: number,
): Shift | undefined {
  const measured = pairs.filter(({ before, after }) => read(before).count > 0 && read(after).count > 0)
  if (measured.length === 0) return undefined
  const level = Number((1 - confidence).toPrecision(12))
  const logs = measured.map(({ before, after }) => sampleMean(read(after)) - sampleMean(read(before)))
  const flipped = signFlipTest(logs)
  const interval = flipped.interval(level)
  const before = measured.reduce((sum, pair) => sum + sampleMean(read(pair.before)), 0) / measured.length
  return {
    test: `sign-flip permutation on logarithms${METHODS[flipped.method]}`,
    pairs: measured.length,
    confidence,
    p_value: flipped.p_value,
    before: Math.exp(before),
    after: Math.exp(before + flipped.mean),
    ratio: Math.exp(flipped.mean),
    ...(interval && { interval: { low: Math.exp(interval.low), high: Math.exp(interval.high) } }),
    verdict: verdictOf(flipped, level),
    ...movedMost(measured, read, noticeable, level),
  }
}

export function noShift(confidence: number): Shift {
  return {
    test: 'none',
    pairs: 0,
    confidence,
    p_value: 1,
    before: 0,
    after: 0,
    ratio: 1,
    verdict: 'unchanged',
    up: [],
    down: [],
  }
}

const METHODS = { exact: '', monte_carlo: ' (9,999 random flips)', normal: ' (normal limit)' } as const
const LISTED = 10
const FACTOR = 1.5

function verdictOf({ p_value, mean }: SignFlipTest, level: number): Shift['verdict'] {
  if (p_value >= level || mean === 0) return 'unchanged'
  if (Math.abs(mean) < Math.log(PRACTICAL)) return 'slight'
  return mean > 0 ? 'worse' : 'better'
}

function movedMost(
  measured: readonly Pair[],
  read: (record: CaseRecord) => Sample,
  noticeable: number,
  level: number,
): { up: CaseShift[]; down: CaseShift[] } {
  const testable = measured.filter(({ before, after }) => read(before).count > 1 && read(after).count > 1)
  const adjusted = taroneHolm(
    testable.map(({ before, after }) => welch(read(before), read(after))),
    level,
  )
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
