// Numbers without the rounding error of their last digits: 0.07 * 100 is 7, and 1 - 0.95 is 0.05.

export function roundOff(value: number): number {
  return Number(value.toPrecision(12))
}

/** Of a share from 0 to 1. */
export function percentOf(share: number): number {
  return roundOff(share * 100)
}
