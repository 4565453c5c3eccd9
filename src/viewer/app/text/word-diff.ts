// Two texts as two columns, with the words that differ marked in each.
import { diffLines, diffWordsWithSpace } from 'diff'

export interface Piece {
  text: string
  changed?: boolean
  /** Left out: this many characters that are the same on both sides. */
  skipped?: number
}

export interface Columns {
  before: Piece[]
  after: Piece[]
}

/** Undefined if marks would say nothing: the texts are too long to compare, or have little in common. */
export function wordDiff(before: string, after: string): Columns | undefined {
  if (Math.max(before.length, after.length) > MOST_CHARACTERS) return undefined
  // Lines first: it is faster, and keeps a changed line beside its counterpart.
  const lines = diffLines(before, after, LIMITS)
  if (!lines) return undefined
  const columns: Columns = { before: [], after: [] }
  let shared = 0
  for (let index = 0; index < lines.length; index += 1) {
    const change = lines[index]
    const next = lines[index + 1]
    if (change?.removed && next?.added) {
      shared += compareWords(change.value, next.value, columns)
      index += 1
    } else if (change?.removed) add(columns.before, change.value, true)
    else if (change?.added) add(columns.after, change.value, true)
    else if (change) {
      shared += change.value.trim().length
      both(columns, change.value)
    }
  }
  return shared * 3 > Math.min(before.trim().length, after.trim().length) ? columns : undefined
}

/** Long equal stretches are cut in the middle: what differs must be in sight. */
export function shortened(pieces: Piece[]): Piece[] {
  return pieces.flatMap((piece, index) => {
    if (piece.changed || piece.text.length < LONG_STRETCH) return [piece]
    const head = index === 0 ? '' : piece.text.slice(0, KEPT)
    const tail = index === pieces.length - 1 ? '' : piece.text.slice(-KEPT)
    const skipped = { text: '', skipped: piece.text.length - head.length - tail.length }
    return [{ text: head }, skipped, { text: tail }]
  })
}

const MOST_CHARACTERS = 60_000
// Bounded: the page must never hang on two texts that have nothing in common.
const LIMITS = { maxEditLength: 600, timeout: 300 }
const LONG_STRETCH = 900
const KEPT = 300

function compareWords(before: string, after: string, columns: Columns): number {
  const words = diffWordsWithSpace(before, after, LIMITS)
  const same = words?.reduce(
    (sum, { added, removed, value }) => (added || removed ? sum : sum + value.trim().length),
    0,
  )
  // Unlike lines share a few small words by accident.
  if (!words || !same || same * 4 < Math.min(before.trim().length, after.trim().length)) {
    add(columns.before, before, true)
    add(columns.after, after, true)
    return 0
  }
  words.forEach(({ added, removed, value }, index) => {
    if (removed) add(columns.before, value, true)
    else if (added) add(columns.after, value, true)
    // A space between two changed words is part of the change.
    else both(columns, value, value === ' ' && index > 0 && index < words.length - 1)
  })
  return same
}

function both(columns: Columns, text: string, changed = false): void {
  add(columns.before, text, changed)
  add(columns.after, text, changed)
}

function add(side: Piece[], text: string, changed: boolean): void {
  const last = side.at(-1)
  if (last && (last.changed ?? false) === changed) last.text += text
  else side.push(changed ? { text, changed } : { text })
}
