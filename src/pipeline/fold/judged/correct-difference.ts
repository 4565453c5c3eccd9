// The difference between two sides, with the error of their judges in it. A test over the same cases says how far chance reaches; the
// correction moves the difference, stretches what chance leaves open, and adds what the labels leave open.
import { bisect } from '../statistics/bisect.js'
import type { Interval } from '../statistics/intervals.js'
import { countOf, residualVariance, weightOf, type LabelCounts } from '../statistics/judged-rate.js'
import { normalCdf, normalQuantile, studentQuantile, zOf } from '../statistics/normal.js'
import type { PairedTest } from '../statistics/paired.js'
import type { StratifiedTest } from '../statistics/stratified.js'
import { correctedGroups, type CorrectedGroup } from './corrected-side.js'
import type { JudgedSide } from './judged-fold.js'

export interface Correction {
  /** Of the rates before and after: their difference is added to the observed one. */
  before: number
  after: number
  /** A judge that is often wrong makes true differences look smaller. */
  stretch: number
  /** Of the labels or licences behind it. */
  variance: number
  /** By licences alone: a judge that both sides share makes differences smaller and never turns them around. */
  isShared: boolean
}

/** Undefined: there is no judge whose error is known on both sides. */
export function correctionOf(before: JudgedSide | undefined, after: JudgedSide | undefined): Correction | undefined {
  const [old, fresh] = [before, after].map((side) => (side && side.all.count > 0 ? correctedGroups(side) : []))
  if (!old || !fresh || old.length + fresh.length === 0) return undefined
  const keys = [...new Set([...old, ...fresh].map(({ key }) => key))]
  const both = keys.map((key) => [old, fresh].map((groups) => groups.find((group) => group.key === key)))
  const isAll = [before, after].every((side, at) => (side?.groups.size ?? 0) === [old, fresh][at]?.length)
  // A corrected rate against one that is not would show the error of the judge as a difference, or hide a difference behind it.
  const parts = both
    .filter(([one, other]) => isAll || (one !== undefined && other !== undefined))
    .map(([one, other]) => partOf(one, other))
  if (parts.length === 0) return undefined
  const isWhole = isAll && [old, fresh].every((groups) => groups.reduce((sum, { share }) => sum + share, 0) > 1 - 1e-9)
  const sum = (read: (part: Correction) => number): number => parts.reduce((total, part) => total + read(part), 0)
  return {
    before: sum((part) => part.before),
    after: sum((part) => part.after),
    // What rests on no judge keeps its own spread.
    stretch: Math.max(isWhole ? 0 : 1, ...parts.map(({ stretch }) => stretch)),
    variance: sum(({ variance }) => variance),
    isShared: parts.every(({ isShared }) => isShared),
  }
}

/** Of one judge with one criterion, on one side or on both. */
function partOf(before: CorrectedGroup | undefined, after: CorrectedGroup | undefined): Correction {
  const [one, other] = [before, after]
  if (one?.found.method === 'labels' && other?.found.method === 'labels') {
    const pooled = sumOf(one.labels, other.labels)
    const rest = one.group.judged.count + other.group.judged.count - countOf(pooled)
    const weight = rest === 0 ? 0 : weightOf(pooled, countOf(pooled) / rest)
    const [was, is] = [byLabels(one, weight), byLabels(other, weight)]
    const variance = was.variance + is.variance
    return { before: was.shift, after: is.shift, stretch: weight, variance, isShared: false }
  }
  if (one?.found.method === 'licence' && other?.found.method === 'licence') return byLicence(one, other)
  const [was, is] = [alone(one), alone(other)]
  return {
    before: was.before + was.after,
    after: is.before + is.after,
    stretch: Math.max(was.stretch, is.stretch),
    variance: was.variance + is.variance,
    isShared: false,
  }
}

const NOTHING: Correction = { before: 0, after: 0, stretch: 0, variance: 0, isShared: false }

/** Of a side whose judge the other side does not have, or knows in another way. */
function alone(group: CorrectedGroup | undefined): Correction {
  if (!group) return NOTHING
  if (group.found.method === 'licence') return byLicence(undefined, group)
  if (group.found.method === 'labels') {
    const { shift, variance } = byLabels(group, 1)
    return { before: 0, after: shift, stretch: 1, variance, isShared: false }
  }
  const { rate, interval } = group.found
  const half = (group.share * (interval.high - interval.low)) / 2
  return {
    before: 0,
    after: group.share * (rate - observed(group)),
    stretch: 1,
    variance: (half / zOf(0.95)) ** 2,
    isShared: false,
  }
}

/** The judge's verdicts count with this weight, the labels say by how much they are wrong. */
function byLabels({ group, labels, share }: CorrectedGroup, weight: number): { shift: number; variance: number } {
  const count = countOf(labels)
  const people = (labels.both_pass + labels.people_pass_only) / count
  const judge = (labels.both_pass + labels.judge_pass_only) / count
  const all = group.judged.passed / group.judged.count
  const few = count < 50 ? (studentQuantile(0.95, count - 1) / zOf(0.95)) ** 2 : 1
  return {
    shift: share * (people + weight * (all - judge) - all),
    variance: (share ** 2 * residualVariance(labels, weight) * few) / count,
  }
}

