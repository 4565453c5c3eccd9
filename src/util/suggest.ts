// The near miss: which known word was probably meant.

const NEAR = 2

/** The nearest of `known`, at most two slips away and less than half of the word; undefined when nothing is near. */
export function suggest(word: string, known: Iterable<string>): string | undefined {
  const typed = word.toLowerCase()
  let best: string | undefined
  let bestDistance = NEAR + 1
  for (const candidate of known) {
    const target = candidate.toLowerCase()
    const longest = Math.max(typed.length, target.length)
    if (Math.abs(typed.length - target.length) > NEAR) continue
    const distance = editDistance(typed, target)
    if (distance * 2 < longest && distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
