// The fewest parts of something that still fail: delta debugging, then one by one until none can be left out.

export interface Minimised<T> {
  parts: T[]
  /** False: the budget ended first, and more may be left out. */
  isMinimal: boolean
  asked: number
}

/** `parts` must fail. Asks `fails` about subsets in their order, each at most once, and at most `budget` times. */
export async function minimise<T>(
  parts: readonly T[],
  fails: (subset: T[]) => Promise<boolean>,
  budget = Infinity,
): Promise<Minimised<T>> {
  const known = new Map<string, boolean>()
  let asked = 0
  let isOver = false
  const test = async (indexes: number[]): Promise<boolean> => {
    const key = indexes.join(',')
    const before = known.get(key)
    if (before !== undefined) return before
    if (asked >= budget) {
      isOver = true
      return false
    }
    asked++
    const found = await fails(indexes.flatMap((index) => parts.slice(index, index + 1)))
    known.set(key, found)
    return found
  }
  const left = await reduced(
    parts.map((_, index) => index),
    test,
  )
  return { parts: left.flatMap((index) => parts.slice(index, index + 1)), isMinimal: !isOver, asked }
}

/** Ends only when no single part can be left out: at the finest division, each complement lacks one part. */
async function reduced(all: number[], test: (indexes: number[]) => Promise<boolean>): Promise<number[]> {
  let left = all
  let count = 2
  while (left.length > 1) {
    const chunks = divide(left, Math.min(count, left.length))
    const smaller = (await firstOf(chunks, test)) ?? (await firstOf(complements(left, chunks), test))
    if (smaller) {
      // A complement of n chunks has n - 1 of them: the division stays as fine as it was.
      count = Math.max(2, smaller.length > left.length / 2 ? chunks.length - 1 : 2)
      left = smaller
    } else if (chunks.length >= left.length) return left
    else count = Math.min(left.length, chunks.length * 2)
  }
  return left
}

async function firstOf(
  candidates: readonly number[][],
  test: (indexes: number[]) => Promise<boolean>,
): Promise<number[] | undefined> {
  for (const candidate of candidates) if (await test(candidate)) return candidate
  return undefined
}

function divide(items: readonly number[], count: number): number[][] {
  return Array.from({ length: count }, (_, index) =>
    items.slice(Math.floor((index * items.length) / count), Math.floor(((index + 1) * items.length) / count)),
  )
}

function complements(items: readonly number[], chunks: readonly number[][]): number[][] {
  if (chunks.length < 3) return []
  return chunks.map((chunk) => items.filter((item) => !chunk.includes(item)))
}
