// Slower or dearer? On logarithms, so that a case of a minute does not drown those of a second, paired by case.
import { taroneHolm } from '../../fold/statistics/corrections.js'
import { signFlipTest } from '../../fold/statistics/permutation.js'
import { practicalVerdict } from '../../fold/statistics/practical.js'
import { sampleMean, welch, type Sample } from '../../fold/statistics/welch.js'
import type { Pair } from './pair-up.js'
import type { CaseRecord } from './records.js'
import type { CaseShift, Shift } from './types.js'

export interface ShiftRule {
  confidence: number
  /** Percent. */
  practical: number
  /** What is less than this in a single case is not worth a line. */
  noticeable: number
}

export function testShift(
  pairs: readonly Pair[],
  read: (record: CaseRecord) => Sample,
  { confidence, practical, noticeable }: ShiftRule,
): Shift | undefined {
  const measured = pairs.filter(({ before, after }) => read(before).count > 0 && read(after).count > 0)
  if (measured.length === 0) return undefined
  const level = Number((1 - confidence).toPrecision(12))
  const logs = measured.map(({ before, after }) => sampleMean(read(after)) - sampleMean(read(before)))
  const flipped = signFlipTest(logs)
  const interval = flipped.interval(level)
  const ratio = Math.exp(flipped.mean)
  const before = measured.reduce((sum, pair) => sum + sampleMean(read(pair.before)), 0) / measured.length
  return {
    test: `sign-flip permutation on logarithms${METHODS[flipped.method]}`,
    pairs: measured.length,
    confidence,
    p_value: flipped.p_value,
    before: Math.exp(before),
    after: Math.exp(before + flipped.mean),
    ratio,
    ...(interval && { interval: { low: Math.exp(interval.low), high: Math.exp(interval.high) } }),
    verdict: practicalVerdict({ p_value: flipped.p_value, ratio }, level, practical),
    ...movedMost(measured, read, { level, practical, noticeable }),
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
// One run each cannot be tested: what differs by less than this is not even mentioned.
const FACTOR = 1.5

function movedMost(
  measured: readonly Pair[],
  read: (record: CaseRecord) => Sample,
  { level, practical, noticeable }: { level: number; practical: number; noticeable: number },
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
  const calledBy = ({ p_value, ratio }: CaseShift): Shift['verdict'] => {
    if (p_value !== undefined) return practicalVerdict({ p_value, ratio }, level, practical)
    if (ratio >= FACTOR) return 'worse'
    return ratio <= 1 / FACTOR ? 'better' : 'unchanged'
  }
  const up = moved.filter((shift) => calledBy(shift) === 'worse').toSorted((a, b) => b.ratio - a.ratio)
  const down = moved.filter((shift) => calledBy(shift) === 'better').toSorted((a, b) => a.ratio - b.ratio)
  return { up: up.slice(0, LISTED), down: down.slice(0, LISTED) }
}
