// How much of an answer is in a reference, by runs of one to four words.

/** Shares of matching runs, averaged geometrically; a short answer is punished. The closest reference sets the length. */
export function bleu(answer: string, references: string[]): number {
  if (answer.trim() === '') return 0
  const words = split(answer)
  const others = references.map(split)
  const length = others
    .map((other) => other.length)
    .reduce((best, one) => {
      const [near, far] = [Math.abs(one - words.length), Math.abs(best - words.length)]
      return near < far || (near === far && one < best) ? one : best
    })
  const shares: number[] = []
  for (let size = 1; size <= 4; size += 1) {
    const runs = countRuns(words, size)
    if (runs.size === 0) continue
    const most = Math.max(0, ...others.map((other) => common(runs, countRuns(other, size))))
    shares.push(most / total(runs))
  }
  const weight = 1 / shares.length
  const mean = shares.reduce((sum, share) => sum + weight * Math.log(share === 0 ? 1e-7 : share), 0)
  return (words.length > length ? 1 : Math.exp(1 - length / words.length)) * Math.exp(mean)
}

/** The smaller of precision and recall over all runs, against the best reference. */
export function gleu(answer: string, references: string[]): number {
  const words = withoutDots(answer)
  if (words.length === 0) return 0
  return Math.max(
    ...references.map((reference) => {
      const other = withoutDots(reference)
      if (words.join(' ') === other.join(' ') && words.length === other.length) return 1
      let [shared, mine, theirs] = [0, 0, 0]
      for (let size = 1; size <= 4; size += 1) {
        const [runs, wanted] = [countRuns(words, size), countRuns(other, size)]
        shared += common(runs, wanted)
        mine += total(runs)
        theirs += total(wanted)
      }
      return mine === 0 || theirs === 0 ? 0 : Math.min(shared / mine, shared / theirs)
    }),
  )
}

function split(text: string): string[] {
  return text.toLowerCase().trim().split(/\s+/)
}

function withoutDots(text: string): string[] {
  const words = split(text).map((word) => word.replace(/\.+$/, ''))
  return words.some((word) => word !== '') ? words : []
}

function countRuns(words: string[], size: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let at = 0; at + size <= words.length; at += 1) {
    const run = words.slice(at, at + size).join(' ')
    counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return counts
}

function common(left: Map<string, number>, right: Map<string, number>): number {
  let sum = 0
  for (const [run, count] of left) sum += Math.min(count, right.get(run) ?? 0)
  return sum
}

function total(counts: Map<string, number>): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}
