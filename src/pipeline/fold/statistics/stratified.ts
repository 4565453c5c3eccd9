// Did a rate change between two sides, case by case? The exact form of Cochran–Mantel–Haenszel: each case's total is
// held fixed, and the cases are convolved. With one run a side it is McNemar's test, with one case Fisher's.
import { bisect } from './bisect.js'
import { wilson, type Interval } from './intervals.js'
import { normalCdf, zOf } from './normal.js'
import { positive } from './p-value.js'

export interface Rate {
  hits: number
  runs: number
}

/** One case, before and after. */
export interface Stratum {
  before: Rate
  after: Rate
}

export interface StratifiedTest {
  /** Two-sided: twice the smaller tail. */
  p_value: number
  /** The smallest p-value that these totals allow. A test that can never reach significance need not be counted among several. */
  least: number
  /** Rates and their difference, each case weighted by its runs; with equally many runs everywhere, the plain means. */
  before: number
  after: number
  difference: number
  method: 'exact' | 'normal'
  /** Excludes 0 exactly when `p_value` is below `level`. */
  interval(level: number): Interval
}

// Beyond this much work the normal limit is right to more digits than are shown.
const EXACT_WORK = 20_000_000

export function stratifiedTest(strata: readonly Stratum[]): StratifiedTest {
  const sums = sumUp(strata)
  const { weight, before, after } = sums
  const difference = after - before
  const conditional = sums.work <= EXACT_WORK ? exact(sums) : normalLimit(sums)
  const { p_value, least } = conditional
  return {
    p_value,
    least,
    before,
    after,
    difference,
    method: conditional.method,
    interval: (level) => {
      if (weight === 0) return { low: -1, high: 1 }
      const [tested, wide] = [conditional.interval(level), unconditional(sums, level)]
      if (p_value >= level) return around(tested, wide, difference)
      return difference < 0 ? below(tested, wide) : mirrored(below(mirrored(tested), mirrored(wide)))
    },
  }
}

interface Sums {
  /** Strata whose total leaves anything open. */
  open: Stratum[]
  work: number
  weight: number
  before: number
  after: number
  beforeRuns: number
  afterRuns: number
}

function sumUp(strata: readonly Stratum[]): Sums {
  const sums: Sums = { open: [], work: 0, weight: 0, before: 0, after: 0, beforeRuns: 0, afterRuns: 0 }
  let support = 1
  for (const stratum of strata) {
    const { before, after } = stratum
    const runs = before.runs + after.runs
    const hits = before.hits + after.hits
    if (before.runs === 0 || after.runs === 0) continue
    const weight = (before.runs * after.runs) / runs
    sums.weight += weight
    sums.before += (weight * before.hits) / before.runs
    sums.after += (weight * after.hits) / after.runs
    sums.beforeRuns += before.runs
    sums.afterRuns += after.runs
    if (hits === 0 || hits === runs) continue
    sums.open.push(stratum)
    const { lowest, highest } = rangeOf(stratum)
    sums.work += support * (highest - lowest + 1)
    support += highest - lowest
  }
  if (sums.weight > 0) {
    sums.before /= sums.weight
    sums.after /= sums.weight
  }
  return sums
}

/** How many of the hits may have fallen on the after side. */
function rangeOf({ before, after }: Stratum): { lowest: number; highest: number } {
  const hits = before.hits + after.hits
  return { lowest: Math.max(0, hits - before.runs), highest: Math.min(hits, after.runs) }
}

type Conditional = Pick<StratifiedTest, 'p_value' | 'least' | 'method' | 'interval'>

function exact({ open, weight }: Sums): Conditional {
  let chances = Float64Array.of(1)
  let seen = 0
  for (const stratum of open) {
    const { lowest, highest } = rangeOf(stratum)
    seen += stratum.after.hits - lowest
    chances = convolve(chances, hypergeometric(stratum, lowest, highest))
  }
  const mean = meanOf(chances)
  const last = chances.length - 1
  return {
    p_value: twice(Math.min(sumOf(chances, 0, seen), sumOf(chances, seen, last))),
    least: twice(Math.min(chances[0] ?? 1, chances[last] ?? 1)),
    method: 'exact',
    interval: (level) => {
      const logs = chances.map((chance) => Math.log(chance))
      const at = (lnOdds: number): Tilted => tilted(logs, lnOdds, seen)
      const lowest = seen === 0 ? 0 : at(crossing((lnOdds) => at(lnOdds).upper < level / 2)).mean
      const highest = seen === last ? last : at(crossing((lnOdds) => at(lnOdds).lower >= level / 2)).mean
      return { low: (lowest - mean) / weight, high: (highest - mean) / weight }
    },
  }
}

