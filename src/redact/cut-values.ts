// A known value of which only the beginning or the end is present: previews and diffs cut texts before anything is hidden.

export const CUT_MARK = '…'

/** Fewer characters give little away, and are part of many words. */
const MIN_PART = 8
/** A value this short is not worth checking. */
const MIN_VALUE = 12

/** What a text must contain for a part of the value to be hidden in it. */
export function edgesOf(value: string): string[] {
  return value.length < MIN_VALUE ? [] : [value.slice(0, MIN_PART), value.slice(-MIN_PART)]
}

/** Hides beginnings of values just before a cut, and ends of values just after one. */
export function hideCut(text: string, values: readonly string[]): string {
  let result = text
  for (const value of values) {
    const [first, last] = edgesOf(value)
    if (first === undefined || last === undefined || !(result.includes(first) || result.includes(last))) continue
    const pieces = result.split(CUT_MARK)
    result = pieces
      .map((piece, index) => (index === 0 ? piece : withoutEnding(piece, value, last)))
      .map((piece, index) => (index === pieces.length - 1 ? piece : withoutBeginning(piece, value, first)))
      .join(CUT_MARK)
  }
  return result
}

/** The beginning of the value is at the end of the piece; a diff puts a blank between its words and the mark. */
function withoutBeginning(piece: string, value: string, first: string): string {
  const end = piece.endsWith(' ') ? piece.length - 1 : piece.length
  const near = piece.slice(Math.max(0, end - value.length), end)
  const from = near.lastIndexOf(first)
  if (from === -1 || !value.startsWith(near.slice(from))) return piece
  return `${piece.slice(0, end - near.length + from)}[SECRET]${piece.slice(end)}`
}

function withoutEnding(piece: string, value: string, last: string): string {
  const start = piece.startsWith(' ') ? 1 : 0
  const near = piece.slice(start, start + value.length)
  const end = near.indexOf(last) + MIN_PART
  if (end < MIN_PART || !value.endsWith(near.slice(0, end))) return piece
  return `${piece.slice(0, start)}[SECRET]${piece.slice(start + end)}`
}
