// Shards of equal duration instead of equal size: which shard gets which case, from how long each took before. Pure.

export interface ShardPlan {
  format: 1
  shards: number
  /** Id → number of its shard, from 1. A case that is not listed goes by its id. */
  cases: Record<string, number>
}

/** Longest first, each to the shard with the least to do; the same figures always give the same plan. */
export function balanceShards(durations: ReadonlyMap<string, number>, shards: number): ShardPlan {
  const longestFirst = [...durations].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
  const loads = Array.from({ length: shards }, () => 0)
  const cases = longestFirst.map(([id, duration]): [string, number] => {
    const least = loads.indexOf(Math.min(...loads))
    // Even a case that takes no time has to be run.
    loads[least] = (loads[least] ?? 0) + Math.max(duration, 1)
    return [id, least + 1]
  })
  return { format: 1, shards, cases: Object.fromEntries(cases) }
}
