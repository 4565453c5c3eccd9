// Welch's t test of two samples, used on the logarithms of durations and costs.
import { meanOf } from './bootstrap.js'
import { studentTwoSided } from './normal.js'

/** Two-sided p-value; 1 where a side has fewer than two values and nothing can be said. */
export function welch(first: readonly number[], second: readonly number[]): number {
  if (first.length < 2 || second.length < 2) return 1
  const difference = meanOf(second) - meanOf(first)
  const a = variance(first) / first.length
  const b = variance(second) / second.length
  if (a + b === 0) return difference === 0 ? 1 : 0
  const degrees = (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1))
  return studentTwoSided(difference / Math.sqrt(a + b), degrees)
}

function variance(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}
