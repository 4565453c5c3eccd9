// Welch's t test of two samples known by their moments; used on the logarithms of durations and costs.
import type { Tested } from './corrections.js'
import { lnChoose } from './gamma.js'
import { studentTwoSided } from './normal.js'

/** Enough to know mean and variance without keeping the values. */
export interface Sample {
  count: number
  sum: number
  squares: number
}

export function addToSample(sample: Sample, value: number): void {
  sample.count++
  sample.sum += value
  sample.squares += value * value
}

export function sampleMean(sample: Sample): number {
  return sample.count === 0 ? 0 : sample.sum / sample.count
}

/**
 * Two-sided; undecided if a side has fewer than two values. Never more certain than a shuffle of so few values
 * could be: two equal durations on each side are no proof, however small their variance.
 */
export function welch(first: Sample, second: Sample): Tested {
  if (first.count < 2 || second.count < 2) return { p_value: 1, least: 1 }
  const least = Math.min(1, 2 * Math.exp(-lnChoose(first.count + second.count, first.count)))
  return { p_value: Math.max(least, pValue(first, second)), least }
}

function pValue(first: Sample, second: Sample): number {
  const difference = sampleMean(second) - sampleMean(first)
  const a = variance(first) / first.count
  const b = variance(second) / second.count
  if (a + b === 0) return difference === 0 ? 1 : 0
  const degrees = (a + b) ** 2 / (a ** 2 / (first.count - 1) + b ** 2 / (second.count - 1))
  return studentTwoSided(difference / Math.sqrt(a + b), degrees)
}

function variance(sample: Sample): number {
  // Cancellation may leave a hair below zero for equal values.
  return Math.max(0, sample.squares - sample.sum ** 2 / sample.count) / (sample.count - 1)
}
