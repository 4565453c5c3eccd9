// Did the behaviour change? A permutation test on the energy distance between two sides, paired by case: if nothing
// changed, the runs of a case might as well have been swapped between the sides.
//
// The distance of two results is the number of traits in which they differ, and between two sides that comes to twice the
// sum over all traits of the squared difference of their rates: no two results ever need to be compared directly.
import { seededRandom, type Random } from '../statistics/random.js'

/** The fingerprints of the results of one case, by number. */
export interface CaseBehaviour {
  before: readonly number[]
  after: readonly number[]
}

/** The traits of a fingerprint, by number. */
type TraitsOf = (fingerprint: number) => readonly number[]

export interface DriftTest {
  /** Cases with results on both sides. */
  cases: number
  distance: number
  p_value: number
  permutations: number
  /** Every trait whose rate differs, the most moved first. */
  moved: MovedTrait[]
}

export interface MovedTrait {
  trait: number
  /** Means over the cases, 0–1. */
  before: number
  after: number
  /** Adjusted for the number of traits, by the permutation distribution of the one that moved most. */
  p_value: number
}

const PERMUTATIONS = 999
const FEWEST = 199
const WORK = 200_000_000

export function driftTest(cases: readonly CaseBehaviour[], traitsOf: TraitsOf, seed = 1): DriftTest {
  const paired = cases.filter(({ before, after }) => before.length > 0 && after.length > 0)
  const { open, traits, errors } = reduce(paired, traitsOf)
  const seen = shiftOf(open, traits.length)
  const [distance, most] = [distanceOf(seen), mostOf(seen, errors)]
  const work = open.reduce((sum, { runs }) => sum + runs.reduce((size, run) => size + run.length + 1, 0), traits.length)
  const permutations = Math.max(FEWEST, Math.min(PERMUTATIONS, Math.floor(WORK / work)))
  const random = seededRandom(seed)
  const highest = new Float64Array(permutations)
  let asFar = 1
  for (let round = 0; round < permutations; round++) {
    for (const { runs } of open) shuffle(runs, random)
    const shift = shiftOf(open, traits.length)
    if (distanceOf(shift) >= distance * (1 - ROUNDING)) asFar++
    highest[round] = mostOf(shift, errors)
  }
  // The observed data is one of the permutations: p is never 0 and never too small.
  return {
    cases: paired.length,
    distance: 2 * distance,
    p_value: most === 0 ? 1 : asFar / (permutations + 1),
    permutations,
    moved: movedOf(ratesBefore(paired, traitsOf), traits, seen, errors, highest.toSorted()),
  }
}

const ROUNDING = 1e-9

interface OpenCase {
  /** First those before, then those after; only traits that some of them lack, by index. */
  runs: Array<readonly number[]>
  before: number
  /** What one run adds to the rate of its side. */
  lighter: number
  heavier: number
}

interface Reduced {
  open: OpenCase[]
  traits: number[]
  /** The standard error of each trait's shift if nothing changed. */
  errors: Float64Array
}

/** A trait that every run of a case has, or none, is not moved by any permutation there. */
function reduce(cases: readonly CaseBehaviour[], traitsOf: TraitsOf): Reduced {
  const traits: number[] = []
  const indices = new Map<number, number>()
  const variances: number[] = []
  const open: OpenCase[] = []
  for (const { before, after } of cases) {
    if (isSteady(before, before[0]) && isSteady(after, before[0])) continue
    const all = [...before, ...after].map(traitsOf)
    const counts = new Map<number, number>()
    for (const run of all) for (const trait of run) counts.set(trait, (counts.get(trait) ?? 0) + 1)
    const scale = (1 / before.length + 1 / after.length) / cases.length ** 2
    let isOpen = false
    for (const [trait, count] of counts) {
      if (count === all.length) continue
      isOpen = true
      let index = indices.get(trait)
      if (index === undefined) indices.set(trait, (index = traits.push(trait) - 1))
      const spread = (count * (all.length - count)) / (all.length * (all.length - 1))
      variances[index] = (variances[index] ?? 0) + spread * scale
    }
    if (!isOpen) continue
    const indexOf = (trait: number): number[] => (counts.get(trait) === all.length ? [] : [indices.get(trait) ?? 0])
    open.push({
      runs: all.map((run) => run.flatMap(indexOf)),
      before: before.length,
      lighter: -1 / (before.length * cases.length),
      heavier: 1 / (after.length * cases.length),
    })
  }
  return { open, traits, errors: Float64Array.from(variances, Math.sqrt) }
}

/** Most cases do the same every time. */
function isSteady(prints: readonly number[], like: number | undefined): boolean {
  return prints.every((print) => print === like)
}

const NONE: readonly number[] = []

// Called for every permutation, and this is where all the time goes: no iterators.
function shiftOf(open: readonly OpenCase[], traits: number): Float64Array {
  const shift = new Float64Array(traits)
  for (const { runs, before, lighter, heavier } of open) {
    for (let run = 0; run < runs.length; run++) {
      const part = run < before ? lighter : heavier
      const traitsOfRun = runs[run] ?? NONE
      for (let at = 0; at < traitsOfRun.length; at++) {
        const trait = traitsOfRun[at] ?? 0
        shift[trait] = (shift[trait] ?? 0) + part
      }
    }
  }
  return shift
}

function distanceOf(shift: Float64Array): number {
  let sum = 0
  for (const difference of shift) sum += difference * difference
  return sum
}

/** Of the trait that moved most, in standard errors. */
function mostOf(shift: Float64Array, errors: Float64Array): number {
  let most = 0
  for (let trait = 0; trait < shift.length; trait++) {
    const size = Math.abs(shift[trait] ?? 0)
    // Shifts that cancel leave a rounding error.
    if (size > ROUNDING) most = Math.max(most, size / (errors[trait] ?? 1))
  }
  return most
}

function shuffle(runs: Array<readonly number[]>, random: Random): void {
  for (let last = runs.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const run = runs[last] ?? []
    runs[last] = runs[other] ?? []
    runs[other] = run
  }
}

function movedOf(
  before: ReadonlyMap<number, number>,
  traits: readonly number[],
  shift: Float64Array,
  errors: Float64Array,
  highest: Float64Array,
): MovedTrait[] {
  return traits
    .map((trait, index): MovedTrait => {
      const [was, by] = [before.get(trait) ?? 0, shift[index] ?? 0]
      const size = Math.abs(by) / (errors[index] ?? 1)
      return { trait, before: was, after: was + by, p_value: shareAtLeast(highest, size) }
    })
    .filter((moved) => Math.abs(moved.after - moved.before) > ROUNDING)
    .toSorted((one, other) => Math.abs(other.after - other.before) - Math.abs(one.after - one.before))
}

function ratesBefore(cases: readonly CaseBehaviour[], traitsOf: TraitsOf): Map<number, number> {
  const prints = new Map<number, number>()
  for (const { before } of cases)
    for (const print of before) prints.set(print, (prints.get(print) ?? 0) + 1 / (before.length * cases.length))
  const rates = new Map<number, number>()
  for (const [print, share] of prints)
    for (const trait of traitsOf(print)) rates.set(trait, (rates.get(trait) ?? 0) + share)
  return rates
}

/** The fraction of the sorted values that are at least as high, including the observed one. */
function shareAtLeast(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value * (1 - ROUNDING)) low = middle + 1
    else high = middle
  }
  return (sorted.length - low + 1) / (sorted.length + 1)
}
