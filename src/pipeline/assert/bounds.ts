// `min`, `max`, `exact`: limits on a count, checked at load for ones that can never hold.
import * as v from 'valibot'
import { SpecError } from './define-assertion.js'

export interface Bounds {
  min?: number | undefined
  max?: number | undefined
  exact?: number | undefined
}

const limit = v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)))

export const boundEntries = { min: limit, max: limit, exact: limit }

export function requireBounds(bounds: Bounds, field: string): Bounds {
  const { min, max, exact } = bounds
  if (min === undefined && max === undefined && exact === undefined) {
    throw new SpecError(field, 'needs min, max or exact')
  }
  if (exact !== undefined && (min !== undefined || max !== undefined)) {
    throw new SpecError(field, 'give exact, or min and max, not both')
  }
  if (min === 0 && max === undefined) {
    throw new SpecError(field, 'min 0 alone always holds: it cannot fail. Give max or exact as well')
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw new SpecError(field, `min ${min} is more than max ${max}: it can never pass`)
  }
  return bounds
}

export function isWithin(count: number, { min, max, exact }: Bounds): boolean {
  if (exact !== undefined) return count === exact
  return (min === undefined || count >= min) && (max === undefined || count <= max)
}

/** Whether all counts from one to the other, which may be infinite, are within, or none is. */
export function isSettled(from: number, to: number, { min, max, exact }: Bounds): boolean {
  const [low, high] = [exact ?? min ?? 0, exact ?? max ?? Infinity]
  return (from >= low && to <= high) || to < low || from > high
}

/** `at least 2`, `exactly 3`, `2 to 5`. */
export function describeBounds({ min, max, exact }: Bounds): string {
  if (exact !== undefined) return `exactly ${exact}`
  if (min !== undefined && max !== undefined) return `${min} to ${max}`
  return min === undefined ? `at most ${max}` : `at least ${min}`
}
