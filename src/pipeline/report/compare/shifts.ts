// Which cases are slower or more expensive, and is the suite?
import { roundOff } from '../../../base/round-off.js'
import { taroneHolm } from '../../fold/statistics/corrections.js'
import { practicalVerdict } from '../../fold/statistics/practical.js'
import { isMeasured, shiftTest, type SamplePair } from '../../fold/statistics/shift.js'
import { sampleMean, welch, type Sample } from '../../fold/statistics/welch.js'
import type { Pair } from './pair-up.js'
import type { CaseRecord } from './records.js'
import type { CaseShift, Shift } from './types.js'

export interface ShiftRule {
  confidence: number
  /** Percent. */
  practical: number
  /** Anything less than this in a single case is not worth a line. */
  noticeable: number
}

export function testShift(
  pairs: readonly Pair[],
  read: (record: CaseRecord) => Sample,
  { confidence, practical, noticeable }: ShiftRule,
): Shift | undefined {
  const samples = pairs.map((pair) => ({ id: pair.id, before: read(pair.before), after: read(pair.after) }))
  const tested = shiftTest(samples, { confidence, practical })
  if (!tested) return undefined
  const level = roundOff(1 - confidence)
  return { ...tested, ...movedMost(samples.filter(isMeasured), { level, practical, noticeable }) }
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

const LISTED = 10
// One run each cannot be tested: what differs by less than this is not even mentioned.
const FACTOR = 1.5

type Measured = SamplePair & { id: string }

function movedMost(
  measured: readonly Measured[],
  { level, practical, noticeable }: { level: number; practical: number; noticeable: number },
): { up: CaseShift[]; down: CaseShift[] } {
  const testable = measured.filter(({ before, after }) => before.count > 1 && after.count > 1)
  const adjusted = taroneHolm(
    testable.map(({ before, after }) => welch(before, after)),
    level,
  )
  const pValues = new Map(testable.map(({ id }, index) => [id, adjusted[index] ?? 1]))
  const moved = measured.flatMap(({ id, before, after }): CaseShift[] => {
    const [from, to] = [Math.exp(sampleMean(before)), Math.exp(sampleMean(after))]
    if (Math.abs(to - from) < noticeable) return []
    const p = pValues.get(id)
    return [{ id, before: from, after: to, ratio: to / from, ...(p === undefined ? {} : { p_value: p }) }]
  })
  const calledBy = ({ p_value, ratio }: CaseShift): Shift['verdict'] => {
    if (p_value !== undefined) return practicalVerdict({ p_value, ratio }, level, practical)
    if (ratio >= FACTOR) return 'worse'
    return ratio <= 1 / FACTOR ? 'better' : 'unchanged'
  }
  const up = moved.filter((shift) => calledBy(shift) === 'worse').toSorted((a, b) => b.ratio - a.ratio)
  const down = moved.filter((shift) => calledBy(shift) === 'better').toSorted((a, b) => a.ratio - b.ratio)
  return { up: up.slice(0, LISTED), down: down.slice(0, LISTED) }
}
