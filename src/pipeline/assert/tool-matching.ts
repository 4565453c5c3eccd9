// Assigning tool calls to what was expected: as many pairs as possible, never greedily.

/** For each expected index the call it is paired with (-1 = none); the number of pairs is as large as it can be. */
export function pairUp(expected: number, calls: number, fits: (expected: number, call: number) => boolean): number[] {
  const callOf = Array.from({ length: expected }, () => -1)
  const expectedOf = Array.from({ length: calls }, () => -1)
  const edges = Array.from({ length: expected }, (_, wanted) =>
    Array.from({ length: calls }, (_unused, call) => call).filter((call) => fits(wanted, call)),
  )

  /** Gives `wanted` a call, moving earlier pairs along if that frees one. */
  function place(wanted: number, tried: Set<number>): boolean {
    for (const call of edges[wanted] ?? []) {
      if (tried.has(call)) continue
      tried.add(call)
      const holder = expectedOf[call] ?? -1
      if (holder >= 0 && !place(holder, tried)) continue
      expectedOf[call] = wanted
      callOf[wanted] = call
      return true
    }
    return false
  }

  for (let wanted = 0; wanted < expected; wanted++) place(wanted, new Set())
  return callOf
}