// Each probability from its neighbour: halves stay exact halves.
function hypergeometric({ before, after }: Stratum, lowest: number, highest: number): Float64Array {
  const hits = before.hits + after.hits
  const chances = new Float64Array(highest - lowest + 1)
  // From the middle outwards, so that nothing overflows.
  const middle = Math.min(highest, Math.max(lowest, Math.round((after.runs * hits) / (before.runs + after.runs))))
  const ratio = (k: number): number => ((after.runs - k) * (hits - k)) / ((k + 1) * (before.runs - hits + k + 1))
  chances[middle - lowest] = 1
  for (let k = middle; k < highest; k++) chances[k + 1 - lowest] = (chances[k - lowest] ?? 0) * ratio(k)
  for (let k = middle; k > lowest; k--) chances[k - 1 - lowest] = (chances[k - lowest] ?? 0) / ratio(k - 1)
  const total = sumOf(chances, 0, chances.length - 1)
  return chances.map((chance) => chance / total)
}

function convolve(one: Float64Array<ArrayBuffer>, other: Float64Array): Float64Array<ArrayBuffer> {
  const result = new Float64Array(one.length + other.length - 1)
  for (let i = 0; i < one.length; i++) {
    const chance = one[i] ?? 0
    for (let j = 0; j < other.length; j++) result[i + j] = (result[i + j] ?? 0) + chance * (other[j] ?? 0)
  }
  return result
}

interface Tilted {
  /** The probabilities of at most, and of at least, what was observed. */
  lower: number
  upper: number
  mean: number
}

/** The same totals when the odds on the after side are e^lnOdds times those before. */
function tilted(logs: Float64Array, lnOdds: number, seen: number): Tilted {
  let highest = Number.NEGATIVE_INFINITY
  for (let index = 0; index < logs.length; index++) highest = Math.max(highest, (logs[index] ?? 0) + index * lnOdds)
  let [lower, upper, sum, at] = [0, 0, 0, 0]
  for (let index = 0; index < logs.length; index++) {
    const chance = Math.exp((logs[index] ?? 0) + index * lnOdds - highest)
    if (index === seen) at = chance
    if (index < seen) lower += chance
    else if (index > seen) upper += chance
    sum += index * chance
  }
  const total = lower + at + upper
  return { lower: (lower + at) / total, upper: (upper + at) / total, mean: sum / total }
}

/** The log odds at which `isBelow`, true on the left and false on the right, changes. */
function crossing(isBelow: (lnOdds: number) => boolean): number {
  return bisect(-40, 40, isBelow, 40)
}

function normalLimit({ open, weight }: Sums): Conditional {
  let difference = 0
  let variance = 0
  for (const { before, after } of open) {
    const runs = before.runs + after.runs
    const hits = before.hits + after.hits
    difference += after.hits - (after.runs * hits) / runs
    variance += (after.runs * before.runs * hits * (runs - hits)) / (runs * runs * (runs - 1))
  }
  const spread = Math.sqrt(variance)
  // Half a run: the sum moves in whole steps.
  return {
    p_value: twice(normalCdf(-Math.max(0, Math.abs(difference) - 0.5) / spread)),
    least: positive(0),
    method: 'normal',
    interval: (level) => {
      const half = zOf(1 - level) * spread + 0.5
      return { low: (difference - half) / weight, high: (difference + half) / weight }
    },
  }
}

/** Newcombe's interval from the Wilson intervals of both sides: it knows that even 20 of 20 may fail next time. */
function unconditional({ before, after, beforeRuns, afterRuns }: Sums, level: number): Interval {
  const was = wilson(hitsOf(before, beforeRuns), beforeRuns, 1 - level)
  const is = wilson(hitsOf(after, afterRuns), afterRuns, 1 - level)
  return {
    low: after - before - Math.hypot(after - is.low, was.high - before),
    high: after - before + Math.hypot(is.high - after, before - was.low),
  }
}

// A weighted rate of 100% may miss 1 by a rounding error.
function hitsOf(rate: number, runs: number): number {
  const hits = rate * runs
  return Math.abs(hits - Math.round(hits)) < 1e-9 * runs ? Math.round(hits) : hits
}

/** No claim: 0 is possible. The fixed totals know nothing about what was never seen, so the wider of the two. */
function around(tested: Interval, wide: Interval, difference: number): Interval {
  return {
    low: Math.max(-1, Math.min(tested.low, wide.low, difference, 0)),
    high: Math.min(1, Math.max(tested.high, wide.high, difference, 0)),
  }
}

/** A claim that the rate fell: 0 is not possible, so on its side the test has the last word. */
function below(tested: Interval, wide: Interval): Interval {
  const high = wide.high < 0 ? Math.max(tested.high, wide.high) : tested.high
  return { low: Math.max(-1, Math.min(tested.low, wide.low)), high: Math.min(high, -Number.EPSILON) }
}

function mirrored({ low, high }: Interval): Interval {
  return { low: -high, high: -low }
}

function twice(tail: number): number {
  return Math.min(1, positive(2 * tail))
}

function meanOf(chances: Float64Array): number {
  let sum = 0
  for (let index = 0; index < chances.length; index++) sum += index * (chances[index] ?? 0)
  return sum
}

function sumOf(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let index = from; index <= to; index++) sum += values[index] ?? 0
  return sum
}
