// The known name a person probably meant.

/** The closest of `known`, if it is close enough to be a slip of the finger. */
export function nearName(name: string, known: Iterable<string>): string | undefined {
  const wanted = fold(name)
  let best: string | undefined
  let bestDistance = wanted.length <= 3 ? 1.5 : wanted.length <= 7 ? 2.5 : 3.5
  for (const candidate of known) {
    const distance = editDistance(wanted, fold(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Insertions, deletions and replacements needed to turn one text into the other. */
export function editDistance(left: string, right: string): number {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left]
  let row = Uint32Array.from({ length: short.length + 1 }, (_, index) => index)
  let next = new Uint32Array(short.length + 1)
  for (let i = 1; i <= long.length; i++) {
    next[0] = i
    const code = long.charCodeAt(i - 1)
    for (let j = 1; j <= short.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (short.charCodeAt(j - 1) === code ? 0 : 1)
      next[j] = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    ;[row, next] = [next, row]
  }
  return row[short.length] ?? 0
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}
