// How far apart two strings are: insertions, deletions, replacements and swaps of neighbours.

export function editDistance(left: string, right: string): number {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left]
  let beforeLast = new Uint32Array(short.length + 1)
  let last = Uint32Array.from({ length: short.length + 1 }, (_, index) => index)
  let row = new Uint32Array(short.length + 1)
  for (let i = 1; i <= long.length; i++) {
    const code = long.charCodeAt(i - 1)
    const codeBefore = i > 1 ? long.charCodeAt(i - 2) : -1
    row[0] = i
    for (let j = 1; j <= short.length; j++) {
      const other = short.charCodeAt(j - 1)
      let cost = Math.min(at(last, j - 1) + (other === code ? 0 : 1), at(last, j) + 1, at(row, j - 1) + 1)
      const swapped = j > 1 && other === codeBefore && short.charCodeAt(j - 2) === code
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      row[j] = cost
    }
    ;[beforeLast, last, row] = [last, row, beforeLast]
  }
  return at(last, short.length)
}

function at(row: Uint32Array, index: number): number {
  return row[index] ?? 0
}
