// Many tests together: p-values adjusted so that the chance of even one false flag stays below the level.

export interface Tested {
  p_value: number
  /** The smallest p-value that the test could have given. */
  least: number
}

/**
 * Tarone–Holm, in the order given: below `level` exactly where the flag holds. Tests that could never reach significance
 * are not counted, so that one broken case is found among many that always pass.
 */
export function taroneHolm(tests: readonly Tested[], level: number): number[] {
  const adjusted = tests.map(() => 1)
  let left = tests.map((test, index) => ({ ...test, index })).toSorted((a, b) => a.p_value - b.p_value)
  let highest = 0
  for (;;) {
    const count = counted(left, level)
    const flagged = left.filter(({ p_value }) => p_value * count < level)
    if (flagged.length === 0) {
      for (const { p_value, index } of left) adjusted[index] = Math.min(1, p_value * count)
      return adjusted
    }
    for (const { p_value, index } of flagged) adjusted[index] = highest = Math.max(highest, p_value * count)
    left = left.slice(flagged.length)
  }
}

/** The smallest factor to multiply by: no more tests than that can still reach significance. */
function counted(tests: readonly Tested[], level: number): number {
  const least = tests.map((test) => test.least).toSorted((a, b) => a - b)
  let count = 1
  // The test after the first `count` must be unable to reach level / count.
  while (count < least.length && (least[count] ?? 1) * count < level) count++
  return count
}