/** Both sides share the errors of one judge, so that they mostly cancel: only what the judge hides is uncertain. */
function byLicence(before: CorrectedGroup | undefined, after: CorrectedGroup): Correction {
  const { sensitivity, specificity, passes, failures } = ratesOf(after.labels)
  const youden = sensitivity + specificity - 1
  const corrected = (group: CorrectedGroup | undefined): number =>
    group ? (group.share * (observed(group) + specificity - 1)) / youden : 0
  const shift = (group: CorrectedGroup | undefined): number =>
    group ? corrected(group) - group.share * observed(group) : 0
  const difference = corrected(after) - corrected(before)
  const grown = after.share - (before?.share ?? 0)
  const ofPasses = (difference / youden) ** 2 * spread(sensitivity, passes)
  const ofFailures = ((grown - difference) / youden) ** 2 * spread(specificity, failures)
  return {
    before: shift(before),
    after: shift(after),
    stretch: 1 / youden,
    variance: ofPasses + ofFailures,
    isShared: before !== undefined,
  }
}

function observed({ group }: CorrectedGroup): number {
  return group.judged.passed / group.judged.count
}

function ratesOf(labels: LabelCounts) {
  const passes = labels.both_pass + labels.people_pass_only
  const failures = labels.judge_pass_only + labels.both_fail
  return { passes, failures, sensitivity: labels.both_pass / passes, specificity: labels.both_fail / failures }
}

/** One success and one failure more: a judge without an error on the labels may still make some. */
function spread(rate: number, count: number): number {
  const smooth = (rate * count + 1) / (count + 2)
  return (smooth * (1 - smooth)) / (count + 2)
}

function sumOf(one: LabelCounts, other: LabelCounts): LabelCounts {
  return {
    both_pass: one.both_pass + other.both_pass,
    judge_pass_only: one.judge_pass_only + other.judge_pass_only,
    people_pass_only: one.people_pass_only + other.people_pass_only,
    both_fail: one.both_fail + other.both_fail,
  }
}

/** The same test, of the corrected difference. */
export function correctedPaired(test: PairedTest, correction: Correction | undefined): PairedTest {
  if (!correction || test.cases === 0) return test
  const before = clip(test.before + correction.before)
  const after = clip(test.after + correction.after)
  const difference = after - before
  const moved = (bounds: (level: number) => Interval) => (level: number) =>
    around(difference, { of: bounds(level), at: test.difference }, correction, normalQuantile(1 - level))
  const bounds = moved(test.bounds)
  // The level at which the bound would just reach it.
  const levelOf = (isBeyond: (level: number) => boolean): number => bisect(0, 0.5, (level) => !isBeyond(level))
  return {
    cases: test.cases,
    before,
    after,
    difference,
    below: (at) => (at <= difference ? 1 : levelOf((level) => bounds(level).high < at)),
    above: (at) => (at >= difference ? 1 : levelOf((level) => bounds(level).low > at)),
    bounds,
    scaled: (factor) => ({ bounds: moved(test.scaled(factor).bounds) }),
  }
}

const LEVEL = 0.05

/** By the normal limit: what the labels leave open is not exact either. */
export function correctedStratified(test: StratifiedTest, correction: Correction | undefined): StratifiedTest {
  if (!correction) return test
  const before = clip(test.before + correction.before)
  const after = clip(test.after + correction.after)
  const difference = after - before
  const z = normalQuantile(1 - LEVEL / 2)
  const wide = around(difference, { of: test.interval(LEVEL), at: test.difference }, correction, z)
  const error = { low: (difference - wide.low) / z, high: (wide.high - difference) / z }
  const towards0 = difference < 0 ? error.high : error.low
  const own = difference === 0 || towards0 === 0 ? 1 : 2 * normalCdf(-Math.abs(difference) / towards0)
  const isLarger =
    Math.sign(difference) === Math.sign(test.difference) && Math.abs(difference) >= Math.abs(test.difference)
  const p_value = correction.isShared && isLarger ? Math.min(own, test.p_value) : own
  return {
    p_value,
    least: 0,
    before,
    after,
    difference,
    method: 'normal',
    interval: (level) => {
      const reach = normalQuantile(1 - level / 2)
      return { low: clipped(difference - reach * error.low), high: clipped(difference + reach * error.high) }
    },
  }
}

function around(
  difference: number,
  chance: { of: Interval; at: number },
  { stretch, variance, isShared }: Correction,
  z: number,
): Interval {
  const beyond = (distance: number): number => Math.hypot(stretch * distance, z * Math.sqrt(variance))
  const low = clipped(difference - beyond(chance.at - chance.of.low))
  const high = clipped(difference + beyond(chance.of.high - chance.at))
  // How much larger the true difference is may be open; that it is at least the one seen is not.
  if (isShared && chance.of.high < 0 && difference <= chance.at) return { low, high: Math.min(high, chance.of.high) }
  if (isShared && chance.of.low > 0 && difference >= chance.at) return { low: Math.max(low, chance.of.low), high }
  return { low, high }
}

function clip(rate: number): number {
  return Math.min(1, Math.max(0, rate))
}

function clipped(difference: number): number {
  return Math.min(1, Math.max(-1, difference))
}
