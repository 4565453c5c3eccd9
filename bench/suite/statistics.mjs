// Ranks and random numbers for the benchmark.

/** Spearman's, with ties. */
export function rankCorrelation(left, right) {
  return correlation(ranksOf(left), ranksOf(right))
}

function ranksOf(values) {
  const order = values.map((value, index) => ({ value, index })).toSorted((a, b) => a.value - b.value)
  const ranks = Array(values.length)
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && order[to].value === order[from].value) to += 1
    for (let at = from; at < to; at += 1) ranks[order[at].index] = (from + to - 1) / 2
    from = to
  }
  return ranks
}

function correlation(x, y) {
  const [mx, my] = [mean(x), mean(y)]
  const sum = (of) => x.reduce((total, _, index) => total + of(x[index] - mx, y[index] - my), 0)
  const spread = Math.sqrt(sum((a) => a * a) * sum((_, b) => b * b))
  return spread === 0 ? 0 : sum((a, b) => a * b) / spread
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
