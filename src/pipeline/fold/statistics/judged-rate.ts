// The pass rate behind a judge's verdicts, corrected by what people said of some of the same answers.
import type { Interval } from './intervals.js'
import { studentQuantile, zOf } from './normal.js'

/** What the judge said against what people said, counted over the answers that people labelled. */
export interface LabelCounts {
  both_pass: number
  judge_pass_only: number
  people_pass_only: number
  both_fail: number
}

/** Verdicts of a judge over answers. */
export interface JudgedCount {
  passed: number
  count: number
}

export interface CorrectedRate {
  rate: number
  interval: Interval
}

/**
 * PPI++ (Angelopoulos et al. 2023): the labels correct the judge, the judge's other verdicts narrow the labels. The labels must
 * be a uniform random sample of the judged answers. A judge that says nothing about the labels gets no weight, so the interval
 * is never wider than that of the labels alone, up to the estimate of that weight.
 */
export function labelledRate(labels: LabelCounts, unlabelled: JudgedCount, confidence = 0.95): CorrectedRate {
  const count = countOf(labels)
  const people = (labels.both_pass + labels.people_pass_only) / count
  const judge = (labels.both_pass + labels.judge_pass_only) / count
  const weight = unlabelled.count === 0 ? 0 : weightOf(labels, count / unlabelled.count)
  const elsewhere = unlabelled.count === 0 ? 0 : unlabelled.passed / unlabelled.count
  const rate = clip(people + weight * (elsewhere - judge))
  const ofJudge = weight === 0 ? 0 : (weight ** 2 * elsewhere * (1 - elsewhere)) / unlabelled.count
  const variance = ofJudge + residualVariance(labels, weight) / count
  return { rate, interval: effectiveWilson({ rate, variance, count, all: count + unlabelled.count }, confidence) }
}

export function countOf(labels: LabelCounts): number {
  return labels.both_pass + labels.judge_pass_only + labels.people_pass_only + labels.both_fail
}

export interface Estimate {
  rate: number
  variance: number
  /** How many answers people labelled. */
  count: number
  /** How many answers there are: no estimate knows more than labels on all of them would tell. */
  all: number
}

/**
 * Wilson's interval at the number of plain labels that would be as precise. Unlike a normal interval it keeps its coverage near 0 and 1,
 * and it has a width even if all labels agree.
 */
export function effectiveWilson({ rate, variance, count, all }: Estimate, confidence = 0.95): Interval {
  // Smoothed as the variance is, so that labels which all agree are worth their number.
  const smooth = (rate * count + 1) / (count + 2)
  const equivalent = variance > 0 ? (smooth * (1 - smooth)) / variance : count
  const size = Math.min(Math.max(equivalent, 1), Math.max(all, count))
  const quantile = count < 50 ? studentQuantile(confidence, Math.max(1, count - 1)) : zOf(confidence)
  const square = quantile ** 2 / size
  const centre = (rate + square / 2) / (1 + square)
  const half = (quantile / (1 + square)) * Math.sqrt((rate * (1 - rate)) / size + square / (4 * size))
  return { low: clip(centre - half), high: clip(centre + half) }
}

/** How much the judge's verdicts narrow the labels: 0 if they say nothing. `ratio`: labelled answers to the others. */
export function weightOf(labels: LabelCounts, ratio: number): number {
  const count = countOf(labels)
  const judge = (labels.both_pass + labels.judge_pass_only) / count
  const people = (labels.both_pass + labels.people_pass_only) / count
  const variance = judge * (1 - judge)
  if (variance === 0) return 0
  return clip((labels.both_pass / count - judge * people) / ((1 + ratio) * variance))
}

/**
 * The sample variance of `people - weight × judge` over the labelled answers. Half an answer more in each cell: a good judge is
 * wrong so rarely that the labels alone would make its error look smaller than it is.
 */
export function residualVariance(labels: LabelCounts, weight: number): number {
  if (countOf(labels) < 2) return 0.25
  const values: Array<[number, number]> = [
    [labels.both_pass + 0.5, 1 - weight],
    [labels.judge_pass_only + 0.5, -weight],
    [labels.people_pass_only + 0.5, 1],
    [labels.both_fail + 0.5, 0],
  ]
  const count = countOf(labels) + 2
  const mean = values.reduce((sum, [times, value]) => sum + times * value, 0) / count
  return values.reduce((sum, [times, value]) => sum + times * (value - mean) ** 2, 0) / (count - 1)
}

function clip(value: number): number {
  return Math.min(1, Math.max(0, value))
}

/** The second rate minus the first, from two independent intervals (Zou and Donner's method of variance estimates recovery). */
export function differenceOf(first: CorrectedRate, second: CorrectedRate): CorrectedRate {
  const rate = second.rate - first.rate
  const below = Math.hypot(second.rate - second.interval.low, first.interval.high - first.rate)
  const above = Math.hypot(second.interval.high - second.rate, first.rate - first.interval.low)
  return { rate, interval: { low: Math.max(-1, rate - below), high: Math.min(1, rate + above) } }
}
