// Several claims share one level, so that together they are wrong no more often than it says.

export interface Member {
  /** Its share of the level, among those that can reach significance at all. */
  weight: number
  /** The smallest p-value that it could have given. */
  least: number
  speaks(level: number): boolean
}

/**
 * Weighted Holm: each member is tested at its share of the level; one that has reached significance leaves its share to the
 * others, and one that never can gets none. That depends on totals alone, so checking it costs nothing.
 */
export function shareLevel<Name extends string>(alpha: number, members: Record<Name, Member>): Record<Name, number> {
  const levels = Object.fromEntries(Object.keys(members).map((name) => [name, alpha])) as Record<Name, number>
  let silent = Object.keys(members) as Name[]
  for (;;) {
    const able = ableAmong(silent, alpha, members, levels)
    const still = silent.filter((name) => !able.includes(name) || !members[name].speaks(levels[name]))
    if (still.length === silent.length) return levels
    silent = still
  }
}

/** Those that can reach significance at the level they then have, which is set. */
function ableAmong<Name extends string>(
  names: readonly Name[],
  alpha: number,
  members: Record<Name, Member>,
  levels: Record<Name, number>,
): Name[] {
  let able = names.filter((name) => members[name].least < alpha)
  for (;;) {
    const total = able.reduce((sum, name) => sum + members[name].weight, 0)
    for (const name of able) levels[name] = (alpha * members[name].weight) / total
    const left = able.filter((name) => members[name].least < levels[name])
    if (left.length === able.length) return able
    able = left
  }
}
