// Quantiles of a list, interpolated between the two nearest values.

export function quantileOfSorted(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0) return 0
  const position = (sorted.length - 1) * Math.min(1, Math.max(0, probability))
  const below = sorted[Math.floor(position)] ?? 0
  const above = sorted[Math.ceil(position)] ?? below
  return below + (above - below) * (position - Math.floor(position))
}
