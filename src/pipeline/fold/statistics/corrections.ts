// Many tests at once: p-values adjusted so that few or none of the flags are false.

/** Holm: the chance of even one false flag stays below the level. In the order given. */
export function holm(pValues: readonly number[]): number[] {
  const adjusted = pValues.map(() => 1)
  let highest = 0
  for (const [rank, { p, index }] of ascending(pValues).entries()) {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * p))
    adjusted[index] = highest
  }
  return adjusted
}

/** Benjamini–Hochberg: the expected share of false flags stays below the level. In the order given. */
export function benjaminiHochberg(pValues: readonly number[]): number[] {
  const adjusted = pValues.map(() => 1)
  let lowest = 1
  for (const [fromEnd, { p, index }] of ascending(pValues).toReversed().entries()) {
    lowest = Math.min(lowest, (pValues.length * p) / (pValues.length - fromEnd))
    adjusted[index] = lowest
  }
  return adjusted
}

function ascending(pValues: readonly number[]): Array<{ p: number; index: number }> {
  return pValues.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
}
